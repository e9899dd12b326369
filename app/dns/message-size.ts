/** Longest message accepted, in octets. No answer a claim needs is longer; longer ones are refused unread. */
export const MAX_MESSAGE = 16 * 1024;

/** Size of an answer that is too large to read: its octets, and the record count of its answer section. */
export type AnswerSize = { bytes: number; records: number };
