import type { RecordType } from "../verdict/observation.ts";

/** The record that a read is for. `accepted`: other values that are as good as its token. */
export class Wanted {
  constructor(
    readonly type: RecordType = "TXT",
    private readonly token = "",
    private readonly accepted: readonly string[] = [],
  ) {}

  /** The token, if a value is as good. */
  plain(value: string): string {
    return this.accepted.includes(value) ? this.token : value;
  }
}
