import type { Provider } from "../verdict/diagnosis.ts";

/** How to add a record at a provider. What PANELS says of its form is not repeated here. */
export type ProviderGuide = {
  /** How to get to the record editor, from signing in: sentences. */
  way: string[];
  /** The buttons that open the form and save it; null if unknown. */
  add: string | null;
  save: string | null;
  /** What the TTL is if nobody changes it; null if unknown. */
  ttl: string | null;
  /** The provider's own instructions. */
  help: string | null;
};

export const PROVIDER_GUIDES: Record<Provider, ProviderGuide> = {
  cloudflare: {
    way: ["Sign in to the Cloudflare dashboard and choose the domain.", "Open DNS, then Records."],
    add: "Add record",
    save: "Save",
    ttl: "Auto, which is 5 minutes. Any time from 1 minute to 1 day can be chosen.",
    help: "https://developers.cloudflare.com/dns/manage-dns-records/how-to/create-dns-records/",
  },
  route53: {
    way: [
      "Sign in to the AWS console and open Route 53.",
      "Open Hosted zones and choose the domain.",
    ],
    add: "Create record",
    save: "Create records",
    ttl: null,
    help: "https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/resource-record-sets-creating.html",
  },
  godaddy: {
    way: ["Sign in to your Domain Portfolio and choose the domain.", "Open DNS."],
    add: "Add New Record",
    save: "Save",
    ttl: "1 hour, unless you choose another time.",
    help: "https://www.godaddy.com/help/add-a-txt-record-19232",
  },
  namecheap: {
    way: [
      "Sign in, open Domain List and press Manage beside the domain.",
      "Open Advanced DNS and find Host Records.",
    ],
    add: "Add New Record",
    save: "Save all changes",
    ttl: "Automatic, which is 30 minutes.",
    help: "https://www.namecheap.com/support/knowledgebase/article.aspx/317/2237/how-do-i-add-txtspfdkimdmarc-records-for-my-domain/",
  },
  "google-domains": {
    way: [
      "Sign in to Squarespace, which took over Google Domains. Open Domains and choose the domain.",
      "Open DNS, then DNS Settings.",
    ],
    add: "Add record",
    save: "Save",
    ttl: null,
    help: "https://support.squarespace.com/hc/en-us/articles/360002101888",
  },
  vercel: {
    way: [
      "Sign in to Vercel, open Domains in the sidebar and choose the domain.",
      "If there is a button Enable Vercel DNS, press it.",
    ],
    add: null,
    save: "Add",
    ttl: "1 minute, unless you choose another time.",
    help: "https://vercel.com/docs/domains/managing-dns-records",
  },
  other: {
    way: [
      "Find out who runs the nameservers: Deed shows them when you check the domain. It is often the company that sold the domain, sometimes the web host.",
      "Sign in there, and look for DNS, DNS records, zone editor or advanced DNS.",
    ],
    add: null,
    save: null,
    ttl: null,
    help: null,
  },
};
