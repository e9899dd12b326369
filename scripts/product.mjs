// The product as it ships: its tarball, unpacked where no other package is near.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packTarball } from "./release/tarball.mjs";
import { ensureBuilt, output } from "./setup.mjs";

/**
 * Names the command of the product in DEED_COMMAND, for tests to start, and puts this Node first in PATH, for the
 * command to run on. Packs and unpacks the product unless DEED_COMMAND names one already, such as an archive's
 * `bin/deed`. Returns a function that removes what was unpacked.
 */
export function unpackProduct() {
  process.env.PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  if (process.env.DEED_COMMAND) return () => {};
  ensureBuilt();
  const folder = mkdtempSync(join(tmpdir(), "deed-product-"));
  // Some tests start it as another user.
  chmodSync(folder, 0o755);
  const tarball = packTarball(folder);
  output("tar", ["-xzf", tarball, "-C", folder]);
  rmSync(tarball);
  process.env.DEED_COMMAND = join(folder, "package/bin/deed.mjs");
  // A run starts over a hundred services, which load the same modules.
  process.env.NODE_COMPILE_CACHE = join(folder, "compiled");
  return () => {
    delete process.env.DEED_COMMAND;
    delete process.env.NODE_COMPILE_CACHE;
    rmSync(folder, { recursive: true, force: true });
  };
}
