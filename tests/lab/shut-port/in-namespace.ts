import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openClaim, poll, roomy, signIn } from "../../support/deed.ts";
import { deedCommand } from "../../support/product.ts";
import { newFolder, startService } from "../../support/service.ts";
import { both, record, zone } from "../case.ts";
import { startLab } from "../lab.ts";

/**
 * Runs in a network namespace of its own: shuts port 53 in it, starts the lab on other ports and the packed product on
 * port 53, claims three domains, and prints what came of it as one line of JSON.
 */

/** The kernel drops whatever leaves for port 53, before it looks whether the address is this machine's. */
const RULES = [
  "rule add pref 10 ipproto udp dport 53 blackhole",
  "rule add pref 11 ipproto tcp dport 53 blackhole",
  "rule add pref 100 lookup local",
  "rule del pref 0",
];

const ip = (line: string) => execFileSync("ip", line.split(" "));
ip("link set lo up");
for (const rule of RULES) ip(rule);

const folder = newFolder();
const lab = await startLab([
  zone("signed.example", both(), { signed: true, minimum: 5 }),
  zone("late.example", both(), { signed: true }),
  zone("plain.com", both()),
]);
const authority = join(folder, "authority.pem");
writeFileSync(authority, lab.authority.cert);
const env = {
  ...lab.env,
  ...roomy(),
  DNS_PORT: "53",
  DNS_RESOLVERS: lab.overHttps,
  NODE_EXTRA_CA_CERTS: authority,
  CLOCK_TRUSTED: "on",
  FIRST_READ_SECONDS: "999",
};
const service = await startService({ env });
const client = await signIn(service, "holder@shut.example");

/** Opens a claim and checks it before its record is there, and once it is. */
async function claim(name: string, isCheckedBefore: boolean) {
  const opened = await openClaim(client, name);
  const check = () =>
    client.expect<{ lastOutcome: string }>(
      200,
      "POST",
      `/api/verifications/${opened.verificationId}/runs`,
    );
  const before = isCheckedBefore ? await check() : null;
  await lab.setZone(name, [record(opened.token)]);
  let after = await check();
  // On a busy machine a resolver may be late once.
  const isSigned = name.endsWith(".example");
  for (let count = 0; isSigned && after.lastOutcome === "unresolvable" && count < 5; count += 1)
    after = await check();
  const { attempts } = await client.expect<{ attempts: object[] }>(
    200,
    "GET",
    `/api/verifications/${opened.verificationId}/attempts`,
  );
  const { state } = await poll(client, `/api/claims/${opened.id}`, () => true, 1);
  const page = (await client.get(`/domains/${opened.domainId}`)).text.replace(/<[^>]+>/g, " ");
  return { id: opened.id, state, before, after, attempts, page };
}

try {
  const signed = await claim("signed.example", false);
  const late = await claim("late.example", true);
  const plain = await claim("plain.com", false);
  const receipt = await client.get(`/api/claims/${signed.id}/receipt`);
  const evidence = await client.get(`/api/claims/${signed.id}/evidence`);
  const file = join(folder, "receipt.json");
  writeFileSync(file, receipt.text);
  const own = { env: { ...process.env, ...env }, encoding: "utf8" } as const;
  const jwks = await (await fetch(`${service.url}/.well-known/jwks.json`)).json();
  const verify = ["verify", file, "--key", jwks.keys[0].kid, "--anchor", env.DNS_TRUST_ANCHORS];
  const result = {
    signed,
    late,
    plain,
    statement: JSON.parse(
      Buffer.from(JSON.parse(receipt.text).statement.split(".")[1], "base64url").toString(),
    ),
    exchanges: JSON.parse(evidence.text).exchanges,
    verified: spawnSync(deedCommand(), [...verify, "--require", "dnssec"], own),
    health: await (await fetch(`${service.url}/api/health`)).json(),
    doctor: spawnSync(deedCommand(), ["doctor", "--json"], own),
    log: service.output(),
  };
  console.log(JSON.stringify(result));
} finally {
  await service.stop();
  await lab.stop();
}
