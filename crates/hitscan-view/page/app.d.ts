/**
 * What modules are given, and the state that they share: types for the checker, not served.
 */

import type { Answer, AskTool, AskedWorld, Camera, Expected, Explanation, Mode, Options, Pair, Point, Pose, Refused, Row, Scene } from "./messages.js";

export type ToolName = AskTool | "ruler" | "look";

/**
 * How the page stands with the server. `lost`: it retries at that time of `performance.now()`;
 * `failed`: there is no scene to show.
 */
export type Connection =
  | { phase: "connecting" | "ready" | "version" }
  | { phase: "loading"; file?: string; done: number }
  | { phase: "lost"; retryAt: number; reason?: string }
  | { phase: "key"; given: boolean }
  | { phase: "full"; limit: string }
  | { phase: "failed"; message: string };

/** A question that was asked, and what has come of it so far. */
export interface Shot {
  /** Counted up by the page */
  key: number;
  /** The id of its message on this connection; a lost connection removes it */
  ask?: number;
  name: string;
  tool: AskTool;
  /** As typed, or as the answer says */
  question?: Row;
  options: Options;
  /** 0: the world as shown */
  as_of_ms: number;
  /** The world that was asked, once it is answered; null where that is not known any more */
  world?: AskedWorld | null;
  /** The view that it was asked in */
  seen: Seen;
  /** Which reading of the scene it was asked of */
  reading: number;
  /** Kept from before the page was reloaded, and not asked since */
  unasked?: boolean;
  answer?: Answer;
  /** What it was answered of the scene as it was read before */
  before?: Answer;
  /** How long the library takes for it, nanoseconds */
  median?: number;
  refused?: Refused;
  explanation?: Explanation;
  /** What kept another object from being its answer, or why that is not told */
  expected?: {object: string, found?: Expected, refused?: Refused};
}

/** What was shown when something was asked. */
export type Seen = Pick<State, "camera" | "size" | "mode" | "outline" | "hide" | "layers">;

/** The frame that is on the screen, with what it was cast for. */
export interface ShownFrame {
  frame: number;
  view: number;
  camera: Camera;
  /** Of the whole picture, rays */
  size: Pair;
  scale: number;
  finished: boolean;
  pass: number;
  kind: "picture" | "cost";
  /** The greatest count of the legend */
  greatest: number;
  rays: number;
  micros: number;
}

export interface State {
  connection: Connection;
  /** Kept when the connection is lost */
  scene: Scene | null;
  /** Counts how often the scene was read */
  reading: number;
  /** Why the scene's files could not be read again */
  failure: string | null;
  /** Why there is no picture of what a link shows */
  refusedView: { field: string, expected: string } | null;
  /** The one wanted; overlays are drawn with `frame.camera` */
  camera: Camera | null;
  /** Of the picture wanted, rays */
  size: Pair;
  /** A link's size, kept until the picture is to fit the window */
  fixedSize: Pair | null;
  mode: Mode;
  outline: boolean;
  /** Names of objects */
  hide: string[];
  /** A mask; null: all */
  layers: number | null;
  /** Those that differ from the scene's */
  poses: Pose[];
  /** The ask whose viewshed tints the ground */
  viewshed: number | null;
  /** Poses change by themselves, so the picture moves */
  playing: boolean;
  /** Milliseconds before what is shown, for what is shot */
  asOf: number;
  frame: ShownFrame | null;
  tool: ToolName;
  /** What takes the next taps in place of the tool */
  picking: Tool | null;
  /** Of each tool */
  options: Record<AskTool, Options>;
  /** The shot that Answer and Why tell of */
  current: Shot | null;
  /** Those kept, oldest first */
  shots: Shot[];
  /** An object's name: F frames it */
  selected: string | null;
  /** Of the tree of boxes that is drawn; -1: none */
  level: number;
  tab: "answer" | "why" | "scene" | "shots";
  /** Open or closed */
  inspector: boolean;
}

/** A mark of one point that can be dragged. */
export interface Handle {
  id: string;
  /** What it is, for the tooltip */
  label: string;
  /** In the plane that faces the camera, or along surfaces */
  snap: "plane" | "surface";
  /** While it is dragged */
  move: (point: Point) => void;
  end: (point: Point) => void;
}

export interface Mark {
  /** Of `roles.js` */
  role: string;
  points: Point[];
  /** Beside its last point */
  label?: string;
  /** A line from the last point to the first */
  closed?: boolean;
  /** The points are the 8 corners of a box */
  box?: boolean;
  handle?: Handle;
}

/** A pixel that was pointed at, in the frame that was shown then. */
export interface Pick {
  frame: number;
  /** In that frame's own pixels */
  pixel: Pair;
  /** In CSS pixels from the upper left of the picture */
  place: Pair;
}

/** A tool of the rail. */
export interface Tool {
  id: ToolName;
  label: string;
  /** One sentence: what a click does */
  hint: string;
  /** Fills the options above the answer */
  mount?: (app: App, element: HTMLElement) => void;
  /** A click, a touch, or Enter at the crosshair */
  tap: (pick: Pick, app: App) => void;
  /** Takes the left button's drags */
  drag?: (drag: { phase: "start" | "move" | "end" | "cancel"; from: Pick; to: Pick }, app: App) => void;
  /** Null: the pointer has left */
  hover?: (pick: Pick | null, app: App) => void;
  /** Ends what is begun; whether anything was */
  escape?: (app: App) => boolean;
}

/** A tab of the inspector. */
export interface Panel {
  id: "answer" | "why" | "scene" | "shots";
  label: string;
  mount: (app: App, element: HTMLElement) => void;
}

export interface App {
  store: import("./store.js").Store;
  transport: import("./transport.js").Transport;
  overlay: import("./overlay.js").Overlay;
  asker: import("./asker.js").Asker;
  /** Moves the camera */
  control: import("./view_control.js").ViewControl;
  /** Into the status line */
  announce: (sentence: string) => void;
}
