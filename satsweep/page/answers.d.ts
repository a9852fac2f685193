// Types of answers, of Python (answers.py) and of the engine in the browser (answers.js), for the checker of the page's
// modules. Nothing loads this.

/** Row and column, from 0. */
type Cell = [row: number, col: number];

/** Words and cells. A text of Python may name cells, too; it is searched for them. */
type Sentence = (string | Cell)[];

/** A share between 0 and 1 with its fraction and its percentage in words. */
interface Chance {
  win: number;
  win_exact: string;
  percent: string;
}

/** A risk; `risk` is null where it is not known. */
interface Odds {
  risk: number | null;
  /** In words, such as "12.5 %". */
  percent: string;
  /** A fraction such as "1/8"; null where that is too long. */
  exact: string | null;
  /** What stands in the cell; none where the cell is forced. */
  label?: string;
}

/** A cell that may be opened. */
interface Candidate {
  cell: Cell;
  /** A fraction. */
  risk: string;
  percent: string;
  /** The chance that a safe cell follows, as a fraction. */
  progress: string | null;
  win: number | null;
  /** Null where `win` is an estimate. */
  win_exact: string | null;
  /** True if it tells nothing. */
  dead: boolean;
  why: string;
}

interface Advice {
  kind: "safe" | "exact" | "estimate" | "risk";
  /** What to do, in one line of words and cells. */
  sentence: Sentence;
  /** Best first. */
  candidates: Candidate[];
  /** Cells that tell nothing. */
  dead: Cell[];
  /** Guesses that nothing will ever decide. */
  unavoidable: { cells: Cell[]; why: string }[];
  /** Why there are no estimates. */
  note?: string;
  /** Chances to win, best cell first: Python answers the same question with them, and has more to say. */
  wins?: [cell: Cell, win: number][];
}

/** What `solve` says of a position that is possible. The engine tells fractions of few worlds alone. */
interface Analysis {
  /** For each cell the index into `odds`; -1 where it is open. */
  cells: number[];
  odds: Odds[];
  /** Numbers of cells. */
  safe: number;
  mines: number;
  unknown: number;
  covered: number;
  best: Cell | null;
  advice: Advice;
  /** The number of layouts, in words. */
  worlds: string;
  expected: string | null;
  remarks: string[];
  complete: boolean;
  seconds: number;
}

/** What `solve` says of a position that is not. */
interface Impossible {
  clues: Cell[];
  total: boolean;
  message: string;
}

/** One sentence of an argument, and what it is about. */
interface Step {
  said: string;
  clues: Cell[];
  cells: Cell[];
}

interface Argument {
  rule: string;
  text: string;
  steps: Step[];
}

/** Why a cell is forced. */
interface Reason extends Argument {
  cell: Cell;
  mine: boolean;
  clues: Cell[];
  /** True if the mine total is needed. */
  total: boolean;
}

/** A cell that is not forced: its risk, and a layout of either kind, as rows. */
interface Undecided {
  cell: Cell;
  mined: string[];
  safe: string[];
  risk_percent?: string;
  risk_exact?: string | null;
}

/** Numbers that cannot all be true, and what would mend the board. */
interface Conflict extends Argument {
  clues: Cell[];
  total: boolean;
  corrections: Correction[];
  /** The sides on which a larger board may have been cut; null if the board is impossible as a part, too. */
  as_part: string | null;
}

/** A number (of a cell, or the mine total) that would make the board possible; null covers the cell. */
interface Correction {
  cell: Cell | null;
  instead: number | null;
}

/** The easiest next move in steps: place, numbers, conclusion, move. */
interface HintSteps {
  steps: { text: Sentence | string; cells?: Cell[]; cell?: Cell; action?: "open" }[];
  cell: Cell;
  safe: boolean;
}

/** What `read` says of rules about named cells. */
interface NamedRisks {
  /** Why the rules cannot all be true. */
  impossible?: string;
  cells?: { name: string; percent: string; exact: string | null }[];
  /** The risk of any cell without a name. */
  elsewhere?: { percent: string; exact: string | null } | null;
  summary: string;
}

/** A position of an endgame; `cells` is null where best play is not known, and `why` says so. */
interface EndgameNode extends Chance {
  worlds: number;
  cells: (Chance & { cell: Cell })[] | null;
  best: Cell | null;
  /** The cell that `numbers` are about. */
  cell: Cell | null;
  numbers: (Chance & { number: number; worlds: number })[];
  why?: string;
}

/** Places of the cells of a board. */
interface Geometry {
  topology: string;
  side: number;
  width: number;
  height: number;
  wide: number;
  high: number;
  shape: "square" | "hexagon" | "circle";
  /** x and y of one cell after the other. */
  middles: number[];
  /** For each cell the indices of those that it touches. */
  neighbours: number[][];
  /** The most neighbours of a cell. */
  most: number;
  /** SVG behind the cells. */
  ground: string;
  /** The topology in words; none for squares. */
  remarks: string[];
}

