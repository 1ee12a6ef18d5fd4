/**
 * The shapes of the messages of `hitscan.view.v1`, as PROTOCOL.md has them. Types only: there is no
 * code here.
 */

/**
 * @typedef {[number, number, number]} Point metres, +Y up
 * @typedef {[number, number]} Pair
 * @typedef {"ray" | "height" | "sweep" | "overlap" | "closest" | "arc"} AskTool
 * @typedef {number | string} Value
 * @typedef {Record<string, Value>} Row column to value; a column without one is absent
 * @typedef {Record<string, string | number | boolean>} Options those of the command, without dashes
 * @typedef {"picture" | "cost"} Mode
 * @typedef {"perspective" | "orthographic"} Projection
 */

/**
 * @typedef {object} Camera
 * @property {Point} eye
 * @property {Point} look the point that it looks at
 * @property {number} fov degrees from the picture's lower to its upper edge
 * @property {Projection} projection
 */

/**
 * @typedef {object} Pose
 * @property {string} object
 * @property {string} clip
 * @property {number} time seconds
 * @property {{clip: string, time: number, weight: number}} [blend]
 */

/**
 * What the page wants to see.
 * @typedef {object} View
 * @property {number} view its number, greater than that of the view before
 * @property {Pair} size of the whole picture, rays
 * @property {Camera} camera
 * @property {Mode} mode
 * @property {boolean} moving
 * @property {number} now_ms
 * @property {Pose[]} [poses]
 * @property {string[]} [hide]
 * @property {number} [layers]
 * @property {boolean} [outline]
 */

/**
 * @typedef {object} Ask
 * @property {AskTool} tool
 * @property {Row} [question] in place of `frame` and `pixel`
 * @property {number} [frame]
 * @property {Pair} [pixel] in that frame's own pixels
 * @property {Options} [options]
 * @property {number} [as_of_ms]
 */

/**
 * @typedef {{name: string, start: number, end: number}} Clip seconds
 */

/**
 * @typedef {object} SceneObject
 * @property {string} name
 * @property {"terrain" | "model" | "mesh" | "sphere" | "box" | "capsule" | "turned_box"} kind
 * @property {number} [layers]
 * @property {[Point, Point]} [bounds]
 * @property {number} [triangles]
 * @property {string[]} [parts]
 * @property {Clip[]} [clips]
 * @property {string} [clip]
 * @property {number} [time]
 */

/**
 * @typedef {object} Scene
 * @property {string} name
 * @property {string} [title]
 * @property {string} version of the program
 * @property {SceneObject[]} objects
 * @property {[Point, Point]} [bounds]
 * @property {Camera} camera the overview
 * @property {string[]} [notes]
 * @property {number} [objects_total]
 */

/**
 * @typedef {"ray" | "normal" | "triangle" | "motion" | "arc" | "contact" | "disc" | "segment"} LineRole
 * @typedef {{role: LineRole, points: Point[]}} Line
 * @typedef {{role: "start" | "contact" | "intersection", points: Point[]}} RoleBox 8 points: bit 0 of
 *   a corner's number tells the end along x, bit 1 along y, bit 2 along z
 */

/**
 * @typedef {object} Answer
 * @property {AskTool} tool
 * @property {Row} question
 * @property {Row[]} answers at most 1,000
 * @property {number} [answers_total] where there are more
 * @property {string} [invalid] why the question is none
 * @property {Point} [local] the hit's point in the object's own space
 * @property {{joint: string, point: Point}} [bind]
 * @property {Record<string, string>} [bits] the f32 columns of the first answer, hexadecimal
 * @property {number} [median_ns]
 * @property {string} sentence
 * @property {Line[]} [lines]
 * @property {RoleBox[]} [boxes]
 */

/**
 * @typedef {object} Candidate
 * @property {string} object
 * @property {string | null} [part]
 * @property {number | null} [triangle]
 * @property {number | null} [t]
 * @property {string} verdict
 * @property {string} why
 */

/**
 * @typedef {object} Visit
 * @property {string} what
 * @property {number} [depth]
 * @property {string} [object]
 * @property {string} [part]
 * @property {number} [triangle]
 * @property {Point[]} [points] 8 of a box, 3 of a triangle
 * @property {Pair} [t] entry and exit
 * @property {number} [best]
 * @property {string} verdict
 * @property {string} [why]
 */

/**
 * @typedef {object} Approach
 * @property {number} [distance]
 * @property {number} [t]
 * @property {Point} [on_ray]
 * @property {Point} [on_object]
 * @property {string} [object]
 * @property {number} [triangle]
 * @property {{object: string, distance: number}[]} [passed]
 * @property {string[]} [filtered]
 * @property {string} [change]
 */

/**
 * The vertical cut along a ray; `s` is metres along the ground.
 * @typedef {object} Section
 * @property {string} object
 * @property {Pair[]} ray
 * @property {[number, number | null][]} ground
 * @property {[number, number, number, number, number, string][]} [blocks] s0, s1, low, high, level, verdict
 * @property {Pair[]} [cells]
 * @property {{samples: Pair[], bisections: Pair[], hit?: Pair, stepped_over?: number}} [march]
 */

/**
 * @typedef {object} Axis
 * @property {string} name
 * @property {number} [enter]
 * @property {number} [leave]
 * @property {boolean} [decides]
 * @property {boolean} [never]
 */

/**
 * @typedef {object} Explanation
 * @property {number} ask
 * @property {Candidate[]} candidates
 * @property {Visit[]} [visits]
 * @property {number} [visit_count]
 * @property {Approach} [approach]
 * @property {Section} [section]
 * @property {Axis[]} [axes]
 * @property {string} [sentence]
 */

/**
 * @typedef {object} TableAnswer
 * @property {string} name
 * @property {string} tool
 * @property {string[]} columns
 * @property {number} rows
 * @property {number} [invalid]
 * @property {number} [differing]
 * @property {boolean} [compared]
 * @property {{row: number, question: Row, answer: Row, file?: Row, differs?: string[]}[]} shown
 */

/**
 * @typedef {object} Refused
 * @property {string} field
 * @property {unknown} [found]
 * @property {string} expected
 * @property {string} [limit]
 */

/**
 * A message of the server by its type.
 * @typedef {object} ServerMessages
 * @property {{type: "loading", id?: number, file?: string, done: number}} loading
 * @property {Scene & {type: "scene", id?: number}} scene
 * @property {{type: "failed", id?: number, message: string, keeps: boolean}} failed
 * @property {Answer & {type: "answer", id: number}} answer
 * @property {Explanation & {type: "explanation", id: number}} explanation
 * @property {{type: "visible", id: number, visible: boolean[]}} visible
 * @property {{type: "overlay", id: number, boxes: Point[][], count: number}} overlay
 * @property {TableAnswer & {type: "table", id: number}} table
 * @property {Refused & {type: "refused", id?: number}} refused
 * @property {{type: "pong", id?: number}} pong
 * @property {{type: "bye", reason: string}} bye
 */

/** @typedef {ServerMessages[keyof ServerMessages]} ServerMessage */

export {};
