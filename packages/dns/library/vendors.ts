import type { RecordAsked } from "./check-question.ts";
import rows from "./vendors.json";

/** Whose record it is, by its host or the form of its value. tests/evidence/providers.md has the sources. */
export type Vendor = {
  name: string;
  /** The vendor's own page about this record. */
  page: string;
  /** What its verifier does once the record is published, as a sentence; null if that is not documented. */
  next: string | null;
};
type Row = Vendor & { host?: string; value?: string };

const VENDORS = (rows as Row[]).map(({ host, value, ...vendor }) => ({
  vendor,
  isHost: (name: string) => host !== undefined && new RegExp(host).test(name),
  isValue: (text: string) => value !== undefined && new RegExp(value, "i").test(text),
}));

export const vendorOf = ({ name, values }: Pick<RecordAsked, "name" | "values">): Vendor | null =>
  VENDORS.find(({ isHost, isValue }) => isHost(name) || values.some(isValue))?.vendor ?? null;
