// Sends what another server answers to one request, again and again: Node's own server with nothing in it.
import { createServer, get } from "node:http";

const { COPY_OF, ACCEPT_ENCODING, PORT } = process.env;

get(COPY_OF, { headers: { "accept-encoding": ACCEPT_ENCODING } }, async (answer) => {
  const { date, connection, "keep-alive": _, "transfer-encoding": __, ...headers } = answer.headers;
  const body = Buffer.concat(await answer.toArray());
  createServer((_request, response) => {
    response.writeHead(200, { ...headers, "content-length": body.length });
    response.end(body);
  }).listen(Number(PORT));
});
