// The floor of account-streams: a bare node:http server of event streams. `streams.mjs <port>`.
// GET /api/events stays open; POST /event writes one event to every stream.
import { createServer } from "node:http";

const open = new Set();
let id = 0;

createServer((request, response) => {
  if (request.method === "POST") {
    const event = `id: ${++id}\ndata: {"type":"domain.created","domainId":"dom_${id}"}\n\n`;
    for (const stream of open) stream.write(event);
    response.end("{}");
    return;
  }
  response.writeHead(200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-cache, no-transform",
  });
  response.write(": open\n\n");
  const beat = setInterval(() => response.write(": still here\n\n"), 20_000);
  open.add(response);
  response.once("close", () => {
    clearInterval(beat);
    open.delete(response);
  });
}).listen(Number(process.argv[2]), () => console.log("ready"));
