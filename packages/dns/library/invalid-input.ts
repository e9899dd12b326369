/** A question that cannot be asked: thrown before any packet, with a sentence that says why. */
export class InvalidInput extends RangeError {
  override readonly name = "InvalidInput";
  /** Which part of the question is wrong: domain, label, token, name, type, value, options or evidence. */
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** Otherwise a misspelt option would be ignored. */
export function refuseUnknown(given: object, known: readonly string[]): void {
  const [odd] = Object.keys(given).filter((key) => !known.includes(key));
  if (odd !== undefined) throw new InvalidInput("options", `There is no option “${odd}”.`);
}
