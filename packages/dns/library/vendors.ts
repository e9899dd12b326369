import type { RecordQuery } from "./check-question.ts";

/** A row has the name, the host's pattern, the value's pattern, the page, and what comes next. "-" means none. */
const VENDOR_ROWS = String.raw`
GitHub | ^_(github-challenge|github-pages-challenge|gh)- | - | https://docs.github.com/en/organizations/managing-organization-settings/verifying-or-approving-a-domain-for-your-organization | GitHub looks when you press Verify.
Google | - | ^google-site-verification= | https://support.google.com/webmasters/answer/9008080 | Google looks when you press Verify, and again from time to time.
Microsoft | - | ^MS=ms\d | https://learn.microsoft.com/en-us/microsoft-365/admin/get-help-with-domains/information-for-dns-records | Microsoft looks when you press Verify. It says that a change can take 15 minutes to arrive, or longer.
Vercel | ^_vercel\. | ^vc-domain-verify= | https://vercel.com/docs/rest-api/projects/verify-project-domain | Vercel looks when the project's domain is verified again.
Netlify | ^subdomain-owner-verification\. | - | https://docs.netlify.com/ | -
Cloudflare | ^_cf-custom-hostname\. | - | https://developers.cloudflare.com/cloudflare-for-platforms/cloudflare-for-saas/domain-support/hostname-validation/backoff-schedule/ | Cloudflare looks by itself: ten times in the first 20 minutes, then ever more rarely for seven days.
AWS | - | \.acm-validations\.aws$ | https://docs.aws.amazon.com/acm/latest/userguide/troubleshooting-DNS-validation.html | AWS looks by itself from time to time. Nobody can have it look sooner.
WorkOS | ^_workos-challenge | - | https://workos.com/docs/domain-verification | WorkOS looks by itself until it finds the record, for 30 days.
Atlassian | - | ^atlassian-domain-verification= | https://support.atlassian.com/user-management/docs/verify-a-domain-to-manage-accounts/ | -
Bluesky | ^_atproto\. | - | https://atproto.com/specs/handle | Servers look when the handle is set, and again from time to time. Two records with different values make it fail.
Keybase | ^_keybase\. | ^keybase-site-verification= | https://keybase.io/docs | -
the MCP registry | - | ^v=MCPv1; | https://github.com/modelcontextprotocol/registry | The registry asks its resolver whenever you log in.
a certificate authority (ACME) | ^_acme-challenge\. | - | https://letsencrypt.org/docs/challenge-types/ | The authority looks when your ACME client asks for it. After a failure the client starts again, with another value.
Apple | - | ^apple-domain-verification= | https://support.apple.com/guide/business/axm48c3280c0/web | Apple wants the record within 14 days. After that you start again.
Meta | - | ^facebook-domain-verification= | https://work.meta.com/help/1287147125099160 | Meta looks when you press Verify. It can take 72 hours.
GitLab | ^_gitlab-pages-verification-code\. | ^gitlab-pages-verification-code= | https://handbook.gitlab.com/handbook/support/workflows/verify_pages_domain/ | GitLab looks when you have it verify the domain, and again from time to time.
`;

export const VENDORS = VENDOR_ROWS.trim()
  .split("\n")
  .map((row) => {
    const [name = "", host = "-", value = "-", page = "", next] = row.split(" | ");
    const patternOf = (text: string) => (text === "-" ? null : new RegExp(text, "i"));
    /** `next` says what the vendor's verifier does once the record is published; null if not documented. */
    const vendor = { name, page, next: !next || next === "-" ? null : next };
    return { vendor, host: patternOf(host), value: patternOf(value) };
  });

/** The service that asks for a record, known by the record's host or value. Sources: tests/evidence/providers.md. */
export type Vendor = (typeof VENDORS)[number]["vendor"];

export const vendorOf = ({ name, values }: Pick<RecordQuery, "name" | "values">): Vendor | null =>
  VENDORS.find(({ host, value }) => host?.test(name) || values.some((text) => value?.test(text)))
    ?.vendor ?? null;
