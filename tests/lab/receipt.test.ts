import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Receipt } from "@deed/receipt/statement.ts";
import { makeStampers, stampServer } from "@deed/receipt/testing/stamper.ts";
import { compactVerify, createLocalJWKSet } from "jose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openClaim, poll, signIn } from "../support/deed.ts";
import { lacksPython, passOver } from "../support/lacks.ts";
import { deedCommand } from "../support/product.ts";
import { listening, newFolder, type Service, startService } from "../support/service.ts";
import { both, record, zone } from "./case.ts";
import { describeLab, type Lab, startLab } from "./lab.ts";
import { NS1 } from "./zones.ts";

/** Runs a program without a network interface; null, with a note, if that is not allowed. */
function offline(command: string, args: string[], input = "") {
  const isAllowed = spawnSync("unshare", ["-n", "true"]).status === 0;
  if (!isAllowed) {
    passOver("the right to `unshare -n`");
    return null;
  }
  const all = ["-n", command, ...args];
  return spawnSync("unshare", all, { input, encoding: "utf8", timeout: 60_000 });
}

describeLab("receipts of proofs on knotd", () => {
  let lab: Lab;
  let stampers: ReturnType<typeof makeStampers>;
  let server: ReturnType<typeof stampServer>;
  let service: Service;
  const folder = newFolder();
  const keys = join(folder, "jwks.json");

  async function prove(name: string) {
    const client = await signIn(service, `${name.replace(".", "-")}@holder.example`);
    const { id, token } = await openClaim(client, name);
    await lab.setZone(name, [record(token)]);
    await poll(client, `/api/claims/${id}`, ({ state }) => state !== "pending");
    const { slug } = await client.expect(201, "POST", `/api/claims/${id}/proof_links`);
    const path = `/api/proofs/${slug}/receipt`;
    await poll(client, path, ({ stamp }) => Boolean(stamp));
    const { text, body } = await client.get(path);
    const file = join(folder, `${name}.json`);
    writeFileSync(file, text);
    console.log(`${name}: a receipt of ${Buffer.byteLength(text)} bytes`);
    return { file, receipt: body as Receipt, token };
  }

  beforeAll(async () => {
    stampers = makeStampers();
    server = stampServer(stampers.reply);
    lab = await startLab([
      zone("signed.example", { ns1: [] }, { signed: true, delegatedTo: [NS1] }),
      zone("plain.com", both()),
    ]);
    const stamps = {
      TIMESTAMP_URL: await listening(server),
      TIMESTAMP_ROOTS: stampers.rootFile,
    };
    service = await startService({ env: { ...lab.env, ...stamps, FIRST_READ_SECONDS: "5" } });
    writeFileSync(keys, await (await fetch(`${service.url}/.well-known/jwks.json`)).text());
  });
  afterAll(async () => {
    await service?.stop();
    await lab?.stop();
    server?.close();
    stampers?.stop();
  });

  it.each([
    ["plain.com", "witnessed", 4_096, /^Good, according to this installation and \w+ resolvers?\./],
    ["signed.example", "dnssec", 8_192, /^Good: signed by the domain’s own keys\./],
  ])(
    "of %s (%s) is at most %i octets without its stamp, and good to the command, jose and Python",
    async (name, assurance, most, headline) => {
      const { file, receipt, token } = await prove(name);
      expect(Buffer.byteLength(JSON.stringify({ ...receipt, stamp: null }))).toBeLessThanOrEqual(
        most,
      );
      const { payload } = await compactVerify(
        receipt.statement,
        createLocalJWKSet(JSON.parse(readFileSync(keys, "utf8"))),
      );
      const said = JSON.parse(Buffer.from(payload).toString());
      expect(said).toMatchObject({ sub: name, assurance });

      const anchor = lab.env.DNS_TRUST_ANCHORS;
      const args = ["--key", keys, "--anchor", anchor, "--require", assurance];
      const roots = ["--timestamp-roots", stampers.rootFile];
      const done = offline(deedCommand(), ["verify", file, ...args, ...roots]);
      if (!done) return;
      expect([done.stderr, done.status]).toEqual(["", 0]);
      expect(done.stdout).toMatch(headline);
      expect(done.stdout).toContain(`Domain        ${name}`);
      expect(done.stdout).toMatch(
        /Stamp: shown\n {2}Stamped by Test stamper on .*, within an hour/,
      );

      if (assurance !== "dnssec" || lacksPython()) return;
      const { challengeName, provedAt } = said;
      const at = Math.floor(Date.parse(provedAt) / 1_000);
      const question = { name: challengeName, at, anchors: [anchor], chain: receipt.dnssec?.chain };
      const lines = [token, `${token}0`].map((value) => JSON.stringify({ ...question, value }));
      const program = ["packages/receipt/testing/check_receipt.py"];
      const python = offline("/usr/bin/python3", program, `${lines.join("\n")}\n`);
      expect(python?.stdout).toBe("secure\nbad\n");
    },
  );
});
