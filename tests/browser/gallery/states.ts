import { DIAGNOSIS_CODES } from "@deed/dns/verdict/diagnosis.ts";
import { expect, type Page } from "@playwright/test";
import { mailedToken } from "../../support/client.ts";
import { type GalleryServices, holdDatabase } from "./services.ts";

/** One screen in one state: who views it, how to get there, and text that identifies it. */
export type State = {
  name: string;
  as: "holder" | "newcomer" | "registry" | "team" | "operator" | "hooked" | "watcher" | "stranger";
  arrive: (page: Page, gallery: GalleryServices) => Promise<void>;
  /** Text on the page. */
  shows: RegExp;
  /**
   * The status of the page; 200 by default. For a form's response, which script fetches, it is checked only without
   * script.
   */
  status?: number;
  /** A page of the playground's panel, which has a different frame. */
  panel?: boolean;
};

const path = (where: string) => async (page: Page, gallery: GalleryServices) => {
  await page.goto(gallery.service.url + where);
};
const seeded =
  (key: string, query = "") =>
  async (page: Page, gallery: GalleryServices) => {
    const where = gallery.seeded.paths[key];
    if (!where) throw new Error(`nothing was seeded as ${key}`);
    await page.goto(gallery.service.url + where + query);
  };
const panel = (where: string) => async (page: Page, gallery: GalleryServices) => {
  await page.goto(gallery.panel.url + where);
};
const post =
  (arrive: State["arrive"], fill: (page: Page) => Promise<void>, button: string | RegExp) =>
  async (page: Page, gallery: GalleryServices) => {
    await arrive(page, gallery);
    await fill(page);
    const from = page.waitForResponse((answer) => answer.request().method() === "POST");
    await page.getByRole("button", { name: button }).first().click();
    await from;
  };

const NEEDS_YOU: State[] = DIAGNOSIS_CODES.filter((code) => code !== "negative_cache").map(
  (code) => ({
    name: `claim-${code}`,
    as: "holder",
    arrive: seeded(code),
    shows: /needs you/,
  }),
);

