// The program under test: `hitscan view` as a server of its own for each test that requests one, and
// the other commands, whose output the page is compared with.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";

/** The path of the program. */
export const PROGRAM = process.env["HITSCAN_PROGRAM"] ?? "hitscan";

/**
 * A running `hitscan view`.
 * @typedef {{ url: string, port: number, stop: (signal?: NodeJS.Signals) => Promise<number | null> }} Server
 */

/**
 * Starts `hitscan view` with these arguments, on a free port unless they name one.
 * @param {string[]} parameters
 * @param {{ port?: number, cwd?: string }} [options]
 * @returns {Promise<Server>}
 */
export async function view(parameters, { port = 0, cwd } = {}) {
  const child = spawn(PROGRAM, ["view", ...parameters, "--port", String(port), "--no-open"], {
    stdio: ["ignore", "pipe", "pipe"],
    cwd,
  });
  let said = "";
  child.stderr.on("data", (bytes) => (said += bytes));
  const ended = new Promise((/** @type {(code: number | null) => void} */ resolve) => {
    child.on("exit", (code) => resolve(code));
  });
  const lines = createInterface({ input: child.stdout });
  const first = await new Promise((/** @type {(line: string | undefined) => void} */ resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => resolve(undefined));
  });
  const url = first?.match(/http:\/\/[^\s/]+(?:\/\S*)?/)?.[0];
  if (url === undefined) {
    child.kill("SIGKILL");
    throw new Error(`hitscan view printed no address: ${first ?? ""} ${said}`);
  }
  return {
    url,
    port: Number(new URL(url).port),
    stop: (signal = "SIGKILL") => {
      child.kill(signal);
      return ended;
    },
  };
}

/**
 * The address that a server printed, with a fragment and the key.
 * @param {Pick<Server, "url">} server
 * @param {string} [fragment] a link's, with its `#`
 */
export function addressOf({ url }, fragment = "") {
  const fields = [fragment, new URL(url).hash].map((text) => text.slice(1)).filter(Boolean).join("&");
  return new URL(fields && `#${fields}`, url).href;
}

/**
 * Runs a command of the program; its standard output.
 * @param {string[]} parameters
 * @param {{ input?: string, status?: number }} [options]
 */
export function hitscan(parameters, { input = "", status = 0 } = {}) {
  const run = spawnSync(PROGRAM, parameters, { input, encoding: "utf8", maxBuffer: 1 << 28 });
  if (run.status !== status) {
    throw new Error(`hitscan ${parameters.join(" ")}: ${run.status}\n${run.stderr}`);
  }
  return run.stdout;
}

/**
 * Runs a line of a shell that names the program, in a folder of its own; its standard output.
 * @param {string} line
 * @param {Folder} folder
 */
export function typed(line, folder) {
  const PATH = [dirname(PROGRAM), process.env["PATH"]].join(delimiter);
  const run = spawnSync("sh", ["-c", line], { cwd: folder.path, env: { ...process.env, PATH }, encoding: "utf8", maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(`${line}: ${run.status}\n${run.stderr}`);
  return run.stdout;
}

/**
 * The answers of a command to rows of questions: column and text, without empty fields.
 * @param {string[]} parameters all but the table
 * @param {Record<string, string | number>[]} questions all with the columns of the first
 */
export function answersOf(parameters, questions) {
  const columns = Object.keys(questions[0] ?? {});
  const rows = questions.map((question) => columns.map((column) => field(question[column] ?? "")).join(","));
  const output = hitscan([...parameters, "-"], { input: `${[columns.join(","), ...rows].join("\n")}\n` });
  return records(output).map((record) => {
    const answer = Object.entries(record).filter(([column, value]) => !columns.includes(column) && value !== "");
    return /** @type {Record<string, string>} */ (Object.fromEntries(answer));
  });
}

/**
 * The answer to one question.
 * @param {string[]} parameters all but the table
 * @param {Record<string, string | number>} question
 */
export function answerOf(parameters, question) {
  const [answer] = answersOf(parameters, [question]);
  if (answer === undefined) throw new Error("a question without an answer");
  return answer;
}

/**
 * The rows of a table: column and text.
 * @param {string} text of a CSV file
 */
export function records(text) {
  const [names = [], ...rows] = text.trimEnd().split("\n").map(fields);
  return rows.map((row) => Object.fromEntries(names.map((name, column) => [name, row[column] ?? ""])));
}

/** The fields of a line of CSV. @param {string} line */
function fields(line) {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "");
}

/** @param {string | number} value */
function field(value) {
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A folder for files of one test. */
export class Folder {
  path = mkdtempSync(join(tmpdir(), "hitscan-page-"));

  /**
   * Writes a file; its path.
   * @param {string} name
   * @param {string | Uint8Array} content
   */
  write(name, content) {
    const path = join(this.path, name);
    writeFileSync(path, content);
    return path;
  }

  remove() {
    rmSync(this.path, { recursive: true, force: true });
  }
}
