// `npm run build`: the service, then the command, so that nothing deployed needs a compiler.
import { rmSync } from "node:fs";
import { build } from "vite";
import { run } from "./setup.mjs";

rmSync("build", { recursive: true, force: true });
// React picks its JSX runtime by NODE_ENV; the value a test runner sets would break the build.
run("npx", ["remix", "build"], { NODE_ENV: "production" });
await build({
  configFile: false,
  publicDir: false,
  logLevel: "error",
  build: {
    ssr: true,
    target: "node22",
    outDir: "build/commands",
    rollupOptions: {
      input: { deed: "bin/program.ts" },
      output: { format: "esm", entryFileNames: "[name].js" },
    },
  },
});
