/** Names of types that all panels use; not served. */

type App = import("./app.js").App;
type Pick2 = import("./app.js").Pick;
type Tool = import("./app.js").Tool;
type AskedWorld = import("./messages.js").AskedWorld;
type AskTool = import("./messages.js").AskTool;
type Answer = import("./messages.js").Answer;
type Approach = import("./messages.js").Approach;
type Axis = import("./messages.js").Axis;
type Candidate = import("./messages.js").Candidate;
type Clip = import("./messages.js").Clip;
type Explanation = import("./messages.js").Explanation;
type Options = import("./messages.js").Options;
type Point = import("./messages.js").Point;
type Pose = import("./messages.js").Pose;
type Refused = import("./messages.js").Refused;
type Row = import("./messages.js").Row;
type Scene = import("./messages.js").Scene;
type SceneSource = import("./messages.js").SceneSource;
type SceneObject = import("./messages.js").SceneObject;
type Section = import("./messages.js").Section;
type TableAnswer = import("./messages.js").TableAnswer;
type Wireframe = import("./messages.js").Wireframe;
type Value = import("./messages.js").Value;
type Visit = import("./messages.js").Visit;
type Mark = import("./overlay.js").Mark;
type Shot = import("./store.js").Shot;
type State = Readonly<import("./store.js").State>;

/** What is asked and answered, as far as it can be told elsewhere. */
type Asked = {
  name: string;
  tool: AskTool;
  question: Row;
  options: Options;
  answers: Row[];
  /** How many answers there are, where not all are here too. */
  total: number;
  /** The poses and the time that it was asked at. */
  world: AskedWorld;
};

/** The shots, and the steps that led to them: an edit in words, and the list without it. */
type ShotList = { shots: readonly Shot[]; past: readonly Step[]; future: readonly Step[] };
type Step = { what: string; shots: readonly Shot[] };

/** A row of the tree: an object (level 1) or a part (level 2); `open` is absent where there are no parts. */
type TreeRow = { object: SceneObject; part?: string; level: number; open?: boolean; position: number; size: number };

/** The state of a model on the timeline; `second` is the clip that is blended in, empty for none. */
/** `rest`: the scene poses the model by no clip, and nobody has posed it since; the clip is the one that it would begin with. */
type Track = { object: string; clip: string; time: number; second: string; weight: number; rest: boolean };

/** Points [s, y] of a section, null where there is no ground. */
type Profile = readonly (readonly [number, number | null])[];
/** From metres along and up to pixels; `exaggeration` is how much higher than long things are drawn. */
type Scale = { s0: number; s1: number; low: number; high: number; width: number; height: number; exaggeration: number };

/** A point of a question that can be dragged, and the question with it elsewhere. */
type Draggable = { id: string; label: string; point: Point; snap: "plane" | "surface"; moved: (point: Point) => Row };

type ShapeKind = "box" | "turned_box" | "sphere" | "capsule" | "cylinder" | "hull";
/**
 * `size` of the box, `height` of the capsule with its ends and of the cylinder, `turn` in degrees about +Y, `lift` above
 * what is pointed at; `hull` is a name, `outline` that hull at its own origin, null where it is not known.
 */
type ShapeSettings = { kind: ShapeKind; size: Point; radius: number; height: number; turn: number; lift: number; hull: string; outline: Promise<Wireframe | null> | null };
/** How a sweep turns: degrees about an axis through the middle of what moves, or through where it starts; metres. */
type TurnSettings = { turns: boolean; axis: "x" | "y" | "z"; angle: number; pivot: "middle" | "start"; tolerance: number | null };
