import type { LabRecord } from "./lab-zone.ts";
import type { Row } from "./rows.ts";
import { LABEL, TOKEN } from "./world.ts";

const txt = (data: string): LabRecord => ({ name: `${LABEL}.acme.test`, type: "TXT", data });

/** Ways in which a value gets damaged in a panel. */
export const VALUE_ROWS: Row[] = [
  {
    name: "the token cut into two records, beside another",
    setup: () => ({
      records: [txt(TOKEN.slice(31)), txt("v=spf1 -all"), txt(TOKEN.slice(0, 31))],
    }),
    expected: "absent value_formatted",
    observed: () => ({ value: TOKEN.slice(0, 31), damage: ["truncated"], pieces: 2, others: 1 }),
  },
];