const CLAIMS: State[] = [
  ...NEEDS_YOU,
  {
    name: "claim-negative_cache-in-its-reads",
    as: "holder",
    arrive: async (page, gallery) => {
      await seeded("negative_cache")(page, gallery);
      await page.getByText(/^History: /).click();
    },
    shows: /there, not yet seen by resolvers/,
  },
  {
    name: "claim-lame_delegation-none",
    as: "holder",
    arrive: seeded("lame_delegation_none"),
    shows: /does not list nameservers/,
  },
  {
    name: "claim-lame_delegation-held",
    as: "holder",
    arrive: seeded("lame_delegation_held"),
    shows: /The registrar has put/,
  },
  {
    name: "wait-thirteen-nameservers",
    as: "holder",
    arrive: seeded("thirteen"),
    shows: /Where the record is/,
  },
  {
    name: "wait-first_check",
    as: "holder",
    arrive: seeded("first_check"),
    shows: /Add this TXT record at Vercel/,
  },
  {
    name: "wait-absent",
    as: "holder",
    arrive: seeded("waiting"),
    shows: /waiting for your record/,
  },
  {
    name: "wait-absent-too-soon",
    as: "holder",
    status: 429,
    arrive: async (page, gallery) => {
      await post(seeded("waiting"), async () => {}, "Check now")(page, gallery);
      await post(
        async () => {},
        async () => {},
        "Check now",
      )(page, gallery);
    },
    shows: /can check again/,
  },
  {
    name: "wait-absent-live",
    as: "holder",
    arrive: seeded("waiting", "?live"),
    shows: /This page reloads every/,
  },
  {
    name: "wait-negative_cache",
    as: "holder",
    arrive: seeded("negative_cache"),
    shows: /still have the old answer cached/,
  },
  {
    name: "wait-nameserver_sync",
    as: "holder",
    arrive: seeded("nameserver_sync"),
    shows: /catching up/,
  },
  {
    name: "wait-nameserver_sync-silent",
    as: "holder",
    arrive: seeded("nameserver_sync_silent"),
    shows: /too few of your nameservers answer/,
  },
  {
    name: "wait-second_read",
    as: "holder",
    arrive: seeded("second_read"),
    shows: /checks a second time before it counts/,
  },
  {
    name: "claim-not_published-silent",
    as: "holder",
    arrive: seeded("not_published_silent"),
    shows: /fewer than half of the nameservers/,
  },
  {
    name: "claim-not_published-views",
    as: "holder",
    arrive: seeded("not_published_views"),
    shows: /public resolvers get another answer/,
  },
  { name: "wait-retry", as: "holder", arrive: seeded("retry"), shows: /could not be reached/ },
  {
    name: "claim-2000-reads",
    as: "holder",
    arrive: async (page, gallery) => {
      await seeded("many_reads")(page, gallery);
      await page.getByText("History: 2,000 checks").click();
    },
    shows: /Each check on its own/,
  },
  { name: "claim-six-days", as: "holder", arrive: seeded("six_days"), shows: /needs you/ },
  {
    name: "claim-evidence",
    as: "holder",
    arrive: async (page, gallery) => {
      await seeded("cname_conflict")(page, gallery);
      await page.getByText(/^History: /).click();
      await page.getByText(/What each nameserver answered/).click();
    },
    shows: /asked of each nameserver/,
  },
  { name: "claim-longest-name", as: "holder", arrive: seeded("longest"), shows: /needs you/ },
  {
    name: "claim-proved-unshared",
    as: "holder",
    arrive: seeded("proved_unshared"),
    shows: /You can delete the TXT record now/,
  },
  {
    name: "claim-proved-shared",
    as: "holder",
    arrive: seeded("proved_shared"),
    shows: /Open the proof page/,
  },
  {
    name: "claim-proved-signed",
    as: "holder",
    arrive: seeded("proved_signed"),
    shows: /It rests on dnssec/,
  },
  {
    name: "claim-proved-before-receipts",
    as: "holder",
    arrive: seeded("proved_early"),
    shows: /Open the proof page/,
  },
  {
    name: "claim-proved-archived",
    as: "holder",
    arrive: seeded("proved_archived"),
    shows: /publishes no link/,
  },
  { name: "claim-expired", as: "holder", arrive: seeded("expired"), shows: /seven days ended/ },
  {
    name: "claim-expired-second_read",
    as: "holder",
    arrive: seeded("expired_second_read"),
    shows: /before a second check could confirm it/,
  },
  { name: "claim-canceled", as: "holder", arrive: seeded("canceled"), shows: /Canceled on/ },
  {
    name: "claim-handed-over",
    as: "holder",
    arrive: seeded("claim_handed"),
    shows: /Take the link back/,
  },
];

const WATCHES: State[] = [
  {
    name: "watch-published",
    as: "watcher",
    arrive: seeded("watch_published"),
    shows: /It was last seen on/,
  },
  ...["missing", "lapsed", "moved", "gone"].map(
    (state): State => ({
      name: `watch-${state}`,
      as: "watcher",
      arrive: seeded(`watch_${state}`),
      shows: /Deed has not found the record since/,
    }),
  ),
  {
    name: "watch-none-deleted",
    as: "watcher",
    arrive: seeded("watch_deleted"),
    shows: /The TXT record is gone/,
  },
  {
    name: "watch-none-needed",
    as: "watcher",
    arrive: seeded("watch_needed"),
    shows: /Keep the other values at this name/,
  },
  {
    name: "watch-proof-published",
    as: "stranger",
    arrive: seeded("watch_published_proof"),
    shows: /The record was last seen on/,
  },
  {
    name: "watch-proof-missing",
    as: "stranger",
    arrive: seeded("watch_lapsed_proof"),
    shows: /The record has been missing since/,
  },
  {
    name: "watch-proof-moved",
    as: "stranger",
    arrive: seeded("watch_moved_proof"),
    shows: /nameservers are all others/,
  },
  {
    name: "watch-stop",
    as: "stranger",
    arrive: seeded("watch_missing_stop"),
    shows: /Stop watching this record\?/,
  },
  {
    name: "watch-stopped",
    as: "stranger",
    arrive: seeded("watch_deleted_stop"),
    shows: /Deed does not watch this record/,
  },
  {
    name: "watch-stop-unknown",
    as: "stranger",
    status: 404,
    arrive: path("/w/00000000000000000000000000"),
    shows: /Nothing is watched at this address/,
  },
  { name: "watch-notices", as: "watcher", arrive: path("/notices"), shows: /has lost its record/ },
];

