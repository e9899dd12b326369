// A bare node:http server that answers every request with another server's answer to one request.
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
