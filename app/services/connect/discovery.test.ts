import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createOutbound } from "#app/outbound/outbound.server.ts";
import { specialAddresses } from "../../../tests/data/index.ts";
import { discoverOffer, NO_OFFER } from "./discovery.server.ts";
import { Offers } from "./offers.ts";

const servers: Server[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const lab = createOutbound({ allowed: ["127.0.0.1/32"], denied: [] });
const ask = (value: string | string[], { outbound = lab, providerId = "deed.example.org" } = {}) =>
  discoverOffer(
    {
      reader: { readText: async () => ({ type: "read", values: [value].flat(), ttl: 600 }) },
      outbound,
      providerId,
    },
    "acme.com",
  );

const json =
  (settings: (host: string) => object, supported = 200): RequestListener =>
  (request, response) => {
    const isSettings = request.url === "/v2/acme.com/settings";
    response
      .writeHead(isSettings ? 200 : supported)
      .end(JSON.stringify(settings(`http://${request.headers.host}`)));
  };
const own = (url: string) => ({
  urlAPI: url,
  urlSyncUX: url,
  urlControlPanel: `${url}/zones/%domain%`,
});

describe("what a provider offers", () => {
  it("is its page of the zone, and the template if it has that", async () => {
    const host = await serve(json(own));
    expect(await ask(host)).toEqual({
      offer: {
        controlPanel: `http://${host}/zones/acme.com`,
        apply: `http://${host}/v2/domainTemplates/providers/deed.example.org/services/domain-proof/apply`,
      },
      ttl: 600,
    });
    const without = await serve(json(own, 404));
    expect((await ask(without)).offer.apply).toBeNull();
  });

  it("is nothing after a redirect, which is not followed", async () => {
    let calls = 0;
    const host = await serve((_, response) => {
      calls += 1;
      response.writeHead(302, { Location: "http://127.0.0.1:1/" }).end();
    });
    expect((await ask(host)).offer).toEqual(NO_OFFER);
    expect(calls).toBe(1);
  });

  it("is nothing of 1 GB, of which 64 KB are read", async () => {
    let sent = 0;
    const host = await serve((_, response) => {
      const write = () => {
        while (!response.destroyed && sent < 2 ** 30 && response.write(Buffer.alloc(65_536, " ")))
          sent += 65_536;
      };
      response.on("drain", write);
      write();
    });
    expect((await ask(host)).offer).toEqual(NO_OFFER);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it("is nothing of hosts that are slow, drip or are silent, after three seconds", async () => {
    const silent = await serve(() => {});
    const drip = await serve((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(" "), 50);
      response.once("close", () => clearInterval(timer));
    });
    const started = performance.now();
    const all = await Promise.all([ask(silent), ask(drip)]);
    expect(all.map(({ offer }) => offer)).toEqual([NO_OFFER, NO_OFFER]);
    expect(performance.now() - started).toBeGreaterThan(2_900);
  });

  it("is nothing, without a connection, of hosts in every special-purpose range", async () => {
    const blocks = specialAddresses();
    const all = blocks.flat();
    const outbound = createOutbound({
      allowed: [],
      denied: [],
      resolve: async (name) => blocks[Number(name.split(".")[0]?.slice(1))] ?? [],
    });
    const connect = vi.spyOn(Socket.prototype, "connect");
    const literals = all.map((one) => (one.includes(":") ? `[${one}]` : one));
    const names = blocks.map((_, row) => `r${row}.settings.test`);
    const forged = ["127.1", "0x7f000001", "2130706433", "localhost.", "[::ffff:127.0.0.1]"];
    const results = await Promise.all(
      [...literals, ...names, ...forged].map((host) => ask(host, { outbound })),
    );
    console.log(
      `${blocks.length} ranges, ${results.length} hosts, ${connect.mock.calls.length} forbidden connections`,
    );
    expect(connect.mock.calls).toEqual([]);
    for (const { offer } of results) expect(offer).toEqual(NO_OFFER);
  });

  it("asks no other host for the template, whatever the settings say", async () => {
    let calls = 0;
    const other = await serve((_, response) => {
      calls += 1;
      response.end("{}");
    });
    const elsewhere = `http://${other.replace("127.0.0.1", "127.0.0.2")}`;
    const host = await serve(json(() => own(elsewhere)));
    expect((await ask(host)).offer).toEqual(NO_OFFER);
    expect(calls).toBe(0);
  });
});

describe("what is known", () => {
  const offer = { controlPanel: "https://panel.example/", apply: null };

  it("is there at once, whatever the provider does, and asked again after the TTL", async () => {
    let now = 0;
    let asked = 0;
    let answer = (_: { offer: typeof offer; ttl: number }) => {};
    const offers = new Offers(
      () => {
        asked += 1;
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
      () => now,
    );
    expect(offers.of("acme.com", "acc_1")).toEqual(NO_OFFER);
    expect(offers.of("acme.com", "acc_2")).toEqual(NO_OFFER);
    const settled = offers.settled("acme.com", "acc_1");
    answer({ offer, ttl: 120 });
    expect(await settled).toEqual(offer);
    now = 119_999;
    expect(offers.of("acme.com", "acc_1")).toEqual(offer);
    expect(asked).toBe(1);
    now = 120_000;
    expect(offers.of("acme.com", "acc_1")).toEqual(offer);
    expect(asked).toBe(2);
  });

  it("is kept of a thousand zones, and asked of a few at once for one account", () => {
    let asked = 0;
    const offers = new Offers(
      () => {
        asked += 1;
        return new Promise(() => {});
      },
      () => 0,
    );
    for (let row = 0; row < 100; row++) offers.of(`z${row}.example`, "acc_1");
    expect(asked).toBeLessThanOrEqual(4);
    offers.of("other.example", "acc_2");
    expect(asked).toBeLessThanOrEqual(5);
    expect(asked).toBeGreaterThan(3);
  });
});
