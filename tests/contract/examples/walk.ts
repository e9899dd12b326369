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
const RECORD = '{"name": "_acme.acme.com", "type": "TXT", "value": "acme-verification=5f2a"}';

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
    const { key } = await keyOf(mara);
    const program = this.#client(key);
    await this.keys(mara, key);
    await this.webhooks(program);
    const claim = await this.domains(program);
    await this.gate(mara);
    await this.proofs(program, claim);
    await this.rest(program);
    await this.streams(program);
    await this.testMode(mara);
    await this.people(mara);
    await this.limits();
    await this.service(program, mara);
    await this.leaving(mara);
  }

  async signingIn(mara: Recorded): Promise<void> {
    await this.#client().calls(
      `invalid_sign_in POST /api/auth/magic-link/verify {"token": "${"0".repeat(43)}"}`,
    );
    await mara.calls("200 GET /api/auth/session");
    const browser = this.#client();
    this.#provider.down = true;
    await browser.calls(`unavailable GET /api/auth/oidc?callbackPath=/domains
      unavailable GET /api/auth/oidc/callback?code=none`);
    this.#provider.down = false;
    this.#provider.person = { sub: "1", email: "kim@acme.example", email_verified: true };
    const { headers } = await browser.get("/api/auth/oidc?callbackPath=/domains");
    const { pathname, search } = await this.#provider.signIn(headers.get("location") ?? "");
    const back = pathname + search;
    expect((await browser.get(back)).headers.get("location")).toBe("/domains");
    await browser.calls(`invalid_sign_in GET ${back}
      204 POST /api/auth/sign-out`);
    await mara.calls(`200 GET /api/account
      200 PATCH /api/account {"mailEnabled": true}`);
  }

  async keys(mara: Recorded, key: string): Promise<void> {
    const { id } = await keyOf(mara, ["domains:read"]);
    await mara.calls(`200 GET /api/keys
      200 POST /api/keys/${id}/rotate
      200 DELETE /api/keys/${id}
      key_not_found POST /api/keys/${id}/rotate
      key_not_found DELETE /api/keys/${id}`);
    await this.#client(`${key}0`).calls("invalid_api_key GET /api/domains");
    await this.#client(key).calls("insufficient_scope GET /api/account");
  }

  /** Every message is posted here, also the examples' webhook. */
  async webhooks(program: Recorded): Promise<void> {
    const wanted = { url: `${this.hooksUrl}/deed`, events: EVENTS_SHOWN };
    const made = await program.expect<Id>(201, "POST", "/api/webhooks", wanted);
    const path = `/api/webhooks/${made.id}`;
    const { id } = await program.calls(`200 GET ${path}
      200 GET /api/webhooks
      202 POST ${path}/test`);
    await this.#posted("webhook.test");
    const state = async () => (await program.quietly("GET", `${path}/deliveries/${id}`)).state;
    const delivered = () => expect.poll(state, PATIENTLY).toBe("delivered");
    await delivered();
    await program.calls(`200 GET ${path}/deliveries
      200 GET ${path}/deliveries/${id}
      202 POST ${path}/deliveries/${id}/resend`);
    await delivered();
    const url = JSON.stringify({ url: this.hooksUrl });
    const other = await program.calls(`201 POST /api/webhooks ${url}`);
    const place = `/api/webhooks/${other.id}`;
    const since = JSON.stringify({ since: new Date(Date.now() - DAY * 1_000).toISOString() });
    await program.calls(`200 PATCH ${place} {"events": ["claim.proved"]}
      200 POST ${place}/rotate
      delivery_not_found GET ${place}/deliveries/${none("dlv")}
      delivery_not_found POST ${place}/deliveries/${none("dlv")}/resend
      200 PATCH ${path} {"enabled": false}
      webhook_disabled POST ${path}/test
      webhook_disabled POST ${path}/deliveries/${id}/resend
      webhook_disabled POST ${path}/resend ${since}`);
    // The event is kept, for a disabled webhook.
    const missed = { domain: "hooli.com", reference: "customer-0" };
    await program.quietly("POST", "/api/domains", missed);
    await program.calls(`200 PATCH ${path} {"enabled": true}
      202 POST ${path}/resend ${since}
      ${`201 POST /api/webhooks ${url}\n`.repeat(8)}
      too_many_webhooks POST /api/webhooks ${url}
      204 DELETE ${place}
      webhook_not_found GET ${place}
      webhook_not_found PATCH ${place} {"enabled": true}
      webhook_not_found DELETE ${place}
      webhook_not_found POST ${place}/rotate
      webhook_not_found POST ${place}/test
      webhook_not_found POST ${place}/resend ${since}
      webhook_not_found GET ${place}/deliveries
      webhook_not_found GET ${place}/deliveries/${id}
      webhook_not_found POST ${place}/deliveries/${id}/resend`);
  }

  async domains(program: Recorded): Promise<DomainAndClaim> {
    const at = (name: string) => `/api/domains/by-name/${name}`;
    await program.calls(`invalid_domain PUT ${at("192.0.2.1")} {}
      invalid_domain GET ${at("192.0.2.1")}
      invalid_domain POST /api/domains {"domain": "192.0.2.1"}
      invalid_domain GET /api/domains?name=192.0.2.1
      invalid_domain GET /api/zones/192.0.2.1
      no_delegation GET /api/zones/unregistered.example`);
    this.#playground.addZone({ name: "broken.example", nameservers: ["ns1.hosting.example"] });
    this.#playground.setServerFault("ns1.hosting.example", "servfail", "broken.example");
    await program.calls("unresolvable GET /api/zones/broken.example");
    await program.get("/api/zones/acme.com");
    await this.#client().calls(`200 POST /api/checks ${RECORD}
      invalid_domain POST /api/checks ${RECORD.replace("_acme.acme.com", "a..b")}`);
    // Its root servers do not answer.
    await this.#client(null, this.#narrow).calls(`unresolvable POST /api/checks ${RECORD}`);
    const missing = `/api/domains/${none("dom")}`;
    const back = '{"returnUrl": "https://app.initech.example/done"}';
    await program.calls(`domain_not_found GET ${at("acme.com")}
      domain_not_found GET ${missing}
      domain_not_found DELETE ${missing}
      domain_not_found POST ${missing}/archive
      domain_not_found POST ${missing}/unarchive
      domain_not_found GET /api/claims?domainId=${none("dom")}
      domain_not_found POST /api/claims {"domainId": "${none("dom")}"}`);

    const asked = { reference: "customer-1", handoff: { title: "Connect your domain" } };
    const made = await program.expect<DomainAndClaim>(201, "PUT", at("acme.com"), asked);
    const { claim, domain } = made;
    const stranger = this.#client();
    const shared = `/api/handoffs/${made.handoff?.slug}`;
    const verification = `/api/verifications/${claim.verificationId}`;
    await program.calls(`claim_not_found PUT ${at("globex.com")} {"again": "${none("clm")}"}
      origin_not_registered PUT ${at("acme.com")} {"handoff": ${back}}`);
    this.#publish("acme.com", `${claim.records[0]?.name}.acme.com`, claim.token);
    await program.calls(`200 POST ${verification}/runs`);
    await this.#posted("claim.needs_attention");
    await program.calls(`200 GET ${verification}
      200 GET /api/claims/${claim.id}`);
    await stranger.calls(`200 GET ${shared}`);
    await program.calls(`204 POST /api/claims/${claim.id}/waiting`);
    await stranger.calls(`204 POST ${shared}/waiting
      handoff_not_found GET /api/handoffs/${NO_SLUG}
      handoff_not_found POST /api/handoffs/${NO_SLUG}/waiting`);
    const other = await program.calls(`already_claimed POST /api/claims {"domainId": "${domain.id}"}
      201 POST /api/domains {"domain": "globex.com", "reference": "customer-2"}`);
    const globex = `${at("globex.com")}?reference=customer-2`;
    const opened = await program.calls(`claim_not_found GET ${globex}
      201 POST /api/claims {"domainId": "${other.id}"}`);
    const place = `/api/claims/${opened.id}`;
    const title = '{"title": "Connect your domain"}';
    await program.calls(`handoff_not_found POST ${place}/handoff/revoke
      201 POST ${place}/handoff ${title}
      origin_not_registered POST ${place}/handoff ${back}
      200 GET /api/claims?domainId=${other.id}`);
    await this.#unproved(program, place);
    await program.calls(`200 POST ${place}/handoff/revoke
      201 POST ${place}/handoff ${title}
      200 POST ${place}/cancel`);
    await this.#posted("claim.ended");
    const absent = `/api/claims/${none("clm")}`;
    for (const below of ["cancel", "waiting", `handoff ${title}`, "handoff/revoke"])
      await program.calls(`claim_ended POST ${place}/${below}
        claim_not_found POST ${absent}/${below}`);
    const nobody = `/api/verifications/${none("ver")}`;
    await program.calls(`verification_not_running POST /api/verifications/${opened.verificationId}/runs
      verification_not_found GET ${nobody}
      verification_not_found POST ${nobody}/runs
      verification_not_found GET ${nobody}/attempts
      200 POST /api/domains/${other.id}/archive
      domain_archived GET ${globex}
      domain_archived PUT ${at("globex.com")} {"reference": "customer-2"}
      domain_archived POST /api/claims {"domainId": "${other.id}"}
      200 POST /api/domains/${other.id}/unarchive`);
    await this.#posted("domain.unarchived");
    await program.calls(`204 DELETE /api/domains/${other.id}`);

    this.#publish("acme.com", String(claim.records[0]?.name), claim.token);
    const proved = await program.quietly("POST", `${verification}/runs`);
    expect(proved).toMatchObject({ status: "proved" });
    await program.calls(`200 GET ${verification}/attempts
      200 GET ${at("acme.com")}?reference=customer-1
      200 GET /api/domains/${domain.id}
      200 GET /api/domains?limit=1`);
    await stranger.calls(`handoff_ended GET ${shared}
      handoff_ended POST ${shared}/waiting`);
    return made;
  }

  async gate(mara: Recorded): Promise<void> {
    const { key } = await keyOf(mara, ["gate:ask"]);
    const proxy = this.#client();
    const place = `/api/gate/${key}?domain=acme.com`;
    await expect.poll(() => proxy.quietly("GET", place), PATIENTLY).toEqual({ holds: true });
    await proxy.calls(`200 GET ${place}
      not_found GET /api/gate/${key}?domain=globex.com`);
  }

  /** Refusals for a claim without a proof. */
  async #unproved(program: Recorded, open: string): Promise<void> {
    const absent = `/api/claims/${none("clm")}`;
    for (const below of ["receipt", "opening", "evidence"])
      await program.calls(`claim_not_proved GET ${open}/${below}
        claim_not_found GET ${absent}/${below}`);
    await program.calls(`claim_not_proved POST ${open}/proof_links
      claim_not_proved PUT ${open}/watch {}
      not_watched GET ${open}/watch
      claim_not_found GET ${absent}
      claim_not_found POST ${absent}/proof_links
      claim_not_found GET ${absent}/proof_links
      claim_not_found POST ${absent}/proof_links/${NO_SLUG}/revoke
      claim_not_found PUT ${absent}/watch {}
      claim_not_found GET ${absent}/watch
      claim_not_found DELETE ${absent}/watch`);
  }

  async proofs(program: Recorded, { claim, domain }: DomainAndClaim): Promise<void> {
    const stranger = this.#client();
    const own = `/api/claims/${claim.id}`;
    const { slug } = await program.calls(`201 POST ${own}/proof_links`);
    const proof = `/api/proofs/${slug}`;
    await stranger.calls(`200 GET ${proof}
      not_watched GET ${proof}/watch`);
    await program.calls(`200 PUT ${own}/watch {"every": "day"}`);
    await expect
      .poll(() => program.quietly("GET", `${own}/watch`), PATIENTLY)
      .toMatchObject({ checkedAt: expect.any(String), registration: expect.anything() });
    await program.calls(`200 GET ${own}/watch`);
    await stranger.calls(`200 GET ${proof}/watch`);
    const { headers } = await stranger.get(`${proof}/receipt`);
    await stranger.request("GET", `${proof}/receipt`, {
      headers: { "if-none-match": headers.get("etag") ?? "" },
    });
    await program.calls(`200 GET ${own}/receipt
      200 GET ${own}/opening
      200 GET ${own}/evidence`);
    await stranger.calls(`proof_not_found GET /api/proofs/${NO_SLUG}
      proof_not_found GET /api/proofs/${NO_SLUG}/receipt
      proof_not_found GET /api/proofs/${NO_SLUG}/watch`);

    // As for a proof from before receipts.
    this.#write(
      "pragma foreign_keys = off; create table kept as select * from receipts; delete from receipts",
    );
    await stranger.calls(`receipt_not_found GET ${proof}/receipt`);
    await program.calls(`receipt_not_found GET ${own}/receipt
      receipt_not_found GET ${own}/opening
      receipt_not_found GET ${own}/evidence`);
    this.#write("insert into receipts select * from kept; drop table kept");

    await program.calls(`200 GET ${own}/proof_links`);
    const ago = Date.now() - 5 * DAY * 1_000;
    this.#write(`update watches set state = 'missing', missing_since = ${ago}, finding = 'gone',
      finding_since = ${ago}, told = '["missing"]', next_read_at = ${Date.now()}`);
    await this.#posted("watch.published");
    await program.calls(`204 DELETE ${own}/watch
      200 POST ${own}/proof_links/${slug}/revoke`);
    await stranger.calls(`proof_revoked GET ${proof}
      proof_revoked GET ${proof}/receipt
      proof_revoked GET ${proof}/watch`);
    await program.calls(`proof_link_not_found POST ${own}/proof_links/${slug}/revoke`);
    const archive = (path: string, json?: object) => program.quietly("POST", path, json);
    await archive(`/api/domains/${domain.id}/archive`);
    await program.calls(`domain_archived POST ${own}/proof_links
      domain_archived PUT ${own}/watch {}`);
    await archive(`/api/domains/${domain.id}/unarchive`);
    for (const domain of ["initech.com", "hooli.com"])
      await archive("/api/domains", { domain, reference: "customer-9" });
    await program.calls("200 DELETE /api/domains?reference=customer-9");
  }

  async rest(program: Recorded): Promise<void> {
    const { notices } = await program.expect<{ notices: Id[] }>(200, "GET", "/api/notices?limit=2");
    await program.calls(`200 POST /api/notices/${notices[0]?.id}/read
      notice_not_found POST /api/notices/${none("ntc")}/read
      200 GET /api/events/list?limit=3
      not_found POST /api/test/clock {"seconds": 60}
      not_found POST /api/test/reset`);
  }

  /** Things that take days, with a test key: a claim that expires, and everything a watch can see. */
  async testMode(mara: Recorded): Promise<void> {
    const scopes = ["domains:read", "domains:write", "webhooks:manage"];
    const { key } = await keyOf(mara, scopes, true);
    const program = this.#client(key);
    this.testedFrom = Date.now() - 1;
    const wanted = { url: `${this.hooksUrl}/test`, events: EVENTS_SHOWN };
    await program.expect(201, "POST", "/api/webhooks", wanted);
    const names = "proved expired missing lapsed moved gone registered-again expiring".split(" ");
    for (const name of names)
      await program.quietly("PUT", `/api/domains/by-name/${name}.test`, { watch: true });
    await program.calls('200 POST /api/test/clock {"seconds": 60}');
    const move = (json: object) => program.quietly("POST", "/api/test/clock", json);
    let now = Date.parse(String((await move({ seconds: 0 })).now));
    const until = now + 42 * DAY * 1_000;
    while (now < until) {
      const seconds = Math.min(8 * DAY, Math.ceil((until - now) / 1_000));
      now = Date.parse(String((await move({ seconds })).now));
    }
    for (const type of EVENTS_SHOWN) await this.#posted(type);
    await program.calls("204 POST /api/test/reset");
  }

  async people(mara: Recorded): Promise<void> {
    const token = async (name: string) => {
      const find = () =>
        this.#main
          .outbox()
          .filter((mail) => mail.includes(`\nTo: ${name}@acme.example\n`))
          .map((mail) => /\/sign-in\/invitation\?token=([\w-]{43})/.exec(mail)?.[1])
          .findLast(Boolean);
      await expect.poll(find, PATIENTLY).toBeTruthy();
      return `{"token": "${find()}"}`;
    };
    const [accept, decline] = ["/api/auth/invitations/accept", "/api/auth/invitations/decline"];
    const [noa, other] = [this.#client(), this.#client()];
    const invite = (name: string) => `POST /api/people {"email": "${name}@acme.example"}`;
    await mara.calls(`201 ${invite("noa")}`);
    const used = await token("noa");
    const disabled = (at: string) => this.#write(`update accounts set disabled_at = ${at}`);
    disabled(`${Date.now()}`);
    await noa.calls(`invalid_sign_in POST ${accept} ${used}`);
    disabled("null");
    await noa.calls(`200 POST ${accept} ${used}`);
    await other.calls(`invitation_not_found POST ${accept} ${used}
      invitation_not_found POST ${decline} ${used}`);
    const lou = await mara.calls(`already_in_account ${invite("noa")}
      201 ${invite("lou")}`);
    const { people } = await mara.expect<{ people: Id[] }>(200, "GET", "/api/people");
    await other.calls(`204 POST ${decline} ${await token("lou")}`);
    const ivo = await mara.calls(`201 ${invite("ivo")}`);
    await mara.calls(`204 DELETE /api/invitations/${ivo.id}
      invitation_not_found DELETE /api/invitations/${lou.id}`);

    const kim = await signIn(this.#main, "kim@acme.example", this.#client());
    await kim.calls('201 POST /api/domains {"domain": "hooli.com"}');
    await mara.calls(`201 ${invite("kim")}`);
    await other.calls(`address_has_account POST ${accept} ${await token("kim")}`);
    for (let more = 3; more <= 20; more++) await mara.calls(`201 ${invite(`colleague-${more}`)}`);
    await mara.calls(`too_many_people ${invite("one-more")}`);
    await noa.calls('not_first_address DELETE /api/account {"email": "noa@acme.example"}');
    await mara.calls(`person_not_found DELETE /api/people/${none("per")}
      first_address_stays DELETE /api/people/${people[0]?.id}
      204 DELETE /api/people/${people[1]?.id}`);

    const more = 'POST /api/keys {"name": "One more", "scopes": ["domains:read"]}';
    await mara.calls(`${`201 ${more}\n`.repeat(17)}too_many_keys ${more}`);
    type Sessions = { sessions: (Id & { current: boolean })[] };
    const listed = () => mara.expect<Sessions>(200, "GET", "/api/account/sessions");
    expect((await listed()).sessions).toHaveLength(1);
    await signIn(this.#main, MARA, this.#client());
    const ended = (await listed()).sessions.find(({ current }) => !current);
    await mara.calls(`204 DELETE /api/account/sessions/${ended?.id}
      session_not_found DELETE /api/account/sessions/${ended?.id}`);
  }

  /** On services that allow one call of a kind per hour. */
  async limits(): Promise<void> {
    const stranger = this.#client(null, this.#tight);
    const ines = await signIn(this.#tight, "ines@acme.example", this.#client(null, this.#tight));
    const { key } = await keyOf(ines);
    const program = this.#client(key, this.#tight);
    const put = (name: string) => `PUT /api/domains/by-name/${name} {}`;
    const made = await program.calls(`201 ${put("acme.com")}`);
    const run = `POST /api/verifications/${(made as DomainAndClaim).claim.verificationId}/runs`;
    const { id } = await program.calls(`too_many_claims ${put("hooli.com")}
      201 POST /api/domains {"domain": "hooli.com"}`);
    await program.calls(`too_many_claims POST /api/claims {"domainId": "${id}"}
      too_many_domains ${put("globex.com")}
      too_many_domains POST /api/domains {"domain": "globex.com"}
      200 ${run}
      rate_limited ${run}`);
    await stranger.get("/api/zones/acme.com");
    await stranger.calls(`rate_limited GET /api/zones/acme.com
      rate_limited POST /api/checks ${RECORD}`);
    await stranger.get(`/api/proofs/${NO_SLUG}`);
    const token = `{"token": "${"0".repeat(43)}"}`;
    await stranger.calls(`rate_limited GET /api/proofs/${NO_SLUG}
      rate_limited GET /api/proofs/${NO_SLUG}/receipt
      rate_limited GET /api/proofs/${NO_SLUG}/watch
      rate_limited POST /api/auth/magic-link/verify ${token}
      rate_limited POST /api/auth/invitations/accept ${token}
      rate_limited POST /api/auth/invitations/decline ${token}`);
    await ines.calls('rate_limited POST /api/people {"email": "noa@acme.example"}');
    await stranger.calls(`not_found GET /api/auth/oidc
      not_found GET /api/auth/oidc/callback`);
    const browser = await signIn(this.#narrow, MARA, this.#client(null, this.#narrow));
    await this.#client((await keyOf(browser)).key, this.#narrow).calls("200 GET /api/limits");
    await browser.calls(`rate_limited GET /api/auth/oidc
      rate_limited GET /api/auth/oidc/callback`);
  }

  async service(program: Recorded, mara: Recorded): Promise<void> {
    await this.#client().calls(`200 GET /api/health
      200 GET /api/health/live
      200 GET /api/health/ready
      200 GET /api/openapi.json
      200 GET /api/openapi-3.0.json
      unauthenticated GET /api/domains`);
    await program.calls(`invalid_request POST /api/domains {"name": "acme.com"}
      not_found GET /api/nothing
      method_not_allowed PUT /api/domains`);
    const json = { "content-type": "application/json" };
    const large = { body: `"${"x".repeat(20_000)}"`, headers: json };
    await program.refused("payload_too_large", "POST", "/api/domains", large);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const form = { headers, body: "domain=acme.com" };
    await program.refused("unsupported_media_type", "POST", "/api/domains", form);
    const elsewhere = {
      json: { domain: "acme.com" },
      headers: { origin: "https://other.example" },
    };
    await mara.refused("cross_origin", "POST", "/api/domains", elsewhere);
    this.#write("alter table notices rename to renamed");
    await program.calls("internal GET /api/notices");
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
    await mara.calls("204 POST /api/auth/sign-out-everywhere");
    const again = await signIn(this.#main, MARA, this.#client());
    await again.calls(`204 DELETE /api/account {"email": "${MARA}"}`);
  }

  async #posted(type: string): Promise<void> {
    const types = () => this.hooks.posts.map(({ body }) => JSON.parse(body).type);
    await expect.poll(types, PATIENTLY).toContain(type);
  }
}
