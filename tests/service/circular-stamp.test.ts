import { readFileSync } from "node:fs";
import type { Receipt } from "@deed/receipt/statement.ts";
import { certificate, elliptic, leaf, NOW, tokenOf } from "@deed/receipt/testing/odd-stamps.ts";
import { expect, it, onTestFinished } from "vitest";
import { startService } from "../support/service.ts";

const { kid, anchor, cases } = JSON.parse(
  readFileSync("packages/receipt/testing/vectors.json", "utf8"),
) as { kid: string; anchor: string; cases: { name: string; file: string }[] };
const receipt = JSON.parse(
  cases.find(({ name }) => name === "unsigned zone")?.file ?? "",
) as Receipt;

const [first, second, by] = ["One", "Two", "Circle"].map((name) => ({ name, key: elliptic() }));
if (!first || !second || !by) throw new Error("no keys");
const circle = [
  certificate({ subject: first, issuer: second }),
  certificate({ subject: second, issuer: first }),
];
const own = leaf({ subject: by, issuer: first });
const token = tokenOf(receipt.statement, { certificate: own, party: by, issuer: first }, circle, {
  at: NOW,
});
const stamp = { token: Buffer.from(token).toString("base64") };

it("one anonymous upload with circular certificates is answered, and the processor is idle then", async () => {
  const service = await startService();
  onTestFinished(() => service.kill());
  const form = new FormData();
  form.set("key", kid);
  form.set("anchors", anchor);
  form.set("receipt", new Blob([JSON.stringify({ ...receipt, stamp })]), "receipt.json");
  const init = { method: "POST", body: form, headers: { Origin: service.url } };
  const answer = await fetch(`${service.url}/verify`, init);
  const text = await answer.text();
  expect(answer.status).toBe(200);
  expect(text).toContain("Good, on the word of this installation");
  expect(text).toContain("The stamp of Circle shows nothing: no root known here vouches for it.");
  /** Seconds of the processor so far. A circle that is still followed takes nearly one a second. */
  const used = () => {
    const fields = readFileSync(`/proc/${service.child.pid}/stat`, "utf8").split(") ")[1] ?? "";
    const [user = 0, system = 0] = fields.split(" ").slice(11, 13).map(Number);
    return (user + system) / 100;
  };
  await expect
    .poll(
      async () => {
        const before = used();
        await new Promise((resolve) => setTimeout(resolve, 500));
        return used() - before;
      },
      { timeout: 30_000 },
    )
    .toBeLessThan(0.15);
}, 90_000);
