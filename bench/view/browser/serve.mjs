// Serves the peer's page on loopback: its files, its packages, and the mesh.
import { createServer } from "node:http";
import { readFileSync } from "node:fs";

const TYPES = { html: "text/html", mjs: "text/javascript", js: "text/javascript", obj: "text/plain" };
/** Where `import ... from "three"` finds it: workers know no import maps. */
const THREE = "/node_modules/three/build/three.module.js";

/**
 * @param {string} mesh path of a Wavefront file
 * @returns {Promise<{ url: string, stop: () => void }>}
 */
export async function serve(mesh) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    try {
      const type = TYPES[/** @type {keyof typeof TYPES} */ (pathname.split(".").at(-1))] ?? TYPES.html;
      response.setHeader("Content-Type", type);
      // Memory that workers share is for isolated pages alone.
      response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
      response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
      response.end(contentOf(pathname, mesh));
    } catch (error) {
      response.statusCode = 404;
      response.end(String(error));
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  const port = address && typeof address === "object" ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, stop: () => server.close() };
}

/** @param {string} path @param {string} mesh */
function contentOf(path, mesh) {
  if (path === "/mesh.obj") return readFileSync(mesh);
  if (path === "/favicon.ico") return "";
  const file = readFileSync(new URL(path === "/" ? "peer.html" : `.${path}`, import.meta.url));
  return path.endsWith("js") ? file.toString("utf8").replaceAll(/from (["'])three\1/g, `from "${THREE}"`) : file;
}
