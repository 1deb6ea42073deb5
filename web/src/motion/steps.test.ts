import type { MatchSnapshot, View } from "../api/types";
import { centre } from "../board/geometry";
import { MAX_STEP_MS, sceneOf } from "./scenes";
import { squaresOf, stepsBetween, stepsFrom, stepsOfTurn, type Piece, type Step } from "./steps";

type SeenEvent = View["last_turn"][number];

/** Events as the server writes them: `what side square-square kind detail`, a line each; `-` for nothing. */
function events(text: string, turn = 6): SeenEvent[] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [what = "", side, way = "-", kind = "-", ...detail] = line.trim().split(" ");
      const [origin, target] = way === "-" ? [] : way.split(">");
      return {
        what,
        turn,
        side: side === "north" ? "north" : "south",
        piece: origin ?? "",
        ...(origin ? { origin } : {}),
        ...(target ? { target } : {}),
        ...(kind === "-" ? {} : { kind }),
        ...(detail.length ? { detail: detail.join(" ") } : {}),
      };
    });
}

/** A step in short: what is empty is left out. */
const short = (step: Step): Partial<Step> =>
  Object.fromEntries(
    Object.entries(step).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value)),
  );

const south = (square: string, kind = ""): Piece => ({ square, side: "south", kind });
const north = (square: string, kind = ""): Piece => ({ square, side: "north", kind });

