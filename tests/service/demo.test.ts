import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, expect, it } from "vitest";
import { deedCommand } from "../support/product.ts";
import { freePort } from "../support/service.ts";

let demo: ChildProcess | undefined;
afterEach(() => {
  demo?.kill("SIGTERM");
});

function startDemo(env: Record<string, string>) {
  const child = spawn(deedCommand(), ["demo"], {
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  demo = child;
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  return {
    child,
    printed: () => printed,
    shown: async (pattern: RegExp) => {
      await expect.poll(() => printed, { timeout: 80_000 }).toMatch(pattern);
      return pattern.exec(printed)?.[1] ?? "";
    },
    exit: new Promise<number | null>((resolve) => child.once("close", resolve)),
  };
}

it("runs the service and the panel, prints the mailed link and code, and leaves nothing behind", async () => {
  const { child, shown, exit } = startDemo({ PORT: String(await freePort()) });
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
  expect(await exit).toBe(0);
  await expect(fetch(`${url}/api/health`)).rejects.toThrow();
  await expect(fetch(panel)).rejects.toThrow();
});

it("ends with the reason where the service cannot start", async () => {
  const { printed, exit } = startDemo({ PORT: String(await freePort()), LOG_LEVEL: "loud" });
  expect(await exit).toBe(1);
  expect(printed()).toContain("LOG_LEVEL must be silent, error, warn, info or debug");
});
