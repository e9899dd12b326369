import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FENCE } from "./run.ts";

// In the run's folder, where other users can read it too.
createRequire(import.meta.url)(join(tmpdir(), FENCE));
