import { setTimeout as sleep } from "node:timers/promises";
import { startPlayground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import { Webhook } from "standardwebhooks";
import { expect, it, vi } from "vitest";
import { deed } from "../support/command.ts";
import { Client, keyOf, signIn } from "../support/deed.ts";
import { Hooks } from "../support/hooks.ts";
import { startService } from "../support/service.ts";
import { figure, isFull, sized } from "./figures.ts";
import { memoryOf } from "./metrics.ts";

const NAMES = sized(20, 5_000);
const HOSTS = ["ns1.hosting.example", "ns2.hosting.example"] as const;
const AT_ONCE = 16;
const SOON: Record<string, string> = isFull ? {} : { FIRST_READ_SECONDS: "3" };
const EMAIL = "ops@saas.example";
const LIMITS = "--open-claims 20000 --domains 20000 --additions 100000/3600 --requests 100000/60";

type Made = { record: { name: string; value: string } };

const timeout = 120_000 + NAMES * 300;
it("an account with raised limits proves as many names as a SaaS has", { timeout }, async () => {
  const [playground, hooks] = [await startPlayground(), new Hooks()];
  const service = await startService({
    env: { ...playground.env, WEBHOOK_ALLOW_ADDRESSES: "127.0.0.0/8", LOG_LEVEL: "error", ...SOON },
  });
  let most = 0;
  let peak = 0;
  const counting = new AbortController();
  const count = async () => {
    for (let [at, before] = [performance.now(), 0]; !counting.signal.aborted; await sleep(1_000)) {
      const received = Math.max(...HOSTS.map((host) => playground.received(host)));
      const now = performance.now();
      most = Math.max(most, ((received - before) * 1_000) / Math.max(1_000, now - at));
      [at, before] = [now, received];
      peak = Math.max(peak, memoryOf(service.child.pid));
    }
  };
  try {
    const person = await signIn(service, EMAIL);
    const env = { ...playground.env, DATA_DIR: service.dataDir };
    const raised = deed(["users", "limits", EMAIL, ...LIMITS.split(" ")], { env });
    expect(raised.stdout).toContain("20,000 open claims");
    const { key } = await keyOf(person);
    const program = new Client(service.url, key);
    const events = ["claim.proved"];
    const url = `${await hooks.open()}/deed`;
    const { secret } = await program.expect<{ secret: string }>(201, "POST", "/api/webhooks", {
      ...{ url, events },
    });
    const began = performance.now();
    const counted = count();
    let next = 0;
    const lane = async () => {
      for (let at = next++; at < NAMES; at = next++) {
        const name = `customer${at}.example`;
        playground.addZone({ name, nameservers: [...HOSTS] });
        const path = `/api/domains/by-name/${name}`;
        const { record } = await program.expect<Made>(201, "PUT", path, {
          reference: `customer-${at}`,
        });
        playground.addRecord(name, txt(record.name, record.value));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    const addedMs = performance.now() - began;
    await vi.waitUntil(() => hooks.posts.length >= NAMES, { interval: 100, timeout: 1_200_000 });
    const tookMs = performance.now() - began;
    counting.abort();
    await counted;
    const posts = hooks.posts.map(({ body, headers }) => new Webhook(secret).verify(body, headers));
    expect(new Set(posts.map((one) => Object(one).data.claim.domain)).size).toBe(NAMES);
    figure("names of a SaaS", NAMES);
    figure("names of a SaaS: added in, seconds", (addedMs / 1_000).toFixed(1));
    figure("names of a SaaS: all told by webhook in, seconds", (tookMs / 1_000).toFixed(1));
    figure("names of a SaaS: most packets to a nameserver in a second", most.toFixed(0));
    figure("names of a SaaS: most memory, MB", peak.toFixed(0));
  } finally {
    counting.abort();
    await service.stop();
    await playground.stop();
    hooks.close();
  }
});
