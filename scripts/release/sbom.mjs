// `npm run sbom`: a CycloneDX list of the packages that ship in the bundle. Needs a build. The same build gives the same
// bytes: its serial number is made of the rest, and its time is SOURCE_DATE_EPOCH or absent.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { builtFacts } from "./version.mjs";

const { stdout, status } = spawnSync(
  "npm",
  ["sbom", "--package-lock-only", "--sbom-format=cyclonedx"],
  { encoding: "utf8", maxBuffer: 64 * 1024 * 1024, stdio: ["ignore", "pipe", "inherit"] },
);
if (status !== 0) process.exit(status ?? 1);

const shipped = JSON.parse(readFileSync("build/packages.json", "utf8")).map((folder) => {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  return `${name}@${version}`;
});

const { components, dependencies, serialNumber: _, ...rest } = JSON.parse(stdout);
const seconds = process.env.SOURCE_DATE_EPOCH;
if (seconds) rest.metadata.timestamp = new Date(Number(seconds) * 1000).toISOString();
else delete rest.metadata.timestamp;
// npm names it after the folder of the checkout.
rest.metadata.component.name = JSON.parse(readFileSync("package.json", "utf8")).name;
rest.metadata.component.version = builtFacts().version;
const known = new Set([rest.metadata.component["bom-ref"], ...shipped]);
const deployed = components.filter((component) => known.has(component["bom-ref"]));
const edges = dependencies
  .filter(({ ref }) => known.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => known.has(each)) }));
const listed = { ...rest, components: deployed, dependencies: edges };
const hash = createHash("sha256").update(JSON.stringify(listed)).digest("hex");
// A UUID of version 8 (RFC 9562): of whatever one likes.
const uuid = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, "$1-$2-8$3-8$4-$5");
console.log(JSON.stringify({ serialNumber: `urn:uuid:${uuid}`, ...listed }, null, 2));
