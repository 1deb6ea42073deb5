/**
 * How each step looks: which parts of the motion layer move when, for the Web Animations API.
 *
 * Times are in milliseconds at normal speed, lengths in squares on the screen. A cue does nothing before it
 * starts and keeps its last frame, so that later cues continue from earlier ones.
 */
import type { ClientIcon } from "../ui/client-icons";
import { squaresOf, type Step, type StepName } from "./steps";

interface Point {
  x: number;
  y: number;
}

export type Tone = "plain" | "strike" | "fire" | "magic" | "sight" | "good";

/** A drawing that belongs to no piece: it is there for one step. */
export interface Effect {
  id: string;
  shape: "line" | "ring" | "burst" | "bolt" | "icon" | "tick" | "cross" | "tile";
  at: Point;
  tone: Tone;
  /** the end of a line */
  to?: Point;
  /** the radius of a ring or burst */
  radius?: number;
  icon?: ClientIcon;
  /** the kind on a tile */
  kind?: string;
}

export interface Cue {
  /** `piece d4`, its faces `old d4` and `new d4`, or `effect id` */
  part: string;
  frames: Keyframe[];
  at: number;
  ms: number;
  easing: string;
}

export interface Scene {
  ms: number;
  /** when it is decided: the moment for the sound */
  hitMs: number;
  cues: Cue[];
  effects: Effect[];
}

/** What a scene must know about the board. */
export interface Stage {
  place: (square: string) => Point;
  /** the squares of pieces whose face changes in this step */
  turning: ReadonlySet<string>;
  isBomb: (kind: string) => boolean;
  /** the acting piece was dropped on its target by hand */
  isDropped: boolean;
}

export const MAX_STEP_MS = 700;
const FLIP_MS = 130;
const FALL_MS = 190;
/** how far from the centre of the square each of two fighters stands */
const FIGHT_GAP = 0.4;
const SLIDE = "cubic-bezier(0.3, 0.7, 0.3, 1)";

class SceneBuilder {
  readonly scene: Scene = { ms: 0, hitMs: 0, cues: [], effects: [] };

  constructor(
    readonly step: Step,
    readonly stage: Stage,
  ) {}

  cue(part: string, at: number, ms: number, frames: Keyframe[], easing = "ease-out"): void {
    this.scene.cues.push({ part, frames, at, ms: Math.max(1, ms), easing });
    this.scene.ms = Math.max(this.scene.ms, at + ms);
  }

  effect(effect: Omit<Effect, "id">, at: number, ms: number, frames: Keyframe[], easing = "ease-out"): void {
    const id = String(this.scene.effects.length);
    this.scene.effects.push({ ...effect, id });
    this.cue(`effect ${id}`, at, ms, frames, easing);
  }

  /** The way from one square to another. */
  way(from: string, to: string): Point & { length: number } {
    const [a, b] = [this.stage.place(from), this.stage.place(to)];
    return { x: b.x - a.x, y: b.y - a.y, length: Math.hypot(b.x - a.x, b.y - a.y) };
  }

  slide(square: string, at: number, ms: number, points: readonly Point[], easing = SLIDE): void {
    this.cue(`piece ${square}`, at, ms, points.map(translation), easing);
  }

  /** Turn over a piece, if its face changes; return when that is done. */
  flip(square: string, at: number): number {
    if (!this.stage.turning.has(square)) return at;
    this.cue(`old ${square}`, at, FLIP_MS / 2, [{ scale: "1 1" }, { scale: "0 1.06" }], "ease-in");
    this.cue(`new ${square}`, at + FLIP_MS / 2, FLIP_MS / 2, [{ scale: "0 1.06" }, { scale: "1 1" }]);
    return at + FLIP_MS;
  }

  fall(square: string, at: number, ms = FALL_MS): void {
    const tilt = (this.stage.place(square).x * 10) % 2 < 1 ? "38deg" : "-38deg";
    const end = { scale: "0.45", rotate: tilt, opacity: 0, filter: "grayscale(1)" };
    this.cue(
      `piece ${square}`,
      at,
      ms,
      [{ scale: "1", rotate: "0deg", opacity: 1, filter: "grayscale(0)" }, end],
      "ease-in",
    );
  }

