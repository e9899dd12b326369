import type { RecordAsked } from "./check-question.ts";

/** Whose record it is, by its host or the form of its value. Each fact has its source and date in docs/providers.md. */
export type Vendor = {
  name: string;
  /** The vendor's own page about this record. */
  page: string;
  /** What its verifier does with a published record, as a sentence. */
  next: string;
};
type Row = Vendor & { host?: RegExp; value?: RegExp };

const VENDORS: readonly Row[] = [
  {
    name: "GitHub",
    host: /^_(github-challenge|gh)-/,
    page: "https://docs.github.com/en/organizations/managing-organization-settings/verifying-or-approving-a-domain-for-your-organization",
    next: "GitHub looks again when you press Verify.",
  },
  {
    name: "Google",
    value: /^google-site-verification=/,
    page: "https://support.google.com/webmasters/answer/9008080",
    next: "Google looks again when you press Verify.",
  },
  {
    name: "AWS",
    value: /\.acm-validations\.aws$/,
    page: "https://docs.aws.amazon.com/acm/latest/userguide/troubleshooting-DNS-validation.html",
    next: "AWS looks by itself for 72 hours.",
  },
];

export function vendorOf({ name, values }: Pick<RecordAsked, "name" | "values">): Vendor | null {
  const row = VENDORS.find(
    ({ host, value }) => host?.test(name) || values.some((one) => value?.test(one)),
  );
  return row ? { name: row.name, page: row.page, next: row.next } : null;
}