/** A usual size. */
interface Level {
  rows: number;
  cols: number;
  mines: number;
}

/** What the page is told once. */
interface About {
  agents: { name: string; summary: string; source: string; finds: boolean }[];
  formats: { name: string; summary: string; boards: boolean; layouts: boolean; written: boolean; binary: boolean }[];
  levels: Record<string, Level>;
  topologies: { name: string; summary: string }[];
  clues: { name: string; summary: string }[];
  /** Most cells of a board. */
  cells: number;
  /** Most characters of a message. */
  message: number;
  /** Most characters of a message with a picture; 0 if none can be read. */
  picture: number;
}

/** What `picture` says of a picture. */
interface PictureReading {
  board: string;
  /** The first cell's corner, and the size of a cell, in pixels. */
  grid: { left: number; top: number; width: number; height: number };
  /** Symbols with their probabilities, the likeliest first; "?" is a cell under something else. */
  doubts: { cell: Cell; symbols: [symbol: string, probability: number][] }[];
  /** Cells whose numbers cannot all be true. */
  conflict: Cell[];
  /** The sides at which the picture may cut the board. */
  part: string | null;
}

type MoveClass = "start" | "safe" | "best guess" | "good" | "inaccuracy" | "mistake" | "blunder";

/** A move of a reviewed game. */
/** What `redraw` says of the mines of a game: where they are now and what all cells show, null if they stay. */
interface Redrawn {
  layout: string[] | null;
  shown: string | null;
  /** Indices of the cells that are certainly safe by what is shown. */
  safe: number[];
}

interface ReviewedMove {
  number: number;
  action: "open" | "flag" | "unflag" | "note";
  cell: Cell;
  /** Null for flags, and for the other cells of a chord. */
  class: MoveClass | null;
  /** The verdict in words; empty where nothing is said. */
  said: string;
  /** Indices of the cells that it opened, with their symbols. */
  opened: [index: number, symbol: string][];
  /** Chances to win; null where they are not known. */
  before: number | null;
  after: number | null;
  wrong_flag?: boolean;
  /** The click that made it: 3BV that is solved after it, throughput, and if it was needed; empty where that says nothing. */
  click_said: string;
  /** The other clicks win without its click. */
  not_needed?: boolean;
  /** Seconds since the start of the game. */
  time: number | null;
  /** What the rules made of a guess, where they redraw mines. */
  decided?: "safe" | "mine";
  choice?: {
    cells: Cell[];
    /** Fractions. */
    risk: string;
    least_risk: string;
    best: Cell | null;
    missed: { cell: Cell; technique: string }[];
    reason: { clues: Cell[] } | null;
  };
}

/** What `review_game` says of a game. */
interface Reviewed {
  player: string;
  rows: number;
  cols: number;
  mines: number;
  topology?: string;
  rules: { clues: string; tells_total: boolean; redraw?: string };
  mode: string;
  outcome: string;
  won: boolean;
  known: "exact" | "estimate" | "risk";
  start: number | null;
  skill: number | null;
  luck: number | null;
  /** Clicks that changed something; null under rules without 3BV. */
  clicks: {
    made: number;
    kinds: Record<"dig" | "flag" | "unflag" | "chord", number>;
    "3bv": number;
    solved: number;
    not_needed: number;
    /** A cell that the rules opened. */
    start: Cell | null;
  } | null;
  moves: ReviewedMove[];
  layout: string[];
  /** Names and values. */
  facts: [name: string, value: string][];
  /** The game in a sentence or two. */
  summary: string;
  /** The fields that ask for this review again; null where none do. */
  asked?:
    | (Record<string, unknown> & {
        moves: [action: "open" | "flag" | "unflag" | "chord", cell: Cell, seconds?: number][];
      })
    | null;
}

/** What `fewest_clicks` says; parts that bring no better clicks have `lower` alone. */
interface FewestClicks {
  upper: number;
  lower: number;
  proved: boolean;
  bv: number;
  /** The number of clicks of each kind, in words. */
  made: string;
  path: [click: "dig" | "flag" | "chord" | "unflag", index: number][];
}

/** A move of an agent's game. */
interface WatchedMove {
  turn: number;
  action: "open" | "guess" | "flag" | "unflag" | "note";
  cell: Cell;
  /** The reason in words; empty without one. */
  why: string;
  clues?: Cell[];
  risk?: string;
  /** Indices of the cells that it opened, with their symbols. */
  opened?: [index: number, symbol: string][];
}

/** The end of an agent's game. */
interface WatchedEnd {
  outcome: string;
  won: boolean;
  why: string;
  seconds: number;
  facts: [name: string, value: string][];
  layout: string[];
}

/** What `watch` says of a game before its moves. */
interface WatchedHead {
  rows: number;
  cols: number;
  mines: number;
  topology: string;
  remarks: string[];
}