const PUBLIC: State[] = [
  { name: "landing", as: "stranger", arrive: path("/"), shows: /Your domain/ },
  {
    name: "zone",
    as: "stranger",
    arrive: path("/zones/acme.com"),
    shows: /GoDaddy/,
  },
  {
    name: "zone-normalised",
    as: "stranger",
    arrive: path("/zones?name=HTTPS%3A%2F%2Fwww.globex.com%2Fabout"),
    shows: /Left out: https/,
  },
  {
    name: "zone-internationalised",
    as: "stranger",
    arrive: path("/zones/b%C3%BCcher.example"),
    shows: /xn--bcher-kva/,
  },
  {
    name: "zone-invalid",
    as: "stranger",
    status: 400,
    arrive: path(`/zones/${"a".repeat(240)}.${"b".repeat(20)}`),
    shows: /Your domain/,
  },
  {
    name: "zone-unregistered",
    as: "stranger",
    status: 404,
    arrive: path("/zones/nobody-has-this.com"),
    shows: /Your domain/,
  },
  {
    name: "sign-in-to-prove",
    as: "stranger",
    arrive: path("/sign-in?next=%2Fzones%2Facme.com%3Fprove"),
    shows: /Sign in to prove acme\.com/,
  },
  {
    name: "sign-in",
    as: "stranger",
    arrive: path("/sign-in"),
    shows: /Email me a link/,
  },
  {
    name: "sign-in-refused",
    as: "stranger",
    status: 400,
    arrive: post(
      path("/sign-in"),
      async (page) => {
        await page.getByLabel(/email address/i).fill("nobody@nowhere@else");
        await page
          .locator("form")
          .first()
          .evaluate((form: HTMLFormElement) => {
            form.noValidate = true;
          });
      },
      "Email me a link",
    ),
    shows: /not an email address/,
  },
  {
    name: "sign-in-sent",
    as: "stranger",
    arrive: signInAs("sent@visitor.example"),
    shows: /Check your mail/,
  },
  {
    name: "sign-in-confirm",
    as: "stranger",
    arrive: async (page, gallery) => {
      await signInAs("confirm@visitor.example")(page, gallery);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Check your mail");
      const token = mailedToken(gallery.service, "confirm@visitor.example");
      await page.goto(`${gallery.service.url}/sign-in/confirm?token=${token}`);
    },
    shows: /Sign in as/,
  },
  {
    name: "sign-in-failed",
    as: "stranger",
    status: 401,
    arrive: path("/sign-in/confirm?token=nothing"),
    shows: /Ask for a new link/,
  },
  {
    name: "sign-in-failed-sign-up-closed",
    as: "stranger",
    status: 401,
    arrive: path("/sign-in/failed?reason=closed"),
    shows: /cannot open an account here/,
  },
  {
    name: "invitation-not-open",
    as: "stranger",
    status: 404,
    arrive: path("/sign-in/invitation?token=nothing"),
    shows: /This invitation is no longer open/,
  },
  {
    name: "invitation",
    as: "stranger",
    arrive: seeded("invitation"),
    shows: /kim@elsewhere\.example/,
  },
  {
    name: "people-full",
    as: "team",
    arrive: path("/account/people"),
    shows: /colleague18@team\.example/,
  },
  {
    name: "person-with-webhook",
    as: "team",
    arrive: seeded("colleague"),
    shows: /Take over/,
  },
  {
    name: "webhooks-none",
    as: "newcomer",
    arrive: path("/account/webhooks"),
    shows: /No webhooks/,
  },
  { name: "webhooks", as: "hooked", arrive: path("/account/webhooks"), shows: /disabled/ },
  { name: "webhook", as: "hooked", arrive: seeded("webhook"), shows: /answered 503/ },
  { name: "webhook-failing", as: "hooked", arrive: seeded("webhook_failing"), shows: /not kept/ },
  {
    name: "webhook-delivery",
    as: "hooked",
    arrive: seeded("delivery_failed"),
    shows: /no such hook/,
  },
  {
    name: "webhook-delivery-waiting",
    as: "hooked",
    arrive: seeded("delivery_pending"),
    shows: /in \d+ minutes/,
  },
  {
    name: "webhook-rotated",
    as: "hooked",
    arrive: post(seeded("webhook"), async () => {}, "Rotate the secret"),
    shows: /whsec_/,
  },
  {
    name: "webhook-added",
    as: "team",
    arrive: post(
      path("/account/webhooks"),
      (page) => page.getByLabel("Address").fill("https://hooks.team.example/deed"),
      "Add webhook",
    ),
    shows: /whsec_/,
  },
  {
    name: "webhook-not-added",
    as: "team",
    status: 400,
    arrive: post(
      path("/account/webhooks"),
      (page) => page.getByLabel("Address").fill("https://10.0.0.1/deed"),
      "Add webhook",
    ),
    shows: /not a public address/,
  },
  {
    name: "webhook-delete",
    as: "hooked",
    arrive: seeded("webhook", "/delete"),
    shows: /Delete this webhook/,
  },
  {
    name: "notices-webhook-ended",
    as: "hooked",
    arrive: path("/notices"),
    shows: /A webhook is disabled/,
  },
  { name: "account-webhooks", as: "hooked", arrive: path("/account"), shows: /1 address\./ },
  { name: "admin", as: "operator", arrive: path("/admin"), shows: /gone@rival\.example/ },
  { name: "admin-disable", as: "operator", arrive: seeded("disable"), shows: /joao@rival/ },
  {
    name: "admin-stranger",
    as: "holder",
    status: 404,
    arrive: path("/admin"),
    shows: /404|stands/,
  },
  {
    name: "people-alone",
    as: "newcomer",
    arrive: path("/account/people"),
    shows: /first address/,
  },
  {
    name: "sign-in-failed-other-identity",
    as: "stranger",
    status: 401,
    arrive: path("/sign-in/failed?reason=identity"),
    shows: /connected to another identity/,
  },
  {
    name: "sign-in-nothing-asked",
    as: "stranger",
    arrive: path("/sign-in/code"),
    shows: /No code works in this browser/,
  },
  {
    name: "sign-in-code",
    as: "stranger",
    arrive: codePageOf("code@visitor.example"),
    shows: /six-digit code/,
  },
  {
    name: "sign-in-code-refused",
    as: "stranger",
    status: 401,
    arrive: post(
      codePageOf("refused@visitor.example"),
      (page) => page.getByLabel(/six-digit/i).fill("123456"),
      "Sign in",
    ),
    shows: /This code is wrong or no longer works/,
  },
  {
    name: "proof-live",
    as: "stranger",
    arrive: seeded("proof_live"),
    shows: /A later proof of this domain exists/,
  },
  {
    name: "proof-half-answered",
    as: "stranger",
    arrive: seeded("proof_half"),
    shows: /1 of 2 answered, 1 had the record/,
  },
  {
    name: "proof-signed",
    as: "stranger",
    arrive: seeded("proof_signed"),
    shows: /every signature from the root of DNS/,
  },
  {
    name: "proof-servers",
    as: "stranger",
    arrive: async (page, gallery) => {
      await seeded("proof_most")(page, gallery);
      await page.getByText("What each server answered").click();
    },
    shows: /Resolver \w+ did not have the record/,
  },
  {
    name: "proof-before-receipts",
    as: "stranger",
    arrive: seeded("proof_early"),
    shows: /from before Deed signed receipts/,
  },
  { name: "proof-right-to-left", as: "stranger", arrive: seeded("proof_rtl"), shows: /xn--/ },
  {
    name: "proof-revoked",
    as: "stranger",
    status: 410,
    arrive: seeded("proof_revoked"),
    shows: /link was revoked/,
  },
  {
    name: "proof-unknown",
    as: "stranger",
    status: 404,
    arrive: path("/p/00000000000000000000000000"),
    shows: /No proof at this address/,
  },
  {
    name: "handoff-open",
    as: "stranger",
    arrive: seeded("handoff"),
    shows: /Only add this if you know who asks/,
  },
  ...(["proved", "expired", "canceled", "revoked"] as const).map(
    (how): State => ({
      name: `handoff-${how}`,
      as: "stranger",
      status: 410,
      arrive: seeded(`handoff_${how}`),
      shows: /Ended on/,
    }),
  ),
  {
    name: "handoff-customer",
    as: "stranger",
    arrive: seeded("customer"),
    shows: /Back to app\.hooks\.example/,
  },
  {
    name: "handoff-customer-wrong",
    as: "stranger",
    arrive: seeded("customer_wrong"),
    shows: /Back to app\.hooks\.example/,
  },
  {
    name: "handoff-customer-proved",
    as: "stranger",
    status: 410,
    arrive: seeded("customer_proved"),
    shows: /Back to app\.hooks\.example/,
  },
  {
    name: "handoff-customer-alone",
    as: "stranger",
    arrive: seeded("customer_alone"),
    shows: /The heading is theirs/,
  },
  {
    name: "handoff-no-way-back",
    as: "stranger",
    arrive: seeded("customer_left", "/back"),
    shows: /no link back to app\.former\.example/,
  },
  {
    name: "handoff-unknown",
    as: "stranger",
    status: 404,
    arrive: path("/h/00000000000000000000000000"),
    shows: /This link does not work/,
  },
  { name: "docs", as: "stranger", arrive: path("/docs"), shows: /Your provider/ },
  {
    name: "docs-what-is-this",
    as: "stranger",
    arrive: path("/docs/what-is-this"),
    shows: /You were sent a proof/,
  },
  {
    name: "verify",
    as: "stranger",
    arrive: path("/verify"),
    shows: /Check a receipt/,
  },
  {
    name: "docs-how-to-check",
    as: "stranger",
    arrive: path("/docs/how-to-check"),
    shows: /For later years/,
  },
  {
    name: "docs-assurance",
    as: "stranger",
    arrive: path("/docs/assurance"),
    shows: /What no word says/,
  },
  {
    name: "docs-rule",
    as: "stranger",
    arrive: path("/docs/rules/deed-proof-1"),
    shows: /What must be found/,
  },
  {
    name: "docs-providers",
    as: "stranger",
    arrive: path("/docs/providers"),
    shows: /Which is mine/,
  },
  ...(["godaddy", "route53", "other"] as const).map(
    (id): State => ({
      name: `docs-provider-${id}`,
      as: "stranger",
      arrive: path(`/docs/providers/${id}`),
      shows: /What to type/,
    }),
  ),
  {
    name: "docs-provider-unknown",
    as: "stranger",
    status: 404,
    arrive: path("/docs/providers/nobody"),
    shows: /404/,
  },
  {
    name: "docs-diagnoses",
    as: "stranger",
    arrive: path("/docs/diagnoses"),
    shows: /domain_appended/,
  },
  ...(["domain_appended", "value_formatted", "servfail"] as const).map(
    (code): State => ({
      name: `docs-diagnosis-${code}`,
      as: "stranger",
      arrive: path(`/docs/diagnoses/${code}`),
      shows: /See it yourself/,
    }),
  ),
  {
    name: "docs-integrate",
    as: "stranger",
    arrive: path("/docs/integrate"),
    shows: /From nothing to a proof/,
  },
  {
    name: "docs-recipe",
    as: "stranger",
    arrive: path("/docs/integrate/gate"),
    shows: /requireProof/,
  },
  { name: "docs-api", as: "stranger", arrive: path("/docs/api"), shows: /openapi\.json/ },
  {
    name: "docs-quick-start",
    as: "stranger",
    arrive: path("/docs/api/quick-start"),
    shows: /curl/,
  },
  {
    name: "docs-api-section",
    as: "stranger",
    arrive: path("/docs/api/claims"),
    shows: /POST \/api\/claims/,
  },
  {
    name: "docs-api-objects",
    as: "stranger",
    arrive: path("/docs/api/objects"),
    shows: /Verification/,
  },
  { name: "docs-errors", as: "stranger", arrive: path("/docs/errors"), shows: /rate_limited/ },
];

