/** A question that cannot be asked: thrown before any packet, with the reason as a sentence. */
export class InvalidInput extends RangeError {
  override readonly name = "InvalidInput";
  /** Which part of the question: domain, label, token, name, type, value, options or evidence. */
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** A misspelt option would be ignored. */
export function refuseUnknown(given: object, known: readonly string[]): void {
  const [odd] = Object.keys(given).filter((key) => !known.includes(key));
  if (odd !== undefined) throw new InvalidInput("options", `There is no option “${odd}”.`);
}
