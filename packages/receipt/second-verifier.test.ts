import { spawnSync } from "node:child_process";
import { parseAnchor } from "@deed/dns/dnssec/anchors.ts";
import { validate, verifyChain } from "@deed/dns/dnssec/validate.ts";
import { messagesOf, questionOf, VECTORS } from "@deed/dns/testing/dnssec/vectors.ts";
import { expect, it } from "vitest";
import { lacks, passOver } from "../../tests/support/lacks.ts";
import { sized } from "../../tests/support/size.ts";
import type { Statement } from "./statement.ts";
import type { Json } from "./strict-json.ts";
import { makeCases } from "./testing/cases.ts";
import { ISSUER, jwsOf } from "./testing/issuer.ts";
import { verifyReceipt } from "./verify.ts";

const CHAINS = sized(700, 3_500);
const RECEIPTS = sized(500, 2_500);
const DAY = 86_400;

let state = 32;
const below = (limit: number) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
};
const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;

/** What the verifier in Python says of each line; null without it. */
function inPython(lines: object[]): string[] | null {
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const script = "packages/receipt/testing/check_receipt.py";
  const { stdout, stderr } = spawnSync("/usr/bin/python3", [script, "--why"], {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  if (stderr.includes("ModuleNotFoundError") && !process.env.CI) {
    passOver("Python with cryptography");
    return null;
  }
  return stdout.trimEnd().split("\n");
}

type Told = { label: string; ours: string; line: object };

function compare(what: string, all: Told[]) {
  const theirs = inPython(all.map(({ line }) => line));
  if (!theirs) return;
  const counts: Record<string, number> = {};
  for (const { ours } of all) counts[ours] = (counts[ours] ?? 0) + 1;
  const differences = all.flatMap(({ label, ours }, at) =>
    ours === theirs[at] ? [] : [`${label}: ${ours}, in Python ${theirs[at]}`],
  );
  console.log(`${what}: ${all.length}, differences ${differences.length}`, counts);
  expect(differences).toEqual([]);
}

const MUTATIONS: Record<string, (octets: Buffer) => Buffer> = {
  "a bit": (octets) => {
    const bit = below(8 * octets.length);
    octets[bit >> 3] = (octets[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return octets;
  },
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

it.skipIf(lacks("python3"))(
  `agrees with a verifier in Python on chains of every algorithm, and ${CHAINS} mutants`,
  async () => {
    const all: Told[] = [];
    const add = async (
      label: string,
      chain: Uint8Array,
      given: Parameters<typeof verifyChain>[1],
    ) => {
      const { verdict } = await verifyChain(chain, given);
      const ours = verdict === "secure" || verdict === "insecure" ? verdict : "bad";
      const { name, value, at } = given;
      const line = { chain: Buffer.from(chain).toString("base64"), name, value, at };
      all.push({ label, ours, line: { ...line, anchors: VECTORS.anchors } });
    };
    const chains: { zone: string; chain: Uint8Array; question: ReturnType<typeof questionOf> }[] =
      [];
    for (const one of VECTORS.cases) {
      const question = questionOf(one);
      const { chain } = await validate(messagesOf(one), question);
      chains.push({ zone: one.zone, chain, question });
      await add(one.zone, chain, question);
    }
    expect(all.filter(({ ours }) => ours === "secure").length).toBeGreaterThan(50);
    expect(all.filter(({ ours }) => ours === "insecure").length).toBeGreaterThan(10);
    for (let count = 0; count < CHAINS; count += 1) {
      const { zone, chain, question } = oneOf(chains);
      const kind = below(10);
      if (kind === 0)
        await add(`${zone}, another time`, chain, {
          ...question,
          at: question.at + below(80 * DAY) - 40 * DAY,
        });
      else if (kind === 1)
        await add(`${zone}, another name`, chain, {
          ...question,
          name: oneOf(chains).question.name,
        });
      else if (kind === 2)
        await add(`${zone}, another value`, chain, { ...question, value: `${question.value}x` });
      else {
        const mutation = oneOf(Object.keys(MUTATIONS));
        const mutant = MUTATIONS[mutation]?.(Buffer.from(chain)) ?? Buffer.alloc(0);
        await add(`${zone}, ${mutation} at ${count}`, mutant, question);
      }
    }
    compare("chains", all);
  },
  300_000,
);

const VALUES: Json[] = [
  ...[null, true, 0, -1, 1.5, 2 ** 32, "", "x", "dnssec", "witnessed", "nameservers", "secure"],
  ...[
    "insecure",
    "indeterminate",
    "deed-proof/1",
    "deed-dnssec/1",
    "acme.test",
    "1.test.2",
    "0x1f",
  ],
  ...[
    "https://deed.example",
    "https://deed.example:443",
    "http://[2001:db8::1]:8080",
    "http://127.1",
  ],
  ...["2027-01-15T08:00:00.250Z", "2027-01-15T24:00:00.000Z", "1969-12-31T23:59:59.000Z"],
  ...["m\u202e@acme.com", "m•••@acme.com", "a".repeat(321), [], {}, ["x"], "udp", "https"],
];

/** A statement with something else in it, signed as an installation would. */
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

it.skipIf(lacks("python3"))(
  `agrees with a verifier in Python on receipts, and ${RECEIPTS} mutants`,
  async () => {
    const { cases, kid, anchor } = await makeCases();
    const anchors = [anchor].flatMap((line) => parseAnchor(line) ?? []);
    const all: Told[] = [];
    const add = async (label: string, file: Buffer, keys = [kid], lines = [anchor]) => {
      const given = lines.length > 0 ? anchors : [];
      const { verdict, assurance } = await verifyReceipt(file, { keys, anchors: given });
      const ours = verdict === "bad" ? "bad" : `${verdict} ${assurance ?? "nothing"}`;
      all.push({ label, ours, line: { file: file.toString("base64"), keys, anchors: lines } });
    };
    for (const { name, file } of cases) {
      await add(name, Buffer.from(file));
      await add(`${name}, without a key`, Buffer.from(file), []);
      await add(`${name}, without an anchor`, Buffer.from(file), [kid], []);
    }
    const good = cases.filter(({ expected }) => !expected.includes(":"));
    for (let count = 0; count < RECEIPTS; count += 1) {
      const { name, file } = oneOf(good);
      if (count % 2 === 0) {
        const mutation = oneOf(Object.keys(MUTATIONS));
        const mutant = MUTATIONS[mutation]?.(Buffer.from(file)) ?? Buffer.alloc(0);
        await add(`${name}, ${mutation} at ${count}`, mutant);
        continue;
      }
      const receipt = JSON.parse(file);
      const [, payload = ""] = receipt.statement.split(".");
      receipt.statement = mutantOf(JSON.parse(Buffer.from(payload, "base64url").toString()));
      await add(`${name}, another statement at ${count}`, Buffer.from(JSON.stringify(receipt)));
    }
    compare("receipts", all);
  },
  300_000,
);
