import { anchorLine } from "@deed/dns/dnssec/anchors.ts";
import { signAround } from "@deed/dns/testing/dnssec/signer.ts";
import { DIAGNOSIS_CODES } from "@deed/dns/verdict/diagnosis.ts";
import { txt } from "@deed/playground/records.ts";
import type { Statement } from "@deed/receipt/statement.ts";
import {
  base64url,
  ISSUER,
  makeWorld,
  receiptOf,
  SECURE,
  STATEMENT,
  sha256,
} from "@deed/receipt/testing/issuer.ts";
import { expect, type Page } from "@playwright/test";
import { mailedToken } from "../../support/deed.ts";
import type { Seeded } from "./seed.ts";
import type { GalleryServices } from "./services.ts";

type Arrive = (page: Page, gallery: GalleryServices) => Promise<unknown>;
/** How to get there: a path, the key of a path in seed.ts (perhaps with more after it), or a function. */
type Way = string | Arrive;

/** One screen in one state: who views it, how to get there, and text that identifies it. */
export type State = {
  name: string;
  as: keyof Seeded["sessions"] | "stranger";
  arrive: Arrive;
  /** Its address, or null if opening an address is not enough. */
  address(gallery: GalleryServices): string | null;
  shows: RegExp;
  status: number;
};

type Row = [name: string, way: Way, shows: RegExp, status?: number];

function addressOf(way: string, { seeded, service }: GalleryServices): string {
  const [, key = "", more = ""] = /^(\w*)(.*)$/.exec(way) ?? [];
  const where = key === "" ? "" : seeded.paths[key];
  if (where === undefined) throw new Error(`nothing was seeded as ${key}`);
  return service.url + where + more;
}
const go =
  (way: Way): Arrive =>
  (page, gallery) =>
    typeof way === "string" ? page.goto(addressOf(way, gallery)) : way(page, gallery);
const unfold =
  (way: Way, ...words: (string | RegExp)[]): Arrive =>
  async (page, gallery) => {
    await go(way)(page, gallery);
    for (const each of words) await page.getByText(each).click();
  };
type Fill = (page: Page) => Promise<unknown>;
const type =
  (label: string | RegExp, text: string): Fill =>
  (page) =>
    page.getByLabel(label).first().fill(text);
const tick =
  (name: string): Fill =>
  (page) =>
    page.getByLabel(name, { exact: true }).check();
const open =
  (words: string): Fill =>
  (page) =>
    page.getByText(words).click();
const send =
  (way: Way, button: string, ...fills: Fill[]): Arrive =>
  async (page, gallery) => {
    await go(way)(page, gallery);
    for (const fill of fills) await fill(page);
    const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
    await page.getByRole("button", { name: button }).first().click();
    await answered;
  };
/** Chooses a file on the page that checks receipts, and fills "More options". */
const verify =
  (
    fileOf: (page: Page, gallery: GalleryServices) => Promise<Buffer>,
    typed: Record<string, string> = {},
  ): Arrive =>
  async (page, gallery) => {
    const buffer = await fileOf(page, gallery);
    await go("/verify")(page, gallery);
    if (Object.keys(typed).length > 0)
      await page.getByText("More options", { exact: true }).click();
    for (const [label, text] of Object.entries(typed)) await page.getByLabel(label).fill(text);
    await page
      .getByLabel("Drop a receipt here")
      .setInputFiles({ name: "receipt.json", mimeType: "application/json", buffer });
    // With script, the verdict is there and the form may be folded by now.
    await page.locator("[data-verify] .primary").dispatchEvent("click");
    await page.locator(".panel").first().waitFor();
  };
