import type { DiagnosisCode } from "../verdict/diagnosis.ts";

/** The names that the lessons speak of. */
export type LessonNames = {
  label: string;
  domain: string;
  zone: string;
  token: string;
  /** A value that is not the claim's token. */
  otherToken: string;
  /** One of the domain's nameservers, and one that answers differently. */
  nameserver: string;
  otherNameserver: string;
  /** Address of a public resolver. */
  resolver: string;
};

/** One command to run and what its answer shows. */
export type DigLesson = {
  /** The arguments of dig. */
  ask: string;
  /** Lines of its output: all of them with +short, otherwise those that matter. Empty if dig prints nothing. */
  answer: string[];
  means: string;
};

const quoted = (text: string) => JSON.stringify(text);
const header = (status: string) => `;; ->>HEADER<<- opcode: QUERY, status: ${status}, id: 4711`;

/** How to see a mistake with dig. */
export function digLessons(code: DiagnosisCode, names: LessonNames): DigLesson[] {
  const { label, domain, zone, token, otherToken, nameserver, otherNameserver, resolver } = names;
  const name = `${label}.${domain}`;
  const txt = (ask: string, values: string[], means: string): DigLesson => ({
    ask: `+short TXT ${ask}`,
    answer: values.map(quoted),
    means,
  });
  const status = (ask: string, rcode: string, means: string): DigLesson => ({
    ask: `+noall +comments TXT ${ask}`,
    answer: [header(rcode)],
    means,
  });
  const missing = txt(name, [], "Nothing is at the name where Deed looks.");

  switch (code) {
    case "domain_appended":
      return [
        missing,
        txt(`${name}.${zone}`, [token], "The record is here, with the domain added once more."),
      ];
    case "record_at_apex":
      return [
        missing,
        txt(domain, ["v=spf1 mx -all", token], "The value is among the domain's own TXT records."),
      ];
    case "record_on_www":
      return [
        missing,
        txt(`${label}.www.${domain}`, [token], "The record is here, below www. Try www alone too."),
      ];
    case "value_formatted":
      return [
        txt(
          name,
          [`"${token}"`],
          "dig puts one pair of quotation marks around every value. Here there is a second pair, with backslashes: it is part of the value. The value must look like the one on your claim's page, inside one pair.",
        ),
      ];
    case "expired_token":
    case "foreign_token":
      return [txt(name, [otherToken], "Compare this value with the one on your claim's page.")];
    case "no_matching_record":
      return [
        txt(
          name,
          ["v=spf1 -all"],
          "There is a TXT record, but its value is not the one asked for.",
        ),
        txt(
          `no-such-name.${domain}`,
          ["v=spf1 -all"],
          "If a name that nobody made answers the same, a wildcard record (*) answers for every name.",
        ),
      ];
    case "cname_conflict":
      return [
        {
          ask: `+short CNAME ${name}`,
          answer: ["www.hosting.example."],
          means: "The name is an alias of this one, so it has no TXT record of its own.",
        },
      ];
    case "record_absent":
      return [
        status(
          name,
          "NXDOMAIN",
          "No record of any type has this name. NOERROR would mean: other types have.",
        ),
        txt(
          `${label.replace(/^_/, "")}.${domain}`,
          [token],
          "A common slip: the record is here, without the underscore.",
        ),
      ];
    case "not_published":
      return [
        txt(`${name} @${nameserver}`, [], "This nameserver does not have the record."),
        txt(`${name} @${otherNameserver}`, [token], "This one has it."),
      ];
    case "negative_cache":
      return [
        txt(`${name} @${nameserver}`, [token], "The domain's nameserver has the record."),
        {
          ask: `+noall +comments +authority TXT ${name} @${resolver}`,
          answer: [
            header("NXDOMAIN"),
            `${zone}. 180 IN SOA ${nameserver}. hostmaster.${zone}. 2026010101 3600 1800 1209600 180`,
          ],
          means:
            "The resolver still says that the name does not exist. The number after the domain is how many seconds it keeps saying so; run the command again and it gets smaller.",
        },
      ];
    case "servfail":
      return [
        status(`${name} @${resolver}`, "SERVFAIL", "The resolver reports a failure."),
        txt(
          `+cd ${name} @${resolver}`,
          [token],
          "With +cd it skips the DNSSEC check, and the record is there: the signatures are what fails.",
        ),
        {
          ask: `+short DNSKEY ${zone} @${resolver}`,
          answer: [],
          means:
            "The domain has no key, although its registrar still announces one (dig +short DS shows it). The DS has to go.",
        },
      ];
    case "lame_delegation":
      return [
        status(
          `${name} @${nameserver} +time=2 +tries=1`,
          "REFUSED",
          "This nameserver does not serve the domain.",
        ),
        {
          ask: `TXT ${name} @${otherNameserver} +time=2 +tries=1`,
          answer: [";; no servers could be reached"],
          means: "This one does not answer at all.",
        },
      ];
  }
}
