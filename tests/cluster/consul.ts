import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { vi } from "vitest";

export async function startConsul(binary: string): Promise<{ url: string; stop(): Promise<void> }> {
  const address = `127.${randomInt(128, 192)}.${randomInt(1, 255)}.1`;
  const url = `http://${address}:8500`;
  const args = ["agent", "-dev", "-bind", address, "-client", address, "-log-level", "err"];
  const child: ChildProcess = spawn(binary, args, { stdio: "ignore" });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const stop = async () => {
    process.removeListener("exit", kill);
    if (child.exitCode !== null || child.signalCode !== null) return;
    kill();
    await once(child, "exit");
  };
  const isLed = async () =>
    (await (await fetch(`${url}/v1/status/leader`)).text()).length > 2 || Promise.reject();
  await vi.waitFor(isLed, 30_000);
  return { url, stop };
}
