// `npm run examples:record`: makes every exchange that the API reference shows again, and writes examples.json.
import { run } from "./setup.mjs";

const FILE = "app/features/docs/examples.json";
run("npx", ["vitest", "run", "--project", "service", "tests/contract/examples"], { RECORD: "on" });
run("npx", ["biome", "format", "--write", FILE]);
