// Types of answers, of Python and of the engine in the browser (answers.js), for the checker of the page's modules.
// Nothing loads this. Made from values.py and game_values.py; tests/page/test_answer_types.py says how.

/** Row and column, from 0. */
type Cell = [row: number, col: number];

/** Cells that a sentence names together: those in all of these rows and columns. */
interface Block {
  rows: number[];
  cols: number[];
}

/** Words, cells and blocks of cells. */
type Sentence = (string | Cell | Block)[];

/** A cell and the chance to win with it. */
type Win = [Cell, number];

/** A share between 0 and 1 with its fraction and its percentage in words. */
interface Chance {
  win: number;
  win_exact: string;
  percent: string;
}

/** A risk. */
interface Odds {
  /** Null where it is not known. */
  risk: number | null;
  /** In words, such as "12.5 %". */
  percent: string;
  /** A fraction such as "1/8"; null where that is too long. */
  exact: string | null;
  /** Text in the cell; none where the cell is forced. */
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

/** A guess that nothing will ever decide. */
interface UnavoidableGuess {
  cells: Cell[];
  why: Sentence;
}

/** Cells to open. */
interface Advice {
  kind: "safe" | "exact" | "estimate" | "risk";
  /** Advice in one line. */
  sentence: Sentence;
  /** Best first. */
  candidates: Candidate[];
  /** Cells that tell nothing. */
  dead: Cell[];
  unavoidable: UnavoidableGuess[];
  /** Reason why there are no estimates. */
  note?: string;
  /** Chances to win, best cell first, with which Python knows more of the advice. */
  wins?: Win[];
}

/** Answer to `solve`; the engine tells fractions of few worlds alone. */
interface Analysis {
  /** For each cell the index into `odds`; -1 where it is open. */
  cells: number[];
  odds: Odds[];
  /** The number of safe cells, as those below are. */
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

/** Numbers of an impossible position that contradict each other. */
interface Impossible {
  clues: Cell[];
  total: boolean;
  message: Sentence;
}

/** Answer to `solve` where no world agrees with the board. */
interface ImpossibleBoard {
  impossible: Impossible;
}

/** Supposed value of a cell. */
interface Supposition {
  cell: Cell;
  mine: boolean;
}

/** One sentence of an argument, and what it is about. */
interface Step {
  said: Sentence;
  rule: string;
  clues: Cell[];
  total: boolean;
  supposing: Supposition[];
  cells: Cell[];
  mine: boolean | null;
}

/** An argument in sentences. */
interface Argument {
  rule: string;
  text: Sentence;
  steps: Step[];
}

/** Reason why a cell is forced. */
interface Reason extends Argument {
  cell: Cell;
  mine: boolean;
  clues: Cell[];
  /** True if the mine total is needed. */
  total: boolean;
  smallest: boolean;
}

/** A cell that is not forced: its risk, and a layout of either kind, as rows. */
interface Undecided {
  cell: Cell;
  mined: string[];
  safe: string[];
  risk?: number | null;
  risk_percent?: string;
  risk_exact?: string | null;
}

/** The answer to `explain`, one of the two. */
interface Explained {
  reason?: Reason;
  undecided?: Undecided;
}

/** A number of a cell, or a mine total, that makes the board possible; null covers. */
interface Correction {
  cell: Cell | null;
  shown: number | null;
  instead: number | null;
}

/** Numbers that cannot all be true, and what would mend the board. */
interface Conflict extends Argument {
  clues: Cell[];
  total: boolean;
  smallest: boolean;
  corrections: Correction[];
  /** The sides on which a larger board may have been cut; null if that helps nothing. */
  as_part: string | null;
}

/** The answer to `conflict`; null where the board is possible. */
interface Conflicting {
  conflict: Conflict | null;
  /** Each with a capital letter. */
  corrections_said?: Sentence[];
}

/** A step of a hint. */
interface HintStep {
  text: Sentence;
  cells?: Cell[];
  cell?: Cell;
  action?: "open";
}

/** The easiest next move in steps: place, numbers, conclusion, move. */
interface HintSteps {
  steps: HintStep[];
  cell: Cell;
  safe: boolean;
}

/** A number that a cell may show. */
interface NumberShown extends Chance {
  number: number;
  worlds: number;
}

/** The chance to win with a cell. */
interface CellChance extends Chance {
  cell: Cell;
}

/** A position of an endgame. */
interface EndgameNode extends Chance {
  worlds: number;
  cells: CellChance[];
  best: Cell | null;
  /** The cell that `numbers` are about. */
  cell: Cell | null;
  numbers: NumberShown[];
}

/** A position of which best play is not known, and why. */
interface EndgameUnknown {
  cells: null;
  why: string;
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

/** An agent; `finds` says if it finds mines instead of opening cells. */
interface Agent {
  name: string;
  summary: string;
  source: string;
  finds: boolean;
}

/** A format of files. */
interface Format {
  name: string;
  summary: string;
  boards: boolean;
  layouts: boolean;
  written: boolean;
  binary: boolean;
}

/** A suggestion with its label. */
interface Choice {
  name: string;
  summary: string;
}

/** A usual size. */
interface Level {
  rows: number;
  cols: number;
  mines: number;
}

/** Lists and limits that the page asks for once. */
interface About {
  agents: Agent[];
  formats: Format[];
  levels: Record<string, Level>;
  topologies: Choice[];
  clues: Choice[];
  /** Most cells of a board. */
  cells: number;
  /** Most characters of a message. */
  message: number;
  /** Most characters of a message with a picture; 0 if none can be read. */
  picture: number;
}

/** The risk of a named cell. */
interface NamedRisk extends Odds {
  name: string;
}

/** The format of a file that was read. */
interface FileRead {
  format: string;
  summary: string;
}

/** Answer to `read` for a board or layout. */
interface GridRead extends FileRead {
  kind: "board" | "layout";
  text: string;
  mines: number | null;
}

/** Answer to `read` for rules about named cells. */
interface NamedRisks extends FileRead {
  kind: "rules";
  /** Reason why the rules cannot all be true. */
  impossible?: string;
  cells?: NamedRisk[];
  /** The risk of any cell without a name. */
  elsewhere?: Odds | null;
  complete?: boolean;
}

/** Answer to `read` for a certificate. */
interface ProofRead {
  kind: "proof";
  about: "board" | "layout";
  text: string;
  accepted: boolean;
  said: string[];
}

/** The first cell's corner, and the size of a cell, in pixels. */
interface Lattice {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A cell with its symbols and their probabilities. */
interface Doubt {
  cell: Cell;
  /** The likeliest first; "?" is a cell under something else. */
  symbols: [string, number][];
}

/** Answer to `picture`. */
interface PictureReading {
  board: string;
  grid: Lattice;
  doubts: Doubt[];
  /** Cells whose numbers cannot all be true. */
  conflict: Cell[];
  /** The sides at which the picture may cut the board. */
  part: string | null;
}

/** A board, layout or game as text; `inline` says if the page can show it. */
interface TextWritten {
  text: string;
  suffix: string;
  inline: boolean;
}

/** A board or layout in a binary format. */
interface BytesWritten {
  base64: string;
  suffix: string;
}

/** The index of a cell that a move opened, and its symbol. */
type Opened = [number, string];

/** A name and a value in words. */
type Fact = [string, string];

/** The verdict on a move. */
type MoveClass = "start" | "safe" | "best guess" | "good" | "inaccuracy" | "mistake" | "blunder";

/** A moving picture of a game. */
interface Picture {
  svg: string;
}

/** The size and topology of a board, with remarks on the latter. */
interface Sized {
  rows: number;
  cols: number;
  topology: string;
  remarks: string[];
}

/** A board to play. */
interface Dealt extends Sized {
  mines: number;
  layout: string[];
  /** Symbols of all cells once they are open. */
  shown: string;
  start: Cell;
  /** Indices of the cells that open first. */
  opened: number[];
  cascades: boolean;
  /** False if numbers may be wrong. */
  exact: boolean;
}

/** The easiest technique that clears a layout. */
type Needs = "single" | "pairs" | "all" | "guess";

/** Technique that a layout needs; null where it takes too long to find out. */
interface Rated {
  bv: number;
  openings: number;
  needs: Needs | null;
}

/** Answer to `redraw`: the new layout and what all cells show, null if they stay. */
interface Redrawn {
  layout: string[] | null;
  shown: string | null;
  /** Indices of the cells that are certainly safe by what is shown. */
  safe: number[];
}

/** A safe cell that was not opened. */
interface Missed {
  cell: Cell;
  technique: string;
}

/** Reason why a cell that was not opened is safe. */
interface ReasonOverlooked {
  cell: Cell;
  clues: Cell[];
  total: boolean;
  /** As in files; the page asks `explain`. */
  text: string;
}

/** A choice of the player. */
interface ReviewedChoice {
  cells: Cell[];
  /** A fraction, as the least risk of a cell is. */
  risk: string;
  least_risk: string;
  best: Cell | null;
  chosen: number | null;
  possible: number | null;
  loss: number | null;
  exact: boolean;
  error: number;
  missed: Missed[];
  reason: ReasonOverlooked | null;
}

/** The verdict on a move; null for flags, and for the other cells of a chord. */
interface ReviewedMoveClass {
  class: MoveClass | null;
}

/** A move of a reviewed game. */
interface ReviewedMove extends ReviewedMoveClass {
  number: number;
  action: "open" | "flag" | "unflag" | "note";
  cell: Cell;
  /** The verdict in words; empty where nothing is said. */
  said: Sentence;
  opened: Opened[];
  /** Chances to win; null where they are not known. */
  before: number | null;
  after: number | null;
  technique: string | null;
  numbers: number | null;
  skill: number;
  luck: number;
  wrong_flag?: boolean;
  /** 3BV solved after its click, throughput, and if the click was needed. */
  click_said: string;
  click?: number;
  solved?: number;
  /** The other clicks win without its click. */
  not_needed?: boolean;
  /** Seconds since the start of the game. */
  time: number | null;
  seconds: number | null;
  /** Decision of rules that redraw mines about a guess. */
  decided?: "safe" | "mine";
  choice?: ReviewedChoice;
}

/** The 3BV of a layout. */
interface ClicksSolved {
  "3bv": number;
}

/** A click as players name it. */
type ClickKind = "dig" | "flag" | "unflag" | "chord";

/** Clicks of a game that changed something. */
interface ClicksMade extends ClicksSolved {
  made: number;
  kinds: Record<ClickKind, number>;
  solved: number;
  throughput: number | null;
  not_needed: number;
  /** A cell that the rules opened. */
  start: Cell | null;
}

/** Rules of play; some are left out at their usual value. */
interface ReviewedRules {
  first: string;
  start: Cell | null;
  cascade: boolean;
  fatal: boolean;
  goal: string;
  tells_total: boolean;
  clues: string;
  redraw?: string;
}

/** A click. */
type ClickAction = "open" | "flag" | "unflag" | "chord";

/** A click, its cell, and perhaps seconds. */
type Click = [ClickAction, Cell] | [ClickAction, Cell, number];

/** The fields that ask for a review again. */
interface AskedReview {
  layout?: string;
  rows?: number;
  cols?: number;
  rules?: Record<string, unknown>;
  clue_seed?: number;
  player?: string;
  mode?: string;
  outcome?: string;
  moves: Click[];
}

/** Answer to `review_game`. */
interface Reviewed {
  file: string;
  number: number;
  player: string;
  rows: number;
  cols: number;
  mines: number;
  topology?: string;
  rules: ReviewedRules;
  mode: string;
  outcome: string;
  won: boolean;
  known: "exact" | "estimate" | "risk";
  start: number | null;
  skill: number | null;
  luck: number | null;
  end: number | null;
  exact: Record<string, string> | null;
  pluck: number | null;
  classes: Record<string, number>;
  missed: Record<string, number>;
  wrong_flags: Cell[];
  /** Null under rules without 3BV. */
  clicks: ClicksMade | null;
  moves: ReviewedMove[];
  layout: string[];
  facts: Fact[];
  /** The game in a sentence or two. */
  summary: string;
  /** Null where no fields ask for this review again. */
  asked?: AskedReview | null;
}

/** Answer to `fewest_clicks`; parts without better clicks have `lower` alone. */
interface FewestClicks {
  upper: number;
  lower: number;
  proved: boolean;
  bv: number;
  /** The number of clicks of each kind, in words. */
  made: string;
  /** Clicks, and the indices of their cells. */
  path: [ClickKind, number][];
}

/** A move of an agent's game. */
interface WatchedMove {
  turn: number;
  action: "open" | "guess" | "flag" | "unflag" | "note";
  cell: Cell;
  /** The reason in words, or the numbers of the rule; empty without one. */
  why: Sentence;
  /** The rule of a deduction. */
  rule?: string;
  clues?: Cell[];
  risk?: string;
  opened?: Opened[];
}

/** Part of `watch` before the moves. */
interface WatchedHead extends Sized {
  rules: string;
  goal: string;
  mines: number;
}

/** Moves of an agent's game; the first ones come with its layout. */
interface WatchedMoves {
  moves: WatchedMove[];
  layout?: string[];
}

/** The end of an agent's game. */
interface WatchedEnd {
  outcome: string;
  won: boolean;
  why: string;
  seconds: number;
  facts: Fact[];
  layout: string[];
}
