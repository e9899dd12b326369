// `npm run demo`: `deed demo` in a checkout, which is built first if it is not.
import { ensureBuilt } from "./setup.mjs";

ensureBuilt();
process.argv.splice(2, Number.POSITIVE_INFINITY, "demo");
await import("../bin/deed.mjs");
