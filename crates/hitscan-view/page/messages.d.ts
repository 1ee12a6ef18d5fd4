/**
 * The shapes of the messages of `hitscan.view.v1`, as PROTOCOL.md has them: types for the checker, not served.
 */

/** Metres, +Y up. */
export type Point = [number, number, number];

export type Pair = [number, number];

export type AskTool = "ray" | "height" | "sweep" | "overlap" | "closest" | "arc" | "sight" | "viewshed" | "distance";

export type Value = number | string;

/** Column to value; a column without one is absent */
export type Row = Record<string, Value>;

/** Those of the command, without dashes. */
export type Options = Record<string, string | number | boolean>;

export type Mode = "picture" | "cost";

export type Projection = "perspective" | "orthographic";

export interface Camera {
  eye: Point;
  /** The point that it looks at */
  look: Point;
  /** Degrees from the picture's lower to its upper edge */
  fov: number;
  projection: Projection;
}

export interface Pose {
  object: string;
  clip: string;
  /** Seconds */
  time: number;
  blend?: {clip: string, time: number, weight: number};
}

/** What the page wants to see. */
export interface View {
  /** Its number, greater than that of the view before */
  view: number;
  /** Of the whole picture, rays */
  size: Pair;
  camera: Camera;
  mode: Mode;
  moving: boolean;
  now_ms: number;
  poses?: Pose[];
  hide?: string[];
  layers?: number;
  outline?: boolean;
  /** The ask whose viewshed tints the ground */
  viewshed?: number;
  /** Frames may hold only the tiles that changed */
  partial?: boolean;
  /** `sending` comes before each frame */
  sending?: boolean;
  /** Frames at rest may come in parts */
  parts?: boolean;
}

export interface Ask {
  tool: AskTool;
  /** In place of `frame` and `pixel` */
  question?: Row;
  frame?: number;
  /** In that frame's own pixels */
  pixel?: Pair;
  options?: Options;
  as_of_ms?: number;
  /** In place of `as_of_ms`: the world in these poses */
  world?: AskedWorld;
}

/** The scene in other poses; or a time between two moments, each in its poses. */
export interface AskedWorld {
  /** Of two moments at the later */
  poses: Pose[];
  /** The poses at the earlier moment; milliseconds */
  past?: {poses: Pose[], start: number, end: number, time: number};
}

/** seconds */
export type Clip = {name: string, start: number, end: number};

export interface SceneObject {
  name: string;
  kind: "terrain" | "model" | "mesh" | "sphere" | "box" | "capsule" | "turned_box" | "hull" | "cylinder" | "compound";
  layers?: number;
  bounds?: [Point, Point];
  triangles?: number;
  parts?: string[];
  clips?: Clip[];
  clip?: string;
  time?: number;
}

export interface Scene {
  name: string;
  title?: string;
  /** Of the program */
  version: string;
  objects: SceneObject[];
  bounds?: [Point, Point];
  /** The overview */
  camera: Camera;
  notes?: string[];
  start?: Camera;
  objects_total?: number;
  /** What the x, y and z of tables are at the scene's 0; absent: 0 */
  origin?: Point;
  source: SceneSource;
}

/** What a command elsewhere reads the scene from. */
export interface SceneSource {
  /** An absolute path; `demo:` is the built-in scene */
  file: string;
  options?: string[];
  /** The scene that a height map or a model stands for */
  text?: string;
}

export type LineRole = "ray" | "normal" | "triangle" | "motion" | "arc" | "contact" | "disc" | "segment" | "seen" | "unseen" | "overlap";

/** `answer`: of pairs, the number of the answer that it belongs to */
export type Line = {role: LineRole, points: Point[], answer?: number};

/** 8 points: bit 0 of a corner's number tells the end along x, bit 1 along y, bit 2 along z */
export type RoleBox = {role: "start" | "contact" | "intersection", points: Point[], answer?: number};

export interface Answer {
  tool: AskTool;
  question: Row;
  /** At most 1,000 */
  answers: Row[];
  /** Where there are more */
  answers_total?: number;
  /** Why the question is none */
  invalid?: string;
  /** The hit's point in the object's own space */
  local?: Point;
  bind?: {joint: string, point: Point};
  /** The f32 columns of the first answer, hexadecimal */
  bits?: Record<string, string>;
  /** The view in whose poses the world was asked; absent where the question stated them */
  view?: number;
  /** Where the world was between two views, the later of which is `view`; milliseconds */
  past?: {view: number, time: number};
  sentence: string;
  lines?: Line[];
  boxes?: RoleBox[];
  /** What moves or rests, at the start, where the question's columns do not tell */
  wireframe?: Point[][];
  /** What it turns about at the start */
  pivot?: Point;
}

