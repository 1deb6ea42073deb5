/** What can be drawn on the squares of a board besides pieces. */
export interface Mark {
  /** the selected piece can move here */
  dot?: boolean;
  /** the selected piece can attack here */
  ring?: boolean;
  /** a target to choose, often with a number key */
  double?: boolean;
  number?: number;
  /** the piece here would be hit by what is being chosen */
  hit?: boolean;
  /** on the way of a long move */
  lane?: boolean;
  /** where the last turn began and ended */
  origin?: boolean;
  frame?: boolean;
  selected?: boolean;
  /** a piece that can move, in a training game */
  movable?: boolean;
  /** what the coach points at */
  hint?: boolean;
  /** not part of what is being edited */
  faded?: boolean;
}

export interface Arrow {
  from: string;
  to: string;
  number?: number;
  /** a better action that was not played */
  isBetter?: boolean;
}

/** What a power would do, drawn over the board. */
export interface Drawing {
  lines: readonly { squares: readonly string[]; line: "walk" | "arc" | "jump" | "shot"; isLost: boolean }[];
  /** squares that the power covers */
  squares: readonly string[];
  hits: readonly { square: string; isOwn: boolean; fate: "" | "captured" | "converted" | "shown" | "safe" }[];
  /** squares of pieces that can be chosen or attacked afterwards */
  then: readonly string[];
  /** several possibilities at once, drawn lightly */
  isFaint: boolean;
}
