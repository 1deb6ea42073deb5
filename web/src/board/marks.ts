/** What can be drawn on the squares of a board besides pieces. */
export interface Mark {
  /** the selected piece can move here */
  dot?: boolean;
  /** the selected piece can attack here */
  ring?: boolean;
  /** a target to choose, often with a number key */
  double?: boolean;
  number?: number;
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
}
