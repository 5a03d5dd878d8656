// Serves a folder, such as the built page with the headers of the server, for the tests.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const DIST = fileURLToPath(new URL("../dist", import.meta.url));
const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript",
  ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm",
};
const HEADERS = {
  "Content-Security-Policy":
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'",
  "X-Content-Type-Options": "nosniff",
};

function answer(folder, headers, request, response) {
  const path = normalize(decodeURIComponent(new URL(request.url, "http://host").pathname));
  if (path === "/api/v2/health") {
    response.writeHead(200, { "Content-Type": "application/json", ...headers }).end("{}");
    return;
  }
  const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
  if (!file.startsWith(folder) || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {
    "Content-Type": TYPES[extname(file)] ?? "application/octet-stream",
    ...headers,
  });
  createReadStream(file).pipe(response);
}

/** Returns { url, close }. */
export async function serve(folder = DIST, headers = HEADERS) {
  const server = createServer((...exchange) => answer(folder, headers, ...exchange));
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections?.();
    }),
  };
}