function signInAs(email: string): State["arrive"] {
  return post(
    path("/sign-in"),
    (page) => page.getByLabel(/email address/i).fill(email),
    "Email me a link",
  );
}

/** The page that takes a code, in a browser that requested one. */
function codePageOf(email: string): State["arrive"] {
  return async (page, gallery) => {
    await signInAs(email)(page, gallery);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Check your mail");
    await page.goto(`${gallery.service.url}/sign-in/code`);
  };
}

const HOLDER: State[] = [
  {
    name: "domains-empty",
    as: "newcomer",
    arrive: path("/domains"),
    shows: /No domains yet/,
  },
  {
    name: "domains-few",
    as: "holder",
    arrive: path("/domains"),
    shows: /harbour\.example|handed/,
  },
  {
    name: "domains-many",
    as: "registry",
    arrive: path("/domains"),
    shows: /8,750/,
  },
  {
    name: "domains-many-filtered",
    as: "registry",
    arrive: path("/domains?status=expired"),
    shows: /expired/,
  },
  {
    name: "domains-many-archived",
    as: "registry",
    arrive: path("/domains?archived=true"),
    shows: /off the list/,
  },
  {
    name: "domains-many-older",
    as: "registry",
    arrive: async (page, gallery) => {
      await path("/domains")(page, gallery);
      await page.getByRole("link", { name: "Older" }).click();
      await page.waitForURL(/cursor=/);
    },
    shows: /Newest/,
  },
  {
    name: "domains-found",
    as: "registry",
    arrive: path("/domains?q=00006"),
    shows: /archived/,
  },
  {
    name: "domains-none-fits",
    as: "registry",
    arrive: path("/domains?q=elsewhere"),
    shows: /No domain found/,
  },
  {
    name: "domains-add-refused",
    as: "holder",
    status: 400,
    arrive: post(
      path("/domains"),
      (page) => page.getByLabel("Your domain").fill("not a name"),
      "Prove it",
    ),
    shows: /not a name|cannot|name/,
  },
  {
    name: "domains-add-several",
    as: "holder",
    arrive: post(
      path("/domains"),
      async (page) => {
        await page.getByText("Add several at once").click();
        await page
          .getByLabel("Domains, one a line")
          .fill("acme.com\nnot a name\n203.0.113.7\nbücher.example\nharbour.example");
      },
      "Add all to list",
    ),
    shows: /already in your list/,
  },
  {
    name: "domains-add-too-many",
    as: "holder",
    status: 400,
    arrive: post(
      path("/domains"),
      async (page) => {
        await page.getByText("Add several at once").click();
        await page.getByLabel("Domains, one a line").fill("acme.com\n".repeat(101));
      },
      "Add all to list",
    ),
    shows: /These are 101 lines/,
  },
  {
    name: "domains-references",
    as: "team",
    arrive: path("/domains"),
    shows: /for cust_77/,
  },
  {
    name: "domains-of-reference",
    as: "team",
    arrive: path("/domains?reference=cust_42"),
    shows: /portal\.example/,
  },
  {
    name: "domains-add-reference-refused",
    as: "team",
    status: 400,
    arrive: post(
      path("/domains"),
      async (page) => {
        await page.getByLabel("Your domain").fill("acme.com");
        await page.getByText("Add a reference").click();
        await page.getByLabel("Reference").first().fill("cust\u200b42");
      },
      "Prove it",
    ),
    shows: /A reference has/,
  },
  {
    name: "claim-reference",
    as: "team",
    arrive: seeded("reference_open"),
    shows: /for cust_77/,
  },
  {
    name: "claim-reference-proved",
    as: "team",
    arrive: seeded("reference_proved"),
    shows: /for cust_42/,
  },
  {
    name: "domain-reference",
    as: "team",
    arrive: seeded("reference_domain"),
    shows: /for cust_77/,
  },
  {
    name: "claim-www-removed",
    as: "team",
    arrive: seeded("www_removed"),
    shows: /Without www/,
  },
  {
    name: "domain-www-removed",
    as: "team",
    arrive: seeded("www_removed_domain"),
    shows: /Without www/,
  },
  {
    name: "domain-history",
    as: "holder",
    arrive: seeded("domain_history"),
    shows: /See the record to add/,
  },
  {
    name: "domain-proved",
    as: "holder",
    arrive: seeded("domain_proved"),
    shows: /Share the proof/,
  },
  {
    name: "domain-unclaimed",
    as: "holder",
    arrive: seeded("domain_unclaimed"),
    shows: /Prove it/,
  },
  {
    name: "domain-archived",
    as: "holder",
    arrive: seeded("domain_archived"),
    shows: /You had this domain already/,
  },
  {
    name: "archive-open",
    as: "holder",
    arrive: seeded("domain_pending_archive"),
    shows: /open claim is canceled/,
  },
  {
    name: "archive-shared",
    as: "holder",
    arrive: seeded("archive_proved"),
    shows: /will be revoked/,
  },
  {
    name: "revoke-link",
    as: "holder",
    arrive: seeded("proved_shared_revoke"),
    shows: /will read that it was revoked/,
  },
  {
    name: "revoke-link-revoked",
    as: "holder",
    arrive: seeded("revoked_claim"),
    shows: /The link is revoked/,
  },
  {
    name: "domain-deleted",
    as: "holder",
    arrive: path("/domains?deleted=acme.com"),
    shows: /acme\.com was deleted/,
  },
  {
    name: "delete-domain",
    as: "holder",
    arrive: seeded("delete_proved"),
    shows: /will be deleted/,
  },
  { name: "notices", as: "holder", arrive: path("/notices"), shows: /is proved/ },
  { name: "notices-empty", as: "newcomer", arrive: path("/notices"), shows: /Nothing yet/ },
  {
    name: "account",
    as: "holder",
    arrive: path("/account"),
    shows: /Sign out everywhere/,
  },
  {
    name: "api-keys-none",
    as: "newcomer",
    arrive: path("/account/keys"),
    shows: /No key yet/,
  },
  {
    name: "api-keys",
    as: "team",
    arrive: path("/account/keys"),
    shows: /ends in 9 days/,
  },
  {
    name: "api-keys-created",
    as: "registry",
    arrive: post(
      path("/account/keys"),
      (page) => page.getByLabel("Name").fill("CI"),
      "Create a key",
    ),
    shows: /deed_key_/,
  },
  {
    name: "api-keys-refused",
    as: "registry",
    status: 400,
    arrive: post(
      path("/account/keys"),
      async (page) => {
        await page.getByLabel("Name").fill("CI");
        await page.getByText("Only from certain addresses").click();
        await page.getByLabel(/IP addresses/).fill("the office");
      },
      "Create a key",
    ),
    shows: /Type addresses as/,
  },
  {
    name: "claim-shared-with-words",
    as: "team",
    arrive: seeded("customer_claim"),
    shows: /It leads back to/,
  },
  {
    name: "claim-not-shared",
    as: "holder",
    status: 400,
    arrive: post(
      seeded("first_check"),
      async (page) => {
        await page.getByText("Share with your DNS admin").click();
        await page.getByText("Your own heading, and a way back").click();
        await page.getByLabel("Heading").fill("Connect your domain to Hooks");
        await page.getByLabel("Back to").fill("https://elsewhere.example/done");
      },
      "Make the page",
    ),
    shows: /has not proved elsewhere\.example/,
  },
  { name: "api-key", as: "team", arrive: seeded("key"), shows: /Rotate the key/ },
  {
    name: "api-key-rotated",
    as: "team",
    arrive: post(seeded("key"), async () => {}, "Rotate the key"),
    shows: /works until/,
  },
  {
    name: "account-delete",
    as: "holder",
    arrive: path("/account/delete"),
    shows: /Delete the account/,
  },
];

