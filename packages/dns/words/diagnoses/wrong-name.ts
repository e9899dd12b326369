import { CHECKED, type DiagnosisTexts, EXAMPLE_LOCATION, txt } from "../diagnosis-text.ts";
import { PANELS, type RecordLocation } from "../providers.ts";
import { capital, moveFrom } from "../wording.ts";

const { label, domain, zone, token } = EXAMPLE_LOCATION;
const missing = (name: string) => txt(name, [], "Nothing is at the name where Deed looks.");
const elsewhere = (
  observed: Parameters<typeof moveFrom>[0],
  where: string,
  place: RecordLocation,
) => moveFrom(observed, place, `The record is at ${observed.name}${where}`, "keep");

export const WRONG_NAME: DiagnosisTexts<"domain_appended" | "record_at_apex" | "record_on_www"> = {
  domain_appended: {
    title: "The domain is in the name twice",
    meaning:
      "The DNS panel adds the domain to what is typed, and the full name was typed. The record is at a name that ends with the domain twice.",
    example: { awaits: "claimant", observed: { name: `${label}.${domain}.${zone}` } },
    happened:
      "Most DNS panels add your domain to whatever you type in the Name field. The full name was typed, so the domain is now in it twice and the record is at a name where nobody looks for it.",
    steps: [
      "Edit the record, or add another: type Name without the domain, as shown below.",
      CHECKED,
    ],
    dig: ({ name, zone, token }) => [
      missing(name),
      txt(`${name}.${zone}`, [token], "The record is here, with the domain added once more."),
    ],
    explain({ observed }, place) {
      const panel = capital(PANELS[place.provider].title);
      const where = `${panel} added the domain to what you typed, so the record is at ${observed.name}`;
      return moveFrom(observed, place, where, "leave");
    },
  },
  record_at_apex: {
    title: "The record is on the domain itself",
    meaning: "The token is in a TXT record of the domain, not of the challenge name below it.",
    example: { awaits: "claimant", observed: { name: domain, value: token } },
    happened:
      "The record was saved at the domain itself, usually because Name was left empty or is @. Deed uses a separate name below the domain, so that the record never gets in the way of others.",
    steps: [
      "Edit the record’s Name, or add another record, as below. If your panel cannot change a name, delete the record and add it again.",
      "Leave the other TXT records of the domain alone: email may need them. If the value is inside one of them, take out only the value.",
      CHECKED,
    ],
    dig: ({ name, domain, token }) => [
      missing(name),
      txt(domain, ["v=spf1 mx -all", token], "The value is among the domain’s own TXT records."),
    ],
    explain: ({ observed }, place) => elsewhere(observed, " itself", place),
  },
  record_on_www: {
    title: "The record is on www",
    meaning: "The token is at www, or at the challenge name under www. Deed looks at neither name.",
    example: { awaits: "claimant", observed: { name: `${label}.www.${domain}`, value: token } },
    happened: "The record was saved at www, which is a different name from the domain itself.",
    steps: ["Edit the record, or add another: type Name without www, as shown below.", CHECKED],
    dig: ({ label, domain, name, token }) => [
      missing(name),
      txt(
        `${label}.www.${domain}`,
        [token],
        "The record is here, below www. Look at www itself too.",
      ),
    ],
    explain: ({ observed }, place) => elsewhere(observed, ", under www", place),
  },
};
