// Receives webhooks in its own process. Its environment has PORT, LOG (a file) and SECRETS: a JSON object with a secret for
// each path. It verifies each post with the specification's library, logs it, and only then answers 204.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const { PORT = "", LOG = "", SECRETS = "{}" } = process.env;
const secrets = new Map(Object.entries(JSON.parse(SECRETS) as Record<string, string>));

createServer(async (request, response) => {
  const path = request.url ?? "";
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  let isVerified = true;
  try {
    new Webhook(secrets.get(path) ?? "").verify(body, request.headers as Record<string, string>);
  } catch {
    isVerified = false;
  }
  const id = request.headers["webhook-id"];
  appendFileSync(LOG, `${JSON.stringify({ path, id, isVerified })}\n`);
  response.writeHead(204).end();
}).listen(Number(PORT), "127.0.0.1");
