/** A line that repeats is printed at most this often. */
const EVERY_MS = 60_000;
/** Different lines remembered at once. */
const MOST_LINES = 100;

/** Prints the line; `repeated`: how often it was held back since it was last printed, 0 for its first time. */
type Print = (repeated: number) => void;
type Line = { repeated: number; print: Print; timer: NodeJS.Timeout };

/**
 * Holds back lines that repeat: the first is printed at once, those of the next minute as one line at its end, and so
 * on. Bounded: past 100 different lines the oldest is printed early and forgotten.
 */
export class Repeats {
  /** By key, oldest first. */
  readonly #lines = new Map<string, Line>();

  /** Prints the line now or later. Lines with one key are the same; the newest stands for those held back. */
  pass(key: string, print: Print): void {
    const line = this.#lines.get(key);
    if (line) {
      line.repeated += 1;
      line.print = print;
      return;
    }
    const [oldest] = this.#lines.keys();
    if (oldest !== undefined && this.#lines.size >= MOST_LINES) this.#settle(oldest);
    print(0);
    this.#remember(key, print);
  }

  /** Prints all that is held back. */
  flush(): void {
    for (const key of [...this.#lines.keys()]) this.#settle(key);
  }

  #remember(key: string, print: Print): void {
    const timer = setTimeout(() => {
      if (this.#settle(key)) this.#remember(key, print);
    }, EVERY_MS).unref();
    this.#lines.set(key, { repeated: 0, print, timer });
  }

  /** Forgets a line and prints what was held back of it; false if nothing was. */
  #settle(key: string): boolean {
    const line = this.#lines.get(key);
    if (!line) return false;
    this.#lines.delete(key);
    clearTimeout(line.timer);
    if (line.repeated > 0) line.print(line.repeated);
    return line.repeated > 0;
  }
}
