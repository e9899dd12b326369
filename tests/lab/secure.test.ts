import { createReader } from "@deed/dns/resolve/create-reader.ts";
import type { Reader } from "@deed/dns/resolve/reader.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openClaim, signIn } from "../support/deed.ts";
import { readerSettings } from "../support/reader-settings.ts";
import { startService } from "../support/service.ts";
import { both, longRecords, readBy, record, TOKEN, useLab, zone } from "./case.ts";
import { describeLab } from "./lab.ts";
import { NS1, NS2 } from "./zones.ts";

const SIGNED = zone("signed.example", both(record(TOKEN)), { signed: "good" });
const LARGE = zone("large.com", both(record(TOKEN), ...longRecords(8)));
const CLAIMED = [zone("tls.com", both()), zone("https.com", both())];

describeLab("unbound as a witness", () => {
  const at = useLab([SIGNED, LARGE, ...CLAIMED]);

  describe.each(["tls", "https"] as const)("over %s", (transport) => {
    let reader: Reader;
    beforeAll(() => {
      const settings = readerSettings({ ...at.lab.env, DNS_RESOLVERS: at.lab.secure[transport] });
      reader = createReader({ ...settings, authorities: [at.lab.authority.cert] });
    });
    afterAll(() => reader?.close());
    it("proves a signed zone, validated, with its nameservers", async () => {
      const { seen, decision } = await readBy(reader, SIGNED.name);
      expect(decision).toEqual({ outcome: "found" });
      expect(seen.witnesses).toMatchObject(Array(3).fill({ result: "answered", ad: true }));
      // Two of three agree, so the third is not asked for its list.
      expect(
        seen.witnesses?.flatMap(({ nameservers }) => (nameservers ? [nameservers] : [])),
      ).toEqual(Array(2).fill([NS1, NS2]));
      const asked = seen.exchanges.filter((one) => ["tls", "https"].includes(one.transport));
      expect(asked.map((one) => one.transport)).toEqual(Array(5).fill(transport));
    });

    it("carries an answer that is too long for a datagram", async () => {
      const { seen, decision } = await readBy(reader, LARGE.name);
      expect(decision).toEqual({ outcome: "found" });
      expect(seen.witnesses?.map(({ answer }) => answer?.values.length)).toEqual([9, 9, 9]);
    });

    it("proves a claim of the service, which trusts a private CA through NODE_EXTRA_CA_CERTS", async () => {
      const env = { ...at.lab.env, DNS_RESOLVERS: at.lab.secure[transport] };
      const service = await startService({
        env: { ...env, NODE_EXTRA_CA_CERTS: at.lab.authority.file },
      });
      try {
        const client = await signIn(service, `${transport}@holder.example`);
        const claim = await openClaim(client, `${transport}.com`);
        await at.lab.setZone(`${transport}.com`, [record(claim.token)]);
        const run = await client.post(`/api/verifications/${claim.verificationId}/runs`);
        expect(run.body).toMatchObject({ lastOutcome: "found" });
      } finally {
        await service.stop();
      }
    });
  });
});
