import { createReader } from "@deed/dns/resolve/create-reader.ts";
import type { Reader } from "@deed/dns/resolve/reader.ts";
import { decide } from "@deed/dns/verdict/decide.ts";
import { UNREAD } from "@deed/dns/verdict/history.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readerSettings } from "../support/reader-settings.ts";
import { diagnosis, LABEL, record, TOKEN, zone } from "./case.ts";
import { describeLab, type Lab, startLab } from "./lab.ts";
import { type Front, openFront } from "./rule/front.ts";
import { MANNERS } from "./rule/manners.ts";
import { ALIAS, IPV6_ONLY, KNOTS, LOWER_CASE, UDP_ONLY } from "./zones.ts";

const HISTORY = {
  ...UNREAD,
  endedTokens: [],
  domainOf: () => null,
  tokenPrefix: "service_v1_",
};

type Case = { title: string; hosts: string[]; result: object; awaits: string };

/** Zones on knotd with the record, each delegated to nameservers of one kind. */
const CASES: Case[] = [
  {
    title: "without TCP",
    hosts: [UDP_ONLY.host],
    result: { result: "tcp_refused" },
    awaits: "provider",
  },
  {
    title: "without TCP, that lower-case the question",
    hosts: [LOWER_CASE.host],
    result: { result: "case_changed" },
    awaits: "provider",
  },
  {
    title: "whose name is an alias",
    hosts: [ALIAS],
    result: { result: "is_alias", target: KNOTS.ns1.host },
    awaits: "registrar",
  },
  {
    title: "whose name is an address",
    hosts: [KNOTS.ns1.address],
    result: { result: "no_address" },
    awaits: "registrar",
  },
  {
    title: "in the zone without glue",
    hosts: ["ns.without-glue.com"],
    result: { result: "no_address" },
    awaits: "registrar",
  },
  {
    title: "with only IPv6 addresses, without an IPv6 route",
    hosts: [IPV6_ONLY.host],
    result: { result: "ipv6_only" },
    awaits: "provider",
  },
];

const nameOf = ({ hosts: [host = ""] }: Case) =>
  host.endsWith(".com") ? host.slice(3) : `${host.replaceAll(".", "-")}.com`;
const ZONES = CASES.map((each) =>
  zone(nameOf(each), { ns1: [record(TOKEN)] }, { delegatedTo: each.hosts }),
);
const BESIDE = zone(
  "beside.com",
  { ns1: [record(TOKEN)] },
  { delegatedTo: [UDP_ONLY.host, KNOTS.ns1.host] },
);

describeLab(
  "nameservers that cannot be confirmed or are misconfigured in the parent zone, on knotd",
  () => {
    let lab: Lab;
    let reader: Reader;
    const open: Front[] = [];
    beforeAll(async () => {
      lab = await startLab([...ZONES, BESIDE]);
      const port = lab.ports.plain;
      const behind = { own: KNOTS.ns1.address, has: KNOTS.ns1.address, not: KNOTS.ns1.address };
      const { udp, lowers } = MANNERS;
      open.push(await openFront(UDP_ONLY.address, port, udp, behind));
      open.push(await openFront(LOWER_CASE.address, port, { ...lowers, only: "udp" }, behind));
      const settings = readerSettings(lab.env);
      reader = createReader({
        ...settings,
        allowAddresses: [...settings.allowAddresses, "fe80::/10"],
      });
    });
    afterAll(async () => {
      reader?.close();
      for (const one of open) one.close();
      await lab?.stop();
    });

    const read = async (domain: string) => {
      const question = { domain, label: LABEL, token: TOKEN };
      const seen = await reader.readChallenge(question, AbortSignal.timeout(30_000));
      return { seen, decision: decide(seen, HISTORY) };
    };

    it.for(CASES)("a zone with nameservers $title", async (each) => {
      const { decision } = await read(nameOf(each));
      const nameservers = each.hosts.map((host) => ({ host, ...each.result }));
      expect(decision).toEqual(diagnosis("lame_delegation", { nameservers }, each.awaits));
    });

    it("proves a record that one of two nameservers confirms over TCP", async () => {
      const { seen, decision } = await read(BESIDE.name);
      expect(decision).toEqual({ outcome: "found" });
      expect(seen.confirmation).toMatchObject({ host: KNOTS.ns1.host, confirmed: true });
    });
  },
);
