import type { RecordType } from "../verdict/observation.ts";

/** The record that a read is for. `accepted`: other values that are as good as its token. */
export class Wanted {
  /** The value that was found in place of the token. */
  other: string | null = null;

  constructor(
    readonly type: RecordType = "TXT",
    private readonly token = "",
    private readonly accepted: readonly string[] = [],
  ) {}

  /** The token, if a value is as good. */
  plain(value: string): string {
    if (!this.accepted.includes(value)) return value;
    this.other = value;
    return this.token;
  }
}
