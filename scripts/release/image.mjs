// For `npm run test:packed`: builds the image of the Containerfile from a clone, with a bare Debian in place of the public
// images, and lays out its files and what it says of its containers (image.json) in .cache/image.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { output } from "../setup.mjs";

const WORK = resolve(".cache/image");
const CLONE = join(WORK, "clone");
/** Beside a clone, and of no image. */
const SECRETS = ["deed.env", ".env", "smtp-url", "data/session-secret", "docs/operate/deed.env"];
export const SECRET = "not-for-an-image-5a1e";

const STORE = ["--root", join(WORK, "store"), "--runroot", join(WORK, "run")];
const buildah = (command, ...args) => output("buildah", [...STORE, command, ...args]).trim();

function standIn(name, debian, add = () => {}) {
  const container = buildah("from", "scratch");
  buildah("copy", "--quiet", container, debian, "/");
  add(container, (...files) => buildah("copy", "--quiet", container, ...files));
  buildah("commit", "--quiet", "--rm", container, name);
}

function addNode(container, copy) {
  copy(process.execPath, "/usr/local/bin/node");
  copy(resolve(process.env.npm_execpath, "../.."), "/usr/local/lib/node_modules/npm");
  const root = buildah("mount", container);
  for (const name of ["npm", "npx"])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, "usr/local/bin", name));
  // The authorities of this machine, which may reach its registry through a proxy.
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
  if (!authorities) return;
  copy(authorities, "/etc/ssl/authorities.pem");
  for (const name of ["NODE_EXTRA_CA_CERTS", "npm_config_cafile"])
    buildah("config", "--env", `${name}=/etc/ssl/authorities.pem`, container);
}

export function buildImage(debian) {
  rmSync(WORK, { recursive: true, force: true });
  mkdirSync(WORK, { recursive: true });
  output("git", ["clone", "--quiet", ".", CLONE]);
  for (const file of SECRETS.map((name) => join(CLONE, name))) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `SESSION_SECRET=${SECRET}\n`);
  }
  standIn("docker.io/library/debian:bookworm-slim", debian);
  standIn("docker.io/library/node:24-bookworm-slim", debian, addNode);
  const here = ["--network=host", "--isolation=chroot", "--pull-never"];
  buildah(
    "build",
    ...here,
    "--quiet",
    "--tag",
    "deed",
    "--file",
    join(CLONE, "Containerfile"),
    CLONE,
  );
  writeFileSync(join(WORK, "image.json"), buildah("inspect", "--type", "image", "deed"));
  const root = buildah("mount", buildah("from", "--pull-never", "deed"));
  output("cp", ["-a", root, join(WORK, "root")]);
  buildah("rm", "--all");
  for (const name of ["clone", "store", "run"]) rmSync(join(WORK, name), { recursive: true });
}
