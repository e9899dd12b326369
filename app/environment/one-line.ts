/** The text with each control character, line separators among them, made a question mark, so that it is one line. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, "?");
