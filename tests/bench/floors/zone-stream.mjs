// The two lookups of a zone stream on bare node:http, without any checks: NS from the registry, SOA from the zone.
import { createServer } from "node:http";
import { ask, referredTo } from "./lookup.mjs";

const REGISTRY = process.env.REGISTRY;

createServer(async (request, response) => {
  const name = request.url.slice(request.url.lastIndexOf("/") + 1);
  const referral = await ask(REGISTRY, name, "NS");
  const { answers } = await ask(referredTo(referral), name, "SOA");
  const delegation = {
    step: "delegation",
    name,
    nameservers: referral.authorities.map(({ data }) => data).sort(),
    observedAt: new Date().toISOString(),
    cached: false,
  };
  const publishing = {
    step: "publishing",
    publishingMinutes: null,
    negativeCacheTtlSeconds: Math.min(answers[0].ttl, answers[0].data.minimum),
  };
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.end(
    `event: delegation\ndata: ${JSON.stringify(delegation)}\n\nevent: publishing\ndata: ${JSON.stringify(publishing)}\n\n`,
  );
}).listen(Number(process.env.PORT));
