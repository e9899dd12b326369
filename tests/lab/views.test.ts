import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { TOKEN } from "./case.ts";
import { describeLab } from "./lab.ts";
import {
  AUTHORITY,
  claimant,
  code,
  folder,
  freePort,
  NAME,
  NEGATIVE,
  RESOLVER,
  serve,
  ZONE,
} from "./lag.ts";
import { findSoftware } from "./software.ts";

const { software } = findSoftware(["named", "unbound"]);

const zoneFile = (...records: string[]) =>
  [
    `$ORIGIN ${ZONE}.`,
    `@ ${NEGATIVE} SOA ns1 hostmaster 7 3600 900 86400 ${NEGATIVE}`,
    "@ 60 NS ns1",
    `ns1 60 A ${AUTHORITY}`,
    ...records,
    "",
  ].join("\n");

describeLab("BIND, with a separate view for the resolvers", () => {
  /** Puts the record into one view; `others` are the records in the resolvers' view. */
  async function views(...others: string[]) {
    const port = await freePort();
    const base = await folder();
    const view = (name: string, clients: string) =>
      `view "${name}" { match-clients { ${clients}; }; zone "${ZONE}" { type primary; file "${base}/${name}.zone"; }; };`;
    const named = [
      "options {",
      `  directory "${base}"; pid-file none; session-keyfile none; managed-keys-directory "${base}";`,
      `  listen-on port ${port} { ${AUTHORITY}; }; listen-on-v6 { none; };`,
      "  recursion no; dnssec-validation no; notify no;",
      "};",
      "controls { };",
      view("resolvers", RESOLVER),
      view("everybody", "any"),
      "",
    ];
    const unbound = [
      "server:",
      `  directory: "${base}"`,
      '  username: ""',
      '  chroot: ""',
      '  pidfile: ""',
      "  use-syslog: no",
      "  do-daemonize: no",
      `  interface: ${RESOLVER}@${port}`,
      `  outgoing-interface: ${RESOLVER}`,
      "  access-control: 127.0.0.0/8 allow",
      "  do-ip6: no",
      "  do-not-query-localhost: no",
      '  local-zone: "test." nodefault',
      '  module-config: "iterator"',
      "stub-zone:",
      `  name: "${ZONE}"`,
      "  stub-prime: no",
      `  stub-addr: ${AUTHORITY}@${port}`,
      "remote-control:",
      "  control-enable: no",
      "",
    ];
    await writeFile(join(base, "everybody.zone"), zoneFile(`${NAME}. 60 TXT "${TOKEN}"`));
    await writeFile(join(base, "resolvers.zone"), zoneFile(...others));
    await writeFile(join(base, "named.conf"), named.join("\n"));
    await writeFile(join(base, "unbound.conf"), unbound.join("\n"));
    const conf = (name: string) => ["-c", join(base, `${name}.conf`)];
    await serve(software.named, ["-g", ...conf("named")], AUTHORITY, port);
    await serve(software.unbound, ["-d", ...conf("unbound")], RESOLVER, port);
    return claimant(port, [{ name: "north", address: RESOLVER, port }]);
  }

  it.each([
    ["nothing", [], { type: "nxdomain" }],
    ["another text", [`${NAME}. ${NEGATIVE} TXT "old"`], { type: "values", values: ["old"] }],
  ])(
    "waits twice as long as resolvers may remember, and names what they get: %s",
    async (_, others, answer) => {
      const { read } = await views(...others);
      expect(code(await read())).toBe("negative_cache");
      expect(code(await read())).toBe("negative_cache");
      await delay(2 * NEGATIVE * 1000 + 500);
      expect(await read()).toMatchObject({
        outcome: "absent",
        wait: null,
        diagnosis: {
          code: "not_published",
          awaits: "provider",
          observed: {
            nameservers: [],
            publishedOn: [`ns1.${ZONE}`],
            resolvers: [{ name: "north", answer }],
          },
        },
      });
    },
  );

  it("finds a record that both views have", async () => {
    const { read } = await views(`${NAME}. 60 TXT "${TOKEN}"`);
    expect(code(await read())).toBe("found");
  });
}, ["named"]);
