declare module "tr46" {
  type Options = Record<string, boolean>;
  const tr46: {
    toASCII(domain: string, options: Options): string | null;
    toUnicode(domain: string, options: Options): { domain: string; error: boolean };
  };
  export default tr46;
}
