import { foundAt } from "@deed/dns/testing/readings.ts";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { OutboundRequest } from "#app/core/outbound/outbound.server.ts";
import { personOf } from "#app/core/testing/accounts.ts";
import { claimed } from "#app/core/testing/service.ts";
import { MINUTE } from "#app/core/time.ts";
import { archiveDomain, deleteDomain } from "../domains/domains.server.ts";
import { POST_FORMATS, type Subject, sentenceOf } from "./chat.server.ts";
import { Deliveries } from "./deliver.server.ts";
import { listDeliveries, readDelivery, testWebhook } from "./deliveries.server.ts";
import { EVENT_GROUPS, EVENTS_SHOWN } from "./events.ts";
import { defaultEvents, kindOfUrl, type WebhookKind } from "./kinds.ts";
import { addWebhook, readWebhook, updateWebhook } from "./webhooks.server.ts";

const SLACK = "https://hooks.slack.com/services/T00000000/B00000000/aBcDeFgHiJkLmNoPqRsTuVwX";
const DISCORD = "https://discord.com/api/webhooks/1049273849/abc-DEF_123";
const NTFY = "https://ntfy.sh/harbour-alerts";

/** docs.slack.dev/messaging: Slack refuses unknown fields with `invalid_payload`; links and mentions are in <>. */
const SLACK_TEXT = /^(?:[^<>&]|&(?:amp|lt|gt);|<https?:\/\/[^<>|]+\|[^<>|]+>)+$/;
const text = z.string().max(4_000).regex(SLACK_TEXT);
const SlackMessage = z.strictObject({ text, unfurl_links: z.boolean() });
/** IncomingWebhookRequestPartial in Discord's OpenAPI description, as far as Deed uses it. */
const DiscordMessage = z.strictObject({
  content: z.string().min(1).max(2_000),
  allowed_mentions: z.strictObject({ parse: z.array(z.never()) }),
});
/** docs.ntfy.sh/publish: plain text of at most 4,096 bytes, posted to a topic; `Click` is a URL. */
const isNtfy = ({ url, body = "", headers = {} }: OutboundRequest) =>
  /^\/[-_A-Za-z0-9]{1,64}$/.test(new URL(url).pathname) &&
  Buffer.byteLength(body) <= 4_096 &&
  URL.canParse(headers.Click ?? "") &&
  Object.values(headers).every((value) => /^[\x20-\x7e]*$/.test(value));

/** Accepts what the service at the address would accept. */
function standIn(request: OutboundRequest) {
  const kind = kindOfUrl(request.url);
  if (kind === "ntfy") return isNtfy(request) ? 200 : 400;
  if (kind === "deed" || request.headers?.["Content-Type"] !== "application/json") return 404;
  const schema = kind === "slack" ? SlackMessage : DiscordMessage;
  return schema.safeParse(JSON.parse(String(request.body))).success ? 204 : 400;
}

async function told(url: string) {
  const mine = await claimed();
  const { service, ctx, account } = mine;
  const webhook = await addWebhook(ctx, personOf(account), { url });
  const asked: OutboundRequest[] = [];
  service.answer = async (request) => {
    asked.push(request);
    return { status: standIn(request), headers: {}, body: Buffer.from("ok") };
  };
  const rounds = new Deliveries(ctx);
  const deliver = async () => {
    while (await rounds.round());
    await rounds.drain(10_000);
    return asked.splice(0);
  };
  const listed = () => listDeliveries(ctx, account.id, webhook.id, { limit: 100 }).deliveries;
  return { ...mine, webhook, deliver, listed };
}

it("only a webhook that asks for every check gets them", () => {
  expect(EVENT_GROUPS.flatMap(({ events }) => events).sort()).toEqual(EVENTS_SHOWN.toSorted());
  expect(defaultEvents("deed")).toEqual(EVENTS_SHOWN.filter((type) => type !== "verification.ran"));
});

describe.each<[WebhookKind, string]>([
  ["slack", SLACK],
  ["discord", DISCORD],
  ["ntfy", NTFY],
])("C26.22: %s", (kind, url) => {
  it("takes each message: one of a mistake, one of the proof, a test; none is signed", async () => {
    const { ctx, account, claim, run, webhook, deliver, listed } = await told(url);
    expect(webhook).toMatchObject({ kind, events: defaultEvents(kind) });
    await run();
    await run(foundAt, MINUTE);
    await testWebhook(ctx, account.id, webhook.id);
    const posts = await deliver();
    const types = ["webhook.test", "claim.proved", "claim.needs_attention"];
    expect(listed()).toMatchObject(types.map((type) => ({ type, state: "delivered" })));
    const post = posts.find(({ body }) => String(body).includes("acme.com is proved."));
    const proved = String(post?.body);
    const page = `http://deed.test/domains/${claim.domainId}`;
    expect(kind === "ntfy" ? post?.headers?.Click : proved).toContain(page);
    const headers = posts.flatMap((post) => Object.keys(post.headers ?? {}));
    expect(headers.filter((name) => name.startsWith("webhook-"))).toEqual([]);
    const [, { id } = { id: "" }] = listed();
    expect(readDelivery(ctx, account.id, webhook.id, id).body).toBe(proved);
  });
});

