import { spawnSync } from "node:child_process";
import { anchorLine } from "@deed/dns/dnssec/anchors.ts";
import { validate } from "@deed/dns/dnssec/validate.ts";
import { AT, signAround } from "@deed/dns/testing/dnssec/signer.ts";
import {
  VECTORS as CHAIN_VECTORS,
  messagesOf,
  questionOf,
} from "@deed/dns/testing/dnssec/vectors.ts";
import { expect, it } from "vitest";
import { Chance } from "../../tests/fuzz/chance.ts";
import { lacks, lacksPython } from "../../tests/support/lacks.ts";
import { sized } from "../../tests/support/size.ts";
import { ASSURANCES, type Statement } from "./statement.ts";
import type { Json } from "./strict-json.ts";
import {
  ADDRESS,
  base64url,
  headerOf,
  ISSUER,
  issuerOf,
  jwsOf,
  makeWorld,
  receiptOf,
  SALT,
  STATEMENT,
} from "./testing/issuer.ts";
import { makeOddChains } from "./testing/odd-chains.ts";
import { makeStampers } from "./testing/stamper.ts";
import { type Line, tell } from "./testing/tell.ts";
import { VECTORS } from "./testing/vectors.ts";

const CHAINS = sized(400, 3_500);
const ODD_CHAINS = sized(200, 3_000);
const RECEIPTS = sized(300, 2_500);
const HISTORIES = sized(100, 500);
const STAMPED = sized(20, 300);
const DAY = 86_400;

const chance = new Chance(32);
const { below } = chance;
const oneOf = <T>(list: readonly T[]): T => chance.pick(list);

type Asked = { label: string; line: Line };

