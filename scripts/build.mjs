// `npm run build`: the service, then the commands that run beside it, so that nothing deployed needs a compiler.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "vite";
import { run } from "./setup.mjs";

const SERVER = "build/index.cjs";
const COMMANDS = ["backup", "restore"];

/** V8 keeps a source that is not ASCII at two bytes a character. The compiler lets some through, mostly in comments. */
const inAscii = (code) =>
  code.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

rmSync("build", { recursive: true, force: true });
// React picks its JSX runtime by NODE_ENV: a test runner's would break the build.
run("npx", ["remix", "build"], { NODE_ENV: "production" });
writeFileSync(SERVER, inAscii(readFileSync(SERVER, "utf8")));
await build({
  configFile: false,
  publicDir: false,
  logLevel: "error",
  build: {
    ssr: true,
    target: "node22",
    outDir: "build/commands",
    rollupOptions: {
      input: Object.fromEntries(COMMANDS.map((name) => [name, `scripts/${name}.ts`])),
      output: { format: "esm", entryFileNames: "[name].js" },
    },
  },
});
