import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get as httpGet } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Playground, startPlayground } from "../playground.ts";
import { zoneLine } from "../records.ts";
import { type Panel, startPanel } from "./server.ts";
import { SITUATIONS } from "./situations.ts";

let playground: Playground;
let panel: Panel;
const outbox = mkdtempSync(join(tmpdir(), "deed-outbox-"));
beforeAll(async () => {
  playground = await startPlayground();
  panel = await startPanel({ playground, serviceUrl: "http://localhost:1", outbox });
});
afterAll(async () => {
  await panel.stop();
  await playground.stop();
  rmSync(outbox, { recursive: true });
});
beforeEach(() => {
  for (const zone of ["acme.com", "globex.com", "xn--bcher-kva.example"])
    playground.setRecords(zone, []);
});

const get = async (path: string) => (await fetch(panel.url + path)).text();
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(panel.url + path, {
    method: "POST",
    redirect: "manual",
    headers,
    body: new URLSearchParams(fields),
  });
const add = (zone: string, name: string, value: string, type = "TXT") =>
  post(`/zones/${zone}/records`, { name, type, value, ttl: "300" });
const statusUnder = (host: string) =>
  new Promise<number | undefined>((resolve, reject) =>
    httpGet(panel.url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).once("error", reject),
  );
const lines = (zone: string) => playground.world.copy(zone).records.map(zoneLine);

const LINK = /\/zones\/acme\.com\/records\/[0-9a-f]{16}/;