function inPython(all: Asked[]): string[] {
  const input = all.map(({ line }) => `${JSON.stringify(line)}\n`).join("");
  const script = "packages/receipt/testing/check_receipt.py";
  const { stdout, stderr } = spawnSync("/usr/bin/python3", [script], {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  if (stderr) console.error(stderr);
  return stdout.trimEnd().split("\n");
}

/** The Python verifier must give the same result as ours. */
async function compare(what: string, lines: Asked[]): Promise<string[]> {
  const all: (Asked & { ours: string })[] = [];
  for (const one of lines) all.push({ ...one, ours: await tell(one.line) });
  const counts: Record<string, number> = {};
  for (const { ours } of all) counts[ours] = (counts[ours] ?? 0) + 1;
  const theirs = inPython(all);
  const differ = all.flatMap(({ label, ours }, at) =>
    ours === theirs[at] ? [] : [`${label}: ${ours}, in Python ${theirs[at]}`],
  );
  console.log(`${what}: ${all.length}, differences ${differ.length}`, counts);
  expect(differ).toEqual([]);
  return all.map(({ ours }) => ours);
}

const both = it.skipIf(lacksPython());

const MUTATIONS: Record<string, (octets: Buffer) => Buffer> = {
  "a bit": (octets) => Buffer.from(chance.flipped(octets)),
  "a piece left out": (octets) => {
    const [from, size] = [below(octets.length), 1 + below(300)];
    return Buffer.concat([octets.subarray(0, from), octets.subarray(from + size)]);
  },
  "a piece twice": (octets) => {
    const [from, size] = [below(octets.length), 1 + below(300)];
    return Buffer.concat([octets.subarray(0, from + size), octets.subarray(from)]);
  },
  "an octet": (octets) => {
    octets[below(octets.length)] = below(256);
    return octets;
  },
};

both(`agree on chains of every algorithm, and ${CHAINS} mutants`, async () => {
  const all: Asked[] = [];
  const add = (label: string, chain: Uint8Array, given: ReturnType<typeof questionOf>) => {
    const { name, value, at } = given;
    const line = { chain: Buffer.from(chain).toString("base64"), name, value, at };
    all.push({ label, line: { ...line, anchors: CHAIN_VECTORS.anchors } });
  };
  const made = CHAIN_VECTORS.cases.map(async (one) => {
    const question = questionOf(one);
    return { zone: one.zone, question, ...(await validate(messagesOf(one), question)) };
  });
  const chains = await Promise.all(made);
  for (const { zone, chain, question } of chains) add(zone, chain, question);
  for (let count = 0; count < CHAINS; count += 1) {
    const { zone, chain, question } = oneOf(chains);
    const kind = below(10);
    const at = question.at + below(80 * DAY) - 40 * DAY;
    if (kind === 0) add(`${zone}, another time`, chain, { ...question, at });
    else if (kind === 1)
      add(`${zone}, another name`, chain, { ...question, name: oneOf(chains).question.name });
    else if (kind === 2)
      add(`${zone}, another value`, chain, { ...question, value: `${question.value}x` });
    else {
      const mutation = oneOf(Object.keys(MUTATIONS));
      const mutant = MUTATIONS[mutation]?.(Buffer.from(chain)) ?? Buffer.alloc(0);
      add(`${zone}, ${mutation} at ${count}`, mutant, question);
    }
  }
  const ours = await compare("chains", all);
  expect(ours.filter((one) => one === "secure").length).toBeGreaterThan(50);
  expect(ours.filter((one) => one === "insecure").length).toBeGreaterThan(10);
});

both(`agree on ${ODD_CHAINS} chains whose denials no honest signer makes`, async () => {
  const lines = await makeOddChains(ODD_CHAINS, below);
  const ours = await compare(
    "odd chains",
    lines.map((line, at) => ({ label: `${at}`, line })),
  );
  expect(new Set(ours)).toEqual(new Set(["secure", "insecure", "bad"]));
});

const WORDS =
  `x dnssec witnessed nameservers secure insecure indeterminate deed-proof/1 deed-proof/2
  deed-proof/3 deed-dnssec/1 acme.test 1.test.2 0x1f https://deed.example https://deed.example:443
  http://[2001:db8::1]:8080 http://127.1 2027-01-15T08:00:00.250Z 2027-01-15T24:00:00.000Z
  1969-12-31T23:59:59.000Z m\u202e@acme.com m•••@acme.com udp https`.split(/\s+/);
const VALUES: Json[] = [
  ...[null, true, false, 0, -1, 1.5, 2 ** 32, "", [], {}, ["x"], ...WORDS],
  ...["a".repeat(321), "A".repeat(43), `${"A".repeat(42)}B`],
];

/** A statement with a changed part, signed as an installation would. */
function mutantOf(statement: Statement): string {
  const copy: Record<string, Json> = JSON.parse(JSON.stringify(statement));
  const lists = [copy.nameservers, copy.witnesses].flat() as Record<string, Json>[];
  const place = below(3) === 0 && lists.length > 0 ? oneOf(lists) : copy;
  const name = oneOf(Object.keys(place));
  const kind = below(8);
  if (kind === 0) delete place[name];
  else if (kind === 1)
    place[oneOf(["aud", "zeta", "claimedAt", "successions", "nonce"])] = oneOf(VALUES);
  else if (kind === 2 && typeof place[name] === "boolean") place[name] = !place[name];
  else place[name] = oneOf(VALUES);
  return jwsOf(ISSUER, copy);
}

both(`agree on receipts, ${RECEIPTS} mutants and ${HISTORIES} histories of keys`, async () => {
  const { cases, kid, anchor } = VECTORS;
  const all: Asked[] = [];
  const add = (label: string, file: Buffer, given: object = {}) => {
    const line = { file: file.toString("base64"), keys: [kid], anchors: [anchor], ...given };
    all.push({ label, line });
  };
  for (const { name, file } of cases) {
    add(name, Buffer.from(file));
    add(`${name}, without a key`, Buffer.from(file), { keys: [] });
    add(`${name}, without an anchor`, Buffer.from(file), { anchors: [] });
  }
  const good = cases.filter(({ expected }) => !expected.includes(":"));
  for (let count = 0; count < RECEIPTS; count += 1) {
    const { name, file } = oneOf(good);
    if (count % 2 === 0) {
      const mutation = oneOf(Object.keys(MUTATIONS));
      const mutant = MUTATIONS[mutation]?.(Buffer.from(file)) ?? Buffer.alloc(0);
      add(`${name}, ${mutation} at ${count}`, mutant);
      continue;
    }
    const receipt = JSON.parse(file);
    const [, payload = ""] = receipt.statement.split(".");
    receipt.statement = mutantOf(JSON.parse(Buffer.from(payload, "base64url").toString()));
    add(`${name}, another statement at ${count}`, Buffer.from(JSON.stringify(receipt)));
  }
  for (let count = 0; count < HISTORIES; count += 1) {
    const { name, file } = oneOf(good);
    add(`${name}, history ${count}`, Buffer.from(file), {
      ...{ ...historyOf(), require: oneOf(ASSURANCES), ...(below(3) === 0 && holderOf()) },
    });
  }
  const ours = await compare("receipts", all);
  for (const verdict of ["good dnssec", "good witnessed", "weaker nothing"])
    expect(ours).toContain(verdict);
});

both(`agree on ${STAMPED} receipts with stamps, and the ends of their keys`, async ({ skip }) => {
  skip(lacks("openssl"), "needs openssl");
  const stampers = makeStampers();
  const now = Math.floor(Date.now() / 1_000);
  signAround(now);
  const world = await makeWorld();
  const denial = await world.unsigned("acme.test");
  const anchors = world.anchors.map(anchorLine);
  const stampRoots = [Buffer.from(stampers.root).toString("base64")];
  const all: Asked[] = [];
  for (let count = 0; count < STAMPED; count += 1) {
    // An hour ago and more, within the last hour, and in the future.
    const iat = now - oneOf([7_200, 1_800, 1_800, -7_200]);
    const provedAt = new Date(iat * 1_000).toISOString();
    const made = receiptOf(ISSUER, { ...STATEMENT, iat, provedAt }, denial);
    const data = oneOf([made.statement, made.statement, made.statement, "another statement"]);
    const kind = oneOf(["stamper", "elliptic"]);
    const octets = stampers.token(data, kind, oneOf(["sha256", "sha256", "sha512"]));
    const token = Buffer.from(octets).toString("base64");
    const stamp = oneOf<object | null>([{ token }, { token }, { token }, { token: "x" }, null]);
    const endAt = () => new Date((now + oneOf([-3, -1, 1, 3]) * DAY) * 1_000).toISOString();
    const end = (name: string) => (below(2) === 0 ? { [name]: endAt() } : {});
    const life = { kid: ISSUER.kid, from: at(-DAY), ...end("until"), ...end("compromisedSince") };
    const typ = "deed-keys+jwt";
    const history = jwsOf(ISSUER, { keys: [life] }, { ...headerOf(ISSUER), typ });
    const file = Buffer.from(JSON.stringify({ ...made, stamp })).toString("base64");
    const roots = below(6) === 0 ? [] : stampRoots;
    const line = { file, keys: [ISSUER.kid], anchors, stampRoots: roots, history };
    all.push({ label: `${count}: ${kind}`, line });
  }
  stampers.stop();
  signAround(AT);
  expect(await compare("stamped receipts", all)).toContain("good witnessed");
});

const holderOf = () => ({
  holder: {
    address: oneOf([ADDRESS, ` ${ADDRESS.toUpperCase()}`, "x@acme.com"]),
    opening: oneOf([base64url(SALT), base64url(SALT), base64url("short")]),
  },
});
const NEXT = issuerOf("next key");
const at = (seconds: number) => new Date((STATEMENT.iat + seconds) * 1_000).toISOString();

/** A history of when an installation's keys ended, signed by one of them, and the key that a user knows. */
function historyOf() {
  const dates = [at(-DAY), at(0), at(DAY), "2027-02-30T00:00:00.000Z", "x", null];
  const end = (name: string) => (below(3) === 0 ? { [name]: oneOf(dates) } : {});
  const life = ({ kid }: typeof ISSUER) => ({
    kid: below(20) === 0 ? `${kid}=` : kid,
    from: below(20) === 0 ? oneOf(dates) : at(-DAY),
    ...end("until"),
    ...end("compromisedSince"),
  });
  const signer = oneOf([ISSUER, NEXT]);
  const typ = oneOf(["deed-keys+jwt", "deed-keys+jwt", "deed-keys+jwt", "deed-key+jwt"]);
  const keys = oneOf([[life(ISSUER), life(NEXT)], [life(ISSUER), life(ISSUER)], [life(NEXT)], []]);
  return {
    keys: oneOf([[], [ISSUER.kid], [NEXT.kid], [ISSUER.kid, NEXT.kid]]),
    history: below(10) === 0 ? "x" : jwsOf(signer, { keys }, { ...headerOf(signer), typ }),
  };
}
