/** Records of games that this guest has opened: what the replay page shows of one, and reading a file. */
import { api } from "../api/http";
import type { MatchSnapshot, OpenedRecord, Side } from "../api/types";
import { t } from "../languages";

/** What the replay page needs of a finished match. */
export type ReplayedMatch = Pick<MatchSnapshot, "game" | "options" | "phase" | "verdict" | "yours"> & {
  seats: Readonly<Record<Side, { name: string; level?: string }>> | null;
};

/** the server takes a little more */
export const MAX_BYTES = 240_000;

export const isRecord = (id: string): boolean => id.startsWith("record-");

/** Return what is to be known of a finished match, or of an opened record. */
export async function replayedMatch(id: string): Promise<ReplayedMatch> {
  return isRecord(id) ? asMatch(await api.openedRecord(id)) : api.snapshot(id, "watcher");
}

export const asMatch = ({ game, options, verdict, south, north }: OpenedRecord): ReplayedMatch => ({
  game,
  options,
  verdict,
  phase: "over",
  yours: [],
  seats: { south: { name: south }, north: { name: north } },
});

/** Return the text of a file, or throw a sentence that says why it cannot be a record. */
export async function readRecordFile(file: Pick<File, "size" | "text">): Promise<string> {
  if (file.size === 0) throw new Error(t("review.record.empty-file"));
  if (file.size > MAX_BYTES) throw new Error(t("review.record.large-file"));
  return file.text();
}
