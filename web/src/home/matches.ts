/** Texts about a match in a list. */
import { playerName } from "../api/names";
import type { MatchSummary } from "../api/types";
import { t } from "../languages";

export function opponentLabel(match: MatchSummary): string {
  if (match.phase === "waiting")
    return match.opponent === "lobby" ? t("home.players.in-lobby") : t("home.players.by-link");
  const [south, north] = [playerName(match.south), playerName(match.north)];
  if (match.yours.length !== 1) return t("home.players.both", { south, north });
  return t("home.players.against", { name: match.yours[0] === "south" ? north : south });
}

export function statusLabel(match: MatchSummary): string {
  if (match.phase === "waiting") return t("home.status.waiting");
  if (match.phase === "setup") return t("home.status.setup");
  if (match.phase === "over") return resultLabel(match);
  if (match.yours.length > 1) return t("home.status.same-screen");
  return match.is_your_turn ? t("home.status.your-turn") : t("home.status.their-turn");
}

/** Return whether there is a replay; there is none of aborted matches and cancelled invitations. */
export function hasReplay(match: MatchSummary): boolean {
  return match.result !== null && !["aborted", "damaged"].includes(match.result.reason);
}

function resultLabel(match: MatchSummary): string {
  const winner = match.result?.winner;
  if (!match.result) return t("home.status.over");
  if (match.result.reason === "damaged") return t("home.status.damaged");
  if (!winner) return match.result.reason === "aborted" ? t("home.status.cancelled") : t("home.status.draw");
  if (match.yours.length !== 1) return t("home.status.winner", { name: playerName(match[winner]) });
  return match.yours.includes(winner) ? t("home.status.you-won") : t("home.status.you-lost");
}
