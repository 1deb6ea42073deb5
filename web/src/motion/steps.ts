/**
 * What happened on the board, as steps to draw one after the other.
 *
 * Steps are made from the events the viewer was sent and nothing else, so they show no more than the View.
 */
import type { MatchSnapshot, Side, View } from "../api/types";

type SeenEvent = View["last_turn"][number];

export type StepName =
  | "step"
  | "run"
  | "leap"
  | "teleport"
  | "march"
  | "fight"
  | "shoot"
  | "look"
  | "convert"
  | "swing"
  | "sweep"
  | "spot"
  | "guess"
  | "return"
  | "purge";

/** A piece by its square when the step begins; `kind` is empty if the viewer does not know it. */
export interface Piece {
  square: string;
  side: Side;
  kind: string;
}

export interface Step {
  name: StepName;
  /** where the acting piece stands; empty if none acts */
  from: string;
  /** its target; empty for steps without one or with several */
  to: string;
  /** the pieces that go elsewhere */
  moves: { from: string; to: string }[];
  /** the pieces whose kind the viewer is shown */
  shown: Piece[];
  lost: Piece[];
  /** squares of pieces that were hit without effect */
  spared: string[];
  /** pieces that change sides, with their new side */
  converted: Piece[];
  /** pieces that come back onto the board */
  returned: Piece[];
  /** the kind that a Spotter names, and whether it is right */
  guess: string;
  isRight: boolean;
}

/** Events that begin a step of their own, and its name. */
const BEGINNINGS: Readonly<Record<string, StepName | undefined>> = {
  attack: "fight",
  leap: "leap",
  teleport: "teleport",
  shoot: "shoot",
  detect: "look",
  convert: "convert",
  swing: "swing",
  sweep: "sweep",
  spot: "spot",
  guess: "guess",
};
const MOVES: Readonly<Record<string, StepName | undefined>> = {
  run: "run",
  leap: "leap",
  teleport: "teleport",
  advance: "march",
};
const MAX_TURNS = 2;

/** The steps from one snapshot of a match to a later one; none if too much happened in between. */
export function stepsBetween(before: MatchSnapshot, after: MatchSnapshot): Step[] {
  if (!before.view || !after.view || before.match !== after.match || before.viewer !== after.viewer)
    return [];
  if (after.since > before.number || after.view.turn - before.view.turn > MAX_TURNS) return [];
  const { turn, last_turn } = before.view;
  const news = after.news.filter((one) => one.number >= before.number);
  return stepsFrom(
    news.flatMap((one) => one.events),
    last_turn.filter((event) => event.turn === turn),
  );
}

/** The steps of the last turn in a View. */
export function stepsOfTurn(view: View): Step[] {
  const latest = Math.max(-1, ...view.last_turn.map((event) => event.turn));
  return stepsFrom(view.last_turn.filter((event) => event.turn === latest));
}

/** The steps that events make; `earlier` has the events of the same turn before them. */
export function stepsFrom(events: readonly SeenEvent[], earlier: readonly SeenEvent[] = []): Step[] {
  const steps: Step[] = [];
  let current: Step | undefined;
  let waiting: Piece[] = [];
  const begin = (name: StepName, from = "", to = ""): Step => {
    current = newStep(name, from, to, waiting);
    waiting = [];
    steps.push(current);
    return current;
  };
  /** The step an event belongs to: the last one, or the power that was begun earlier in this turn. */
  const owner = (): Step => {
    if (current) return current;
    const power = earlier.findLast((event) => BEGINNINGS[event.what]);
    return begin(BEGINNINGS[power?.what ?? ""] ?? "fight", power?.origin ?? "", power?.target ?? "");
  };

  events.forEach((event, index) => {
    const { what, origin: from = "", target: to = "" } = event;
    const beginning = BEGINNINGS[what];
    if (beginning) begin(beginning, from, to).guess = what === "guess" ? (event.kind ?? "") : "";
    else if (what === "move") {
      const name = MOVES[event.detail ?? ""] ?? "step";
      const isPart =
        event.detail === "capture" || event.detail === "defender"
          ? current?.name === "fight"
          : current?.name === name && (name === "march" || (isJump(name) && current.moves.length === 0));
      const step = isPart && current ? current : begin(name, from, to);
      step.shown.push(...waiting);
      step.moves.push({ from, to });
      waiting = [];
    } else if (what === "shown") {
      const piece = pieceOf(event);
      if (event.detail === "rescued") setKind(current?.returned ?? [], piece);
      else if (isBeforeMove(events, index)) waiting.push(piece);
      else owner().shown.push(piece);
    } else if (what === "removed") owner().lost.push(pieceOf(event));
    else if (what === "no-effect") owner().spared.push(to || from);
    else if (what === "converted") owner().converted.push({ ...pieceOf(event), square: to || from });
    else if (what === "rescued") begin("return", "", to).returned.push({ ...pieceOf(event), square: to });
    else if (what === "regime" && event.detail === "bearer arrived")
      begin("purge", current?.moves.at(-1)?.to ?? "");
    else if (what === "turn") current = undefined;
  });
  for (const step of steps) completeStep(step);
  return steps;
}

const isJump = (name: StepName): boolean => name === "leap" || name === "teleport";

const newStep = (name: StepName, from: string, to: string, shown: Piece[]): Step => ({
  name,
  from,
  to,
  moves: [],
  shown,
  lost: [],
  spared: [],
  converted: [],
  returned: [],
  guess: "",
  isRight: false,
});

const pieceOf = (event: SeenEvent): Piece => ({
  square: event.origin ?? "",
  side: event.side ?? "south",
  kind: event.kind ?? "",
});

/** A piece is shown just before it moves: that belongs to the move, not to what happened before. */
function isBeforeMove(events: readonly SeenEvent[], index: number): boolean {
  const next = events[index + 1];
  return next?.what === "move" && next.piece === events[index]?.piece;
}

function setKind(pieces: Piece[], shown: Piece): void {
  for (const piece of pieces) if (piece.square === shown.square) piece.kind = shown.kind;
}

/** Fill in what is known only after the last event of a step. */
function completeStep(step: Step): void {
  for (const shown of step.shown) setKind([...step.lost, ...step.converted], shown);
  if (step.name === "guess") step.isRight = step.lost.length > 0;
}

/** Every square on which something changes or acts. */
export const squaresOf = (step: Step): string[] => [
  ...new Set(
    [
      step.from,
      step.to,
      ...step.moves.flatMap((move) => [move.from, move.to]),
      ...[step.shown, step.lost, step.converted, step.returned].flat().map((piece) => piece.square),
      ...step.spared,
    ].filter(Boolean),
  ),
];
