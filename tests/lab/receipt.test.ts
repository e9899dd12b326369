import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Receipt } from "@deed/receipt/statement.ts";
import { makeStampers, stampServer } from "@deed/receipt/testing/stamper.ts";
import { compactVerify, createLocalJWKSet } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listening } from "#app/core/testing/servers.ts";
import { openClaim, poll, signIn } from "../support/deed.ts";
import { lacksPython, passOver } from "../support/lacks.ts";
import { deedCommand } from "../support/product.ts";
import { newFolder, type Service, startService } from "../support/service.ts";
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

/** Octets without the stamp. */
const GOALS = { "signed.example": 8_192, "plain.com": 4_096 };

describeLab("receipts of proofs on knotd", () => {
  let lab: Lab;
  let stampers: ReturnType<typeof makeStampers>;
  let server: ReturnType<typeof stampServer>;
  let service: Service;
  let folder: string;
  let anchor: string;
  const receipts = new Map<string, { file: string; receipt: Receipt; token: string }>();

  async function prove(name: string): Promise<void> {
    const client = await signIn(service, `${name.replace(".", "-")}@holder.example`);
    const claim = await openClaim(client, name);
    await lab.setZone(name, [record(claim.token)]);
    await poll(client, `/api/claims/${claim.id}`, ({ state }) => state !== "pending");
    const links = `/api/claims/${claim.id}/proof_links`;
    const { slug } = await client.expect(201, "POST", links);
    const path = `/api/proofs/${slug}/receipt`;
    const file = join(folder, `${name}.json`);
    await poll(client, path, ({ stamp }) => Boolean(stamp));
    const text = await (await fetch(`${service.url}${path}`)).text();
    const receipt = JSON.parse(text) as Receipt;
    writeFileSync(file, text);
    receipts.set(name, { file, receipt, token: claim.token });
    console.log(`${name}: a receipt of ${Buffer.byteLength(text)} bytes`);
  }

  beforeAll(async () => {
    stampers = makeStampers();
    server = stampServer(stampers.reply);
    folder = newFolder();
    lab = await startLab([
      zone("signed.example", { ns1: [] }, { signed: true, delegatedTo: [NS1] }),
      zone("plain.com", both()),
    ]);
    anchor = lab.env.DNS_TRUST_ANCHORS;
    const { port } = await listening(server);
    const stamps = {
      TIMESTAMP_URL: `http://127.0.0.1:${port}`,
      TIMESTAMP_ROOTS: stampers.rootFile,
    };
    service = await startService({ env: { ...lab.env, ...stamps, FIRST_READ_SECONDS: "5" } });
    const jwks = await (await fetch(`${service.url}/.well-known/jwks.json`)).text();
    writeFileSync(join(folder, "jwks.json"), jwks);
    for (const name of ["signed.example", "plain.com"]) await prove(name);
  });
  afterAll(async () => {
    await service?.stop();
    await lab?.stop();
    server?.close();
    stampers?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describe.each([
    ["signed.example", "dnssec", /^Good: signed by the domain’s own keys\./],
    ["plain.com", "witnessed", /^Good, according to this installation and \w+ resolvers?\./],
  ] as const)("%s", (name, assurance, headline) => {
    const one = () => {
      const found = receipts.get(name);
      if (!found) throw new Error(`${name} was not proved`);
      return found;
    };
    it("is as short as the goal has it", () => {
      const bare = JSON.stringify({ ...one().receipt, stamp: null });
      expect(Buffer.byteLength(bare)).toBeLessThanOrEqual(GOALS[name]);
    });

    it("is good to the command", ({ skip }) => {
      const args = ["--key", join(folder, "jwks.json"), "--anchor", anchor, "--require", assurance];
      const roots = ["--timestamp-roots", stampers.rootFile];
      const done = offline(deedCommand(), ["verify", one().file, ...args, ...roots]);
      if (!done) return skip();
      expect([done.stderr, done.status]).toEqual(["", 0]);
      expect(done.stdout).toMatch(headline);
      expect(done.stdout).toContain(`Domain        ${name}`);
      expect(done.stdout).toMatch(
        /Stamp: shown\n {2}Stamped by Test stamper on .*, within an hour/,
      );
    });

    it("has a statement that jose accepts", async () => {
      const keys = createLocalJWKSet(JSON.parse(readFileSync(join(folder, "jwks.json"), "utf8")));
      const { payload } = await compactVerify(one().receipt.statement, keys);
      expect(JSON.parse(Buffer.from(payload).toString())).toMatchObject({ sub: name, assurance });
    });
  });

  it("has a chain that a verifier in Python accepts, for this token and no other", ({ skip }) => {
    if (lacksPython()) return skip();
    const { receipt, token } = receipts.get("signed.example") ?? {};
    const [, payload = ""] = receipt?.statement.split(".") ?? [];
    const { challengeName, provedAt } = JSON.parse(Buffer.from(payload, "base64url").toString());
    const question = {
      name: challengeName,
      at: Math.floor(Date.parse(provedAt) / 1_000),
      anchors: [anchor],
      chain: receipt?.dnssec?.chain,
    };
    const lines = [token, `${token}0`].map((value) => JSON.stringify({ ...question, value }));
    const done = offline(
      "/usr/bin/python3",
      ["packages/receipt/testing/check_receipt.py"],
      `${lines.join("\n")}\n`,
    );
    if (!done) return skip();
    expect(done.stdout).toBe("secure\nbad\n");
  });
});
