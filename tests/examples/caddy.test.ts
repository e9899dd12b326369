import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:tls";
import { expect, it, onTestFinished } from "vitest";
import { targetService } from "../contract/kit.ts";
import { says } from "../contract/sentences.ts";
import { lacks } from "../support/lacks.ts";
import { freePort, launch, newFolder } from "../support/service.ts";
import { testerAt, until } from "./kit.ts";

// With the first check at the usual time. tests/service/gate.test.ts has what the log says of such calls.
const target = targetService({});

/** The blocks of docs/integrate/caddy.md, as people type them. */
const [settings = "", caddyfile = "", run = ""] = [
  ...readFileSync("docs/integrate/caddy.md", "utf8").matchAll(/```\w+\n([\s\S]*?)```/g),
].map(([, code = ""]) => code);

/** Caddy with the page's Caddyfile, its own ports, its internal authority, and no certificates yet. */
async function caddy(gate: string) {
  const folder = newFolder();
  const port = Number(await freePort());
  const own = `{\n\thttps_port ${port}\n\thttp_port ${await freePort()}\n\tadmin off\n\tskip_install_trust\n\tlocal_certs\n`;
  writeFileSync(`${folder}/Caddyfile`, caddyfile.replace("{\n", own));
  const env = {
    NODE_ENV: "production" as const,
    PATH: process.env.PATH,
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  };
  const script = `${settings.replace(/=.*/, `=${gate}`)}exec ${run.trim()}`;
  const { child, printed, ended } = launch("sh", ["-c", script], { cwd: folder, env });
  const stop = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(stop);
  await until(() => printed().includes("serving initial configuration"));
  /** The subject of the certificate that a visitor of this name gets; null if none. */
  const visit = (servername: string) =>
    new Promise<string | null>((resolve) => {
      const socket = connect({ host: "127.0.0.1", port, servername, rejectUnauthorized: false });
      socket.once("secureConnect", () => {
        resolve(socket.getPeerCertificate().subjectaltname ?? null);
        socket.destroy();
      });
      socket.once("error", () => resolve(null));
    });
  return { visit, printed, stop };
}

it.skipIf(lacks("caddy"))(
  `${says("C25.18")}: with the Caddyfile of the page, a proved name gets a certificate, an unknown or a lapsed one none`,
  async () => {
    const { env, move, call, key } = await testerAt(target(), ["gate:ask"]);
    const gate = `${env.DEED_URL}/api/gate/${key}`;
    const ask = async (name: string) => (await fetch(`${gate}?domain=${name}`)).status;
    for (const name of ["proved.test", "lapsed.test"])
      await call("PUT", `/domains/by-name/${name}`, { watch: true });
    const first = await caddy(gate);
    expect(await first.visit("proved.test")).toBeNull();
    await move(60);
    expect([await ask("proved.test"), await ask("lapsed.test")]).toEqual([200, 200]);
    await until(async () => (await first.visit("proved.test")) === "DNS:proved.test");
    expect(await first.visit("lapsed.test")).toBe("DNS:lapsed.test");
    expect(await first.visit("unknown.example")).toBeNull();
    await first.stop();

    for (let days = 0; days < 13; days++) await move(86_400);
    expect([await ask("proved.test"), await ask("lapsed.test")]).toEqual([200, 404]);
    const second = await caddy(gate);
    expect(await second.visit("lapsed.test")).toBeNull();
    expect(await second.visit("proved.test")).toBe("DNS:proved.test");
  },
);
