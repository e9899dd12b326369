import { txt } from "@deed/playground/records.ts";
import { chromium, type Page } from "@playwright/test";
import { afterAll, describe, expect } from "vitest";
import { contract, newName } from "../contract/kit.ts";
import { findChromium } from "../support/chromium.ts";
import type { Client } from "../support/deed.ts";
import { openClaim } from "../support/deed.ts";
import { lacksChromium } from "../support/lacks.ts";
import { followEvents } from "../support/stream.ts";
import { payloads, UNSEEN } from "./payloads.ts";

const { it, target } = contract();
const VALUES_A_CLAIM = 20;
const TABS = 2;

const isWithout = lacksChromium();
const browser = isWithout ? null : await chromium.launch(findChromium() ?? {});
afterAll(() => browser?.close());

/** What a browser ran, blocked or navigated to in its tabs. */
type Watched = { tabs: Page[]; ran: string[]; violations: string[]; elsewhere: string[] };

async function watchedTabs(client: Client, count = 1): Promise<Watched> {
  if (!browser) throw new Error("there is no browser");
  const context = await browser.newContext();
  context.setDefaultTimeout(80_000);
  const [name = "", value = ""] = client.cookie.split("=");
  if (name) await context.addCookies([{ name, value, url: target().url }]);
  const seen: Watched = { tabs: [], ran: [], violations: [], elsewhere: [] };
  await context.exposeBinding("__ran", ({ page }) => seen.ran.push(page.url()));
  await context.exposeBinding("__violated", ({ page }, what: string) =>
    seen.violations.push(`${what} on ${page.url()}`),
  );
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const { __violated } = window as unknown as { __violated(what: string): void };
      __violated(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  context.on("dialog", (dialog) => {
    seen.ran.push(dialog.message());
    void dialog.dismiss();
  });
  context.on("request", (request) => {
    if (!request.url().startsWith(target().url)) seen.elsewhere.push(request.url());
  });
  for (let each = 0; each < count; each += 1) seen.tabs.push(await context.newPage());
  return seen;
}

/** Visits each item, using all tabs in parallel. */
const inTabs = <T>({ tabs }: Watched, items: T[], visit: (tab: Page, item: T) => Promise<void>) => {
  const left = [...items];
  return Promise.all(
    tabs.map(async (tab) => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await visit(tab, next);
    }),
  );
};

/** Directives in the policy of every response (ASVS 3.4.3, 3.4.6). */
const CLOSED = ["default-src", "object-src", "base-uri", "frame-ancestors"].map(
  (directive) => `${directive} 'none'`,
);

const clean = { ran: [], violations: [], elsewhere: [] };
const found = ({ ran, violations, elsewhere }: Watched) => ({ ran, violations, elsewhere });
const open = (page: Page, path: string) => page.goto(target().url + path, { waitUntil: "load" });
const textOf = (page: Page) => page.evaluate(() => document.body.innerText);

/** A claim whose challenge name has these values, read once. */
async function claimWith(client: Client, values: string[]) {
  const { playground } = target().own;
  const zone = target().zone();
  const claim = await openClaim(client, zone);
  for (const value of values) playground.addRecord(zone, txt(claim.name, value));
  await client.post(`/api/verifications/${claim.verificationId}/runs`);
  return claim;
}

describe.skipIf(isWithout)("markup, bidi and control payloads", () => {
  it("in TXT values run nowhere and break no policy", async ({ client }) => {
    const texts = payloads(120, 200);
    expect(new Set(texts).size).toBe(120);
    const watched = await watchedTabs(client, TABS);
    const batches = Array.from({ length: texts.length / VALUES_A_CLAIM }, (_, at) =>
      texts.slice(at * VALUES_A_CLAIM, (at + 1) * VALUES_A_CLAIM),
    );
    let shown = 0;
    await inTabs(watched, batches, async (tab, values) => {
      const claim = await claimWith(client, values);
      await open(tab, `/domains/${claim.domainId}`);
      // Opens folded sections, so that they are laid out too.
      await tab.evaluate(() => {
        for (const each of document.querySelectorAll("details")) each.open = true;
      });
      const text = await textOf(tab);
      expect(UNSEEN.exec(text)?.[0]).toBeUndefined();
      shown += text.split("__ran").length - 1;
    });
    expect(shown).toBeGreaterThan(50);
    expect(found(watched)).toEqual(clean);
  });

  it("in names, as typed, asked for and linked to, run nowhere and break no policy", async ({
    client,
  }) => {
    const watched = await watchedTabs(client, TABS);
    const paths = payloads(21, 200).map((text, at) => {
      const places =
        "/domains?name=@&add=@ /zones/@ /p/@ /sign-in?next=@ /h/@?@ /w/@?@ /m/@?@".split(" ");
      return (places[at % places.length] ?? "").replaceAll("@", () => encodeURIComponent(text));
    });
    await inTabs(watched, paths, async (tab, path) => void (await open(tab, path)));
    expect(found(watched)).toEqual(clean);
  });
});

