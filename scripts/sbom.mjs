// `npm run sbom`: a CycloneDX list of the deployed packages, from the lock file. `npm sbom --omit=dev` would also leave
// out packages that a development package needs, such as React.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const { stdout, status } = spawnSync(
  "npm",
  ["sbom", "--package-lock-only", "--sbom-format=cyclonedx"],
  { encoding: "utf8", maxBuffer: 64 * 1024 * 1024, stdio: ["ignore", "pipe", "inherit"] },
);
if (status !== 0) process.exit(status ?? 1);

const locked = Object.entries(JSON.parse(readFileSync("package-lock.json", "utf8")).packages);
const names = locked
  .filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional)
  .map(([path, { version }]) => `${path.slice(path.lastIndexOf("node_modules/") + 13)}@${version}`);

const { components, dependencies, ...rest } = JSON.parse(stdout);
const known = new Set([rest.metadata.component["bom-ref"], ...names]);
const deployed = components.filter((component) => known.has(component["bom-ref"]));
const edges = dependencies
  .filter(({ ref }) => known.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => known.has(each)) }));
console.log(JSON.stringify({ ...rest, components: deployed, dependencies: edges }, null, 2));