/** Every way to move and every power: the events of a turn, and what is drawn. */
const TURNS: Record<string, [string, Partial<Step>[]]> = {
  "a step slides": [
    "move south d4>d5 - step",
    [{ name: "step", from: "d4", to: "d5", moves: [{ from: "d4", to: "d5" }] }],
  ],
  "a Scout is shown, then runs along its lane": [
    `shown south c3 scout
     move south c3>c8 - run`,
    [
      {
        name: "run",
        from: "c3",
        to: "c8",
        moves: [{ from: "c3", to: "c8" }],
        shown: [south("c3", "scout")],
      },
    ],
  ],
  "the winner of a fight takes the square": [
    `attack south f5>e5
     shown south f5 uruk-hai
     shown north e5 rider
     removed north e5
     move south f5>e5 - capture`,
    [
      {
        name: "fight",
        from: "f5",
        to: "e5",
        moves: [{ from: "f5", to: "e5" }],
        shown: [south("f5", "uruk-hai"), north("e5", "rider")],
        lost: [north("e5", "rider")],
      },
    ],
  ],
  "a defender that wins may advance": [
    `attack south f5>f6
     shown south f5 scout
     removed south f5
     move north f6>f5 - defender`,
    [
      {
        name: "fight",
        from: "f5",
        to: "f6",
        moves: [{ from: "f6", to: "f5" }],
        shown: [south("f5", "scout")],
        lost: [south("f5", "scout")],
      },
    ],
  ],
  "two equals both fall": [
    `attack south j3>j4
     shown south j3 dragon
     shown north j4 dragon
     removed south j3
     removed north j4`,
    [
      {
        name: "fight",
        from: "j3",
        to: "j4",
        shown: [south("j3", "dragon"), north("j4", "dragon")],
        lost: [south("j3", "dragon"), north("j4", "dragon")],
      },
    ],
  ],
  "a silent defender keeps its secret": [
    `attack north d6>d5
     shown north d6 miner
     removed north d6`,
    [
      {
        name: "fight",
        from: "d6",
        to: "d5",
        shown: [north("d6", "miner")],
        lost: [north("d6", "miner")],
      },
    ],
  ],
  "two steps are two slides": [
    `shown south a4 striker
     move south a4>a5 - step
     move south a5>b5 - step`,
    [
      {
        name: "step",
        from: "a4",
        to: "a5",
        moves: [{ from: "a4", to: "a5" }],
        shown: [south("a4", "striker")],
      },
      { name: "step", from: "a5", to: "b5", moves: [{ from: "a5", to: "b5" }] },
    ],
  ],
  "a leap flies over": [
    `leap south a1>a5
     shown south a1 leader
     move south a1>a5 - leap`,
    [
      {
        name: "leap",
        from: "a1",
        to: "a5",
        moves: [{ from: "a1", to: "a5" }],
        shown: [south("a1", "leader")],
      },
    ],
  ],
  "a teleport vanishes and appears": [
    `teleport south c3>a5
     shown south c3 knight
     move south c3>a5 - teleport`,
    [
      {
        name: "teleport",
        from: "c3",
        to: "a5",
        moves: [{ from: "c3", to: "a5" }],
        shown: [south("c3", "knight")],
      },
    ],
  ],
  "a shot hits": [
    `shoot south i5>g7
     shown south i5 blaster
     shown north g7 breaker
     removed north g7`,
    [
      {
        name: "shoot",
        from: "i5",
        to: "g7",
        shown: [south("i5", "blaster"), north("g7", "breaker")],
        lost: [north("g7", "breaker")],
      },
    ],
  ],
  "a shot bounces off": [
    `shoot north e6>e4
     shown north e6 elf
     shown south e4 knight
     no-effect south e4>e4`,
    [
      {
        name: "shoot",
        from: "e6",
        to: "e4",
        shown: [north("e6", "elf"), south("e4", "knight")],
        spared: ["e4"],
      },
    ],
  ],
  "a look shows its target": [
    `detect south f4>d6
     shown south f4 mage
     shown north d6 dwarf`,
    [
      {
        name: "look",
        from: "f4",
        to: "d6",
        shown: [south("f4", "mage"), north("d6", "dwarf")],
      },
    ],
  ],
  "a converted piece changes sides": [
    `convert north b6>b4
     shown north b6 sorceress
     shown south b4 beast
     converted north b4>b4`,
    [
      {
        name: "convert",
        from: "b6",
        to: "b4",
        shown: [north("b6", "sorceress"), south("b4", "beast")],
        converted: [north("b4", "beast")],
      },
    ],
  ],
  "a conversion that fails unseen shows nothing of its target": [
    `convert north b6>b4
     shown north b6 sorceress
     no-effect south b4>b4`,
    [
      {
        name: "convert",
        from: "b6",
        to: "b4",
        shown: [north("b6", "sorceress")],
        spared: ["b4"],
      },
    ],
  ],
  "an axe strikes its targets together": [
    `move north e7>e6 - step
     swing north e6
     shown north e6 gimli
     shown south f6 ringwraith
     removed south f6
     removed north e6`,
    [
      { name: "step", from: "e7", to: "e6", moves: [{ from: "e7", to: "e6" }] },
      {
        name: "swing",
        from: "e6",
        shown: [north("e6", "gimli"), south("f6", "ringwraith")],
        lost: [south("f6", "ringwraith"), north("e6", "gimli")],
      },
    ],
  ],
  "a rampage strikes all neighbours": [
    `move south f5>f6 - step
     sweep south f6
     shown south f6 berzerker
     shown north f7 soldier
     shown north g7 gimli
     removed north f7
     no-effect north g7>g7
     removed south f6`,
    [
      { name: "step", from: "f5", to: "f6", moves: [{ from: "f5", to: "f6" }] },
      {
        name: "sweep",
        from: "f6",
        shown: [south("f6", "berzerker"), north("f7", "soldier"), north("g7", "gimli")],
        lost: [north("f7", "soldier"), south("f6", "berzerker")],
        spared: ["g7"],
      },
    ],
  ],
  "a group marches together, and fights on the way": [
    `advance south - - north
     attack south c1>c2
     shown south c1 swarm
     shown south c2 brute
     removed south c1
     shown south a4 swarm
     move south a4>a5 - advance
     shown south b4 swarm
     move south b4>b5 - advance`,
    [
      {
        name: "fight",
        from: "c1",
        to: "c2",
        shown: [south("c1", "swarm"), south("c2", "brute")],
        lost: [south("c1", "swarm")],
      },
      {
        name: "march",
        from: "a4",
        to: "a5",
        moves: [
          { from: "a4", to: "a5" },
          { from: "b4", to: "b5" },
        ],
        shown: [south("a4", "swarm"), south("b4", "swarm")],
      },
    ],
  ],
  "a Spotter looks, names a kind and is wrong": [
    `move north e6>e5 - step
     spot north e5>e4
     shown north e5 spotter
     guess north e5>e4 marshal
     shown south e4 miner
     miss north e5>e4 marshal`,
    [
      { name: "step", from: "e6", to: "e5", moves: [{ from: "e6", to: "e5" }] },
      { name: "spot", from: "e5", to: "e4", shown: [north("e5", "spotter")] },
      {
        name: "guess",
        from: "e5",
        to: "e4",
        shown: [south("e4", "miner")],
        guess: "marshal",
      },
    ],
  ],
  "a right guess captures": [
    `guess north e5>e4 miner
     shown south e4 miner
     removed south e4`,
    [
      {
        name: "guess",
        from: "e5",
        to: "e4",
        shown: [south("e4", "miner")],
        lost: [south("e4", "miner")],
        guess: "miner",
        isRight: true,
      },
    ],
  ],
  "a rescued piece comes back": [
    `rescue north f1>e1
     move north f1>e1 - step
     rescued north >a7
     shown north a7 scout rescued`,
    [
      { name: "step", from: "f1", to: "e1", moves: [{ from: "f1", to: "e1" }] },
      { name: "return", to: "a7", returned: [north("a7", "scout")] },
    ],
  ],
  "a rescued piece may come back unseen": [
    "rescued north >a7",
    [{ name: "return", to: "a7", returned: [north("a7")] }],
  ],
  "the Ring is destroyed and purges": [
    `shown north b5 frodo
     move north b5>c5 - step
     regime north - - bearer arrived
     removed south b1
     shown south b1 lurtz
     removed south a5`,
    [
      {
        name: "step",
        from: "b5",
        to: "c5",
        moves: [{ from: "b5", to: "c5" }],
        shown: [north("b5", "frodo")],
      },
      {
        name: "purge",
        from: "c5",
        shown: [south("b1", "lurtz")],
        lost: [south("b1", "lurtz"), south("a5")],
      },
    ],
  ],
};