/** A receipt made two days ago for a signed domain, with the key and the anchor that make it good. `own`: what its statement says otherwise. */
const made =
  (own: Partial<Statement> = {}, isSigned = true): Arrive =>
  async (page, gallery) => {
    const iat = Math.floor(Date.now() / 1_000) - 2 * 86_400;
    signAround(iat);
    const world = await makeWorld();
    const provedAt = new Date(iat * 1_000 + 250).toISOString();
    const statement = { ...STATEMENT, ...SECURE, iat, provedAt, ...own };
    const chain = isSigned ? await world.signed(statement) : null;
    const about = `Its link: ${statement.iss}/p/0123456789abcdefghijklmnop`;
    const file = Buffer.from(JSON.stringify({ ...receiptOf(ISSUER, statement, chain), about }));
    await verify(async () => file, {
      "The key you expect": ISSUER.kid,
      "Root keys of another DNS": world.anchors.map(anchorLine).join("\n"),
    })(page, gallery);
  };
const UNSHOWN = { dnssec: "indeterminate", assurance: "witnessed" } as const;
/** As if made for somebody else. */
const DRESSED = { heldBy: "t•••@thief.example", holderCommitment: base64url(sha256("thief")) };
const noReceipt = verify(async () => Buffer.from("a picture"));
const faulty: Arrive = async (page, gallery) => {
  const answer = await page.goto(addressOf("broken", gallery));
  const reference = answer?.headers()["x-request-id"] ?? "none";
  await expect(page.locator("main")).toContainText(`reference: ${reference}`);
};
const proofChecked: Arrive = async (page, gallery) => {
  await go("proof_proved")(page, gallery);
  await page.getByRole("button", { name: "Check again" }).click();
  await page.locator("[data-verdict] .label").waitFor();
  await expect(page).toHaveTitle(/^Not confirmed · Proof of control/);
};
const MENDED = "mended.example";
const CHALLENGE = `_github-challenge-acme.${MENDED}`;
const CODE = "google-site-verification=lVXLFmpqKPmkAo0hBsKd1nVzOtxEQ-rNgFb7yqJJtSM";
const mended = new WeakSet<object>();
/** The check of a record in a zone at GoDaddy. */
const checked =
  (name: string, value: string): Arrive =>
  async (page, gallery) => {
    const { playground } = gallery;
    if (!mended.has(playground)) {
      playground.addZone({ name: MENDED, nameservers: ["ns61.domaincontrol.com"] });
      playground.addRecord(MENDED, txt(`${CHALLENGE}.${MENDED}`, "5fd2a1c0de"));
      playground.addRecord(MENDED, txt(`_gh-acme.${MENDED}`, "5fd2a1c0de"));
      playground.addRecord(MENDED, txt(MENDED, CODE));
      playground.addRecord(MENDED, txt(MENDED, "v=spf1 -all"));
    }
    mended.add(playground);
    const fill = [type("Name", name), type("Value", value)];
    await send("/check", "Check this record", ...fill)(page, gallery);
  };

const signInAs = (email: string) =>
  send("/sign-in", "Email me a link", type(/email address/i, email));
const mailed =
  (email: string): Arrive =>
  async (page, gallery) => {
    await signInAs(email)(page, gallery);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Check your email");
    const { service } = gallery;
    await page.goto(`${service.url}/sign-in/confirm?token=${mailedToken(service, email)}`);
  };
const wrongCode =
  (email: string): Arrive =>
  async (page, gallery) => {
    await signInAs(email)(page, gallery);
    await send("/sign-in/sent", "Sign in", type("The six-digit code", "wrong"))(page, gallery);
  };
const add = (name: string) =>
  send(
    "/domains",
    "Add domain",
    (page) => page.locator("summary", { hasText: "Add domain" }).click(),
    type("Your domain", name),
  );
const CHECK = send("waiting", "Check now");
const TICKED = tick("history.example");
const lines = (text: string) => [
  open("Add several domains, or one for a customer"),
  type("Domains, one per line", text),
];
const twice: Arrive = async (page, { strict }) => {
  for (let visit = 0; visit < 2; visit++) await page.goto(`${strict.url}/zones/acme.com`);
};
const READS = /^History: /;
const BACK = /Back to app\.hooks\.example/;

