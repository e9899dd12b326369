// `npm run build`: the service, then the command, so that nothing deployed needs a compiler.
import { rmSync } from "node:fs";
import { bundle } from "./bundle.mjs";
import { run } from "./setup.mjs";

rmSync("build", { recursive: true, force: true });
// React picks its JSX runtime by NODE_ENV; the value a test runner sets would break the build.
run("npx", ["remix", "build"], { NODE_ENV: "production" });
await bundle();
