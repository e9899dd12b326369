import { sinceClaim, validate } from "../dnssec/validate.ts";
import { isRegistry, labelsOf, lastLabels, parentOf, ROOT } from "../names.ts";
import { type Observation, rcodeFailure } from "../verdict/observation.ts";
import { isOnlyRecordMissing, isPortShut } from "../verdict/shut-port.ts";
import { LONGEST_NEGATIVE_SECONDS } from "../verdict/standing.ts";
import type { Message, Question } from "../wire/message.ts";
import type { SecureChannel } from "../wire/secure.ts";
import { listCandidates, recordAnswer, soaOf, tryAsk } from "./authority.ts";
import { exchangeSecurely } from "./exchange.ts";
import type { Read } from "./read.ts";
import type { HttpsRead, WitnessAddress } from "./reader.ts";

const TCP_TRIES = 3;
/** The most names on the way whose keys are asked for, with two questions each. */
const MAX_NAMES = 10;

/** `until` has the same meaning as in RestingResolver. */
type Resolver = { witness: WitnessAddress; channel: SecureChannel; until: number };

/**
 * If nothing answers on port 53, gathers the signatures from the root to the record from one resolver over HTTPS, in
 * turn. It is asked for the challenge name only below a signed zone, since it would cache a denial.
 */
export async function readOverHttps(read: Read, seen: Observation, claim: HttpsRead) {
  const { root, settings, channels, clock } = read.network;
  const roots = listCandidates(read, read.orderOf(root.cut)).slice(0, TCP_TRIES);
  await Promise.all(roots.map(tryAsk(read, ROOT, { name: ROOT, type: "SOA" }, { tcp: true })));
  if (!isPortShut(seen)) return;
  const resolvers = settings.witnesses
    .flatMap((witness): Resolver[] => {
      const channel = channels.get(witness);
      const known = claim.held.find(({ resolver }) => resolver === witness.name);
      if (channel?.secure.transport !== "https") return [];
      return [{ witness, channel, until: known?.until ?? 0 }];
    })
    .sort((resolver, another) => resolver.until - another.until);
  for (const resolver of resolvers) {
    if (resolver.until > clock()) break;
    if (await gatherChain(read, seen, resolver, sinceClaim(claim.openedAt))) break;
  }
  const held = resolvers.map(({ witness: { name }, until }) => ({ resolver: name, until }));
  seen.shut = { held };
}

/** Reads a chain from one resolver. False if it has no complete chain to the record: then another gets its turn. */
async function gatherChain(read: Read, seen: Observation, resolver: Resolver, since: number) {
  const { challengeName: name, domain, token } = seen;
  const { clock, settings } = read.network;
  const { witness, channel } = resolver;
  const { address, port } = witness;
  const target = { server: witness.name, address, port };
  const options = { recursion: true, checkingDisabled: true, dnssec: true };
  const faultOf = ({ rcode }: Message) => rcodeFailure(rcode);
  const ask = (question: Question) =>
    exchangeSecurely({ read, target, question, faultOf }, channel, options);
  const askKeys = (zones: readonly string[]) =>
    Promise.all(
      zones.flatMap((zone) => [
        ask({ name: zone, type: "DNSKEY" }),
        ...(zone === ROOT ? [] : [ask({ name: zone, type: "DS" })]),
      ]),
    );
  const judge = async () => {
    const question = { name, value: token, at: Math.floor(clock() / 1000), since };
    const messages = read.signed.map(({ bytes }) => bytes);
    const validation = await validate(messages, { ...question, anchors: settings.trustAnchors });
    const { chain, zones: _zones, period: _period, cost: _cost, ...judgement } = validation;
    seen.validation = judgement;
    seen.chain = judgement.verdict === "secure" ? chain : null;
    return judgement;
  };

  const path = labelsOf(name).map((_, at) => lastLabels(name, at + 1));
  const isDelegatedByRegistry = (zone: string) => isRegistry(parentOf(zone), domain);
  const registryZones = path.filter(isDelegatedByRegistry).slice(0, MAX_NAMES);
  await askKeys([ROOT, ...registryZones]);
  const judgement = await judge();
  if (!isOnlyRecordMissing(judgement)) return judgement.verdict === "insecure";
  const reply = await ask({ name, type: "TXT" });
  const { message } = reply;
  resolver.until = clock();
  if (!message || reply.failure !== null) return true;
  const answer = recordAnswer(read, message, name);
  const { ad, extendedErrors } = message;
  const reading = { result: "answered", answer, nameservers: null, uncheckedRcode: null } as const;
  const { latencyMs } = reply;
  seen.witnesses = [{ ...target, name: witness.name, ...reading, ad, extendedErrors, latencyMs }];
  const { verdict } = await judge();
  // The keys below the registries' zones come next, but not those of a missing name, since denials are cached.
  const isFound = answer.values.length > 0;
  const below = path.filter((zone) => !isDelegatedByRegistry(zone) && (isFound || zone !== name));
  const keys = verdict === "secure" ? [] : await askKeys(below.slice(0, MAX_NAMES));
  if (keys.length > 0) await judge();
  const denials = [reply, ...keys].flatMap((one) => (one.message && soaOf(one.message)) ?? []);
  const ttls = denials.map(({ ttl, minimum }) => Math.min(ttl, minimum, LONGEST_NEGATIVE_SECONDS));
  resolver.until = clock() + 1000 * Math.max(0, ...ttls);
  return true;
}
