import { fork } from "node:child_process";
import { once } from "node:events";
import { basename, join } from "node:path";
import { build } from "vite";
import type { Asked } from "./processes.ts";

const FOLDER = ".cache/bench/bundled";

/** Starts a script of this folder the way the product runs: bundled, on plain Node, in its own process. */
export async function startBundled<Request extends object, Reply>(
  script: string,
): Promise<Asked<Request, Reply>> {
  const name = basename(script, ".ts");
  await build({
    configFile: false,
    publicDir: false,
    logLevel: "error",
    build: {
      ssr: true,
      target: "node22",
      outDir: FOLDER,
      emptyOutDir: false,
      rollupOptions: {
        input: { [name]: join(import.meta.dirname, script) },
        output: { format: "esm", entryFileNames: "[name].mjs" },
      },
    },
  });
  const child = fork(join(FOLDER, `${name}.mjs`), {
    env: { PATH: process.env.PATH, NODE_ENV: "production" },
    serialization: "advanced",
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.removeListener("exit", kill));
  return {
    async ask(request) {
      child.send(request);
      const [reply] = await Promise.race([
        once(child, "message"),
        once(child, "exit").then(() => {
          throw new Error(`${script} ended`);
        }),
      ]);
      return reply;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      kill();
      await once(child, "exit");
    },
  };
}
