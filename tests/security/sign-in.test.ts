import { request } from "node:http";
import { expect, it } from "vitest";
import { newEmail, targetService } from "../contract/kit.ts";

// app/features/sign-in/magic-link.test.ts covers scanners, people and parallel posts.
const target = targetService();

/** Asks for a mail with headers that fetch would not send. Resolves with the status. */
const askedBy = (headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    const body = JSON.stringify({ email: newEmail().replace("@acme", "@hosts") });
    const type = { "Content-Type": "application/json", "Content-Length": String(body.length) };
    const asked = request(`${target().url}/api/auth/magic-link`, {
      method: "POST",
      headers: { ...headers, ...type },
      setHost: false,
    });
    asked.once("response", (answer) => resolve(answer.resume().statusCode ?? 0));
    asked.once("error", reject).end(body);
  });

/** Each Host and each forwarding header that would make a careless service link elsewhere, alone and together. */
function hostileHosts(): Record<string, string>[] {
  const own = new URL(target().url).host;
  const hosts = [
    ...["evil.example", "evil.example:443", `${own}.evil.example`, `evil.example/${own}`],
    ...[`${own}@evil.example`, `evil.example#${own}`, `${own}, evil.example`, "[::1]:1", ""],
    ...["evil.example\\", "evil.example%00", "//evil.example", "a b"],
  ];
  const names = ["X-Forwarded-Host", "X-Host", "X-Forwarded-Server", "X-Original-Host"];
  return hosts.flatMap((host): Record<string, string>[] => [
    { Host: host },
    { Host: host, "X-Forwarded-Proto": "https" },
    { Host: own, Forwarded: `host=${host};proto=https` },
    ...names.flatMap((name) => [
      { Host: own, [name]: host },
      { Host: host, [name]: host },
    ]),
  ]);
}

it("hostile Host headers put no foreign link into a mail", async () => {
  const statuses = await Promise.all(hostileHosts().map(askedBy));
  const sent = statuses.filter((status) => status === 202).length;
  const mails = () =>
    target()
      .mails()
      .filter((mail) => mail.includes("@hosts.example\n"));
  await expect.poll(() => mails().length, { timeout: 60_000 }).toBe(sent);
  const origins = mails().flatMap((mail) => mail.match(/https?:\/\/[^/\s"<]+/g) ?? []);
  console.log(`${sent} mails, ${origins.length} links, answers ${[...new Set(statuses)]}`);
  expect(sent).toBeGreaterThan(100);
  expect(new Set(origins)).toEqual(new Set([target().url]));
});