  shake(square: string, at: number): void {
    const frames = ["0deg", "-7deg", "6deg", "-3deg", "0deg"].map((rotate) => ({ rotate }));
    this.cue(`piece ${square}`, at, 180, frames, "linear");
  }

  ring(square: string, tone: Tone, at: number, ms: number, radius = 0.75): void {
    this.effect({ shape: "ring", at: this.stage.place(square), tone, radius }, at, ms, [
      { scale: "0.1", opacity: 1 },
      { scale: "0.8", opacity: 0.9, offset: 0.6 },
      { scale: "1", opacity: 0 },
    ]);
  }

  burst(square: string, tone: Tone, at: number, ms = 240, radius = 0.85): void {
    this.effect({ shape: "burst", at: this.stage.place(square), tone, radius }, at, ms, [
      { scale: "0.2", opacity: 1 },
      { scale: "1", opacity: 1, offset: 0.5 },
      { scale: "1.15", opacity: 0 },
    ]);
  }

  /** A line that is drawn from one square to another and fades. */
  line(from: string, to: string, tone: Tone, at: number, ms: number): void {
    const [a, b] = [this.stage.place(from), this.stage.place(to)];
    this.effect({ shape: "line", at: a, to: b, tone }, at, ms, [
      { strokeDashoffset: 1, opacity: 1 },
      { strokeDashoffset: 0, opacity: 1, offset: 0.5 },
      { strokeDashoffset: 0, opacity: 0 },
    ]);
  }

  /** A small picture that pops up on a square and fades. */
  pop(square: string, effect: Omit<Effect, "id" | "at">, at: number, ms: number, lift = 0): void {
    const { x, y } = this.stage.place(square);
    this.effect({ ...effect, at: { x, y: y - lift } }, at, ms, [
      { scale: "0.3", opacity: 0 },
      { scale: "1.12", opacity: 1, offset: 0.25 },
      { scale: "1", opacity: 1, offset: 0.75 },
      { scale: "1", opacity: 0 },
    ]);
  }

  isLost(square: string): boolean {
    return this.step.lost.some((piece) => piece.square === square);
  }

  /** What becomes of a piece that was hit: it falls, or it resists. */
  resolve(square: string, at: number): void {
    if (this.isLost(square)) this.fall(square, at);
    else if (this.step.spared.includes(square)) {
      this.shake(square, at);
      this.pop(square, { shape: "icon", icon: "shield", tone: "plain" }, at, 200, 0.55);
    }
  }
}

const translation = ({ x, y }: Point): Keyframe => ({ translate: `${x * 100}% ${y * 100}%` });
const HERE: Point = { x: 0, y: 0 };

export function sceneOf(step: Step, stage: Stage): Scene {
  const builder = new SceneBuilder(step, stage);
  DRAWN[step.name](builder);
  return builder.scene;
}

type Draw = (builder: SceneBuilder) => void;