it("tells a kind by the address, unless it is given; a change of address does not change it", async () => {
  const { ctx, account } = await claimed();
  const acting = personOf(account);
  const kinds = {
    [SLACK]: "slack",
    [SLACK.replace("slack.com", "slack-gov.com")]: "slack",
    [DISCORD]: "discord",
    [DISCORD.replace("/api/", "/api/v10/").replace("discord.com", "ptb.discord.com")]: "discord",
    [`${DISCORD}/github`]: "deed",
    "https://discord.com/invite/deed": "deed",
    [NTFY]: "ntfy",
    "https://ntfy.sh.evil.example/topic": "deed",
    "https://hooks.example.org/hooks.slack.com": "deed",
  };
  for (const [url, kind] of Object.entries(kinds))
    expect([url, kindOfUrl(url)]).toEqual([url, kind]);
  const own = await addWebhook(ctx, acting, { url: "https://push.example.org/a", kind: "ntfy" });
  expect(own.kind).toBe("ntfy");
  await updateWebhook(ctx, acting, own.id, { url: SLACK });
  expect(readWebhook(ctx, account.id, own.id)).toMatchObject({ kind: "ntfy", url: SLACK });
  await updateWebhook(ctx, acting, own.id, { kind: "deed" });
  expect(readWebhook(ctx, account.id, own.id).kind).toBe("deed");
});

it("says each event in one sentence about its domain", () => {
  const about: Subject = { id: "dom_1", name: "acme.com", reference: "cust_42" };
  const diagnosis = { code: "record_at_apex" };
  const watch = { registrationExpiresAt: "2026-03-12T00:00:00.000Z" };
  const body = JSON.stringify({ data: { verification: { diagnosis }, watch } });
  const said = EVENTS_SHOWN.map((type) => sentenceOf({ type, body }, about));
  expect(`\n${said.join("\n")}\n`).toMatchInlineSnapshot(`
    "
    acme.com for cust_42 is proved.
    The claim of acme.com for cust_42 was not proved in seven days.
    acme.com for cust_42: The record is on the domain itself.
    The claim of acme.com for cust_42 was opened.
    The claim of acme.com for cust_42 ended.
    A hand-off link was created: acme.com for cust_42.
    A proof link was published: acme.com for cust_42.
    A proof link was revoked: acme.com for cust_42.
    acme.com for cust_42 was added.
    acme.com for cust_42 was archived.
    acme.com for cust_42 was taken out of the archive.
    acme.com for cust_42 was deleted.
    acme.com for cust_42 counts as proved from now on.
    acme.com for cust_42 no longer counts as proved.
    A notice was created: acme.com for cust_42.
    acme.com for cust_42 is missing its record.
    acme.com for cust_42 has lost its record.
    acme.com for cust_42 has moved to other nameservers.
    acme.com for cust_42 has no nameservers at the registry.
    acme.com for cust_42 was registered again.
    The record of acme.com for cust_42 is back.
    acme.com for cust_42: registration ends on 12 March 2026, unless it renews automatically.
    acme.com for cust_42’s registration no longer ends soon.
    acme.com for cust_42 was checked.
    "
  `);
  expect(sentenceOf({ type: "domain.deleted", body: "{}" }, null)).toBe("A domain was deleted.");
});

it("a reference that looks like markup, a mention or a link stays text", () => {
  const text = "a.example for <!channel> @everyone **x** [y](https://evil.example) is proved.";
  const { body } = POST_FORMATS.slack(text, "https://deed.test/");
  expect(SlackMessage.parse(JSON.parse(body)).text).toContain("&lt;!channel&gt;");
  const { content } = DiscordMessage.parse(
    JSON.parse(POST_FORMATS.discord(text, "https://x.test").body),
  );
  expect(content).toContain("\\<!channel\\> \\@everyone \\*\\*x\\*\\* \\[y\\](");
});

it("what became of its domain since changes no message, but a deleted one has no name left", async () => {
  const { ctx, account, claim, run, deliver, listed } = await told(NTFY);
  await run(foundAt);
  await archiveDomain(ctx, account.id, claim.domainId);
  expect((await deliver()).map(({ body }) => body)).toEqual(["acme.com is proved."]);
  await deleteDomain(ctx, account.id, claim.domainId);
  expect([await deliver(), listed()]).toEqual([[], []]);
});
