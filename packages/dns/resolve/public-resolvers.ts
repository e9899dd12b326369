import type { WitnessAddress } from "./reader.ts";

/** The default witnesses are three companies, asked over HTTPS, so that nobody on the path can forge their answers. */
export const PUBLIC_RESOLVERS: WitnessAddress[] = [
  ["cloudflare", "1.1.1.1"],
  ["google", "8.8.8.8"],
  ["quad9", "9.9.9.9"],
].map(([name = "", address = ""]) => ({
  ...{ name, address, port: 443 },
  secure: { transport: "https", host: null, path: "/dns-query" },
}));
