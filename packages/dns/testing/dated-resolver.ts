import { createSecureServer } from "node:http2";
import { Authority } from "./certificates.ts";
import { portOf } from "./lab-server.ts";

/** A resolver over HTTPS on 127.0.0.1 that answers each question with only the date from `date`. */
export async function datedResolver(date: () => string) {
  const authority = new Authority();
  const server = createSecureServer(authority.issue(["127.0.0.1"]));
  server.on("stream", (stream) => {
    stream.on("error", () => {});
    stream.once("data", (query: Buffer) => {
      query[2] = 0x80;
      const type = { "content-type": "application/dns-message" };
      stream.respond({ ":status": 200, ...type, date: date() });
      stream.end(query);
    });
  });
  const port = await portOf(server);
  return {
    port,
    /** Its entry in DNS_RESOLVERS, as "dated". */
    entry: `dated=https://127.0.0.1:${port}/dns-query`,
    /** The authority's certificate, in PEM. */
    authority: authority.cert,
    close: () => server.close(),
  };
}
