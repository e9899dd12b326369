import type { DiagnosisCode } from "../verdict/diagnosis.ts";

/** A diagnosis for the person who meets it. */
export type DiagnosisGuide = {
  /** What happened, in two or three sentences. */
  happened: string;
  /** What to do, in steps that hold at every provider. */
  fix: string[];
};

const BELOW_WILDCARD =
  "A subdomain that only a wildcard answers for stops working when a record is added below it. Give it records of its own first.";
const CHECKED = "Press Check now on your claim's page, or wait: Deed checks automatically.";

export const DIAGNOSIS_GUIDES: Record<DiagnosisCode, DiagnosisGuide> = {
  domain_appended: {
    happened:
      "Most DNS panels add your domain to whatever you type in the Name field. The full name was typed, so the domain is now in it twice and the record is at a name nobody asks for.",
    fix: ["Edit the record and take the domain out of Name, as below.", CHECKED],
  },
  record_at_apex: {
    happened:
      "The record was saved at the domain itself, usually because Name was left empty or is @. Deed looks at a name of its own below the domain, so that the record never gets in the way of others.",
    fix: [
      "Edit the record's Name, as below. If your panel cannot change a name, delete the record and add it again.",
      "Leave the other TXT records of the domain alone: mail may need them.",
      CHECKED,
    ],
  },
  record_on_www: {
    happened: "The record was saved at www, which is another name than the domain itself.",
    fix: ["Edit the record and take www out of Name, as below.", CHECKED],
  },
  value_formatted: {
    happened:
      "The record is in the right place and has the right token, but something was added, changed or cut off: quotation marks, a space, a line break, a word in front. Deed accepts the token only as it is.",
    fix: [
      "Copy the value again with its Copy button.",
      "Replace the whole value of the record, as below.",
      CHECKED,
    ],
  },
  expired_token: {
    happened:
      "The record still has the value of an earlier claim of yours. Every claim has a new value; the old one ended with its claim.",
    fix: ["Replace the value of the record with the one on your open claim's page.", CHECKED],
  },
  foreign_token: {
    happened:
      "There is a value of this service, but not of your claim for this domain. It may belong to another domain of yours, or to somebody else who proves this domain too.",
    fix: [
      "If you put it there, replace the value with the one on your claim's page.",
      "If you did not, leave it and add yours as one more record. Both may be there at once.",
      CHECKED,
    ],
  },
  no_matching_record: {
    happened:
      "There are TXT records at the name, but none has your claim's value. Sometimes nobody put them there: a wildcard record (*) answers for every name that has no record of its own.",
    fix: [
      "Add the record, as below. A record of its own wins over a wildcard; the wildcard can stay.",
      BELOW_WILDCARD,
      CHECKED,
    ],
  },
  cname_conflict: {
    happened:
      "The name is an alias (CNAME) of another name. A name that is a CNAME can have no other record, so the TXT record cannot be there.",
    fix: [
      "Delete the CNAME at this name if nothing needs it. If it is a wildcard (*), keep it: the TXT record goes beside it.",
      "Add the TXT record.",
      BELOW_WILDCARD,
      CHECKED,
    ],
  },
  record_absent: {
    happened:
      "The nameservers answer, and they have no TXT record at this name. It was not saved yet, or saved under another name, as another type, or in another account or domain.",
    fix: [
      "Look in the panel: is the record in the list, with type TXT and exactly the Name below?",
      "Is it the panel of the company that runs the domain's nameservers? Others have no effect.",
      CHECKED,
    ],
  },
  not_published: {
    happened:
      "The record was saved, but not every nameserver that counts has it. Either some are late, or it was saved at a company that no longer runs the domain's DNS.",
    fix: [
      "If the domain moved to another company, add the record there: at the nameservers that Deed names.",
      "Otherwise show your DNS provider which nameservers lack it. They should all give the same answer.",
      CHECKED,
    ],
  },
  negative_cache: {
    happened:
      "Everything is right. Public resolvers asked before the record was there, and they keep the answer “not found” for as long as the domain's settings tell them to.",
    fix: ["Wait, and leave the record as it is. Deed checks again when their time is up."],
  },
  servfail: {
    happened:
      "The nameservers have the record, but public resolvers cannot use their answers. Nearly always the domain's DNSSEC is broken: the registrar announces a key that the DNS provider does not use, or signatures have expired. Visitors and mail of the domain are affected too.",
    fix: [
      "If DNSSEC was turned off or the domain moved to another DNS provider, remove the old DS record at the registrar.",
      "If DNSSEC should be on, ask the DNS provider for its DS record and enter that at the registrar.",
      "Resolvers remember the old DS record for up to a day or two.",
    ],
  },
  lame_delegation: {
    happened:
      "The registry says which nameservers are the domain's, and none of them answers for it. Nothing in the domain's DNS can be seen until that is put right, not only this record.",
    fix: [
      "If the domain moved to another DNS provider, enter that provider's nameservers at the registrar.",
      "If the nameservers are right, ask the DNS provider why they do not answer for the domain.",
      "If the registration has run out, renew it.",
    ],
  },
};
