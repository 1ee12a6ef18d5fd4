/** Tables of questions and of answers: opened or dropped, answered, compared, drawn. */

import { columnsOf } from "./columns.js";
import { button, empty, fill, make, section } from "./elements.js";
import { whole } from "./format.js";
import { fieldText } from "./numbers.js";
import { note, verdict } from "./panel_parts.js";
import { LIMITS } from "./protocol.js";
import { inScene } from "./table_frame.js";
import { marksOfRow, orderedColumns, tableSentence } from "./table_rows.js";
import { RefusedError } from "./transport.js";

/** What comes in front of a file in its message takes less, bytes. */
const HEAD = 4096;
const ENDINGS = [".csv", ".parquet", ".arrow"];
const TOOLS = /** @type {const} */ (["ray", "height", "sweep", "overlap", "closest", "arc", "sight"]);

/** @param {App} app */
export function tableDrop(app) {
  const { store, overlay, transport, announce } = app;
  const result = make("div", { class: "table-result" });
  const file = make("input", { type: "file", accept: ENDINGS.join(), class: "hidden", tabindex: "-1", "aria-label": "Table of questions or answers", onchange: () => take(file.files) });
  const open = button({ label: "Open a table", icon: "open", class: "outlined", onclick: () => file.click() });
  const help = note("A table of questions is answered and drawn; in a table of answers the rows that differ are marked. Or drop it on the page.");

  const { classList } = document.documentElement;
  document.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    classList.remove("dropping");
    if (event.dataTransfer?.files.length) store.set({ tab: "shots", inspector: true });
    take(event.dataTransfer?.files);
  });

  /** @param {FileList | null | undefined} files */
  function take(files) {
    const [chosen] = files ?? [];
    if (chosen) void send(chosen);
    file.value = "";
  }

  /** @param {File} chosen */
  async function send(chosen) {
    const { name } = chosen;
    overlay.set("table", []);
    fill(result, note(`Asking the rows of ${name} …`));
    try {
      const problem = unusable(chosen);
      if (problem) throw new RefusedError(problem);
      // The columns give the tool, and so does a name that begins with it, with the options chosen for it.
      const tool = TOOLS.find((one) => name.startsWith(one));
      const { hits: _, ...options } = tool ? store.state.options[tool] : {};
      const bytes = new Uint8Array(await chosen.arrayBuffer());
      answered(await transport.table(tool ? { name, tool, options } : { name }, bytes));
    } catch (error) {
      refused(name, error instanceof RefusedError ? error.refused : { field: name, expected: String(error) });
    }
  }

  /** @param {string} name @param {Refused} problem */
  function refused(name, { field, found, expected, limit }) {
    const facts = [["Where", field], ["Found", found], ["Expected", expected], ["Limit", limit]].filter(([, value]) => value !== undefined);
    const items = facts.map(([what, value]) => make("li", {}, `${what}: ${typeof value === "string" ? value : JSON.stringify(value)}`));
    fill(result, make("div", { class: "problem", role: "alert" }, make("strong", {}, `${name} cannot be used`), make("ul", {}, ...items)));
  }

  /** @param {TableAnswer} table */
  function answered(table) {
    announce(tableSentence(table));
    const { origin } = store.state.scene ?? {};
    overlay.set("table", table.shown.flatMap(({ question, answer }) => marksOfRow(inScene(question, origin), inScene(answer, origin))));
    const close = button({ label: "Close the table", icon: "close", quiet: true, onclick: () => {
      overlay.set("table", []);
      fill(result);
      open.focus();
    } });
    const head = make("div", { class: "between" }, verdict(table.differing ? "miss" : "hit", tableSentence(table)), close);
    fill(result, head, table.shown.length > 0 ? rowTable(app, table) : empty("No rows", "The table has a header and no rows."));
  }

  return section("Tables", make("div", { class: "buttons" }, open, file), help, result);
}

/** What is wrong with a file before it is sent. @param {File} file @returns {Refused | null} */
function unusable({ name, size }) {
  if (!ENDINGS.some((ending) => name.toLowerCase().endsWith(ending))) {
    return { field: "the file's name", found: name, expected: "a table: .csv, .parquet or .arrow. Scenes and models are shown by hitscan view FILE" };
  }
  const most = LIMITS.table - HEAD;
  if (size <= most) return null;
  return { field: "the file's size", found: `${whole(size)} bytes`, expected: `at most ${whole(most)} bytes`, limit: "TABLE_BYTES" };
}

/** The rows that are shown, with both values where they differ; its number queries a row as a shot. @param {App} app @param {TableAnswer} table */
function rowTable({ asker, store }, { name, tool: text, columns: asked, shown }) {
  const tool = /** @type {AskTool} */ (text);
  // A table of questions gains the columns of the answers.
  const answers = Object.assign({}, ...shown.map(({ answer }) => answer));
  const answered = columnsOf(tool, store.state.options[tool], answers).filter((column) => column in answers);
  const columns = orderedColumns([...new Set([...asked, ...answered])], shown);
  const whyInvalid = shown.some(({ invalid }) => invalid !== undefined);
  const cell = (/** @type {import("./messages.js").Value | undefined} */ value, /** @type {Value | undefined} */ other, /** @type {boolean} */ differs) => {
    if (!differs) return make("td", { class: typeof value === "number" ? "number" : null }, fieldText(value));
    const [here, there] = [value, other].map((one) => fieldText(one) || "nothing");
    const said = (/** @type {string} */ words) => make("span", { class: "hidden" }, words);
    return make("td", { class: "differs" }, said("answered "), make("ins", {}, here ?? ""), said(", the file has "), make("del", {}, there ?? ""));
  };
  const rows = shown.map(({ row, question, answer, file, others, differs = [], invalid }) => {
    const onclick = () => {
      store.set({ tab: "answer", tool });
      void asker.ask({ tool, question, options: store.state.options[tool] });
    };
    const cells = columns.map((column) => cell(answer[column] ?? question[column] ?? others?.[column], file?.[column], differs.includes(column)));
    if (whyInvalid) cells.unshift(make("td", {}, invalid ?? ""));
    const ask = make("button", { type: "button", class: "row-ask", title: "Ask this row", onclick }, whole(row));
    return make("tr", { class: differs.length > 0 ? "row-differs" : null }, make("th", { scope: "row" }, ask), ...cells);
  });
  const heads = ["row", ...(whyInvalid ? ["why invalid"] : []), ...columns].map((column) => make("th", { scope: "col" }, column));
  const body = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
  return make("div", { class: "table-frame rows-frame", tabindex: "0", role: "region", "aria-label": `Rows of ${name}` }, body);
}