const DRAWN: Readonly<Record<StepName, Draw>> = {
  step: (b) => {
    const start = b.flip(b.step.from, 0);
    const ms = b.stage.isDropped ? 1 : 180;
    b.slide(b.step.from, start, ms, [HERE, b.way(b.step.from, b.step.to)]);
    b.scene.hitMs = start + ms / 2;
  },

  run: (b) => {
    const { from, to } = b.step;
    const start = b.flip(from, 0);
    const way = b.way(from, to);
    const ms = b.stage.isDropped ? 1 : Math.min(420, 150 + 40 * way.length);
    if (ms > 1) b.line(from, to, "plain", start, ms + 120);
    b.slide(from, start, ms, [HERE, way], "cubic-bezier(0.4, 0.1, 0.2, 1)");
    b.scene.hitMs = start + ms / 2;
  },

  leap: (b) => {
    const { from, to } = b.step;
    const start = b.flip(from, 0);
    const way = b.way(from, to);
    const top = { x: way.x / 2, y: way.y / 2 - 0.45 };
    b.slide(from, start, 420, [HERE, top, way], "ease-in-out");
    b.cue(
      `piece ${from}`,
      start,
      420,
      [
        { scale: "1", filter: "drop-shadow(0 0 0 #0000)" },
        { scale: "1.5", filter: "drop-shadow(0 0.7em 0.35em #0008)" },
        { scale: "1", filter: "drop-shadow(0 0 0 #0000)" },
      ],
      "ease-in-out",
    );
    b.ring(to, "plain", start + 380, 180, 0.6);
    b.scene.hitMs = start + 400;
  },

  teleport: (b) => {
    const { from, to } = b.step;
    const start = b.flip(from, 0);
    b.ring(from, "magic", start, 260);
    b.cue(
      `piece ${from}`,
      start,
      190,
      [
        { scale: "1", rotate: "0deg" },
        { scale: "0", rotate: "200deg" },
      ],
      "ease-in",
    );
    b.slide(from, start + 195, 1, [b.way(from, to), b.way(from, to)]);
    b.ring(to, "magic", start + 200, 320);
    b.cue(`piece ${from}`, start + 210, 220, [
      { scale: "0", rotate: "-200deg" },
      { scale: "1.12", rotate: "0deg", offset: 0.8 },
      { scale: "1", rotate: "0deg" },
    ]);
    b.scene.hitMs = start + 180;
  },

  march: (b) => {
    const { moves } = b.step;
    const gap = Math.min(50, 240 / moves.length);
    moves.forEach(({ from, to }, index) => {
      const start = b.flip(from, index * gap);
      b.slide(from, start, 220, [HERE, b.way(from, to)]);
      b.cue(`piece ${from}`, start, 220, [{ scale: "1" }, { scale: "1.12" }, { scale: "1" }]);
      b.line(from, to, "plain", start, 240);
    });
    b.scene.hitMs = 100;
  },

  fight: (b) => {
    const { from, to, moves } = b.step;
    const way = b.way(from, to);
    const unit = way.length ? { x: way.x / way.length, y: way.y / way.length } : { x: 0, y: 1 };
    const gap = { x: unit.x * FIGHT_GAP, y: unit.y * FIGHT_GAP };
    const beforeDefender = { x: way.x - gap.x, y: way.y - gap.y };
    const arrival = b.stage.isDropped ? 1 : Math.min(270, 130 + 30 * way.length);
    b.slide(from, 0, arrival, [HERE, beforeDefender]);
    b.slide(to, Math.max(0, arrival - 90), 90, [HERE, gap]);
    const turn = Math.max(0, arrival - 30);
    const seen = Math.max(b.flip(from, turn), b.flip(to, turn), arrival + 60);
    const clash = Math.min(seen + 150, MAX_STEP_MS - 60 - FALL_MS);
    b.slide(from, clash, 80, [
      beforeDefender,
      { x: way.x - gap.x / 2, y: way.y - gap.y / 2 },
      beforeDefender,
    ]);
    const defender = b.step.shown.find((piece) => piece.square === to)?.kind ?? "";
    const isBlast = b.isLost(from) && !b.isLost(to) && b.stage.isBomb(defender);
    if (isBlast) {
      b.burst(to, "fire", clash + 30, 260, 1.15);
      b.ring(to, "fire", clash + 30, 260, 1.3);
    } else b.burst(to, "strike", clash + 30);
    const end = clash + 60;
    for (const square of [from, to]) if (b.isLost(square)) b.fall(square, end);
    if (!b.isLost(from)) b.slide(from, end, 150, [beforeDefender, moves.length ? way : HERE]);
    if (!b.isLost(to)) {
      b.resolve(to, end);
      const back = moves.find((move) => move.from === to);
      b.slide(to, end, 150, [gap, back ? b.way(to, back.to) : HERE]);
    }
    b.scene.hitMs = clash;
  },

  shoot: (b) => {
    const { from, to } = b.step;
    const start = Math.max(b.flip(from, 0), 60);
    const way = b.way(from, to);
    const ms = Math.min(180, 60 + 40 * way.length);
    const angle = `${(Math.atan2(way.y, way.x) * 180) / Math.PI}deg`;
    b.effect(
      { shape: "bolt", at: b.stage.place(from), tone: "strike" },
      start,
      ms / 0.8,
      [
        { translate: "0px 0px", rotate: angle, opacity: 1 },
        { translate: `${way.x}px ${way.y}px`, rotate: angle, opacity: 1, offset: 0.8 },
        { translate: `${way.x}px ${way.y}px`, rotate: angle, opacity: 0 },
      ],
      "linear",
    );
    b.burst(to, "strike", start + ms);
    b.resolve(to, Math.max(b.flip(to, start + ms), start + ms + 80) + 40);
    b.scene.hitMs = start + ms;
  },

  look: (b) => {
    const { from, to } = b.step;
    const start = b.flip(from, 0);
    b.line(from, to, "sight", start, 380);
    b.flip(to, start + 170);
    b.ring(to, "sight", start + 150, 360);
    b.pop(to, { shape: "icon", icon: "eye", tone: "sight" }, start + 130, 420, 0.75);
    b.scene.hitMs = start + 170;
  },

  convert: (b) => {
    const { from, to } = b.step;
    const start = b.flip(from, 0);
    const way = b.way(from, to);
    const there = `${way.x}px ${way.y}px`;
    b.effect({ shape: "icon", icon: "magic", at: b.stage.place(from), tone: "magic" }, start, 460, [
      { translate: "0px 0px", rotate: "0deg", opacity: 0.4, scale: "0.6" },
      { translate: there, rotate: "360deg", opacity: 1, scale: "1.2", offset: 0.5 },
      { translate: there, rotate: "720deg", opacity: 0, scale: "1.7" },
    ]);
    b.ring(to, "magic", start + 230, 300);
    b.resolve(to, b.flip(to, start + 240));
    b.scene.hitMs = start + 230;
  },

  swing: (b) => drawArea(b, (square) => b.line(b.step.from, square, "strike", 90, 260)),

  sweep: (b) => {
    drawArea(b, (square) => b.burst(square, "strike", 200));
    b.ring(b.step.from, "strike", 60, 340, 1.6);
  },

  spot: (b) => {
    const { from, to } = b.step;
    const start = b.flip(from, 0);
    b.pop(from, { shape: "icon", icon: "spyglass", tone: "sight" }, start, 400, 0.6);
    b.line(from, to, "sight", start + 60, 340);
    b.ring(to, "sight", start + 200, 240);
    b.scene.hitMs = start + 60;
  },

  guess: (b) => {
    const { to, guess, isRight } = b.step;
    b.pop(to, { shape: "tile", kind: guess, tone: "sight" }, 0, 560, 0.95);
    const seen = Math.max(b.flip(to, 190), 300);
    b.pop(to, { shape: isRight ? "tick" : "cross", tone: isRight ? "good" : "strike" }, seen, 260, 0.95);
    if (isRight) b.fall(to, seen + 100);
    else b.shake(to, seen);
    b.scene.hitMs = seen;
  },

  return: (b) => {
    const { to } = b.step;
    b.ring(to, "good", 180, 300, 0.9);
    b.cue(`piece ${to}`, 0, 320, [
      { translate: "0 -130%", opacity: 0, scale: "1.3" },
      { opacity: 1, offset: 0.4 },
      { translate: "0 0", opacity: 1, scale: "1" },
    ]);
    b.scene.hitMs = 220;
  },

  purge: (b) => {
    const { from, lost } = b.step;
    const distance = (square: string): number => b.way(from || square, square).length;
    const reach = Math.max(1, ...lost.map((piece) => distance(piece.square)));
    if (from) {
      b.ring(from, "fire", 0, 480, reach + 0.6);
      b.ring(from, "fire", 80, 480, reach + 0.2);
    }
    for (const { square } of lost) {
      const reached = 40 + (distance(square) / reach) * 280;
      b.fall(square, b.flip(square, reached));
    }
    b.scene.hitMs = 40;
  },
};

/** A power that strikes several neighbours at once. */
function drawArea(b: SceneBuilder, hit: (square: string) => void): void {
  const { from } = b.step;
  const struck = squaresOf(b.step).filter((square) => square !== from);
  b.flip(from, 0);
  b.cue(`piece ${from}`, 60, 200, [
    { rotate: "0deg", scale: "1" },
    { rotate: "180deg", scale: "1.2" },
    { rotate: "360deg", scale: "1" },
  ]);
  for (const square of struck) {
    hit(square);
    b.resolve(square, Math.max(b.flip(square, 210), 330) + 40);
  }
  if (b.isLost(from)) b.fall(from, 440);
  b.scene.hitMs = 200;
}
