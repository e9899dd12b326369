/** No answer a claim needs is longer; longer ones are refused unread. */
export const MAX_MESSAGE = 16 * 1024;

/** What an answer that is too large to be read says of itself: its octets, and the records of its answer section. */
export type AnswerSize = { bytes: number; records: number };
