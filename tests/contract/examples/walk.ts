import { join } from "node:path";
import { type Playground, startPlayground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import Database from "better-sqlite3";
import { expect } from "vitest";
import type { DomainAndClaim } from "#app/features/by-name/resources.ts";
import { startProvider, type TestProvider } from "#app/features/sign-in/testing.oidc.ts";
import { EVENTS_SHOWN } from "#app/features/webhooks/events.ts";
import { keyOf, roomy, signIn } from "../../support/deed.ts";
import { Hooks } from "../../support/hooks.ts";
import { freePort, type Service, startService } from "../../support/service.ts";
import { followEvents } from "../../support/stream.ts";
import { Recorded, Recording } from "./recording.ts";

/** A walk through every operation and each of its errors, on its own services, in a fixed order. */

type Id = { id: string };
const PATIENTLY = { timeout: 60_000 };
const MARA = "mara@acme.example";
const NOBODYS = "dom_1vt3k6z8q0000000000000000".slice(0, 29);
const none = (prefix: string) => `${prefix}_${NOBODYS.slice(4)}`;
const NO_SLUG = "0".repeat(26);
const DAY = 86_400;

export class Walk {
  readonly recording = new Recording();
  readonly hooks = new Hooks();
  readonly #stops: (() => unknown)[] = [() => this.hooks.close()];
  #playground!: Playground;
  #provider!: TestProvider;
  #main!: Service;
  #tight!: Service;
  #narrow!: Service;
  hooksUrl = "";
  /** The account's stream. */
  events: { id: string; type: string }[] = [];
  /** Where the test key's clock stood. */
  testedFrom = 0;

  async open(): Promise<void> {
    this.hooksUrl = await this.hooks.open();
    this.#playground = await startPlayground();
    const port = await freePort();
    this.#provider = await startProvider(`http://localhost:${port}/api/auth/oidc/callback`);
    const common = {
      ...this.#playground.env,
      ...{ SIGN_UP: "open", FIRST_READ_SECONDS: "900", WEBHOOK_ALLOW_ADDRESSES: "127.0.0.0/8" },
    };
    this.#main = await startService({
      port,
      env: { ...common, ...roomy(), ...this.#provider.env },
    });
    const once = "1/3600";
    this.#tight = await startService({
      env: {
        ...common,
        ...{ LIMIT_DOMAINS: "2", LIMIT_OPEN_CLAIMS: "1" },
        ...{ RATE_LIMIT_ZONES: once, RATE_LIMIT_PROOFS: once, RATE_LIMIT_RUNS_VERIFICATION: once },
        ...{ RATE_LIMIT_MAIL_IP: once, RATE_LIMIT_VERIFY: once },
      },
    });
    this.#narrow = await startService({
      env: { ...this.#provider.env, RATE_LIMIT_MAIL_IP: once },
    });
    this.#stops.push(
      () => this.#narrow.stop(),
      () => this.#main.stop(),
      () => this.#tight.stop(),
      () => this.#provider.stop(),
      () => this.#playground.stop(),
    );
  }

  /** The examples' names for the origins of this run. */
  get origins(): Map<string, string> {
    return new Map([
      ...[this.#main, this.#tight, this.#narrow].map(
        ({ url }) => [url, "https://deed.example.org"] as const,
      ),
      [this.hooksUrl, "https://hooks.acme.example"],
      [this.#provider.issuer, "https://login.acme.example"],
    ]);
  }

  close = async (): Promise<void> => {
    for (const stop of this.#stops) await stop();
  };

  #client = (key: string | null = null, service = this.#main) =>
    new Recorded(service.url, this.recording, key);

  /** Writes what no call can cause, as an operator or an earlier version might. */
  #write(sql: string, service = this.#main): void {
    const database = new Database(join(service.dataDir, "deed.db"));
    database.exec(sql);
    database.close();
  }

  #publish(zone: string, name: string, value: string): void {
    this.#playground.addRecord(zone, txt(name, value));
    this.#playground.flushWitnesses();
  }

  async make(): Promise<void> {
    const mara = await signIn(this.#main, MARA, this.#client());
    await this.signingIn(mara);
    const { key } = await keyOf(mara, [
      ...["zones:read", "domains:read", "domains:write", "webhooks:manage"],
    ]);
    const program = this.#client(key);
    await this.keys(mara, key);
    const webhook = await this.webhooks(program);
    const claim = await this.domains(program);
    await this.gate(mara);
    await this.proofs(program, claim);
    await this.rest(program, webhook);
    await this.streams(program);
    await this.testMode(mara);
    await this.people(mara);
    await this.limits();
    await this.service(program, mara);
    await this.leaving(mara);
  }

  async signingIn(mara: Recorded): Promise<void> {
    const stranger = this.#client();
    await stranger.refused("invalid_sign_in", "POST", "/api/auth/magic-link/verify", {
      json: { token: "0".repeat(43) },
    });
    await mara.expect(200, "GET", "/api/auth/session");
    const browser = this.#client();
    this.#provider.down = true;
    await browser.refused("unavailable", "GET", "/api/auth/oidc?callbackPath=/domains");
    await browser.refused("unavailable", "GET", "/api/auth/oidc/callback?code=none");
    this.#provider.down = false;
    this.#provider.person = { sub: "1", email: "kim@acme.example", email_verified: true };
    const start = async () => {
      const { headers } = await browser.get("/api/auth/oidc?callbackPath=/domains");
      const { pathname, search } = await this.#provider.signIn(headers.get("location") ?? "");
      return pathname + search;
    };
    const back = await start();
    expect((await browser.get(back)).headers.get("location")).toBe("/domains");
    await browser.refused("invalid_sign_in", "GET", back);
    await browser.expect(204, "POST", "/api/auth/sign-out");
    await mara.expect(200, "GET", "/api/account");
    await mara.expect(200, "PATCH", "/api/account", { mailEnabled: true });
  }

  async keys(mara: Recorded, key: string): Promise<void> {
    const { id } = await keyOf(mara, ["domains:read"]);
    await mara.expect(200, "GET", "/api/keys");
    await mara.expect(200, "POST", `/api/keys/${id}/rotate`);
    await mara.expect(200, "DELETE", `/api/keys/${id}`);
    await mara.refused("key_not_found", "POST", `/api/keys/${id}/rotate`);
    await mara.refused("key_not_found", "DELETE", `/api/keys/${id}`);
    await this.#client(`${key}0`).refused("invalid_api_key", "GET", "/api/domains");
    await this.#client(key).refused("insufficient_scope", "GET", "/api/account");
  }

  /** Every message is posted here, also the examples' webhook. */
  async webhooks(program: Recorded): Promise<string> {
    const made = await program.expect<Id>(201, "POST", "/api/webhooks", {
      ...{ url: `${this.hooksUrl}/deed`, events: EVENTS_SHOWN },
    });
    const path = `/api/webhooks/${made.id}`;
    await program.expect(200, "GET", path);
    await program.expect(200, "GET", "/api/webhooks");
    const { id } = await program.expect<Id>(202, "POST", `${path}/test`);
    await this.#posted("webhook.test");
    const delivered = () =>
      expect
        .poll(
          async () => (await program.quietly("GET", `${path}/deliveries/${id}`)).state,
          PATIENTLY,
        )
        .toBe("delivered");
    await delivered();
    await program.expect(200, "GET", `${path}/deliveries`);
    await program.expect(200, "GET", `${path}/deliveries/${id}`);
    await program.expect(202, "POST", `${path}/deliveries/${id}/resend`);
    await delivered();
    const other = await program.expect<Id>(201, "POST", "/api/webhooks", { url: this.hooksUrl });
    const place = `/api/webhooks/${other.id}`;
    await program.expect(200, "PATCH", place, { events: ["claim.proved"] });
    await program.expect(200, "POST", `${place}/rotate`);
    await program.refused("delivery_not_found", "GET", `${place}/deliveries/${none("dlv")}`);
    await program.refused(
      "delivery_not_found",
      "POST",
      `${place}/deliveries/${none("dlv")}/resend`,
    );
    await program.expect(200, "PATCH", path, { enabled: false });
    await program.refused("webhook_disabled", "POST", `${path}/test`);
    await program.refused("webhook_disabled", "POST", `${path}/deliveries/${id}/resend`);
    const since = { json: { since: new Date(Date.now() - DAY * 1_000).toISOString() } };
    await program.refused("webhook_disabled", "POST", `${path}/resend`, since);
    // The event is kept, for a disabled webhook.
    const missed = { domain: "hooli.com", reference: "customer-0" };
    await program.quietly("POST", "/api/domains", missed);
    await program.expect(200, "PATCH", path, { enabled: true });
    await program.expect(202, "POST", `${path}/resend`, since.json);
    for (let more = 2; more < 10; more++)
      await program.expect(201, "POST", "/api/webhooks", { url: this.hooksUrl });
    const url = { json: { url: this.hooksUrl } };
    await program.refused("too_many_webhooks", "POST", "/api/webhooks", url);
    await program.expect(204, "DELETE", place);
    const changes = { json: { enabled: true } };
    for (const [method, below, options] of [
      ["GET", ""],
      ["PATCH", "", changes],
      ["DELETE", ""],
      ["POST", "/rotate"],
      ["POST", "/test"],
      ["POST", "/resend", since],
      ["GET", "/deliveries"],
      ["GET", `/deliveries/${id}`],
      ["POST", `/deliveries/${id}/resend`],
    ] as const)
      await program.refused("webhook_not_found", method, place + below, options);
    return path;
  }

  async domains(program: Recorded): Promise<DomainAndClaim> {
    const at = (name: string) => `/api/domains/by-name/${name}`;
    await program.refused("invalid_domain", "PUT", at("192.0.2.1"), { json: {} });
    await program.refused("invalid_domain", "GET", at("192.0.2.1"));
    await program.refused("invalid_domain", "POST", "/api/domains", {
      json: { domain: "192.0.2.1" },
    });
    await program.refused("invalid_domain", "GET", "/api/domains?name=192.0.2.1");
    await program.refused("invalid_domain", "GET", "/api/zones/192.0.2.1");
    await program.refused("no_delegation", "GET", "/api/zones/unregistered.example");
    this.#playground.addZone({ name: "broken.example", nameservers: ["ns1.hosting.example"] });
    this.#playground.setServerFault("ns1.hosting.example", "servfail", "broken.example");
    await program.refused("unresolvable", "GET", "/api/zones/broken.example");
    await program.get("/api/zones/acme.com");
    const visitor = this.#client();
    const record = (name: string) => ({ name, type: "TXT", value: "acme-verification=5f2a" });
    await visitor.expect(200, "POST", "/api/checks", record("_acme.acme.com"));
    await visitor.refused("invalid_domain", "POST", "/api/checks", { json: record("a..b") });
    // Its root servers do not answer.
    const alone = this.#client(null, this.#narrow);
    const unread = { json: record("_acme.acme.com") };
    await alone.refused("unresolvable", "POST", "/api/checks", unread);
    await program.refused("domain_not_found", "GET", at("acme.com"));
    const missing = `/api/domains/${none("dom")}`;
    await program.refused("domain_not_found", "GET", missing);
    await program.refused("domain_not_found", "DELETE", missing);
    await program.refused("domain_not_found", "POST", `${missing}/archive`);
    await program.refused("domain_not_found", "POST", `${missing}/unarchive`);
    await program.refused("domain_not_found", "GET", `/api/claims?domainId=${none("dom")}`);
    const toNone = { json: { domainId: none("dom") } };
    await program.refused("domain_not_found", "POST", "/api/claims", toNone);

    const handoff = { title: "Connect your domain" };
    const asked = { reference: "customer-1", handoff };
    const made = await program.expect<DomainAndClaim>(201, "PUT", at("acme.com"), asked);
    const { claim, domain } = made;
    const again = { json: { again: none("clm") } };
    await program.refused("claim_not_found", "PUT", at("globex.com"), again);
    const back = { handoff: { returnUrl: "https://app.initech.example/done" } };
    await program.refused("origin_not_registered", "PUT", at("acme.com"), { json: back });
    const stranger = this.#client();
    const shared = `/api/handoffs/${made.handoff?.slug}`;
    const run = `/api/verifications/${claim.verificationId}/runs`;
    this.#publish("acme.com", `${claim.records[0]?.name}.acme.com`, claim.token);
    await program.expect(200, "POST", run);
    await this.#posted("claim.needs_attention");
    await program.expect(200, "GET", `/api/verifications/${claim.verificationId}`);
    await program.expect(200, "GET", `/api/claims/${claim.id}`);
    await stranger.expect(200, "GET", shared);
    await program.expect(204, "POST", `/api/claims/${claim.id}/waiting`);
    await stranger.expect(204, "POST", `${shared}/waiting`);
    await stranger.refused("handoff_not_found", "GET", `/api/handoffs/${NO_SLUG}`);
    await stranger.refused("handoff_not_found", "POST", `/api/handoffs/${NO_SLUG}/waiting`);
    const claimed = { json: { domainId: domain.id } };
    await program.refused("already_claimed", "POST", "/api/claims", claimed);

    const other = await program.expect<Id>(201, "POST", "/api/domains", {
      ...{ domain: "globex.com", reference: "customer-2" },
    });
    await program.refused("claim_not_found", "GET", `${at("globex.com")}?reference=customer-2`);
    const opened = await program.expect<DomainAndClaim["claim"]>(201, "POST", "/api/claims", {
      domainId: other.id,
    });
    const place = `/api/claims/${opened.id}`;
    await program.refused("handoff_not_found", "POST", `${place}/handoff/revoke`);
    await program.expect(201, "POST", `${place}/handoff`, handoff);
    await program.refused("origin_not_registered", "POST", `${place}/handoff`, {
      json: back.handoff,
    });
    await program.expect(200, "GET", `/api/claims?domainId=${other.id}`);
    await this.#unproved(program, opened);
    await program.expect(200, "POST", `${place}/handoff/revoke`);
    await program.expect(201, "POST", `${place}/handoff`, handoff);
    await program.expect(200, "POST", `${place}/cancel`);
    await this.#posted("claim.ended");
    for (const below of ["cancel", "waiting", "handoff", "handoff/revoke"]) {
      const json = below === "handoff" ? { json: handoff } : {};
      await program.refused("claim_ended", "POST", `${place}/${below}`, json);
      const absent = `/api/claims/${none("clm")}/${below}`;
      await program.refused("claim_not_found", "POST", absent, json);
    }
    const ended = `/api/verifications/${opened.verificationId}/runs`;
    await program.refused("verification_not_running", "POST", ended);
    for (const [method, below] of [
      ["GET", ""],
      ["POST", "/runs"],
      ["GET", "/attempts"],
    ] as const)
      await program.refused(
        ...([
          "verification_not_found",
          method,
          `/api/verifications/${none("ver")}${below}`,
        ] as const),
      );

    await program.expect(200, "POST", `/api/domains/${other.id}/archive`);
    const archived = `${at("globex.com")}?reference=customer-2`;
    await program.refused("domain_archived", "GET", archived);
    await program.refused("domain_archived", "PUT", at("globex.com"), {
      json: { reference: "customer-2" },
    });
    const ofArchived = { json: { domainId: other.id } };
    await program.refused("domain_archived", "POST", "/api/claims", ofArchived);
    await program.expect(200, "POST", `/api/domains/${other.id}/unarchive`);
    await this.#posted("domain.unarchived");
    await program.expect(204, "DELETE", `/api/domains/${other.id}`);

    this.#publish("acme.com", String(claim.records[0]?.name), claim.token);
    const proved = await program.quietly("POST", run);
    expect(proved).toMatchObject({ status: "proved" });
    await program.expect(200, "GET", `/api/verifications/${claim.verificationId}/attempts`);
    await program.expect(200, "GET", `${at("acme.com")}?reference=customer-1`);
    await program.expect(200, "GET", `/api/domains/${domain.id}`);
    await program.expect(200, "GET", "/api/domains?limit=1");
    await stranger.refused("handoff_ended", "GET", shared);
    await stranger.refused("handoff_ended", "POST", `${shared}/waiting`);
    return made;
  }

  async gate(mara: Recorded): Promise<void> {
    const { key } = await keyOf(mara, ["gate:ask"]);
    const proxy = this.#client();
    const place = `/api/gate/${key}?domain=acme.com`;
    await expect.poll(() => proxy.quietly("GET", place), PATIENTLY).toEqual({ holds: true });
    await proxy.expect(200, "GET", place);
    await proxy.refused("not_found", "GET", `/api/gate/${key}?domain=globex.com`);
  }

  /** Refusals for a claim without a proof. */
  async #unproved(program: Recorded, { id }: Id): Promise<void> {
    const open = `/api/claims/${id}`;
    const absent = `/api/claims/${none("clm")}`;
    for (const below of ["receipt", "opening", "evidence"]) {
      await program.refused("claim_not_proved", "GET", `${open}/${below}`);
      await program.refused("claim_not_found", "GET", `${absent}/${below}`);
    }
    await program.refused("claim_not_proved", "POST", `${open}/proof_links`);
    await program.refused("claim_not_proved", "PUT", `${open}/watch`, { json: {} });
    await program.refused("not_watched", "GET", `${open}/watch`);
    await program.refused("claim_not_found", "GET", absent);
    await program.refused("claim_not_found", "POST", `${absent}/proof_links`);
    await program.refused("claim_not_found", "GET", `${absent}/proof_links`);
    await program.refused("claim_not_found", "POST", `${absent}/proof_links/${NO_SLUG}/revoke`);
    await program.refused("claim_not_found", "PUT", `${absent}/watch`, { json: {} });
    await program.refused("claim_not_found", "GET", `${absent}/watch`);
    await program.refused("claim_not_found", "DELETE", `${absent}/watch`);
  }

  async proofs(program: Recorded, { claim, domain }: DomainAndClaim): Promise<void> {
    const stranger = this.#client();
    const own = `/api/claims/${claim.id}`;
    const { slug } = await program.expect<{ slug: string }>(201, "POST", `${own}/proof_links`);
    const proof = `/api/proofs/${slug}`;
    await stranger.expect(200, "GET", proof);
    await stranger.refused("not_watched", "GET", `${proof}/watch`);
    await program.expect(200, "PUT", `${own}/watch`, { every: "day" });
    const watched = () => program.quietly("GET", `${own}/watch`);
    await expect
      .poll(watched, PATIENTLY)
      .toMatchObject({ checkedAt: expect.any(String), registration: expect.anything() });
    await program.expect(200, "GET", `${own}/watch`);
    await stranger.expect(200, "GET", `${proof}/watch`);
    const { headers } = await stranger.get(`${proof}/receipt`);
    await stranger.request("GET", `${proof}/receipt`, {
      headers: { "if-none-match": headers.get("etag") ?? "" },
    });
    for (const below of ["receipt", "opening", "evidence"])
      await program.expect(200, "GET", `${own}/${below}`);
    for (const below of ["", "/receipt", "/watch"])
      await stranger.refused("proof_not_found", "GET", `/api/proofs/${NO_SLUG}${below}`);

    // As for a proof from before receipts.
    this.#write(
      "pragma foreign_keys = off; create table kept as select * from receipts; delete from receipts",
    );
    await stranger.refused("receipt_not_found", "GET", `${proof}/receipt`);
    for (const below of ["receipt", "opening", "evidence"])
      await program.refused("receipt_not_found", "GET", `${own}/${below}`);
    this.#write("insert into receipts select * from kept; drop table kept");

    await program.expect(200, "GET", `${own}/proof_links`);
    const ago = Date.now() - 5 * DAY * 1_000;
    this.#write(`update watches set state = 'missing', missing_since = ${ago}, finding = 'gone',
      finding_since = ${ago}, told = '["missing"]', next_read_at = ${Date.now()}`);
    await this.#posted("watch.published");
    await program.expect(204, "DELETE", `${own}/watch`);
    await program.expect(200, "POST", `${own}/proof_links/${slug}/revoke`);
    for (const below of ["", "/receipt", "/watch"])
      await stranger.refused("proof_revoked", "GET", proof + below);
    await program.refused("proof_link_not_found", "POST", `${own}/proof_links/${slug}/revoke`);
    const archive = (path: string, json?: object) => program.quietly("POST", path, json);
    await archive(`/api/domains/${domain.id}/archive`);
    await program.refused("domain_archived", "POST", `${own}/proof_links`);
    await program.refused("domain_archived", "PUT", `${own}/watch`, { json: {} });
    await archive(`/api/domains/${domain.id}/unarchive`);
    for (const domain of ["initech.com", "hooli.com"])
      await archive("/api/domains", { domain, reference: "customer-9" });
    await program.expect(200, "DELETE", "/api/domains?reference=customer-9");
  }

  async rest(program: Recorded, webhook: string): Promise<void> {
    const { notices } = await program.expect<{ notices: Id[] }>(200, "GET", "/api/notices?limit=2");
    await program.expect(200, "POST", `/api/notices/${notices[0]?.id}/read`);
    await program.refused("notice_not_found", "POST", `/api/notices/${none("ntc")}/read`);
    await program.expect(200, "GET", "/api/events/list?limit=3");
    await program.refused("not_found", "POST", "/api/test/clock", { json: { seconds: 60 } });
    await program.refused("not_found", "POST", "/api/test/reset");
    expect(webhook).toMatch(/whk/);
  }

  /** Things that take days, with a test key: a claim that expires, and everything a watch can see. */
  async testMode(mara: Recorded): Promise<void> {
    const { key } = await keyOf(
      mara,
      ["domains:read", "domains:write", "webhooks:manage"],
      [],
      true,
    );
    const program = this.#client(key);
    this.testedFrom = Date.now() - 1;
    await program.expect(201, "POST", "/api/webhooks", {
      ...{ url: `${this.hooksUrl}/test`, events: EVENTS_SHOWN },
    });
    const names = "proved expired missing lapsed moved gone registered-again expiring".split(" ");
    for (const name of names)
      await program.quietly("PUT", `/api/domains/by-name/${name}.test`, { watch: true });
    await program.expect(200, "POST", "/api/test/clock", { seconds: 60 });
    const move = (json: object) => program.quietly("POST", "/api/test/clock", json);
    let now = Date.parse(String((await move({ seconds: 0 })).now));
    const until = now + 42 * DAY * 1_000;
    while (now < until) {
      const seconds = Math.min(8 * DAY, Math.ceil((until - now) / 1_000));
      now = Date.parse(String((await move({ seconds })).now));
    }
    for (const type of EVENTS_SHOWN) await this.#posted(type);
    await program.expect(204, "POST", "/api/test/reset");
  }

  async people(mara: Recorded): Promise<void> {
    const person = { email: "noa@acme.example" };
    const token = async (email: string) => {
      const find = () =>
        this.#main
          .outbox()
          .filter((mail) => mail.includes(`\nTo: ${email}\n`))
          .map((mail) => /\/sign-in\/invitation\?token=([\w-]{43})/.exec(mail)?.[1])
          .findLast(Boolean);
      await expect.poll(find, PATIENTLY).toBeTruthy();
      return { token: String(find()) };
    };
    const [accept, decline] = ["/api/auth/invitations/accept", "/api/auth/invitations/decline"];
    const [noa, other] = [this.#client(), this.#client()];
    await mara.expect(201, "POST", "/api/people", person);
    const used = await token(person.email);
    const disabled = (at: string) => this.#write(`update accounts set disabled_at = ${at}`);
    disabled(`${Date.now()}`);
    await noa.refused("invalid_sign_in", "POST", accept, { json: used });
    disabled("null");
    await noa.expect(200, "POST", accept, used);
    await other.refused("invitation_not_found", "POST", accept, { json: used });
    await other.refused("invitation_not_found", "POST", decline, { json: used });
    await mara.refused("already_in_account", "POST", "/api/people", { json: person });

    const lou = await mara.expect<Id>(201, "POST", "/api/people", { email: "lou@acme.example" });
    const { people } = await mara.expect<{ people: Id[] }>(200, "GET", "/api/people");
    await other.expect(204, "POST", decline, await token("lou@acme.example"));
    const ivo = await mara.expect<Id>(201, "POST", "/api/people", { email: "ivo@acme.example" });
    await mara.expect(204, "DELETE", `/api/invitations/${ivo.id}`);
    await mara.refused("invitation_not_found", "DELETE", `/api/invitations/${lou.id}`);

    const kim = await signIn(this.#main, "kim@acme.example", this.#client());
    await kim.expect(201, "POST", "/api/domains", { domain: "hooli.com" });
    await mara.expect(201, "POST", "/api/people", { email: "kim@acme.example" });
    const invited = await token("kim@acme.example");
    await other.refused("address_has_account", "POST", accept, { json: invited });
    for (let more = 3; more <= 20; more++)
      await mara.expect(201, "POST", "/api/people", { email: `colleague-${more}@acme.example` });
    const one = { json: { email: "one-more@acme.example" } };
    await mara.refused("too_many_people", "POST", "/api/people", one);
    await noa.refused("not_first_address", "DELETE", "/api/account", { json: person });
    await mara.refused("person_not_found", "DELETE", `/api/people/${none("per")}`);
    await mara.refused("first_address_stays", "DELETE", `/api/people/${people[0]?.id}`);
    await mara.expect(204, "DELETE", `/api/people/${people[1]?.id}`);

    const more = { name: "One more", scopes: ["domains:read"] };
    for (let keys = 3; keys < 20; keys++) await mara.expect(201, "POST", "/api/keys", more);
    await mara.refused("too_many_keys", "POST", "/api/keys", { json: more });
    const { sessions } = await mara.expect<{ sessions: Id[] }>(200, "GET", "/api/account/sessions");
    await signIn(this.#main, MARA, this.#client());
    expect(sessions).toHaveLength(1);
    const [ended] = (
      await mara.expect<{ sessions: (Id & { current: boolean })[] }>(
        ...([200, "GET", "/api/account/sessions"] as const),
      )
    ).sessions.filter(({ current }) => !current);
    await mara.expect(204, "DELETE", `/api/account/sessions/${ended?.id}`);
    await mara.refused("session_not_found", "DELETE", `/api/account/sessions/${ended?.id}`);
  }

  /** On services that allow one call of a kind per hour. */
  async limits(): Promise<void> {
    const stranger = this.#client(null, this.#tight);
    const ines = await signIn(this.#tight, "ines@acme.example", this.#client(null, this.#tight));
    const { key } = await keyOf(ines);
    const program = this.#client(key, this.#tight);
    const put = (name: string) => ["PUT", `/api/domains/by-name/${name}`] as const;
    const { claim } = await program.expect<DomainAndClaim>(201, ...put("acme.com"), {});
    await program.refused("too_many_claims", ...put("hooli.com"), { json: {} });
    const { id: domainId } = await program.expect<Id>(201, "POST", "/api/domains", {
      domain: "hooli.com",
    });
    await program.refused("too_many_claims", "POST", "/api/claims", { json: { domainId } });
    await program.refused("too_many_domains", ...put("globex.com"), { json: {} });
    const third = { json: { domain: "globex.com" } };
    await program.refused("too_many_domains", "POST", "/api/domains", third);
    const run = `/api/verifications/${claim.verificationId}/runs`;
    await program.expect(200, "POST", run);
    await program.refused("rate_limited", "POST", run);
    await stranger.get("/api/zones/acme.com");
    await stranger.refused("rate_limited", "GET", "/api/zones/acme.com");
    const record = { name: "_acme.acme.com", type: "TXT", value: "acme-verification=5f2a" };
    await stranger.refused("rate_limited", "POST", "/api/checks", { json: record });
    await stranger.get(`/api/proofs/${NO_SLUG}`);
    for (const below of ["", "/receipt", "/watch"])
      await stranger.refused("rate_limited", "GET", `/api/proofs/${NO_SLUG}${below}`);
    const token = { json: { token: "0".repeat(43) } };
    for (const path of ["magic-link/verify", "invitations/accept", "invitations/decline"])
      await stranger.refused("rate_limited", "POST", `/api/auth/${path}`, token);
    const person = { json: { email: "noa@acme.example" } };
    await ines.refused("rate_limited", "POST", "/api/people", person);
    for (const path of ["/api/auth/oidc", "/api/auth/oidc/callback"])
      await stranger.refused("not_found", "GET", path);
    const browser = await signIn(this.#narrow, MARA, this.#client(null, this.#narrow));
    await this.#client((await keyOf(browser)).key, this.#narrow).expect(200, "GET", "/api/limits");
    for (const path of ["/api/auth/oidc", "/api/auth/oidc/callback"])
      await browser.refused("rate_limited", "GET", path);
  }

  async service(program: Recorded, mara: Recorded): Promise<void> {
    const stranger = this.#client();
    for (const path of [
      "health",
      "health/live",
      "health/ready",
      "openapi.json",
      "openapi-3.0.json",
    ])
      await stranger.expect(200, "GET", `/api/${path}`);
    await stranger.refused("unauthenticated", "GET", "/api/domains");
    await program.refused("invalid_request", "POST", "/api/domains", {
      json: { name: "acme.com" },
    });
    await program.refused("not_found", "GET", "/api/nothing");
    await program.refused("method_not_allowed", "PUT", "/api/domains");
    const json = { "content-type": "application/json" };
    const large = { body: `"${"x".repeat(20_000)}"`, headers: json };
    await program.refused("payload_too_large", "POST", "/api/domains", large);
    const form = { headers: { "content-type": "application/x-www-form-urlencoded" } };
    await program.refused("unsupported_media_type", "POST", "/api/domains", {
      ...{ ...form, body: "domain=acme.com" },
    });
    const elsewhere = {
      json: { domain: "acme.com" },
      headers: { origin: "https://other.example" },
    };
    await mara.refused("cross_origin", "POST", "/api/domains", elsewhere);
    this.#write("alter table notices rename to renamed");
    await program.refused("internal", "GET", "/api/notices");
    this.#write("alter table renamed rename to notices");
  }

  /** The stream, which does not end by itself, and the refusal while twenty are open. */
  async streams(program: Recorded): Promise<void> {
    const headers = program.identity;
    const at = Date.now();
    const first = await followEvents(this.#main.url, headers);
    const name = "stream.acme.com";
    const made = await program.quietly("POST", "/api/domains", { domain: name });
    await expect.poll(() => first.heard.length, PATIENTLY).toBeGreaterThan(0);
    const answer = { status: 200, headers: first.headers, body: null, text: first.text };
    const request = { method: "GET", path: "/api/events", auth: "key" as const };
    this.recording.note({ at, request, answer });
    const others = [first];
    while (others.length < 20) others.push(await followEvents(this.#main.url, headers));
    await program.refused("rate_limited", "GET", "/api/events");
    for (const stream of others) stream.leave();
    await program.quietly("DELETE", `/api/domains/${made.id}`);
    const list = await program.quietly("GET", "/api/events/list?limit=100");
    this.events = list.events as Walk["events"];
  }

  async leaving(mara: Recorded): Promise<void> {
    await mara.expect(204, "POST", "/api/auth/sign-out-everywhere");
    const again = await signIn(this.#main, MARA, this.#client());
    await again.expect(204, "DELETE", "/api/account", { email: MARA });
  }

  async #posted(type: string): Promise<void> {
    const types = () => this.hooks.posts.map(({ body }) => JSON.parse(body).type);
    await expect.poll(types, PATIENTLY).toContain(type);
  }
}
