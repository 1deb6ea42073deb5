/** Texts about a match in a list. */
import { playerName } from "../api/names";
import type { MatchSummary } from "../api/types";

export function opponentLabel(match: MatchSummary): string {
  if (match.phase === "waiting") return match.opponent === "lobby" ? "open in the lobby" : "by link";
  const [south, north] = [playerName(match.south), playerName(match.north)];
  if (match.yours.length !== 1) return `${south} and ${north}`;
  return `against ${match.yours[0] === "south" ? north : south}`;
}

export function statusLabel(match: MatchSummary): string {
  if (match.phase === "waiting") return "Waiting for an opponent";
  if (match.phase === "setup") return "Setting up";
  if (match.phase === "over") return resultLabel(match);
  if (match.yours.length > 1) return "On this screen";
  return match.is_your_turn ? "Your turn" : "Their turn";
}

/** Return whether there is a replay; there is none of aborted matches and cancelled invitations. */
export function hasReplay(match: MatchSummary): boolean {
  return match.result !== null && !["aborted", "damaged"].includes(match.result.reason);
}

function resultLabel(match: MatchSummary): string {
  const winner = match.result?.winner;
  if (!match.result) return "Over";
  if (match.result.reason === "damaged") return "This game was damaged";
  if (!winner) return match.result.reason === "aborted" ? "Cancelled" : "Draw";
  if (match.yours.length !== 1) return `${playerName(match[winner])} won`;
  return match.yours.includes(winner) ? "You won" : "You lost";
}
