// A bare node:http server.
import { createServer } from "node:http";

createServer((_, response) => response.end("ok")).listen(Number(process.env.PORT));
