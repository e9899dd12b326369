import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { freePort } from "../../support/service.ts";

export type Floor = {
  url: string;
  child: ChildProcess;
  stop(): Promise<void>;
};

/** Starts a script of this folder as the product is started; throws unless `path` answers 200 within ten seconds. */
export async function startFloor(
  script: string,
  path: string,
  env: Record<string, string> = {},
): Promise<Floor> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [join(import.meta.dirname, script)], {
    env: { NODE_ENV: "production", PATH: process.env.PATH, PORT: String(port), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      printed = `${printed}${chunk}`.slice(-4_096);
    });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  void ended.then(() => process.removeListener("exit", kill));
  const giveUpAt = Date.now() + 10_000;
  for (;;) {
    const answer = await fetch(url + path).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.status === 200) break;
    if (child.exitCode !== null || Date.now() > giveUpAt) {
      kill();
      throw new Error(`a floor did not start:\n${printed}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    child,
    stop: () => {
      kill();
      return ended;
    },
  };
}
