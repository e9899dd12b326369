export const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : String(error);

/** Returns the message of an error's cause, since the message of fetch's own error gives no reason. */
export const causeOf = (error: unknown) => messageOf((error as { cause?: unknown }).cause ?? error);
