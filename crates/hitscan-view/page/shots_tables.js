/** Tables of questions and of answers: opened or dropped, answered, compared, drawn. */

import { button, empty, fill, make, section } from "./elements.js";
import { whole } from "./format.js";
import { fieldText } from "./numbers.js";
import { LIMITS } from "./protocol.js";
import { drawnRows, rowStatus, tableSentence } from "./table_rows.js";
import { RefusedError } from "./transport.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./messages.js").TableAnswer} TableAnswer
 * @typedef {import("./messages.js").Refused} Refused
 */

const ENDINGS = [".csv", ".parquet", ".arrow"];

/** @param {App} app */
export function tableDrop(app) {
  const result = make("div", { class: "table-result" });
  const file = make("input", {
    type: "file",
    accept: ENDINGS.join(","),
    class: "hidden",
    tabindex: "-1",
    "aria-label": "Table of questions or answers",
    onchange: () => {
      const chosen = file.files?.[0];
      file.value = "";
      if (chosen) void send(chosen);
    },
  });
  const open = button({ label: "Open a table", icon: "open", class: "outlined", onclick: () => file.click() });
  const note = make("p", { class: "note" }, "A table of questions is answered and drawn; rows of a table of answers that differ from what is answered here are marked. Or drop it on the page.");
  const element = section("Tables", make("div", { class: "buttons" }, open, file), note, result);

  document.addEventListener("dragover", (event) => {
    if (![...(event.dataTransfer?.types ?? [])].includes("Files")) return;
    event.preventDefault();
    document.documentElement.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) document.documentElement.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    document.documentElement.classList.remove("dropping");
    const dropped = event.dataTransfer?.files[0];
    if (!dropped) return;
    event.preventDefault();
    app.store.set({ tab: "shots", inspector: true });
    void send(dropped);
  });

  /** @param {File} chosen */
  async function send(chosen) {
    fill(result, make("p", { class: "waiting" }, `Asking the rows of ${chosen.name} …`));
    app.overlay.set("table", []);
    const problem = unusable(chosen);
    if (problem) {
      refused(chosen.name, problem);
      return;
    }
    try {
      const bytes = new Uint8Array(await chosen.arrayBuffer());
      const { tool, options } = guess(chosen.name);
      answered(await app.transport.table({ name: chosen.name, tool, options }, bytes));
    } catch (error) {
      refused(chosen.name, error instanceof RefusedError ? error.refused : { field: chosen.name, expected: String(error) });
    }
  }

  /**
   * The tool and options with which a table is asked: those chosen, where they are for tables with its name.
   * @param {string} name
   */
  function guess(name) {
    const { tool, options } = app.store.state;
    const named = /** @type {const} */ (["ray", "height", "sweep", "overlap", "closest", "arc"]).find((one) => name.startsWith(one));
    const asked = named ?? (tool === "look" ? undefined : tool);
    return { tool: named, options: asked === undefined ? {} : (options[asked] ?? {}) };
  }

  /** @param {string} name @param {Refused} problem */
  function refused(name, { field, found, expected, limit }) {
    const facts = [`Where: ${field}`, found === undefined ? "" : `Found: ${typeof found === "string" ? found : JSON.stringify(found)}`, `Expected: ${expected}`, limit ? `Limit: ${limit}` : ""];
    fill(
      result,
      make("div", { class: "problem", role: "alert" }, make("strong", {}, `${name} cannot be used`), make("ul", {}, ...facts.filter(Boolean).map((fact) => make("li", {}, fact)))),
    );
  }

  /** @param {TableAnswer} table */
  function answered(table) {
    app.announce(tableSentence(table));
    app.overlay.set("table", drawnRows(table));
    const shut = button({ label: "Close the table", icon: "close", quiet: true, onclick: close });
    const kind = (table.differing ?? 0) > 0 ? "miss" : "hit";
    const head = make("div", { class: "answer-verdict" }, make("span", { class: "verdict" }, make("span", { class: "sign", "data-role": kind, "aria-hidden": "true" }), tableSentence(table)), shut);
    fill(result, head, table.shown.length === 0 ? empty("No rows", "The table has a header and no rows.") : rowTable(app, table));
  }

  function close() {
    app.overlay.set("table", []);
    fill(result);
    open.focus();
  }

  return { element };
}

/**
 * What is wrong with a file before it is sent.
 * @param {File} file
 * @returns {Refused | null}
 */
function unusable({ name, size }) {
  const lower = name.toLowerCase();
  if (!ENDINGS.some((ending) => lower.endsWith(ending))) {
    return { field: "the file's name", found: name, expected: "a table: .csv, .parquet or .arrow. Scenes and models are shown by `hitscan view FILE`" };
  }
  if (size > LIMITS.table) return { field: "the file's size", found: `${whole(size)} bytes`, expected: `at most ${whole(LIMITS.table)} bytes`, limit: "table" };
  return null;
}

/**
 * The rows that are shown, with both values where they differ. A click asks the row as a shot.
 * @param {App} app
 * @param {TableAnswer} table
 */
function rowTable(app, table) {
  const { columns, shown } = table;
  const heads = ["row", ...columns].map((column) => make("th", { scope: "col" }, column));
  const rows = shown.map(({ row, question, answer, file, differs = [] }) => {
    const ask = make("button", { type: "button", class: "row-ask", title: "Ask this row", onclick: () => askRow(app, table, question) }, whole(row));
    const cells = columns.map((column) => {
      const value = fieldText(answer[column] ?? question[column]);
      if (!differs.includes(column)) return make("td", { class: typeof (answer[column] ?? question[column]) === "number" ? "number" : "" }, value);
      const other = file?.[column];
      return make(
        "td",
        { class: "differs" },
        make("span", { class: "hidden" }, "answered "),
        make("ins", {}, value || "nothing"),
        make("span", { class: "hidden" }, ", the file has "),
        make("del", {}, other === undefined ? "nothing" : fieldText(other)),
      );
    });
    return make("tr", { class: rowStatus(answer, differs) }, make("th", { scope: "row" }, ask), ...cells);
  });
  const frame = make("div", { class: "table-frame rows-frame", tabindex: "0", role: "region", "aria-label": `Rows of ${table.name}` });
  frame.append(make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)));
  return frame;
}

/** @param {App} app @param {TableAnswer} table @param {import("./messages.js").Row} question */
function askRow(app, { tool }, question) {
  const known = /** @type {import("./messages.js").AskTool} */ (tool);
  void app.asker.ask({ tool: known, question, options: app.store.state.options[known] ?? {} });
  app.store.set({ tab: "answer" });
}
