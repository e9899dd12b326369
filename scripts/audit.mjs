// Asks the registry for known vulnerabilities in the packages that ship in the bundle; needs a build. Fails if there is one. If the registry
// cannot be reached, prints that and passes.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Time limit for the registry, including retries. */
const PATIENCE_MS = 60_000;

const { stdout, error } = spawnSync(
  "npm",
  ["audit", "--json", "--fetch-retries=1", "--fetch-timeout=20000"],
  {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
  },
);

function reportOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const report = reportOf(stdout);
if (!report.vulnerabilities) {
  const reason = report.message ?? error?.code ?? "no report";
  console.log(`Known vulnerabilities were NOT looked up: the registry gave none (${reason}).`);
  process.exit(0);
}
const shipped = new Set(JSON.parse(readFileSync("build/packages.json", "utf8")));
const found = Object.values(report.vulnerabilities).filter(({ nodes }) =>
  nodes.some((folder) => shipped.has(folder)),
);
for (const { name, severity, range, via } of found) {
  const titles = via.map((each) => each.url ?? each.title ?? each).join(", ");
  console.error(`${name} ${range}: ${severity}, ${titles}`);
}
console.log(`${found.length} known-vulnerable packages ship`);
process.exit(found.length > 0 ? 1 : 0);
