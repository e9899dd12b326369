// A server with nothing in it but Node's own.
import { createServer } from "node:http";

createServer((_request, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end('{"status":"ok"}');
}).listen(Number(process.env.PORT));
