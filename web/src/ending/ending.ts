/** The end of a game for one viewer: headline, kind words, and the board with every piece shown. */
import { playerName } from "../api/names";
import type { MatchSnapshot, Side, Summary, View } from "../api/types";
import { t } from "../languages";

export type Mood = "won" | "lost" | "drawn" | "decided" | "off";

/** What the end means to the viewer; two players at one device, and watchers, see a game decided. */
export function moodOf({ result, is_open, viewer, yours }: MatchSnapshot): Mood {
  if (!is_open || !result) return "off";
  if (!result.winner) return "drawn";
  const isPlayer = yours.length === 1 && viewer === yours[0];
  if (!isPlayer) return "decided";
  return result.winner === viewer ? "won" : "lost";
}

export function headlineOf(snapshot: MatchSnapshot): string {
  const mood = moodOf(snapshot);
  const winner = snapshot.result?.winner;
  const name = winner && playerName(snapshot.seats?.[winner].name ?? "");
  return mood === "decided" && name ? t("ending.wins", { name }) : t(`ending.headline.${mood}`);
}

/** A few kind words under the sentence. */
export function kindWords(snapshot: MatchSnapshot): string {
  const mood = moodOf(snapshot);
  return mood === "off" ? "" : t(`ending.words.${mood}`, { reason: snapshot.result?.reason ?? "" });
}

/** The side that celebrates; null if the viewer has lost or nobody has won. */
export function celebratedSide(snapshot: MatchSnapshot): Side | null {
  const mood = moodOf(snapshot);
  return mood === "won" || mood === "decided" ? snapshot.result?.winner || null : null;
}

/** The View with all pieces face up, as the summary tells them. */
export function openView(view: View, summary: Summary): View {
  const pieces = view.pieces.map((piece) => ({
    ...piece,
    kind: summary.pieces[piece.cell] ?? "",
    possible: [],
  }));
  return { ...view, pieces, tray: summary.tray };
}
