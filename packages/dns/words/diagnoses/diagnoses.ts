import type { Diagnosis, DiagnosisCode, DiagnosisOf } from "../../verdict/diagnosis.ts";
import type { DiagnosisTexts, DigLesson, DigNames } from "../diagnosis-text.ts";
import type { RecordLocation } from "../providers.ts";
import { type Explanation, nameOf } from "../wording.ts";
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
): Explanation => ({ pastes: [], ...DIAGNOSES[diagnosis.code].explain(diagnosis, place) });

/** `cause` and `fix` of a diagnosis for API, screens and mails: plain text, no markup. */
export function sentencesFor(diagnosis: Diagnosis, place: RecordLocation) {
  const { cause, fix } = explain(diagnosis, place);
  return { cause, fix };
}

export function headlineOf<C extends DiagnosisCode>({
  code,
  observed,
}: Pick<DiagnosisOf<C>, "code" | "observed">): string {
  const { title, closerTitle } = DIAGNOSES[code];
  return closerTitle?.(observed) ?? title;
}

export const digLessons = (code: DiagnosisCode, names: Omit<DigNames, "name">): DigLesson[] =>
  DIAGNOSES[code].dig({ ...names, name: nameOf(names) });
