export type LogSink = Record<"info" | "error", (fields: object, message: string) => void>;

/** Logs one line when the fault begins and one when it ends, however often it is noted. */
export class FaultLog {
  #since: number | null = null;

  constructor(
    private readonly begins: string,
    private readonly ends: string,
  ) {}

  note(log: LogSink, isFailing: boolean, fields: object = {}): void {
    if (isFailing && this.#since === null) {
      this.#since = performance.now();
      log.error(fields, this.begins);
    } else if (!isFailing && this.#since !== null) {
      const seconds = Math.round((performance.now() - this.#since) / 1_000);
      this.#since = null;
      log.info({ seconds }, this.ends);
    }
  }
}
