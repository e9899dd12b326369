import type { Control, Observation } from "../verdict/observation.ts";
import type { Question } from "../wire/message.ts";
import { randomSibling } from "./absence-probes.ts";
import { type AskOptions, askAuthority, soaOf } from "./authority.ts";
import type { Read } from "./read.ts";
import type { Answering } from "./reader.ts";

/** Failures with several causes, which other questions tell apart. */
const DOUBTFUL = new Set(["timeout", "refused", "servfail", "not_authoritative", "malformed"]);
/** What a silent server costs: two questions, each twice. */
const CONTROL_PACKETS = 4;

/** No server has the record: asks about other things if all fail, or if a wildcard answers; if there is room for all. */
export async function askControls(read: Read, seen: Observation): Promise<void> {
  if (seen.delegation.type !== "delegated") return;
  const { zone } = seen.delegation;
  const isFailing = !seen.servers.some(({ result }) => result === "answered");
  const doubted = seen.servers.filter(({ result, address }) =>
    isFailing ? DOUBTFUL.has(result) && address !== null : typeof seen.wildcard === "string",
  );
  if (doubted.length * CONTROL_PACKETS > read.packetsLeft) return;
  seen.servers = await Promise.all(
    seen.servers.map(async (server) => {
      const { host, address } = server;
      if (address === null || !doubted.includes(server)) return server;
      const control = await controlOf(read, seen, zone, { host, address }, isFailing);
      // A question that one of our limits cut short says nothing of the server.
      return read.isOver ? server : { ...server, control };
    }),
  );
}

async function controlOf(
  read: Read,
  { challengeName }: Observation,
  zone: string,
  server: Answering,
  isFailing: boolean,
): Promise<Control> {
  let owner: string | null = null;
  const ask = async (question: Question, options?: AskOptions) => {
    const reply = await askAuthority(read, zone, server, question, options);
    if ("failure" in reply) return reply.failure;
    if (question.type === "SOA") owner = soaOf(reply.message)?.zone ?? null;
    return reply.referral ? "not_authoritative" : "answered";
  };
  const askPlainly = (name: string) => ask({ name, type: "A" }, { asGiven: true, plain: true });
  const [soa, plain] = await Promise.all([
    ask({ name: zone, type: "SOA" }),
    isFailing ? askPlainly(challengeName) : null,
  ]);
  const control = { soa, owner, plain, other: null };
  if (plain === null || (soa === "answered") === (plain === "answered")) return control;
  const sibling = randomSibling(challengeName) ?? challengeName;
  const other =
    soa === "answered"
      ? await askPlainly(sibling)
      : await ask({ name: challengeName, type: "A" }, { asGiven: true });
  return { ...control, other };
}
