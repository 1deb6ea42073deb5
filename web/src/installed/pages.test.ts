import dutch from "../languages/nl";
import english from "../languages/en";
import { Messages } from "../languages/messages";
import { manifest, noticeWithoutText, offlinePage, pageIn } from "./pages";

const DUTCH = new Messages("nl", dutch);

test("the page without a connection is in its language, with its texts escaped", () => {
  const page = new DOMParser().parseFromString(offlinePage("nl", DUTCH), "text/html");
  expect(page.documentElement.lang).toBe("nl");
  expect(page.querySelector("h1")?.textContent).toBe("Geen verbinding");
  expect(page.querySelector("code")?.textContent).toBe("flagfall play");
  const tricky = new Messages("en", {
    ...english,
    "installed.toml": JSON.parse(
      JSON.stringify(english["./en/installed.toml"]).replace("No connection", "<b>No & none"),
    ) as never,
  });
  expect(offlinePage("en", tricky)).toContain("<h1>&lt;b&gt;No &amp; none</h1>");
});

test("the manifest is one app in each language", () => {
  const [one, other] = [new Messages("en-GB", english), DUTCH].map((messages) =>
    JSON.parse(manifest(messages)),
  );
  expect([one.id, one.lang, other.id, other.lang]).toEqual(["/", "en-GB", "/", "nl"]);
  expect(other.description).not.toBe(one.description);
  expect(noticeWithoutText(DUTCH).title).toBe("Jij bent aan de beurt");
});

test("the page says what it is in its language before any script runs", async () => {
  const source = await import("../../index.html?raw");
  const page = new DOMParser().parseFromString(pageIn("nl", DUTCH, source.default), "text/html");
  expect(page.documentElement.lang).toBe("nl");
  const described = page.querySelectorAll('meta[name="description"]');
  expect([...described].map((one) => one.getAttribute("content"))).toEqual([
    "Speel Stratego: vijf edities met al hun krachten, tegen de computer of tegen een vriend.",
  ]);
  expect(page.querySelector("link[rel=manifest]")?.getAttribute("href")).toBe("/manifest.nl.webmanifest");
  expect(page.querySelector("script[type=module]")).not.toBeNull();
});