const ERRORS: State[] = [
  {
    name: "error-404",
    as: "stranger",
    status: 404,
    arrive: path("/nowhere"),
    shows: /Page not found/,
  },
  {
    name: "error-404-signed-in",
    as: "holder",
    status: 404,
    arrive: path("/claims/clm_nobodys"),
    shows: /Page not found/,
  },
  {
    name: "error-429",
    as: "stranger",
    status: 429,
    arrive: async (page, { strict }) => {
      await page.goto(`${strict.url}/zones/acme.com`);
      await page.goto(`${strict.url}/zones/acme.com`);
    },
    shows: /Too many requests/,
  },
  {
    name: "error-500",
    as: "holder",
    status: 500,
    arrive: seeded("broken"),
    shows: /failed on our side/,
  },
  {
    name: "people-503",
    as: "holder",
    status: 503,
    arrive: post(
      async (page, { orphan }) => {
        await page.goto(`${orphan.url}/account/people`);
      },
      (page) => page.getByLabel(/address/i).fill("someone@else.example"),
      "Invite",
    ),
    shows: /this node has no primary/,
  },
  {
    name: "sign-in-503",
    as: "stranger",
    status: 503,
    arrive: async (page, gallery) => {
      const letGo = holdDatabase(gallery.strict.dataDir);
      const elsewhere = { ...gallery, service: gallery.strict };
      await signInAs("held@visitor.example")(page, elsewhere).finally(letGo);
    },
    shows: /cannot handle this request/,
  },
];

const PANEL: State[] = [
  { name: "panel-zones", as: "stranger", panel: true, arrive: panel("/"), shows: /acme\.com/ },
  {
    name: "panel-zone",
    as: "stranger",
    panel: true,
    arrive: panel("/zones/acme.com"),
    shows: /v=spf1/,
  },
  {
    name: "panel-zone-refused",
    as: "stranger",
    panel: true,
    status: 422,
    arrive: async (page, gallery) => {
      await panel("/zones/acme.com")(page, gallery);
      await page
        .locator("form")
        .last()
        .evaluate((form: HTMLFormElement) => {
          form.noValidate = true;
        });
      await page.locator("form").last().getByRole("button").first().click();
    },
    shows: /acme\.com/,
  },
  {
    name: "panel-situations",
    as: "stranger",
    panel: true,
    arrive: panel("/situations"),
    shows: /domain_appended/,
  },
  {
    name: "panel-situation",
    as: "stranger",
    panel: true,
    arrive: panel("/situations/domain_appended"),
    shows: /appended|added/,
  },
];

export const STATES: readonly State[] = [
  ...PUBLIC,
  ...HOLDER,
  ...CLAIMS,
  ...WATCHES,
  ...ERRORS,
  ...PANEL,
];