describe("the steps of a turn", () => {
  it.each(Object.entries(TURNS))("%s", (_, [text, steps]) => {
    expect(stepsFrom(events(text)).map(short)).toEqual(steps);
  });

  it("are those of the last turn only", () => {
    const view = {
      turn: 8,
      last_turn: [...events("move south a1>a2 - step", 6), ...events("move north j10>j9 - step", 7)],
    } as unknown as View;
    expect(stepsOfTurn(view).map((step) => step.from)).toEqual(["j10"]);
  });
});

/** A snapshot with news from a number on; each piece of news has its own number. */
function snapshot(number: number, turn: number, since: number, ...news: SeenEvent[][]): MatchSnapshot {
  return {
    match: "m",
    viewer: "south",
    number,
    since,
    view: { turn, last_turn: [] as SeenEvent[] },
    news: news.map((one, index) => ({ number: number - news.length + index, text: "", events: one })),
  } as unknown as MatchSnapshot;
}

describe("the steps between two snapshots", () => {
  const mine = events("move south d4>d5 - step\nturn north", 6);
  const theirs = events("move north d7>d6 - step\nturn south", 7);

  it("are those of the news since then, in order", () => {
    const before = snapshot(10, 6, 9, events("move north a7>a6 - step", 5));
    const after = snapshot(12, 8, 9, events("move north a7>a6 - step", 5), mine, theirs);
    expect(stepsBetween(before, after).map((step) => step.from)).toEqual(["d4", "d7"]);
  });

  it("are none if nothing happened on the board", () => {
    expect(stepsBetween(snapshot(10, 6, 10), snapshot(10, 6, 10))).toEqual([]);
    expect(stepsBetween(snapshot(10, 6, 10), snapshot(11, 6, 10, events("draw-offered north")))).toEqual([]);
  });

  it("are none if a lesson begins anew", () => {
    expect(stepsBetween(snapshot(2, 2, 0, mine, theirs), snapshot(1, 1, 0, mine))).toEqual([]);
  });

  it("are none after a long absence, for another viewer or if news is missing", () => {
    const before = snapshot(10, 6, 10);
    expect(stepsBetween(before, snapshot(13, 9, 10, mine, theirs, mine))).toEqual([]);
    expect(stepsBetween(before, snapshot(12, 8, 11, theirs))).toEqual([]);
    expect(stepsBetween({ ...before, viewer: "watcher" }, snapshot(12, 8, 10, mine, theirs))).toEqual([]);
  });

  it("continue a power that was begun earlier in the turn", () => {
    const before = snapshot(10, 6, 10);
    before.view?.last_turn.push(
      ...events("move south b5>b6 - step\nswing south b6\nshown south b6 gimli", 6),
    );
    const after = snapshot(11, 7, 10, events("shown north a7 orc\nremoved north a7\nturn north", 6));
    expect(stepsBetween(before, after).map(short)).toEqual([
      {
        name: "swing",
        from: "b6",
        shown: [north("a7", "orc")],
        lost: [north("a7", "orc")],
      },
    ]);
  });
});

describe("the scene of a step", () => {
  const steps = Object.values(TURNS).flatMap(([text]) => stepsFrom(events(text)));
  const size = { columns: 10, rows: 10 };
  const scene = (step: Step, turning = squaresOf(step)): ReturnType<typeof sceneOf> =>
    sceneOf(step, {
      place: (square) => centre(square, size, false),
      turning: new Set(turning),
      isBomb: (kind) => kind === "trap",
      isDropped: false,
    });

  it("is short, and its sound comes while it plays", () => {
    for (const step of steps) {
      const { ms, hitMs } = scene(step);
      expect(ms, step.name).toBeGreaterThan(100);
      expect(ms, step.name).toBeLessThanOrEqual(MAX_STEP_MS);
      expect(hitMs, step.name).toBeLessThan(ms);
    }
  });

  it("slides a piece in about 180 ms", () => {
    expect(scene(steps[0] as Step, []).ms).toBe(180);
  });

  it("turns over only pieces whose face changes", () => {
    for (const step of steps)
      expect(scene(step, []).cues.filter((cue) => /^(old|new) /.test(cue.part))).toEqual([]);
  });

  it("moves only parts that exist: pieces of the step, their faces and its effects", () => {
    for (const step of steps) {
      const squares = new Set(squaresOf(step));
      const { cues, effects } = scene(step);
      for (const { part } of cues) {
        const [kind, name = ""] = part.split(" ");
        if (kind === "effect") expect(effects.map((effect) => effect.id)).toContain(name);
        else expect(squares, step.name).toContain(name);
      }
    }
  });

  it("leaves every drawing invisible at its end", () => {
    for (const step of steps)
      for (const { part, frames } of scene(step).cues)
        if (part.startsWith("effect")) expect(frames.at(-1)?.["opacity"], step.name).toBe(0);
  });

  it("drops every piece that is lost", () => {
    for (const step of steps)
      for (const { square } of step.lost)
        expect(
          scene(step).cues.some(
            (cue) => cue.part === `piece ${square}` && cue.frames.at(-1)?.["opacity"] === 0,
          ),
          `${step.name} ${square}`,
        ).toBe(true);
  });
});