export interface Candidate {
  object: string;
  part?: string | null;
  triangle?: number | null;
  t?: number | null;
  verdict: string;
  why: string;
}

export interface Visit {
  what: string;
  depth?: number;
  object?: string;
  part?: string;
  triangle?: number;
  /** 8 of a box, 3 of a triangle */
  points?: Point[];
  /** Entry and exit */
  t?: Pair;
  best?: number;
  verdict: string;
  why?: string;
}

export interface Approach {
  distance?: number;
  t?: number;
  on_ray?: Point;
  on_object?: Point;
  object?: string;
  triangle?: number;
  passed?: {object: string, distance: number}[];
  filtered?: string[];
  change?: string;
}

/** Where a ray meets something. */
export interface Place {
  object: string;
  part?: string;
  triangle?: number;
  t: number;
  /** From the ray's origin, metres */
  distance: number;
  point: Point;
  side: string;
}

/** How near a ray comes to an object that it does not hit. */
export interface Near {
  object: string;
  part?: string;
  triangle?: number;
  distance: number;
  t: number;
  on_ray: Point;
  on_object: Point;
}

/** What kept an object from being the answer. */
export interface NotHit {
  reason: string;
  by?: Place;
  approach?: Near;
  /** Radians */
  turn?: {angle: number, part?: string, triangle?: number, t: number, point: Point};
  why: string;
}

/** An object that was expected. */
export interface Expected {
  object: string;
  is_hit: boolean;
  met?: Place;
  reasons: NotHit[];
  /** In the views before */
  earlier?: {tried_ms: number, ago_ms?: number, point?: Point};
}

/** The vertical cut along a ray; `s` is metres along the ground. */
export interface Section {
  object: string;
  /** Up to what it hits */
  ray: Pair[];
  /** The object that it hits */
  end?: string;
  /** From s to s: what there is to see */
  focus: Pair;
  ground: [number, number | null][];
  /** S0, s1, low, high, level, verdict */
  blocks?: [number, number, number, number, number, string][];
  cells?: Pair[];
  march?: {samples: Pair[], bisections: Pair[], hit?: Pair, stepped_over?: number};
}

export interface Axis {
  name: string;
  enter?: number;
  leave?: number;
  decides?: boolean;
  never?: boolean;
}

export interface Explanation {
  ask: number;
  candidates: Candidate[];
  visits?: Visit[];
  visit_count?: number;
  /** The near misses of a ray, nearest first */
  near?: Near[];
  approach?: Approach;
  section?: Section;
  axes?: Axis[];
  /** Where an object was expected: this, and no candidates */
  expected?: Expected;
  sentence?: string;
}

export interface TableAnswer {
  name: string;
  tool: string;
  columns: string[];
  rows: number;
  invalid?: number;
  differing?: number;
  compared?: boolean;
  shown: {row: number, question: Row, answer: Row, file?: Row, others?: Row, differs?: string[], invalid?: string}[];
}

export interface Refused {
  field: string;
  found?: unknown;
  expected: string;
  limit?: string;
}

/** An object as lines, and the box around it. */
export interface Wireframe {
  lines: Point[][];
  bounds?: [Point, Point];
}

/** A message of the server by its type. */
export interface ServerMessages {
  loading: {type: "loading", id?: number, file?: string, done: number};
  scene: Scene & {type: "scene", id?: number};
  /** The rays of a moving view are cast, and its frame is on its way */
  cast: {type: "cast", view: number};
  /** What comes next is this frame */
  sending: {type: "sending", frame: number};
  failed: {type: "failed", id?: number, message: string, keeps: boolean};
  answer: Answer & {type: "answer", id: number};
  /** Of an answer that came before */
  timed: {type: "timed", id: number, median_ns: number};
  explanation: Explanation & {type: "explanation", id: number};
  /** What answers a question that the page cancelled */
  cancelled: {type: "cancelled", id: number};
  visible: {type: "visible", id: number, visible: boolean[]};
  overlay: {type: "overlay", id: number, boxes: Point[][], count: number};
  wireframe: Wireframe & {type: "wireframe", id: number};
  table: TableAnswer & {type: "table", id: number};
  refused: Refused & {type: "refused", id?: number};
  pong: {type: "pong", id?: number};
  bye: {type: "bye", reason: string};
}

export type ServerMessage = ServerMessages[keyof ServerMessages];
