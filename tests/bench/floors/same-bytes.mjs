// A bare node:http server. With COPY_OF, it answers each path with what that origin answered first.
import { createServer } from "node:http";

const { COPY_OF, PORT } = process.env;
const answers = new Map();

async function copyOf(path, accepted) {
  if (!COPY_OF) return { status: 200, headers: {}, body: "ok" };
  const answer = await fetch(COPY_OF + path, { headers: { "accept-encoding": accepted } });
  const type = answer.headers.get("content-type");
  return { status: answer.status, headers: { "content-type": type }, body: await answer.text() };
}

createServer(async ({ url, headers }, response) => {
  if (!answers.has(url)) answers.set(url, await copyOf(url, headers["accept-encoding"]));
  const { status, headers: sent, body } = answers.get(url);
  response.writeHead(status, { ...sent, "content-length": Buffer.byteLength(body) });
  response.end(body);
}).listen(Number(PORT));