describe("every page", () => {
  // C28.8
  it.skipIf(isWithout)("keeps its own policy in Chromium", async () => {
    const client = await target().signIn();
    const { claim, slug } = await target().publish(client, target().zone());
    const pending = await openClaim(client, newName());
    const handoff = await client.expect(201, "POST", `/api/claims/${pending.id}/handoff`);
    const domain = `/domains/${claim.domainId}`;
    const watched = await watchedTabs(client, TABS);
    const paths =
      `/ /domains /notices /account /account/delete /sign-out /zones /check /docs /docs/api
      /docs/errors /docs/diagnoses /sign-in /sign-in/sent /docs/api/claims /docs/providers/godaddy
      /docs/diagnoses/servfail /verify /docs/how-to-check /docs/assurance /docs/rules/deed-proof-1
      /docs/rules/deed-proof-3 /docs/rules/deed-dnssec-1
      /docs/integrate /docs/integrate/gate /docs/operate/backup /docs/nothing ${domain} ${domain}/archive
      ${domain}/delete ${domain}?claim=${claim.id} /domains/${pending.domainId} /p/${slug} /h/${handoff.slug}
      /account/keys /account/webhooks /domains?status=proved /domains?sort=name /domains/selected
      /zones/acme.com /p/none /h/none /w/none /m/none /nothing-here /sign-in/confirm?token=x
      /sign-in/failed`.split(/\s+/);
    const nonces: string[] = [];
    await inTabs(watched, paths, async (tab, path) => {
      const answer = await open(tab, path);
      const headers = answer?.headers() ?? {};
      const policy = headers["content-security-policy"] ?? "";
      nonces.push(...(policy.match(/'nonce-[^']+'/g) ?? []));
      const scripts = /script-src (?:'none'|'self'(?: 'nonce-[\w+/=]{24}')?);/;
      expect([path, policy.includes("unsafe"), scripts.test(policy)]).toEqual([path, false, true]);
      expect([path, policy, headers]).toEqual([
        path,
        expect.stringContaining("frame-ancestors 'none'"),
        expect.objectContaining({
          "x-content-type-options": "nosniff",
          "referrer-policy": expect.stringMatching(/^(same-origin|strict-origin|no-referrer)$/),
          "permissions-policy": expect.stringContaining("camera=()"),
        }),
      ]);
    });
    expect(found(watched)).toEqual(clean);
    expect(nonces.length).toBeGreaterThan(10);
    expect(new Set(nonces).size).toBe(nonces.length);
    // Tests the watch itself: a script without the page's nonce is blocked and reported.
    await watched.tabs[0]?.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.__ran()";
      document.body.append(script);
    });
    await expect.poll(() => watched.violations.length).toBe(1);
    expect(watched.ran).toEqual([]);
  });

  // C3.8
  it("of a look-alike name warns on its proof", async ({ client }) => {
    for (const [name, sign] of [
      ["\u0430\u0440\u0440\u04cf\u0435.example", "Its letters look like those of apple.example"],
      ["p\u0430ypal.example", "mixes letters of several scripts (Latin, Cyrillic)"],
      ["b\u00fccher2.example", null],
    ] as const) {
      const added = await client.expect(201, "POST", "/api/domains", { domain: name });
      const ascii = target().zone(String(added.name));
      const { slug } = await target().publish(client, ascii);
      const page = await client.get(`/p/${slug}`);
      const text = page.text.replace(/<!-- -->|<[^>]+>/g, "").replace(/\s+/g, " ");
      expect([name, text.includes("Look closely at this domain")]).toEqual([name, sign !== null]);
      if (sign) expect(text).toContain(sign);
      expect(text).toContain(ascii);
    }
  });
});

it("is marked nosniff and has a policy: JSON, streams, errors, files, redirects, and what Express says itself", async ({
  client,
  stranger,
}) => {
  const page = await client.get("/domains");
  const files = [...page.text.matchAll(/(?:href|src)="(\/build\/[^"]+|\/favicon[^"]+)"/g)];
  const paths = `/api/account /api/none /api/zones/acme.com /api/health /api/openapi.json
    /api/zones/% /metrics /robots.txt /claims/clm_none /nothing /% /build/x
    /domains?_data=routes%2Fdomains._index`.split(/\s+/);
  const answers = [...paths, ...files.map(([, path = ""]) => path)].map((path) => client.get(path));
  answers.push(stranger.get("/domains"), stranger.get("/api/account"));
  answers.push(stranger.request("POST", "/sign-out", { headers: { Origin: "https://x.example" } }));
  answers.push(stranger.request("PUT", "/api/account"), stranger.request("OPTIONS", "/api/claims"));
  expect(files.length).toBeGreaterThan(2);
  const asked = { headers: { Range: "bytes=9999999-" } };
  answers.push(stranger.request("GET", "/favicon.svg", asked), stranger.get("/build"));
  for (const { headers, status, text } of await Promise.all(answers)) {
    const answer = `${status} ${text.slice(0, 80)}`;
    expect([answer, headers.get("x-content-type-options")]).toEqual([answer, "nosniff"]);
    const policy = headers.get("content-security-policy")?.split("; ") ?? [];
    const missing = CLOSED.filter((directive) => !policy.includes(directive));
    expect([answer, missing]).toEqual([answer, []]);
  }
  const stream = await followEvents(target().url, client.identity);
  stream.leave();
  expect(stream.headers.get("x-content-type-options")).toBe("nosniff");
  expect(stream.headers.get("content-security-policy")).toContain("default-src 'none'");
  const data = await client.get("/domains?_data=routes%2Fdomains._index");
  expect(data.headers.get("cache-control")).toContain("no-store");
});
