import { exampleOf, sentencesFor } from "@deed/dns/words/diagnoses/diagnoses.ts";
import { EXAMPLE_LOCATION } from "@deed/dns/words/diagnosis-text.ts";
import { expect, it } from "vitest";
import { responsibleText } from "./fix-and-details.tsx";

const found = exampleOf("lame_delegation");
const diagnosis = { ...found, ...sentencesFor(found, EXAMPLE_LOCATION) };

it("names one who must act: the DNS provider, or whoever the registry's fix is for or registered the domain", () => {
  expect(responsibleText({ diagnosis, registry: null })).toMatch(/^Your DNS provider/);
  const registry = { fix: "Renew acme.com at the registrar." };
  expect(responsibleText({ diagnosis, registry: { fix: null } })).toMatch(/^Your DNS provider/);
  expect(responsibleText({ diagnosis, registry })).toBeNull();
  const theirs = { ...diagnosis, awaits: "registrar" } as const;
  const text = "Whoever registered the domain can fix this, at its registrar.";
  expect(responsibleText({ diagnosis: theirs, registry: null })).toBe(text);
});
