import { beforeEach, describe, expect, it, vi } from "vitest";
import { api, ApiError } from "../api/http";
import type { Choice, Courses, LessonState } from "../api/types";
import { placeOf } from "./courses";
import { LessonStore } from "./lesson-store.svelte";
import { doneLessons } from "./progress.svelte";

const answer = (actions: string[], verdict: LessonState["verdict"]): LessonState =>
  ({ actions, verdict, state: { can: ["act"], number: actions.length } }) as unknown as LessonState;

describe("a lesson", () => {
  const ask = vi.spyOn(api, "lesson");
  beforeEach(() => {
    ask.mockReset();
    doneLessons.clear();
    localStorage.clear();
  });

  const begun = async (): Promise<LessonStore> => {
    ask.mockResolvedValueOnce(answer([], ""));
    const store = new LessonStore("onyx/rescue");
    await vi.waitFor(() => expect(store.answer).not.toBeNull());
    return store;
  };

  it("sends the right actions again with the new one, and forgets a wrong one", async () => {
    const store = await begun();
    ask.mockResolvedValueOnce(answer(["b1-b2"], "right"));
    expect(await store.playChoice({ text: "b1-b2" } as Choice)).toBe(true);
    ask.mockResolvedValueOnce(answer(["b1-b2"], "wrong"));
    expect(await store.playText("b2-b1")).toBe(false);
    ask.mockResolvedValueOnce(answer(["b1-b2", "b2-b3"], "done"));
    await store.playText("b2-b3");
    expect(ask).toHaveBeenLastCalledWith("onyx/rescue", ["b1-b2", "b2-b3"]);
  });

  it("shows why an action is refused and keeps the position", async () => {
    const store = await begun();
    ask.mockResolvedValueOnce({ ...answer([], "illegal"), words: "b3 is a lake." });
    expect(await store.playText("b1-b3")).toBe(false);
    expect(store.answer?.verdict).toBe("");
    expect([store.error, store.snapshot?.number]).toEqual(["b3 is a lake.", 0]);
  });

  it("shows why the server cannot answer", async () => {
    const store = await begun();
    ask.mockRejectedValueOnce(new ApiError("busy", "Try again."));
    expect(await store.playText("b1-b2")).toBe(false);
    expect(store.error).toBe("Try again.");
  });

  it("is ticked off in this browser once it is done", async () => {
    const store = await begun();
    expect(localStorage.getItem("flagfall.lessons")).toBeNull();
    ask.mockResolvedValueOnce(answer(["b1-b2"], "done"));
    await store.playText("b1-b2");
    expect(doneLessons.has("onyx/rescue")).toBe(true);
    expect(localStorage.getItem("flagfall.lessons")).toBe('["onyx/rescue"]');
  });
});

describe("a course", () => {
  const course = { id: "onyx/onyx", lessons: [{ id: "onyx/a" }, { id: "onyx/b" }] };
  const all = { courses: [course] } as unknown as Courses;

  it("has an order", () => {
    expect(placeOf(all, "onyx/a")).toMatchObject({ before: "", after: "onyx/b" });
    expect(placeOf(all, "onyx/b")).toMatchObject({ before: "onyx/a", after: "" });
    expect(placeOf(all, "onyx/c")).toBeNull();
  });
});
