// `npm run build`: builds the service, then its command-line tools, so that a deployment needs no compiler.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "vite";
import { run } from "./setup.mjs";

const SERVER = "build/index.cjs";
const COMMANDS = ["backup", "restore"];

/** V8 stores non-ASCII source at two bytes per character. The compiler leaves some in, mostly in comments. */
const inAscii = (code) =>
  code.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

rmSync("build", { recursive: true, force: true });
// React picks its JSX runtime by NODE_ENV; the value a test runner sets would break the build.
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
