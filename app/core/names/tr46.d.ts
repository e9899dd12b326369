declare module "tr46" {
  export type Options = {
    checkHyphens?: boolean;
    checkBidi?: boolean;
    checkJoiners?: boolean;
    useSTD3ASCIIRules?: boolean;
    transitionalProcessing?: boolean;
    ignoreInvalidPunycode?: boolean;
  };
  const tr46: {
    toASCII(domain: string, options?: Options & { verifyDNSLength?: boolean }): string | null;
    toUnicode(domain: string, options?: Options): { domain: string; error: boolean };
  };
  export default tr46;
}
