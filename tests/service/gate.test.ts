import { expect, it } from "vitest";
import { targetService } from "../contract/kit.ts";
import { says } from "../contract/sentences.ts";
import { keyOf } from "../support/deed.ts";

const target = targetService();

it(says("C25.18", "C25.15"), async () => {
  const browser = await target().signIn();
  const zone = target().zone();
  await target().prove(browser, zone);
  const { key } = await keyOf(browser, ["gate:ask"]);
  const asked = async (domain: string, after = "") => {
    const answer = await fetch(`${target().url}/api/gate/${key}${after}?domain=${domain}`);
    const { status, headers } = answer;
    const [type, caching] = ["content-type", "cache-control"].map((name) => headers.get(name));
    return {
      status,
      type,
      caching,
      requestId: headers.has("x-request-id"),
      body: await answer.json(),
    };
  };
  const yes = await asked(zone);
  expect(yes).toMatchObject({ status: 200, body: { holds: true }, requestId: true });
  // With a slash, dispatch answers, and must give the same answer.
  expect(await asked(zone, "/")).toEqual(yes);
  expect(await asked(`${zone}&domain=${zone}`)).toMatchObject({ status: 400 });
  const { caching: _, ...no } = await asked("nobody.example");
  expect(await asked("nobody.example", "/")).toMatchObject(no);

  const lines = () => target().own.service.output().split("\n");
  const log = () => lines().filter((line) => line.includes("/api/gate/"));
  await expect.poll(() => log().join()).toContain('"path":"/api/gate/*","status":200');
  expect(lines().join()).not.toContain(key.slice(-39));
  expect(log().join()).not.toContain(zone);
});
