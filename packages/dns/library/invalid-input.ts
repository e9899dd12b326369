/** Thrown before any packet if a question cannot be asked. Its message says why. */
export class InvalidInput extends RangeError {
  override readonly name = "InvalidInput";
  /** The part of the question that is wrong: domain, label, token, name, type, value, options or evidence. */
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** Throws InvalidInput for an unknown option, because a misspelled one would otherwise be ignored. */
export function refuseUnknown(options: object, names: readonly string[]): void {
  const [stray] = Object.keys(options).filter((key) => !names.includes(key));
  if (stray !== undefined) throw new InvalidInput("options", `There is no option “${stray}”.`);
}
