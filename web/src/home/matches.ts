/** A match in a list, in words. */
import type { MatchSummary } from "../api/types";

export function opponentLabel(match: MatchSummary): string {
  if (match.phase === "waiting") return match.opponent === "lobby" ? "open in the lobby" : "by link";
  if (match.yours.length !== 1) return `${match.south} and ${match.north}`;
  return `against ${match.yours[0] === "south" ? match.north : match.south}`;
}

export function statusLabel(match: MatchSummary): string {
  if (match.phase === "waiting") return "Waiting for somebody";
  if (match.phase === "setup") return "Setting up";
  if (match.phase === "over") return ending(match);
  if (match.yours.length > 1) return "On this screen";
  return match.is_your_turn ? "Your turn" : "Their turn";
}

/** A called-off game is not shown to anybody; neither is an invitation that was taken back. */
export function hasReplay(match: MatchSummary): boolean {
  return match.result !== null && !["aborted", "damaged"].includes(match.result.reason);
}

function ending(match: MatchSummary): string {
  const winner = match.result?.winner;
  if (!match.result) return "Over";
  if (match.result.reason === "damaged") return "Damaged, set aside";
  if (!winner) return match.result.reason === "aborted" ? "Called off" : "A draw";
  if (match.yours.length !== 1) return `${match[winner]} won`;
  return match.yours.includes(winner) ? "You won" : "You lost";
}
