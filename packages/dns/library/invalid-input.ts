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

/** Otherwise a misspelled option would be ignored. */
export function refuseUnknown(options: object, names: readonly string[]): void {
  const [stray] = Object.keys(options).filter((key) => !names.includes(key));
  if (stray !== undefined) throw new InvalidInput("options", `There is no option “${stray}”.`);
}
