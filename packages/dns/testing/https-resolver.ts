import { createServer, type Server } from "node:http";
import { decode, encode } from "dns-packet";
import type { HttpsResolver } from "../resolve/https-reader.ts";
import { portOf } from "./lab-server.ts";
import { answerFrom, type LabAnswer, type LabZone } from "./lab-zone.ts";

/** Also follows a CNAME: with the records at its target, and the SOA from there. */
function resolved(zones: readonly LabZone[], name: string, type: string): Partial<LabAnswer> {
  const first = answerFrom(zones, name, type);
  const alias = type === "CNAME" ? null : first?.answers.find((one) => one.type === "CNAME");
  if (!first || alias?.type !== "CNAME") return first ?? {};
  const { answers = [], ...last } = resolved(zones, alias.data, type);
  return { ...last, answers: [...first.answers, ...answers] };
}

/** A resolver over plain HTTP with these zones, which records the questions. */
export class LabResolver {
  readonly asked: string[] = [];
  private readonly server: Server;

  constructor(
    private readonly name: string,
    zones: readonly LabZone[],
    rcode?: number,
  ) {
    this.server = createServer(async (request, response) => {
      const query = decode(Buffer.concat(await request.toArray()));
      const [{ name: asked = "", type = "" } = {}] = query.questions ?? [];
      this.asked.push(`${type} ${asked}`);
      const { aa: _, rcode: own = 3, ...said } = resolved(zones, asked, type);
      const flags = 0x180 | (rcode ?? own);
      const answer = encode({ ...query, ...said, type: "response", flags });
      response.writeHead(200, { "content-type": "application/dns-message" }).end(answer);
    });
  }

  async listen(): Promise<HttpsResolver> {
    return { name: this.name, url: `http://127.0.0.1:${await portOf(this.server)}/dns-query` };
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
