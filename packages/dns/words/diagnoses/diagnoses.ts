import type { Diagnosis, DiagnosisCode, DiagnosisOf } from "../../verdict/diagnosis.ts";
import type { DiagnosisTexts, DigLesson, DigNames } from "../diagnosis-text.ts";
import type { RecordLocation } from "../providers.ts";
import { type Explanation, keepWildcardNames, nameOf } from "../wording.ts";
import { LAME_DELEGATION } from "./lame-delegation.ts";
import { NO_RECORD } from "./no-record.ts";
import { PUBLICATION } from "./publication.ts";
import { SERVFAIL } from "./servfail.ts";
import { WRONG_NAME } from "./wrong-name.ts";
import { WRONG_VALUE } from "./wrong-value.ts";

export const DIAGNOSES: DiagnosisTexts<DiagnosisCode> = {
  ...WRONG_NAME,
  ...WRONG_VALUE,
  ...NO_RECORD,
  ...PUBLICATION,
  ...SERVFAIL,
  ...LAME_DELEGATION,
};

export const exampleOf = (code: DiagnosisCode) =>
  ({ code, ...DIAGNOSES[code].example }) as Diagnosis;

export const explain = <C extends DiagnosisCode>(
  diagnosis: DiagnosisOf<C>,
  place: RecordLocation,
): Explanation => {
  const advice = DIAGNOSES[diagnosis.code].explain(diagnosis, place);
  const wildcard = wildcardIn(diagnosis);
  const keepsNames = wildcard && advice.pastes;
  return { pastes: [], ...(keepsNames ? keepWildcardNames(advice, place, wildcard) : advice) };
};

/** The wildcard that answers at the challenge name, and the types that the name gets from it. */
function wildcardIn({ observed }: Pick<Diagnosis, "observed">) {
  if ("wildcardName" in observed && observed.wildcardName)
    return { name: observed.wildcardName, types: observed.wildcardTypes ?? [] };
  const record = "record" in observed ? observed.record : null;
  return record?.name.startsWith("*.") ? { name: record.name, types: [record.type] } : null;
}

/** Returns `cause` and `fix` of a diagnosis for API, pages and mails: plain text, no markup. */
export function sentencesFor(diagnosis: Diagnosis, place: RecordLocation) {
  const { cause, fix } = explain(diagnosis, place);
  return { cause, fix };
}

export function headlineOf<C extends DiagnosisCode>(facts: Omit<DiagnosisOf<C>, "awaits">): string {
  const { title, closer = {} } = DIAGNOSES[facts.code];
  return Object.entries(closer).find(([, holds]) => holds(facts.observed))?.[0] ?? title;
}

export const digLessons = (code: DiagnosisCode, names: Omit<DigNames, "name">): DigLesson[] =>
  DIAGNOSES[code].dig({ ...names, name: nameOf(names) });
