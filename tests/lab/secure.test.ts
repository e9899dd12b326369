import { createReader } from "@deed/dns/resolve/create-reader.ts";
import type { Reader } from "@deed/dns/resolve/reader.ts";
import { decide } from "@deed/dns/verdict/decide.ts";
import { UNREAD } from "@deed/dns/verdict/history.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openClaim, signIn } from "../support/deed.ts";
import { readerSettings } from "../support/reader-settings.ts";
import { startService } from "../support/service.ts";
import { both, LABEL, longRecords, record, TOKEN, zone } from "./case.ts";
import { describeLab, type Lab, startLab } from "./lab.ts";
import { NS1, NS2 } from "./zones.ts";

const SIGNED = zone("signed.example", both(record(TOKEN)), { signed: "good" });
const BOGUS = zone("bogus.example", both(record(TOKEN)), { signed: "bogus" });
const LARGE = zone("large.com", both(record(TOKEN), ...longRecords(8)));
const CLAIMED = [zone("tls.com", both()), zone("https.com", both())];

const HISTORY = {
  ...UNREAD,
  domainOf: () => null,
  endedTokens: [],
  tokenPrefix: "service_v1_",
};

describeLab("unbound as a witness", () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startLab([SIGNED, BOGUS, LARGE, ...CLAIMED]);
  });
  afterAll(() => lab?.stop());

  describe.each(["tls", "https"] as const)("over %s", (transport) => {
    let reader: Reader;
    beforeAll(() => {
      const settings = readerSettings({ ...lab.env, DNS_RESOLVERS: lab.secure[transport] });
      reader = createReader({ ...settings, authorities: [lab.authority.cert] });
    });
    afterAll(() => reader?.close());
    const read = async (domain: string, from = reader) => {
      const question = { domain, label: LABEL, token: TOKEN };
      const seen = await from.readChallenge(question, AbortSignal.timeout(30_000));
      return { seen, decision: decide(seen, HISTORY) };
    };

    it("proves a signed zone, validated, with its nameservers", async () => {
      const { seen, decision } = await read(SIGNED.name);
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
      const { seen, decision } = await read(LARGE.name);
      expect(decision).toEqual({ outcome: "found" });
      expect(seen.witnesses?.map(({ answer }) => answer?.values.length)).toEqual([9, 9, 9]);
    });

    it("explains invalid signatures", async () => {
      const { seen, decision } = await read(BOGUS.name);
      expect(decision).toMatchObject({ diagnosis: { code: "servfail" } });
      expect(seen.witnesses?.[0]).toMatchObject({ result: "servfail", uncheckedRcode: "NOERROR" });
      expect(seen.witnesses?.[0]?.extendedErrors).not.toEqual([]);
    });

    it("rejects a certificate without a trusted signer", async () => {
      const settings = readerSettings({ ...lab.env, DNS_RESOLVERS: lab.secure[transport] });
      const distrusting = createReader(settings);
      const { seen, decision } = await read(SIGNED.name, distrusting);
      distrusting.close();
      expect(decision).toEqual({ outcome: "unresolvable" });
      expect(seen.witnesses?.map(({ result }) => result)).toEqual(Array(3).fill("untrusted"));
    });

    it("proves a claim of the service, which trusts a private CA through NODE_EXTRA_CA_CERTS", async () => {
      const env = { ...lab.env, DNS_RESOLVERS: lab.secure[transport] };
      const service = await startService({
        env: { ...env, NODE_EXTRA_CA_CERTS: lab.authority.file },
      });
      try {
        const client = await signIn(service, `${transport}@holder.example`);
        const claim = await openClaim(client, `${transport}.com`);
        for (const server of ["ns1", "ns2"] as const)
          await lab.setZone(server, `${transport}.com`, [record(claim.token)]);
        const run = await client.post(`/api/verifications/${claim.verificationId}/runs`);
        expect(run.body).toMatchObject({ lastOutcome: "found" });
      } finally {
        await service.stop();
      }
    });
  });
});
