declare module "morgan" {
  const morgan: {
    format(name: string, line: () => string | null): void;
  };
  export default morgan;
}
