export type LogSink = Record<"info" | "error", (fields: object, message: string) => void>;

/** Logs one line when the fault begins and one when it ends, however often it is noted. */
export class FaultLog {
  #failingSince: number | null = null;

  constructor(
    private readonly beginMessage: string,
    private readonly endMessage: string,
  ) {}

  note(log: LogSink, isFailing: boolean, fields: object = {}): void {
    if (isFailing && this.#failingSince === null) {
      this.#failingSince = performance.now();
      log.error(fields, this.beginMessage);
    } else if (!isFailing && this.#failingSince !== null) {
      const seconds = Math.round((performance.now() - this.#failingSince) / 1_000);
      this.#failingSince = null;
      log.info({ seconds }, this.endMessage);
    }
  }
}
