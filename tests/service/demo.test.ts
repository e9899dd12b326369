import type { ChildProcess } from "node:child_process";
import { SITUATIONS } from "@deed/playground/panel/situations.ts";
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

it("runs the service and the panel, prints the mailed link, and leaves nothing behind", async () => {
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
  expect(await shown(/Mail to demo@holder.example: (\d{6}) is your/)).toMatch(/^\d{6}$/);
  const link = await shown(/Link {2}(http:\S+)/);
  expect(link.startsWith(`${url}/sign-in/confirm?token=`)).toBe(true);
  expect((await fetch(link)).status).toBe(200);
  expect(await (await fetch(`${panel}/mail`)).text()).toContain(`<a href="${link}">`);

  child.kill("SIGINT");
  expect(await ended).toBe(0);
  await expect(fetch(`${url}/api/health`)).rejects.toThrow();
  await expect(fetch(panel)).rejects.toThrow();
});

/** What the service says of a claim, once it has checked it. */
type Checked = {
  diagnosis: { code: string } | null;
  waitEstimate: { reason: string } | null;
};

it("plays each mistake with one press, from signed out", async () => {
  const { shown } = startDemo({ PORT: String(await freePort()) });
  const url = await shown(/Deed +(http:\S+)/);
  const panel = new Client(await shown(/Registrar panel +(http:\S+)/));
  const deed = new Client(url);
  for (const { code, kind } of SITUATIONS) {
    const played = await panel.submit(`/situations/${code}/play`);
    expect([code, played.status, played.text]).toEqual([code, 303, ""]);
    deed.cookie = panel.cookie;
    const [, id] = /^http:.*\/claims\/(\w+)$/.exec(played.headers.get("location") ?? "") ?? [];
    const claim = await deed.expect(200, "GET", `/api/claims/${id}`);
    expect(claim.state).toBe("pending");
    if (kind === "wait") continue;
    const path = `/api/verifications/${claim.verificationId}`;
    const { diagnosis, waitEstimate } = await deed.expect<Checked>(200, "GET", path);
    expect(waitEstimate?.reason ?? diagnosis?.code).toBe(code);
  }
  const { session } = await deed.expect(200, "GET", "/api/auth/session");
  expect(session).toMatchObject({ email: "guest@holder.example" });
});

it("ends with the reason where the service cannot start", async () => {
  const { printed, ended } = startDemo({ PORT: String(await freePort()), LOG_LEVEL: "loud" });
  expect(await ended).toBe(1);
  expect(printed()).toContain("LOG_LEVEL must be silent, error, warn, info or debug");
});
