import type { ChildProcess } from "node:child_process";
import { afterEach, expect, it } from "vitest";
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

it("runs the service and the panel, prints the mailed link and code, and leaves nothing behind", async () => {
  const { child, shown, ended } = startDemo({ PORT: String(await freePort()) });
  const url = await shown(/Deed +(http:\S+)/);
  const panel = await shown(/Registrar panel +(http:\S+)/);
  expect(await (await fetch(`${panel}/`)).text()).toContain("acme.com");

  const asked = await fetch(`${url}/api/auth/magic-link`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "demo@holder.example", callbackPath: "/domains" }),
  });
  expect(asked.status).toBe(202);
  await shown(/Code {2}(\d{6})/);
  const link = await shown(/Link {2}(http:\S+)/);
  expect(link.startsWith(`${url}/sign-in/confirm?token=`)).toBe(true);
  expect((await fetch(link)).status).toBe(200);

  child.kill("SIGINT");
  expect(await ended).toBe(0);
  await expect(fetch(`${url}/api/health`)).rejects.toThrow();
  await expect(fetch(panel)).rejects.toThrow();
});

it("ends with the reason where the service cannot start", async () => {
  const { printed, ended } = startDemo({ PORT: String(await freePort()), LOG_LEVEL: "loud" });
  expect(await ended).toBe(1);
  expect(printed()).toContain("LOG_LEVEL must be silent, error, warn, info or debug");
});
