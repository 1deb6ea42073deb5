import type { MatchSnapshot } from "../api/types";
import type { Piece, Step } from "../motion/steps";
import { loudest, SOUNDS, soundOfChange, soundOfStep } from "./sounds";

const scout: Piece = { square: "d4", side: "south", kind: "scout" };
const bomb: Piece = { square: "d5", side: "north", kind: "bomb" };
const step = (name: Step["name"], facts: Partial<Step> = {}): Step => ({
  name,
  from: "d4",
  to: "d5",
  moves: [],
  shown: [],
  lost: [],
  spared: [],
  converted: [],
  returned: [],
  guess: "",
  isRight: false,
  ...facts,
});
const isBomb = (kind: string): boolean => kind === "bomb";

test("a step sounds like wood, a power like a power", () => {
  expect(soundOfStep(step("step"), "south", isBomb)).toBe("step");
  expect(soundOfStep(step("run"), "south", isBomb)).toBe("step");
  expect(soundOfStep(step("leap"), "south", isBomb)).toBe("power");
  expect(soundOfStep(step("look", { shown: [bomb] }), "south", isBomb)).toBe("power");
});

test("a fight sounds like a capture or a loss, by whose piece falls", () => {
  const fight = step("fight", { shown: [scout], lost: [scout] });
  expect(soundOfStep(fight, "south", isBomb)).toBe("loss");
  expect(soundOfStep(fight, "north", isBomb)).toBe("capture");
  expect(soundOfStep(fight, null, isBomb)).toBe("capture");
});

test("a bomb explodes only if it stands", () => {
  const shown = [scout, bomb];
  expect(soundOfStep(step("fight", { shown, lost: [scout] }), "south", isBomb)).toBe("bomb");
  expect(soundOfStep(step("fight", { shown, lost: [bomb] }), "south", isBomb)).toBe("capture");
  expect(soundOfStep(step("fight", { shown, lost: [scout, bomb] }), "south", isBomb)).toBe("loss");
});

test("an unknown defender never sounds like a bomb", () => {
  expect(soundOfStep(step("fight", { shown: [scout], lost: [scout] }), "south", isBomb)).toBe("loss");
});

const at = (facts: Partial<MatchSnapshot>): MatchSnapshot =>
  ({ match: "m", viewer: "south", yours: ["south"], phase: "playing", ...facts }) as MatchSnapshot;

test("the viewer's turn is announced after a long wait", () => {
  const [theirs, mine] = [at({ to_move: "north" }), at({ to_move: "south" })];
  expect(soundOfChange(theirs, mine, { isWaitLong: true })).toBe("turn");
  expect(soundOfChange(theirs, mine, { isWaitLong: false })).toBeNull();
  expect(soundOfChange(mine, theirs, { isWaitLong: true })).toBeNull();
  expect(soundOfChange({ ...theirs, yours: [] }, { ...mine, yours: [] }, { isWaitLong: true })).toBeNull();
});

test("the end of the game sounds once", () => {
  const over = at({ phase: "over", to_move: null });
  expect(soundOfChange(at({ to_move: "south" }), over, { isWaitLong: false })).toBe("flag");
  expect(soundOfChange(over, over, { isWaitLong: false })).toBeNull();
});

test("without motion, the sound that says most is played", () => {
  expect(loudest(["step", "loss", "step"])).toBe("loss");
  expect(loudest(["capture", "flag"])).toBe("flag");
  expect(loudest([])).toBeNull();
});

test("sounds are short and never too loud", () => {
  for (const [name, notes] of Object.entries(SOUNDS)) {
    expect(Math.max(...notes.map((note) => note.at + note.ms)), name).toBeLessThanOrEqual(700);
    for (const note of notes) {
      expect(note.level, name).toBeLessThanOrEqual(0.75);
      expect(Math.min(note.from, note.to), name).toBeGreaterThan(0);
    }
  }
});
