//! Limits on pages and their requests. Each limit is named in what refuses or closes.
//!
//! Those of time and of sockets are kept by the server, which has a clock; the others by the viewer.

/// Pages that are served at once.
pub const PAGES: usize = 8;
/// Sockets that are open at once.
pub const SOCKETS: usize = 64;
/// Seconds until a request's headers are read.
pub const HEADER_SECS: u64 = 5;
/// Seconds until a page has said `hello`.
pub const HELLO_SECS: u64 = 5;
/// Seconds without a message of a page, after which it is closed.
pub const SILENT_SECS: u64 = 30;
/// Messages of a page in a second.
pub const MESSAGES_A_SECOND: u32 = 240;
/// Bytes of a control message.
pub const CONTROL_BYTES: usize = 64 << 10;
/// Bytes of a table's message: its header and its file.
pub const TABLE_BYTES: usize = 8 << 20;
/// Rows of a table.
pub const TABLE_ROWS: u64 = 100_000;
/// Columns of a table.
pub const TABLE_COLUMNS: usize = 1_000;
/// Values of a table: rows times columns.
pub const TABLE_VALUES: u64 = 10_000_000;
/// Rows of a table that are shown.
pub const TABLE_ROWS_SHOWN: usize = 1_000;
/// Characters of a field of a table that is passed through.
pub const TABLE_TEXT: usize = 200;
/// Characters of a field of a table's question or answers.
pub const TABLE_NAME: usize = 1_000;
/// Columns of a table that are passed through to the page: the first ones.
pub const TABLE_OTHERS: usize = 64;
/// Rays of a picture's full size: 2560 x 1440.
pub const FRAME_RAYS: u64 = 2560 * 1440;
/// Frames of a page that are not sent or not `shown`.
pub const FRAMES_IN_FLIGHT: usize = 2;
/// Passes of a picture at rest that are cast though no frame of them can be sent, until one is `shown`: a
/// page that reads nothing takes no rays from others.
pub const PASSES_UNSENT: u32 = 1;
/// Frames of a page that can be clicked on: the last ones.
pub const FRAMES_KEPT: usize = 16;
/// Questions of a page that are not answered: asks, explanations, overlays, visible points, tables.
pub const ASKS_IN_FLIGHT: usize = 16;
/// Asks of a page that can be explained: the last ones.
pub const ASKS_KEPT: usize = 64;
/// Viewsheds of a page that views can tint the ground by: the last ones.
pub const VIEWSHEDS_KEPT: usize = 8;
/// Steps of a walk in an explanation.
pub const VISITS: usize = 10_000;
/// Candidates in an explanation.
pub const CANDIDATES: usize = 10_000;
/// Objects, triangles and nodes of trees that a question may look at one by one; so many triangles it may
/// have within its margin, which take 0.3 GB.
pub const STEPS: u64 = 1_000_000;
/// The same of an explanation.
pub const EXPLAIN_STEPS: u64 = 1_000_000;
/// Samples that a viewshed may test, each once by the terrain and once by other objects.
pub const VIEWSHED_STEPS: u64 = 100_000_000;
/// The same as [`STEPS`] of all pairs of objects that overlap.
pub const PAIRS_STEPS: u64 = 4_000_000;
/// The same of all rows of a table together.
pub const TABLE_STEPS: u64 = 256_000_000;
/// Answers of one row of a table.
pub const TABLE_ANSWERS: usize = 10_000;
/// Questions of a page that are answered at once; others wait.
pub const ASKS_AT_ONCE: usize = 2;
/// Points of one `visible`.
pub const VISIBLE_POINTS: usize = 4_096;
/// Boxes of one `overlay`.
pub const OVERLAY_BOXES: usize = 10_000;
/// Lines of a wireframe: of the edges of a mesh the longest.
pub const WIREFRAME_LINES: usize = 1_000;
/// Triangles of an object whose edges are looked through for its wireframe.
pub const WIREFRAME_TRIANGLES: usize = 100_000;
/// Objects that `scene` lists.
pub const SCENE_OBJECTS: usize = 10_000;
/// Milliseconds that a question may go back.
pub const HISTORY_MS: u64 = 1_000;
/// States of a page's world that are kept for such questions.
pub const HISTORY_TICKS: usize = 256;
/// Answers of one question, such as the hits of a ray.
pub const ANSWERS: usize = 1_000;
/// Pairs of objects or triangles that are counted where a page requests those that overlap.
pub const PAIRS: u64 = 100_000;
