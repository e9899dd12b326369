import { expect, it } from "vitest";
import { packageFile } from "#db/package-file.ts";
import { BESIDE_UNIT, firstLinkCommand } from "./first-link.server.ts";

const empty = { env: {}, dotEnv: {}, hasFile: () => false };
const nowhere = { ...empty, cwd: "/srv/deed", host: "vm", isMain: true };
const hasFile = (path: string) => (one: string) => one === path;

it.each([
  [{ hasFile: hasFile("/.dockerenv"), host: "0123456789ab" }, "docker exec 0123456789ab deed"],
  [
    { hasFile: hasFile("/run/.containerenv"), host: "0123456789ab" },
    "podman exec 0123456789ab deed",
  ],
  [{ env: { container: "podman" }, host: "0123456789ab" }, "podman exec 0123456789ab deed"],
  [{ hasFile: hasFile("/.dockerenv") }, "docker compose exec deed deed"],
  [{ env: { KUBERNETES_SERVICE_HOST: "10.0.0.1" }, host: "deed-0" }, "kubectl exec deed-0 -- deed"],
  [{ env: { INVOCATION_ID: "4" } }, BESIDE_UNIT],
])("%j: %s", (place, command) => {
  expect(firstLinkCommand({ ...nowhere, ...place })).toBe(`${command} users link --first ADDRESS`);
});

it("names the folder, the settings that are not in its .env, and no secret", () => {
  const env = {
    ...{ PORT: "3000", BASE_URL: "https://deed.example.org" },
    ...{ DATA_DIR: "/var/it's here", ADMIN: "kim@example.org", SESSION_SECRET: "s".repeat(32) },
  };
  expect(firstLinkCommand({ ...nowhere, env, dotEnv: { ADMIN: "kim@example.org" } })).toBe(
    `cd /srv/deed && BASE_URL=https://deed.example.org DATA_DIR='/var/it'\\''s here' ${packageFile("bin/deed.mjs")} users link --first`,
  );
  expect(firstLinkCommand({ ...nowhere, isMain: false, env: { INVOCATION_ID: "4" } })).toBe(
    `cd /srv/deed && ${packageFile("bin/deed.mjs")} users link --first ADDRESS`,
  );
});
