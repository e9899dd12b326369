/** `npm run reliability` and parts of `.ci/run` use the full sizes; `npm test` the short ones. */
export const isFull = process.env.TEST_SIZE === "full";

/** A number of rounds, rows or milliseconds: `full` in a full run, otherwise `short`. */
export const sized = (short: number, full: number): number => (isFull ? full : short);
