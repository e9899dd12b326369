import { createReader } from "@deed/dns/resolve/create-reader.ts";
import type { WitnessAddress } from "@deed/dns/resolve/reader.ts";
import { Authority } from "@deed/dns/testing/certificates.ts";
import { resolving } from "@deed/dns/testing/faults.ts";
import { type LabOptions, LabServer } from "@deed/dns/testing/lab-server.ts";
import { delegation, labZone } from "@deed/dns/testing/lab-zone.ts";
import { decide } from "@deed/dns/verdict/decide.ts";
import { UNREAD } from "@deed/dns/verdict/history.ts";
import type { Secure } from "@deed/dns/wire/tls.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { both, LABEL, TOKEN, zone } from "./case.ts";
import { describeLab, type Lab, startLab } from "./lab.ts";
import { relay } from "./relay.ts";
import { UNBOUNDS } from "./unbound.ts";
import { NS1, NS2 } from "./zones.ts";

/** The addresses the service uses. An attacker on its uplink answers there, or forwards. */
const seen = (host: number) => `127.0.41.${host}`;
const WITNESSES = UNBOUNDS.map(({ name, address }, at) => ({ name, address, seen: seen(11 + at) }));
const VICTIM = zone("victim.com", both());
const PATHS = { tls: "", https: "/dns-query" };

/** The forged DNS: the zone is on the forger's server and contains the token. */
const FORGED = labZone(VICTIM.name, { "ns1.forged.com": [seen(3)] }, [
  { name: `${LABEL}.${VICTIM.name}`, type: "TXT", data: TOKEN },
]);
const REGISTRY = labZone("com", { "ns.com": [seen(2)] }, [
  ...delegation(VICTIM.name, { "ns1.forged.com": [] }),
  { name: "ns1.forged.com", type: "A", data: seen(3) },
]);
const ROOT = labZone(".", { "a.root": [seen(1)] }, delegation("com", { "ns.com": [seen(2)] }));

describeLab("a forger on the service's uplink", () => {
  let lab: Lab;
  const open: { close(): void }[] = [];
  beforeAll(async () => {
    lab = await startLab(
      [VICTIM],
      WITNESSES.map((one) => one.seen),
    );
  });
  afterEach(() => {
    for (const one of open.splice(0)) one.close();
  });
  afterAll(() => lab?.stop());

  async function forge(address: string, port: number, zones: LabServer["zones"], how?: LabOptions) {
    const server = new LabServer(address, zones, how);
    await server.listen(port);
    open.push(server);
  }

  /**
   * Reads through the uplink, with forged authoritative answers. `port` and `secure`: how the witnesses are queried.
   */
  async function read(port: number, secure?: Secure) {
    const { plain } = lab.ports;
    await forge(seen(1), plain, [ROOT]);
    await forge(seen(2), plain, [REGISTRY]);
    await forge(seen(3), plain, [FORGED]);
    const witnesses: WitnessAddress[] = WITNESSES.map(({ name, seen: address }) => ({
      name,
      address,
      port,
      ...(secure ? { secure } : {}),
    }));
    const reader = createReader({
      rootHints: [{ host: "a.root", addresses: [seen(1)] }],
      trustAnchors: [],
      witnesses,
      allowAddresses: ["127.0.0.0/8"],
      authorities: [lab.authority.cert],
      port: plain,
    });
    open.push(reader);
    const question = { domain: VICTIM.name, label: LABEL, token: TOKEN };
    const observation = await reader.readChallenge(question, AbortSignal.timeout(30_000));
    const history = {
      ...UNREAD,
      domainOf: () => null,
      endedTokens: [],
    };
    const decision = decide(observation, { ...history, tokenPrefix: "service_v1_" });
    return { observation, decision };
  }

  it("can forge a proof if the witnesses are asked in plain text", async () => {
    const { plain } = lab.ports;
    for (const witness of WITNESSES)
      await forge(witness.seen, plain, [FORGED], { behaviour: resolving });
    const { decision } = await read(plain);
    expect(decision).toEqual({ outcome: "found" });
  });

  describe.each(["tls", "https"] as const)("where the witnesses are asked over %s", (transport) => {
    const secure = { transport, host: null, path: PATHS[transport] };

    it("cannot forge a proof by relaying their connections: they know another zone", async () => {
      const port = lab.ports[transport];
      for (const witness of WITNESSES) open.push(await relay(witness.seen, witness.address, port));
      const { observation, decision } = await read(port, secure);
      expect(decision.outcome).toBe("absent");
      // Everything the service checks itself is forged.
      expect(observation.servers.map(({ answer }) => answer?.values)).toEqual([[TOKEN]]);
      expect(observation.confirmation?.confirmed).toBe(true);
      expect(observation.witnesses).toMatchObject(
        Array(3).fill({ answer: { rcode: "NXDOMAIN" }, nameservers: [NS1, NS2] }),
      );
    });

    it("cannot forge a proof by impersonating them: its certificate is not theirs", async () => {
      const port = lab.ports[transport];
      const certificate = new Authority().issue(WITNESSES.map((one) => one.seen));
      for (const witness of WITNESSES)
        await forge(witness.seen, port, [FORGED], {
          behaviour: resolving,
          secure: { transport, certificate },
        });
      const { observation, decision } = await read(port, secure);
      expect(decision).toEqual({ outcome: "unresolvable" });
      expect(observation.confirmation?.confirmed).toBe(true);
      expect(observation.witnesses?.map(({ result }) => result)).toEqual(
        Array(3).fill("untrusted"),
      );
    });
  });
});
