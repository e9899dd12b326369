import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { productFolder } from "../support/product.ts";

it("does not start on a Node that is not supported, and says which are", () => {
  const old = `Object.defineProperty(process, "versions", { value: { node: "20.20.2" } })`;
  const script = join(productFolder(), "bin/deed.mjs");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(old)}`, script, "serve"],
    { encoding: "utf8" },
  );
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toBe(
    "Deed runs on Node 22 and newer; this is 20.20.2. Install a newer one, or Deed's archive, which brings Node.\n",
  );
});
