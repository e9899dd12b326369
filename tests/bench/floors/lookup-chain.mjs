// The bare chain of round trips behind a proof: root, registry, nameserver, and the nameserver again over TCP, beside
// the RESOLVERS one after another.
// GET /<name> answers how many milliseconds it took.
import { createServer } from "node:http";
import { ask, askOverTcp, referredTo } from "./lookup.mjs";

const resolvers = process.env.RESOLVERS?.split(",") ?? [];

createServer(async (request, response) => {
  const name = request.url.slice(1);
  const challenge = `_service-challenge.${name}`;
  const from = performance.now();
  const registry = referredTo(await ask(process.env.ROOT, "com", "NS"));
  const nameserver = referredTo(await ask(registry, name, "NS"));
  const { answers } = await ask(nameserver, challenge, "TXT");
  const confirmed = askOverTcp(nameserver, challenge, "TXT");
  for (const resolver of resolvers) await ask(resolver, challenge, "TXT");
  await confirmed;
  const took = performance.now() - from;
  response.end(JSON.stringify({ took, records: answers.length }));
}).listen(Number(process.env.PORT));
