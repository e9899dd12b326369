import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/service.ts";

export type LeanDns = { env: Record<string, string>; stop(): void };

/** Starts the DNS of lean-dns.ts as a separate process. */
export async function startLeanDns(): Promise<LeanDns> {
  const folder = mkdtempSync(join(tmpdir(), "deed-lean-"));
  const hints = join(folder, "named.root");
  writeFileSync(hints, ". 3600000 NS a.root.example.\na.root.example. 3600000 A 127.1.0.1\n");
  const port = await freePort();
  const script = join(import.meta.dirname, "lean-dns.ts");
  const child: ChildProcess = spawn(process.execPath, ["--import", "tsx", script, String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once("data", () => resolve());
    child.once("exit", () => reject(new Error("the DNS of the test did not start")));
  });
  return {
    env: {
      DNS_ROOT_HINTS: hints,
      DNS_TRUST_ANCHORS: "none",
      DNS_PORT: String(port),
      DNS_ALLOW_ADDRESSES: "127.0.0.0/8",
      DNS_RESOLVERS: "",
      RATE_LIMIT_DNS_ADDRESS: "100000000/1",
    },
    stop() {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
