import { FOREIGN, LABEL, longRecords, record, TOKEN } from "../case.ts";
import { type Honest, held } from "./row.ts";

const zone = (title: string, ...has: string[]): Honest => ({
  title,
  servers: ["has1", "has2"],
  on: { has },
});

/** Records in unusual forms. */
export const ODDITIES: Honest[] = [
  zone("a record of several strings", `${LABEL} TXT "${TOKEN.slice(0, 20)}" "${TOKEN.slice(20)}"`),
  zone("several records", held, record("v=spf1 -all"), record(FOREIGN)),
  zone("a wildcard", record(TOKEN, "*")),
  zone("an answer too long for a datagram", held, ...longRecords(8)),
  {
    ...zone("servers without EDNS, and a long answer", held, ...longRecords(4)),
    servers: ["has1-withoutEdns"],
  },
];
