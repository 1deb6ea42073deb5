/**
 * Plays steps one after the other on a layer above the board.
 *
 * The board below always shows the final position. While steps are playing, the squares they touch are
 * covered: the board does not draw their pieces, the layer draws them as actors instead. When the last step
 * is over, or the rest is skipped, nothing is covered.
 */
import { tick } from "svelte";
import type { Side } from "../api/types";
import type { PieceStyle } from "../board/pieces";
import { sceneOf, type Effect, type Scene, type Stage } from "./scenes";
import { squaresOf, type Piece, type Step } from "./steps";

/** A piece on the motion layer. */
export interface Actor {
  id: number;
  square: string;
  face: PieceStyle;
  /** the face after it has been turned over */
  next: PieceStyle | null;
}

export interface DrawnEffect extends Effect {
  style?: PieceStyle;
}

export interface Performance {
  steps: readonly Step[];
  /** the pieces on the board before the first step */
  faces: ReadonlyMap<string, PieceStyle>;
  style: (kind: string, side: Side) => PieceStyle;
  place: Stage["place"];
  isBomb: Stage["isBomb"];
  /** how much longer than normal the steps last */
  rate: number;
  /** the longest that all of them may last together */
  maxMs?: number;
  /** the piece that was dropped on its target by hand */
  dropped?: { from: string; to: string } | null;
  /** called when a step begins, with the time until it is decided */
  onstep?: (step: Step, hitMs: number) => void;
}

interface Queued {
  step: Step;
  performance: Performance;
  pace: number;
}

const MAX_MS = 2100;
const PLAIN_STAGE = { turning: new Set<string>(), isDropped: false };

export class MotionPlayer {
  actors = $state.raw<readonly Actor[]>([]);
  effects = $state.raw<readonly DrawnEffect[]>([]);
  /** the squares whose pieces the layer draws */
  covered = $state.raw<ReadonlySet<string>>(new Set());
  /** the step that is playing */
  step = $state.raw<Step | null>(null);
  layer: HTMLElement | undefined;
  #queue: Queued[] = [];
  #animations: Animation[] = [];
  #run = 0;
  #nextId = 0;

  get isPlaying(): boolean {
    return this.covered.size > 0;
  }

  /** Play these steps after those that are still playing. */
  play(performance: Performance): void {
    const { steps, rate, maxMs = MAX_MS * Math.max(1, rate) } = performance;
    if (steps.length === 0 || rate === 0) return;
    const total = steps.reduce(
      (sum, step) => sum + sceneOf(step, { ...performance, ...PLAIN_STAGE }).ms * rate,
      0,
    );
    const pace = rate * Math.min(1, maxMs / total);
    this.#cover(steps, performance);
    this.#queue.push(...steps.map((step) => ({ step, performance, pace })));
    if (!this.step) void this.#playQueue(++this.#run);
  }

  /** End all motion; the board shows the final position. */
  skip(): void {
    this.#run++;
    this.#queue = [];
    for (const animation of this.#animations) animation.cancel();
    this.#animations = [];
    this.actors = [];
    this.effects = [];
    this.covered = new Set();
    this.step = null;
  }

  #cover(steps: readonly Step[], { faces }: Performance): void {
    const covered = new Set(this.covered);
    const actors = [...this.actors];
    for (const square of steps.flatMap(squaresOf)) {
      if (covered.has(square)) continue;
      covered.add(square);
      const face = faces.get(square);
      if (face) actors.push(this.#actor(square, face));
    }
    this.covered = covered;
    this.actors = actors;
  }

  #actor(square: string, face: PieceStyle): Actor {
    return { id: this.#nextId++, square, face, next: null };
  }

  async #playQueue(run: number): Promise<void> {
    for (let queued = this.#queue.shift(); queued; queued = this.#queue.shift()) {
      const { step, performance, pace } = queued;
      this.step = step;
      const scene = this.#stage(step, performance);
      await tick();
      if (run !== this.#run) return;
      performance.onstep?.(step, scene.hitMs * pace);
      this.#animations = this.#start(scene, pace);
      await Promise.allSettled(this.#animations.map((animation) => animation.finished));
      if (run !== this.#run) return;
      this.#settle(step);
      await tick();
      if (run !== this.#run) return;
      for (const animation of this.#animations) animation.cancel();
    }
    this.skip();
  }

  /** Prepare the layer for a step: faces that will be shown, pieces that come back, effects. */
  #stage(step: Step, performance: Performance): Scene {
    const { style, dropped } = performance;
    const arriving = step.returned.map((piece) => this.#actor(piece.square, style(piece.kind, piece.side)));
    const faces = new Map<string, PieceStyle>();
    const show = (piece: Piece): void => {
      const actor = this.actors.find((one) => one.square === piece.square);
      const face = style(piece.kind, piece.side);
      if (actor && piece.kind && !looksLike(actor.face, face)) faces.set(piece.square, face);
    };
    step.shown.forEach(show);
    step.converted.forEach(show);
    this.actors = [
      ...this.actors.map((actor) => ({ ...actor, next: faces.get(actor.square) ?? null })),
      ...arriving,
    ];
    const isDropped = !!dropped && dropped.from === step.from && dropped.to === step.to;
    const scene = sceneOf(step, { ...performance, turning: new Set(faces.keys()), isDropped });
    const enemy = this.actors.find((actor) => actor.square === step.to)?.face.side ?? "south";
    this.effects = scene.effects.map((effect) =>
      effect.kind ? { ...effect, style: style(effect.kind, enemy) } : effect,
    );
    return scene;
  }

  #start(scene: Scene, pace: number): Animation[] {
    return scene.cues.flatMap(({ part, frames, at, ms, easing }) => {
      const element = this.layer?.querySelector(`[data-part="${part}"]`);
      return element
        ? [element.animate(frames, { delay: at * pace, duration: ms * pace, easing, fill: "forwards" })]
        : [];
    });
  }

  /** Leave the actors as the step left the pieces. */
  #settle(step: Step): void {
    const lost = new Set(step.lost.map((piece) => piece.square));
    const moves = new Map(step.moves.map((move) => [move.from, move.to]));
    this.effects = [];
    this.actors = this.actors
      .filter((actor) => !lost.has(actor.square))
      .map((actor) => ({
        ...actor,
        square: moves.get(actor.square) ?? actor.square,
        face: actor.next ?? actor.face,
        next: null,
      }));
  }
}

const looksLike = (one: PieceStyle, other: PieceStyle): boolean =>
  one.label === other.label && one.side === other.side && !one.isRemembered;
