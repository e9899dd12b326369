import { join } from "node:path";
import { freePort, launch } from "../../support/service.ts";
import type { Stops } from "../benchmark.ts";

/** Starts a script in this folder like the product; throws unless `path` answers 200 within ten seconds. */
export async function startFloor(
  script: string,
  path: string,
  stops: Stops,
  own: Record<string, string>,
) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { child, printed } = launch(process.execPath, [join(import.meta.dirname, script)], {
    env: { NODE_ENV: "production", PATH: process.env.PATH, PORT: String(port), ...own },
  });
  stops.add(() => child.kill("SIGKILL"));
  const giveUpAt = Date.now() + 10_000;
  for (;;) {
    const answer = await fetch(url + path).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.status === 200) return { url, child };
    if (child.exitCode !== null || Date.now() > giveUpAt)
      throw new Error(`a floor did not start:\n${printed()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
