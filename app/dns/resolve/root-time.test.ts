import { createServer, type Server } from "node:net";
import { type Answer, decode, encode } from "dns-packet";
import { afterEach, expect, test } from "vitest";
import { rootTime } from "./root-time.ts";

const NOON = Date.UTC(2026, 0, 3, 12);
const HOUR = 3_600_000;
const NET = "127.0.61";

const rrsig = (inception: number, name = ".", typeCovered = "SOA"): Answer =>
  ({
    type: "RRSIG",
    name,
    ttl: 86_400,
    data: {
      typeCovered,
      algorithm: 8,
      labels: 0,
      originalTTL: 86_400,
      expiration: inception / 1_000 + 13 * 86_400,
      inception: inception / 1_000,
      keyTag: 1,
      signersName: ".",
      signature: Buffer.alloc(256, 7),
    },
  }) as Answer;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

let port = 0;
const asked: { name: string; type: string; wantsSignatures: boolean }[] = [];

/** A root server over TCP that answers with these records; null: it takes the query and stays silent. */
async function root(host: number, answers: Answer[] | null) {
  const server = createServer((socket) => {
    socket.once("data", (bytes) => {
      const query = decode(bytes.subarray(2));
      const [question] = query.questions ?? [];
      const opt = query.additionals?.find(({ type }) => type === "OPT");
      asked.push({
        name: question?.name ?? "",
        type: question?.type ?? "",
        wantsSignatures: (opt as { flag_do?: boolean } | undefined)?.flag_do ?? false,
      });
      if (!answers) return;
      const reply = encode({
        type: "response",
        id: query.id ?? 0,
        questions: query.questions ?? [],
        answers,
      });
      const length = Buffer.alloc(2);
      length.writeUInt16BE(reply.length);
      socket.end(Buffer.concat([length, reply]));
    });
    socket.on("error", () => {});
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, `${NET}.${host}`, resolve));
  const address = server.address();
  if (typeof address === "object" && address) port = address.port;
  return { host: `${host}.root`, addresses: [`${NET}.${host}`] };
}

const ask = (
  rootHints: { host: string; addresses: string[] }[],
  signal = AbortSignal.timeout(9_000),
) => rootTime({ rootHints, port, allowAddresses: ["127.0.0.0/8"] }).ask(signal);

test("derives the time from the newest signature of the root's SOA", async () => {
  asked.length = 0;
  const hint = await root(1, [
    rrsig(NOON - 12 * HOUR),
    rrsig(NOON),
    rrsig(NOON + 30 * 24 * HOUR, ".", "NS"),
    rrsig(NOON + 30 * 24 * HOUR, "example"),
  ]);
  expect(await ask([hint])).toEqual([{ from: NOON, to: NOON + 13 * HOUR }]);
  expect(asked).toEqual([{ name: ".", type: "SOA", wantsSignatures: true }]);
});

test("asks three root servers; unsigned and refusing ones give no time", async () => {
  const hints = [
    await root(1, [rrsig(NOON)]),
    await root(2, [rrsig(NOON)]),
    await root(3, []),
    { host: "closed.root", addresses: [`${NET}.99`] },
  ];
  const intervals = await ask(hints);
  expect(intervals).toHaveLength(3);
  expect(intervals.filter((one) => one !== null).length).toBeGreaterThan(0);
  expect(await ask([...hints.slice(2)])).toEqual([null, null]);
});

test("does not ask refused addresses", async () => {
  const hint = await root(1, [rrsig(NOON)]);
  asked.length = 0;
  const source = rootTime({ rootHints: [hint], port, allowAddresses: [] });
  expect(await source.ask(AbortSignal.timeout(9_000))).toEqual([null]);
  expect(asked).toEqual([]);
});

test("ends when aborted", async () => {
  const hint = await root(1, null);
  const leaving = new AbortController();
  const intervals = ask([hint], leaving.signal);
  setTimeout(() => leaving.abort(), 20);
  expect(await intervals).toEqual([null]);
});
