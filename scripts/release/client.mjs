// A step of `npm run build`: the tarballs of @deed/client that the service gives to programs. Also
// `npm run publish-client`, before the tag of a release: keeps its tarball for good.
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { output } from "../setup.mjs";
import { inName } from "./version.mjs";

const SOURCE = "packages/client";
/** As each release gave it out; lock files have the hashes. */
const PUBLISHED = `${SOURCE}/published`;

const nameOf = (version) => `deed-client-${inName(version)}.tgz`;

/** Compiles and packs the client as this version into `folder`; returns the path. */
function pack(version, folder) {
  output("npm", ["run", "--silent", "prepack", `--workspace=${SOURCE}`]);
  const stage = mkdtempSync(join(tmpdir(), "deed-client-"));
  const manifest = JSON.parse(readFileSync(`${SOURCE}/package.json`, "utf8"));
  for (const file of [...manifest.files, "LICENSE"])
    cpSync(join(SOURCE, file), join(stage, file), { recursive: true });
  const { scripts: _, ...given } = manifest;
  writeFileSync(join(stage, "package.json"), `${JSON.stringify({ ...given, version }, null, 2)}\n`);
  const page = readFileSync(`${SOURCE}/README.md`, "utf8");
  writeFileSync(join(stage, "README.md"), page.replaceAll("<version>", inName(version)));
  const target = join(folder, nameOf(version));
  const packed = output("npm", ["pack", stage, "--silent", "--pack-destination", stage]);
  cpSync(join(stage, packed.trim().split("\n").at(-1)), target);
  rmSync(stage, { recursive: true });
  return target;
}

/** What is in a tarball, whoever compressed it. */
const contentOf = (tarball) => output("tar", ["-xOzf", tarball]);

const TOOLS = { published: PUBLISHED, pack, contentOf };

/** Puts this version's tarball and each published one into `folder`, and names the newest without a version, too. */
export function placeClients(version, folder, given = {}) {
  const { published, pack, contentOf } = { ...TOOLS, ...given };
  for (const old of globSync(`${folder}/deed-client*.tgz`)) rmSync(old);
  const own = pack(version, folder);
  for (const file of globSync(`${published}/*.tgz`)) {
    const target = join(folder, basename(file));
    if (target === own && contentOf(file) !== contentOf(own))
      throw new Error(`${file} is not the client of these sources`);
    cpSync(file, target);
  }
  cpSync(own, join(folder, "deed-client.tgz"));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  mkdirSync(PUBLISHED, { recursive: true });
  if (globSync(`${PUBLISHED}/${nameOf(version)}`).length > 0)
    throw new Error(`The client of ${version} is published: its bytes never change.`);
  console.log(pack(version, PUBLISHED));
}
