/** remix-serve's request logger, which ships no types. */
declare module "morgan" {
  const morgan: {
    /** Names a format; a line that is null is not printed. */
    format(name: string, line: () => string | null): void;
  };
  export default morgan;
}
