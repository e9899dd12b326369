import { join, resolve } from "node:path";
import { startPlayground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { addNode, answering, newTree, PROGRAMS, run, startIn } from "../packed/tree.ts";
import { keyOf, openClaim, signIn } from "../support/deed.ts";
import { mailsIn } from "../support/service.ts";
import { block, untyped } from "./blocks.ts";
import { dnsIn } from "./systemd.ts";

const URL = "http://localhost:3000";

afterAll(() => expect(untyped("tests/pages/readme.test.ts")).toEqual([]));

it("README.md: from a checkout to a service, a proof and a key", async () => {
  const tree = newTree(PROGRAMS);
  addNode(tree);
  const playground = await startPlayground();
  onTestFinished(() => playground.stop());
  // A checkout, which this test may change.
  const [files, work] = [join(tree, "../checkout"), join(tree, "../checkout-work")];
  const checkout = join(tree, "root/deed");
  run("mkdir", [files, work, checkout]);
  const options = `lowerdir=${resolve(".")},upperdir=${files},workdir=${work}`;
  run("mount", ["-t", "overlay", "overlay", "-o", options, checkout]);

  const env = dnsIn(tree, playground);
  const typed = async (script: string) => {
    const { ended, printed } = startIn(tree, ["sh", "-ec", `cd /root/deed\n${script}`], env);
    expect(await ended, printed()).toBe(0);
    return printed();
  };
  const lines = block("README.md", "npm run tarball").trim().split("\n");
  const serving = lines.findIndex((line) => line.startsWith("deed serve"));
  await typed(lines.slice(0, serving).join("\n"));
  // It stays in the foreground.
  const service = startIn(tree, ["sh", "-ec", "cd /root/deed; exec deed serve"], env);
  await answering(service, URL);
  expect(serving).toBe(lines.length - 1);

  const outbox = () => mailsIn(join(checkout, "data/outbox"));
  const client = await signIn({ url: URL, outbox }, "kim@example.org");
  const claim = await openClaim(client, "acme.com");
  playground.addRecord("acme.com", txt(claim.name, claim.token));
  await client.expect(200, "POST", `/api/verifications/${claim.verificationId}/runs`);
  const links = `/api/claims/${claim.id}/proof_links`;
  const { slug } = await client.expect<{ slug: string }>(201, "POST", links);
  const { key } = await keyOf(client, ["domains:read", "domains:write"]);
  const byKey = await typed(block("README.md", "export DEED_KEY").replace("deed_key_…", key));
  expect(byKey).toMatch(/"name":"example\.com".*"record":\{/s);

  // The playground's root key is its own, as the demo's is.
  const page = await (await fetch(`${URL}/verify`)).text();
  const [, anchor = ""] = /<textarea[^>]* name="anchors"[^>]*>([^<]+)/.exec(page) ?? [];
  const checking = block("README.md", "deed verify").replaceAll("<slug>", slug);
  const asked = await typed(
    checking
      .replace("<DS>", anchor)
      .replace(/(?<=^deed verify .*jwks\.json) +#.*/m, " || [ $? = 1 ]"),
  );
  expect(asked).toContain('"domain":"acme.com"');
  expect(asked).toContain("is signed by the key in it");
});