const ROWS: Record<State["as"], Row[]> = {
  stranger: [
    ["landing", "/", /Your domain/],
    ["zone", "/zones/acme.com", /GoDaddy/],
    ["zone-internationalised", "/zones?name=https%3A%2F%2Fb%C3%BCcher.example", /Left out: http/],
    ["zone-unregistered", "/zones/nobody-has-this.com", /\.com\s+lists no nameservers/, 404],
    ["check", "/check", /Or paste the whole record/],
    ["check-name-twice", checked(CHALLENGE, "5fd2a1c0de"), /In GoDaddy, edit the record/],
    ["check-nearest", checked(MENDED, CODE.replace("lVX", "mVX")), /Found.*Expected value/s],
    [
      "check-found",
      checked(`_gh-acme.${MENDED}`, "5fd2a1c0de"),
      /Found on the nameserver.*5fd2a1c0de/s,
    ],
    ["check-refused", send("/check", "Check this record", type("Name", "_x")), /full name/, 400],
    ["sign-in-to-prove", "/sign-in?next=%2Fzones%2Facme.com%3Fprove", /Sign in to prove acme\.com/],
    ["sign-in", "/sign-in", /Email me a link/],
    ["sign-in-to-open", "/account", /Sign in to open that page/],
    ["sign-in-sent", signInAs("sent@visitor.example"), /Check your email/],
    ["sign-in-confirm", mailed("confirm@visitor.example"), /Sign in as/],
    ["sign-in-failed", "/sign-in/confirm?token=nothing", /Ask for a new link/, 401],
    ["sign-in-code", wrongCode("code@visitor.example"), /This code is wrong/, 401],
    ["invitation", "invitation", /kim@elsewhere\.example/],
    ["proof-live", "proof_proved", /Not confirmed.*Proved again later/s],
    // After this receipt, its key was rotated.
    [
      "proof-checked",
      proofChecked,
      /issued by \S+ Not confirmed(?!\s*Not confirmed).*key was replaced.*Ask the holder to prove/s,
    ],
    ["proof-half-answered", "proof_half", /1 of 2 nameservers \(1 did not answer\)/],
    ["proof-signed", "proof_signed", /by the domain’s own signatures/],
    ["proof-servers", unfold("proof_most", "Details"), /Resolver \w+ did not have the record/],
    ["proof-before-receipts", "proof_early", /from before Deed signed receipts/],
    ["proof-right-to-left", "proof_rtl", /xn--/],
    ["proof-revoked", "proof_revoked", /The holder stopped sharing this proof/, 410],
    ["proof-unknown", "/p/00000000000000000000000000", /No proof at this address/, 404],
    ["watch-proof-published", "watch_published_proof", /Still good: the record was last seen on/],
    ["watch-proof-missing", "watch_lapsed_proof", /The record has been missing since/],
    ["watch-proof-moved", "watch_moved_proof", /all nameservers of the domain have changed/],
    ["watch-proof-registered-again", "watch_again_proof", /perhaps by someone else/],
    ["watch-proof-no-rdap", "watch_unasked_proof", /Deed cannot ask its registry/],
    ["watch-stop", "watch_missing_stop", /Stop watching this record\?/],
    ["watch-stopped", "watch_deleted_stop", /Deed does not watch this record/],
    ["handoff-open", "handoff_open", /Only add this if you recognize this request/],
    ["handoff-proved", "handoff_proved", /person who asked has been notified/, 410],
    ["handoff-expired", "handoff_expired", /Expired on/, 410],
    ["handoff-customer", "customer", BACK],
    ["handoff-customer-proved", "customer_proved", BACK, 410],
    ["handoff-customer-alone", "customer_alone", /Deed did not check what they wrote/],
    ["handoff-no-way-back", "customer_left/back", /no link back to app\.former\.example/],
    ["mails-stop", "mails_open", /Stop emails that ask for a record\?/],
    ["mails-stopped", "mails_stopped", /Emails stopped/],
    ["handoff-unknown", "/h/00000000000000000000000000", /This link does not work/, 404],
    ["verify-options", unfold("/verify", /^More options$/), /Root keys of another DNS/],
    ["verify-no-receipt", noReceipt, /This isn’t a Deed receipt/],
    ["verify-good", made(), /Good: signed by the domain’s own keys/],
    ["verify-weaker", made(UNSHOWN, false), /Genuine, if .*If you trust deed\.example, it proves/s],
    ["verify-bad", made(DRESSED), /Bad: do not rely on this receipt/],
    ["docs", "/docs", /Your provider/],
    ["docs-what-is-this", "/docs/what-is-this", /You were sent a proof/],
    ["docs-how-to-check", "/docs/how-to-check", /To check it years later/],
    ["docs-assurance", "/docs/assurance", /What none of these words says/],
    ["docs-test-mode", "/docs/test-mode", /lame-delegation\.test/],
    ["docs-rule", "/docs/rules/deed-proof-3", /What must be found/],
    ["docs-providers", "/docs/providers", /Which is mine/],
    ["docs-provider-godaddy", "/docs/providers/godaddy", /What to type/],
    ["docs-diagnoses", "/docs/diagnoses", /domain_appended/],
    ["docs-diagnosis", "/docs/diagnoses/domain_appended", /See it yourself/],
    ["docs-integrate", "/docs/integrate", /Your first proof/],
    ["docs-recipe", "/docs/integrate/gate", /requireProof/],
    ["docs-api", "/docs/api", /openapi\.json/],
    ["docs-api-section", "/docs/api/claims", /POST \/api\/claims/],
    ["docs-operate", "/docs/operate/backup", /deed restore/],
    ["docs-search", "/docs/search?q=too+many", /too_many_claims/],
    ["docs-errors", "/docs/errors", /rate_limited/],
    ["error-404", "/nowhere", /Page not found.*Sign in/s, 404],
    ["error-429", twice, /Too many requests/, 429],
  ],
  newcomer: [
    ["domains-empty", "/domains", /No domains yet/],
    ["notices-empty", "/notices", /Nothing yet/],
    ["api-keys-none", "/account/keys", /No keys yet/],
    ["people-alone", "/account/people", /first address/],
    ["webhooks-none", "/account/webhooks", /No webhooks/],
  ],
  team: [
    ["people-full", "/account/people", /colleague18@team\.example/],
    ["person-with-webhook", "colleague", /Take over/],
    [
      "webhook-added",
      send(
        "/account/webhooks",
        "Add webhook",
        type("Address", "https://hooks.team.example/proofs"),
      ),
      /whsec_/,
    ],
    ["domains-references", "/domains", /for cust_77/],
    ["domain-deleted-of-reference", "/domains?deleted=acme.com&customer=cust_9", /for cust_9 was/],
    ["domains-of-reference", "/domains?reference=cust_42", /portal\.example/],
    ["claim-reference", "reference_open", /for cust_77/],
    ["archive-reference", "reference_archive", /for https/],
    ["claim-www-removed", "www_removed", /Without www/],
    ["claim-shared-with-words", "customer_claim", /Send this link to whoever/],
    ["api-keys", "/account/keys", /expires in 9 days/],
    ["api-key", "key", /Rotate the key/],
    ["api-key-rotated", send("key", "Rotate the key"), /works until/],
    ["api-key-revoke", "key?revoke", /Every program that uses it/],
  ],
  hooked: [
    ["api-keys-created", send("/account/keys", "Create a key", type("Name", "CI")), /deed_key_/],
    [
      "api-keys-gate",
      send("/account/keys", "Create a key", type("Name", "Caddy"), async (page) => {
        for (const scope of ["domains:read", "domains:write"])
          await page.getByLabel(scope).uncheck();
        await page.getByLabel("gate:ask").check();
      }),
      /Your proxy calls this address/,
    ],
    ["webhook", "webhook", /HTTP 503/],
    ["webhook-key-revoked", "webhook_revoked", /within a day/],
    ["api-key-revoke-webhooks", "hook_key?revoke", /will be disabled.*may have set up/s],
    ["webhook-delivery", "delivery_failed", /no such hook/],
    ["webhook-delivery-waiting", "delivery_pending", /in 2 hours/],
    ["webhook-rotated", send("webhook", "Rotate the secret"), /whsec_/],
    ["webhook-delete", "webhook?delete", /Delete this webhook/],
    ["account-webhooks", "/account", /\d of \d enabled/],
    [
      "webhooks-choose",
      unfold("/account/webhooks", /^Events: /, /^Choose$/),
      /Disabled.*A domain was checked|A domain was checked.*Disabled/s,
    ],
  ],
  operator: [
    ["admin", "/admin", /gone@rival\.example/],
    ["admin-found", "/admin?q=rival&sort=address", /2 accounts, 1 disabled/],
    ["admin-account", "disable", /joao@rival/],
    ["admin-account-disabled", "disabled", /Disabled since.*can sign in again.*Enable the/s],
    ["admin-disable", "disable?disable", /joao@rival/],
  ],
  watcher: [
    ["watch-published", "watch_published", /was registered on 4 March 2019/],
    ["watch-undated", "watch_undated", /The registry does not say when/],
    ["watch-registered-again", "watch_again", /again\.example was registered again/],
    ["watch-missing", "watch_missing", /Watched, missing since/],
    ["watch-lapsed", "watch_lapsed", /has lost its record/],
    ["watch-moved", "watch_moved", /has moved to other nameservers/],
    ["watch-list", "/domains", /Moved to other nameservers.*\d minutes? ago/s],
    ["watch-none-deleted", "watch_deleted", /The TXT record was deleted/],
    ["watch-none-needed", "watch_needed", /Other values at this name/],
  ],
  holder: [
    ["domains-few", "/domains", /harbour\.example|handed/],
    ["domains-archived", "/domains?archived=true", /archived/],
    ["domains-found", "/domains?q=harbour", /harbour\.example/],
    ["domains-by-name", "/domains?status=pending&sort=name", /By name|by name/],
    ["domains-none-found", "/domains?q=elsewhere.example", /Add elsewhere\.example/],
    ["domains-archive-ticked", send("/domains", "Archive…", TICKED, tick("acme.com")), /Archive 2/],
    [
      "domains-ticked-refused",
      send("/domains", "Watch", tick("unclaimed.example")),
      /No domain watched/,
    ],
    ["domains-add-refused", add("not a name"), /A domain cannot contain/, 400],
    [
      "session-ended",
      send("/domains", "Prove all", ...lines("acme.com\nglobex.com"), (page) =>
        page.context().clearCookies(),
      ),
      /Your session has ended/,
      401,
    ],
    [
      "domains-add-several",
      send(
        "/domains",
        "Add all to list",
        ...lines("acme.com\nnot a name\n203.0.113.7\nbücher.example\nharbour.example"),
      ),
      /Already on your list/,
    ],
    ["domain-history", unfold("domain_history", READS), /Canceled/],
    ["domain-earlier-claim", "earlier", /This is an earlier claim/],
    ["domain-rest", unfold("domain_history", /^…$/), /Cancel this claim…/],
    ["domain-typed-again", "domain_proved?known", /You already have this domain/],
    ["domain-unclaimed", "domain_unclaimed", /Prove it/],
    ["domain-deleted", "/domains?deleted=former.example", /former\.example was deleted/],
    ["archive-open", "domain_history/archive", /open claim will be canceled/],
    ["archive-shared", "domain_proved/archive", /will be revoked/],
    ["delete-domain", "domain_proved/delete", /will be deleted/],
    ["revoke-link", "proved/revoke", /will see that it was revoked/],
    ["revoke-link-revoked", "shelved/revoke", /The link is revoked/],
    ["notices", "/notices", /was proved/],
    ["account-unfolded", unfold("/account", /^Signed in: /, /^Log$/), /Sign out everywhere/],
    ["account-delete", "/account/delete", /Delete account/],
    [
      "claim-not-shared",
      send(
        "first_check",
        "Create link",
        (page) => page.locator("#handoff > summary").click(),
        open("Customize the page"),
        type("Heading", "Connect your domain to Hooks"),
        type("Back to", "https://elsewhere.example/done"),
      ),
      /has not proved elsewhere\.example/,
      400,
    ],
    ...DIAGNOSIS_CODES.filter((code) => !/negative_cache|cname_conflict/.test(code)).map(
      (code): Row => [
        `claim-${code}`,
        code,
        code === "servfail" ? /Waiting for DNS/ : /Action needed/,
      ],
    ),
    ["claim-negative_cache-in-its-reads", unfold("negative_cache", READS), /old answer cached/],
    ["claim-lame_delegation-held", "lame_delegation_held", /The registrar has put/],
    ["wait-thirteen-nameservers", "thirteen", /Where the record is/],
    ["wait-first_check", "first_check", /Add this at Vercel/],
    ["wait-absent", "waiting", /Waiting for your record/],
    ["wait-absent-too-soon", send(CHECK, "Check now"), /can check again/, 429],
    ["wait-absent-live", "waiting?live", /This page reloads every/],
    ["wait-resolvers_next", "resolvers_next", /Two more public resolvers are asked next/],
    ["wait-nameserver_sync", "nameserver_sync", /catching up/],
    ["wait-nameserver_sync-silent", "nameserver_sync_silent", /too few of your nameservers answer/],
    ["wait-second_read", "second_read", /Confirming.*checks a second time/s],
    ["wait-retry", "retry", /Waiting for DNS/],
    ["claim-not_published-silent", "not_published_silent", /fewer than half of the nameservers/],
    ["claim-not_published-views", "not_published_views", /public resolvers get another answer/],
    ["claim-six-days", "six_days", /Less than a day left/],
    ["claim-evidence", unfold("cname_conflict", READS, /What each/), /asked of each nameserver/],
    ["claim-longest-name", "longest", /Action needed/],
    ["claim-proved-unshared", "idn", /is proved/],
    ["claim-proved-shared", "proved", /Proof link/],
    ["claim-proved-signed", unfold("signed", /^Ownership code$/), /Give it, with your full email/],
    ["claim-proved-before-receipts", "early", /Proof link/],
    ["claim-proved-archived", "shelved", /It is in your archive/],
    ["claim-expired", "expired", /seven days ended/],
    ["claim-expired-second_read", "expired_second_read", /before a second check of the record/],
    ["claim-canceled", "canceled", /Canceled on/],
    ["claim-hand-over-asked", unfold("waiting", /^Someone else/), /Create link/],
    [
      "claim-handed-by-mail",
      "handed_by_mail",
      /Handed off on.*You asked Deed to email d•••@agency\.example/s,
    ],
    ["error-404-signed-in", "/domains/dom_nobodys", /Page not found/, 404],
    ["error-500", faulty, /failed on our side.*Try again/s, 500],
  ],
};

export const STATES: readonly State[] = Object.entries(ROWS).flatMap(([as, rows]) =>
  rows.map(([name, way, shows, status = 200]) => ({
    ...{ name, shows, status },
    as: as as State["as"],
    arrive: go(way),
    address: (gallery) => (typeof way === "string" ? addressOf(way, gallery) : null),
  })),
);