describe("the registrar panel", () => {
  it("adds, changes and deletes a record", async () => {
    expect((await add("acme.com", "_service-challenge", "one")).status).toBe(303);
    expect(lines("acme.com")).toEqual(['_service-challenge.acme.com. 300 IN TXT "one"']);
    const link = async () => LINK.exec(await get("/zones/acme.com"))?.[0] ?? "";
    const edit = await link();
    expect(await get(edit)).toContain('value="_service-challenge"');
    await post(edit, { intent: "save", name: "other", type: "TXT", value: "two", ttl: "60" });
    expect(lines("acme.com")).toEqual(['other.acme.com. 60 IN TXT "two"']);
    const again = await link();
    expect((await post(edit, { intent: "delete" })).status).toBe(404);
    await post(again, { intent: "delete" });
    expect(lines("acme.com")).toEqual([]);
  });

  it("behaves like the panel of the zone's DNS host", async () => {
    await add("acme.com", "x.acme.com", '"v"');
    await add("globex.com", "x.globex.com", '"v" "w"');
    await add("xn--bcher-kva.example", "x.xn--bcher-kva.example.", "a,a", "TXT");
    expect(lines("acme.com")).toEqual(['x.acme.com.acme.com. 300 IN TXT "\\"v\\""']);
    expect(lines("globex.com")).toEqual(['x.globex.com. 300 IN TXT "v" "w"']);
    expect(lines("xn--bcher-kva.example")).toEqual(['x.xn--bcher-kva.example. 300 IN TXT "a,a"']);
    expect(await get("/zones/globex.com")).toContain("Content");
    expect(await get("/zones/xn--bcher-kva.example")).toContain("bücher.example");
  });

  it("keeps the rejected input and shows what is wrong with it", async () => {
    for (const [name, value, type] of [
      ["a b", "v", "TXT"],
      ["-", "192.0.2.1", "A"],
      [`${"a".repeat(64)}`, "v", "TXT"],
      ["x", "", "TXT"],
      ["x", "300.1.1.1", "A"],
      ["x", "mail", "MX"],
      ["@", "www.acme.com", "CNAME"],
      ["x", "v", "NS"],
    ] as const) {
      const answer = await add("acme.com", name, value, type);
      expect([name, answer.status]).toEqual([name, 422]);
      expect(await answer.text()).toContain(`value="${name}"`);
    }
    await add("acme.com", "x", "192.0.2.1", "A");
    expect((await add("acme.com", "x", "www.acme.com", "CNAME")).status).toBe(422);
    expect(lines("acme.com")).toEqual(["x.acme.com. 300 IN A 192.0.2.1"]);
  });

  it("escapes the text of a record", async () => {
    await add("acme.com", "x", '<script>alert("1")</script>\u202e');
    const page = await get("/zones/acme.com");
    expect(page).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;\\u{202e}");
    expect(page).not.toContain("<script");
  });

  it("refuses other sites, foreign host names, other methods and long forms", async () => {
    const fields = { name: "x", type: "TXT", value: "v", ttl: "300" };
    const path = "/zones/acme.com/records";
    expect((await post(path, fields, { origin: "http://evil.example" })).status).toBe(403);
    expect((await post(path, fields, { "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await post(path, fields, { origin: panel.url })).status).toBe(303);
    expect((await post(path, { ...fields, value: "v".repeat(20_000) })).status).toBe(413);
    expect((await fetch(panel.url + path, { method: "POST", body: "{}" })).status).toBe(415);
    expect((await fetch(`${panel.url}/situations/servfail/set-up`)).status).toBe(405);
    expect(await statusUnder("rebound.example")).toBe(421);
    expect(await statusUnder("localhost:1")).toBe(200);
    for (const missing of ["/none", "/zones/com", "/zones/nothing.com", "/situations/none"])
      expect((await fetch(panel.url + missing)).status).toBe(404);
  });

  it("sets up, breaks and repairs the zone of each situation", async () => {
    const page = await get("/situations");
    for (const { code, zone } of SITUATIONS) {
      expect(page).toContain(`/situations/${code}/play`);
      expect((await post(`/situations/${code}/go-wrong`, { value: "t" })).status).toBe(409);
      expect((await post(`/situations/${code}/set-up`, {})).status).toBe(303);
      expect((await post(`/situations/${code}/go-wrong`, { value: "t" })).status).toBe(303);
      const refused = await post(`/situations/${code}/put-right`, { value: "" });
      expect(refused.status).toBe(422);
      expect(await refused.text()).toContain('aria-invalid="true"');
      expect((await post(`/situations/${code}/put-right`, { value: "t" })).status).toBe(303);
      expect(lines(zone)).toContain(`_service-challenge.${zone}. 300 IN TXT "t"`);
      expect(await get(`/situations/${code}`)).toContain("Fixed");
    }
  });

  it("shows the mails of the outbox, newest first, and links to the service alone", async () => {
    expect(await get("/mail")).toContain("No email yet");
    const write = (file: string, subject: string, text: string) => {
      const head = `From: Deed <deed@localhost>\nTo: a@holder.example\nSubject: ${subject}\nDate: Mon`;
      const plain = `Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${text}`;
      const parts = [`${head}\nMIME-Version: 1.0\n`, plain, "Content-Type: text/html\n\n<b>no</b>"];
      writeFileSync(join(outbox, file), `${parts.join("\n\n--deed-1\n")}\n--deed-1--\n`);
    };
    const [link, evil] = ["http://localhost:1/claims/a?b=1", "http://localhost:1.evil.example/"];
    write("2026-1.eml", "Older", `${link}\n\n${evil}`);
    write("2026-2.eml", "<b>Newer\u202e", "<script>x</script> http://localhost:1@evil.example/");
    const page = await get("/mail");
    expect(page.indexOf("Newer")).toBeLessThan(page.indexOf("Older"));
    expect(page.match(/<a href="http[^>]*/g)).toEqual([`<a href="${link}"`]);
    expect(page).toContain("&lt;b&gt;Newer\\u{202e}");
    expect(page).toContain("&lt;script&gt;x&lt;/script&gt; http://localhost:1@evil.example/");
    expect(page).not.toMatch(/<b>|<script/);
  });

  it("shows what a webhook posts to it", async () => {
    expect(await get("/hooks")).toContain(`http://127.0.0.1:${new URL(panel.url).port}/hooks`);
    const hook = (body: string, type: string) =>
      fetch(`${panel.url}/hooks`, { method: "POST", headers: { "content-type": type }, body });
    const event = JSON.stringify({ type: "claim.<proved>", data: { domain: "<b>acme.com" } });
    expect((await hook(event, "application/json")).status).toBe(204);
    expect((await hook("no", "application/json")).status).toBe(204);
    expect((await hook("no", "text/plain")).status).toBe(415);
    expect((await hook("x".repeat(20_000), "application/json")).status).toBe(413);
    const page = await get("/hooks");
    expect(page.indexOf("Not JSON")).toBeLessThan(page.indexOf("claim.&lt;proved&gt;"));
    expect(page).toContain("  &quot;domain&quot;: &quot;&lt;b&gt;acme.com&quot;\n");
  });

  it("is at the host name of the service, where the visitor is signed in", async () => {
    const other = panel.url.replace("localhost", "127.0.0.1");
    const moved = await fetch(`${other}/situations`, { redirect: "manual" });
    expect(moved.headers.get("location")).toBe(`${panel.url}/situations`);
  });

  it("says so where the service does not answer", async () => {
    const refused = await post("/situations/servfail/play", {});
    expect(refused.status).toBe(502);
    expect(await refused.text()).toContain("Deed does not answer");
  });
});
