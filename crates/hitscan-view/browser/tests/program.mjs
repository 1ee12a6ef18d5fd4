// The program under test: `hitscan view` as a server of its own for each test that asks for one, and
// the other commands, whose output the page is compared with.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
 * The answer of a command to one row of questions: column and text, empty fields left out.
 * @param {string[]} parameters all but the table
 * @param {Record<string, string | number>} question
 */
export function answerOf(parameters, question) {
  const header = Object.keys(question).join(",");
  const row = Object.values(question).join(",");
  const [names, values] = hitscan([...parameters, "-"], { input: `${header}\n${row}\n` })
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  /** @type {Record<string, string>} */
  const answer = {};
  names?.forEach((name, column) => {
    const value = values?.[column];
    if (!(name in question) && value) answer[name] = value;
  });
  return answer;
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
