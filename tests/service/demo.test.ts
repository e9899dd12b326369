import type { ChildProcess } from "node:child_process";
import { afterEach, expect, it } from "vitest";
import { Client } from "../support/deed.ts";
import { deedCommand } from "../support/product.ts";
import { freePort, launch } from "../support/service.ts";

let demo: ChildProcess | undefined;
afterEach(() => {
  demo?.kill("SIGTERM");
});

function startDemo(env: Record<string, string>) {
  const { PATH, HOME } = process.env;
  const program = launch(deedCommand(), ["demo"], {
    env: { NODE_ENV: "production", PATH, HOME, ...env },
  });
  demo = program.child;
  const shown = async (pattern: RegExp) => {
    await expect.poll(program.printed, { timeout: 80_000 }).toMatch(pattern);
    return pattern.exec(program.printed())?.[1] ?? "";
  };
  return { ...program, shown };
}

const fromElsewhere = (url: string) =>
  fetch(url.replace("localhost", "127.0.0.2"), { redirect: "manual" });

it("runs the service and the panel, prints the mailed link, and leaves nothing behind", async () => {
  // Some shells set HOST.
  const env = { PORT: String(await freePort()), HOST: "the-name-of-a-machine" };
  const { child, shown, ended } = startDemo(env);
  const url = await shown(/Deed +(http:\S+)/);
  const panel = await shown(/Registrar panel +(http:\S+)/);
  for (const one of [url, panel]) await expect(fromElsewhere(one)).rejects.toThrow();
  const first = await (await fetch(`${panel}/`)).text();
  expect(first).toContain(
    `<a href="${url}/sign-in?next=%2Fzones%2Facme.com%3Fprove" target="_blank" rel="noopener">Sign in to Deed</a>`,
  );
  expect(first).toContain(`<a href="/mail">the mailbox</a>`);

  const asked = await fetch(`${url}/api/auth/magic-link`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "demo@holder.example", callbackPath: "/domains" }),
  });
  expect(asked.status).toBe(202);
  expect(await shown(/Email to demo@holder.example: (\d{6}) is your/)).toMatch(/^\d{6}$/);
  const link = await shown(/Link {2}(http:\S+)/);
  expect(link.startsWith(`${url}/sign-in/confirm?token=`)).toBe(true);
  expect((await fetch(link)).status).toBe(200);
  expect(await (await fetch(`${panel}/mail`)).text()).toContain(`<a href="${link}">`);

  // tests of packages/playground/panel play every mistake.
  const press = new Client(panel);
  const played = await press.submit("/situations/domain_appended/play");
  const holder = new Client(url);
  holder.cookie = press.cookie;
  const [, id] = /\/claims\/(\w+)$/.exec(played.headers.get("location") ?? "") ?? [];
  expect(await holder.expect(200, "GET", `/api/claims/${id}`)).toMatchObject({ state: "pending" });

  child.kill("SIGINT");
  expect(await ended).toBe(0);
  await expect(fetch(`${url}/api/health`)).rejects.toThrow();
  await expect(fetch(panel)).rejects.toThrow();
});

it("with HOST=0.0.0.0 lets others in", async () => {
  const { shown } = startDemo({ PORT: String(await freePort()), HOST: "0.0.0.0" });
  const urls = [await shown(/Deed +(http:\S+)/), await shown(/Registrar panel +(http:\S+)/)];
  for (const url of urls) expect((await fromElsewhere(url)).status).toBeLessThan(400);
});

it("ends with the reason where the service cannot start", async () => {
  const { printed, ended } = startDemo({ PORT: String(await freePort()), LOG_LEVEL: "loud" });
  expect(await ended).toBe(1);
  expect(printed()).toContain("LOG_LEVEL must be silent, error, warn, info or debug");
});
