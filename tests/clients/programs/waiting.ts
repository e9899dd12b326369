/** How @deed/client waits, on a service that this program plays. Prints what it saw. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json as jsonOf } from "node:stream/consumers";
import { Deed, DeedError, type DeedEvent, type Outcome, type ProveOptions } from "@deed/client";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
type Call = { path: string; at: number; lastEventId: string | undefined };

const json =
  (status: number, body: unknown, headers: { [name: string]: string } = {}): Answer =>
  (response) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
const refused = (status: number, code: string, retryAfter?: number) =>
  json(
    status,
    { error: { code, message: "No.", docsUrl: "https://deed.example/docs" } },
    retryAfter ? { "Retry-After": String(retryAfter) } : {},
  );
/** An event stream that stays open, or ends after the given text. */
const stream =
  (text: string, ends = false): Answer =>
  (response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(text);
    if (ends) response.end();
  };

const claim = { id: "clm_1", verificationId: "ver_1", state: "pending", endedAt: null };
const found = { claim, record: { name: "_c.a.example", host: "_c", type: "TXT", value: "token" } };
const PUT = "PUT /api/domains/by-name/a.example";
const verification = (fields: object) =>
  json(200, {
    id: "ver_1",
    status: "propagating",
    lastRunAt: null,
    nextRunAt: new Date(Date.now() + 3_600_000).toISOString(),
    diagnosis: null,
    waitEstimate: { reason: "first_check", secondsRemaining: 30 },
    ...fields,
  });
const ABSENT = { status: "needs_attention", diagnosis: { code: "record_absent" } };
const proved = () => verification({ status: "proved", waitEstimate: null });

/** A service that gives its answers to a call one by one; the last one is repeated. */
async function service(answers: { [call: string]: Answer[] }) {
  const calls: Call[] = [];
  const all: { [call: string]: Answer[] } = {
    [PUT]: [json(200, found)],
    "GET /api/claims/clm_1": [json(200, { ...claim, coexistence: null })],
    "GET /api/events": [stream(": open\n\n")],
    ...answers,
  };
  let streams = 0;
  const server = createServer((request, response) => {
    const path = `${request.method} ${request.url?.split("?")[0]}`;
    calls.push({ path, at: Date.now(), lastEventId: request.headers["last-event-id"]?.toString() });
    if (path === "GET /api/events") {
      streams++;
      response.once("close", () => streams--);
    }
    const list = all[path] ?? [refused(404, "not_found")];
    ((list.length > 1 ? list.shift() : list[0]) as Answer)(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    deed: new Deed({ url, key: "deed_key" }),
    url,
    calls,
    count: (path: string) => calls.filter((call) => call.path === path).length,
    streams: () => streams,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const until = async (done: () => boolean) => {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 10));
};
const refusal = (call: Promise<unknown>) => call.catch((error: unknown) => error);
const VERIFICATION = "GET /api/verifications/ver_1";
const WAITING = "POST /api/claims/clm_1/waiting";

const cases: { [name: string]: () => Promise<unknown> } = {
  /** Without a stream: only the service's own times. */
  async polling() {
    const nextRunAt = Date.now() + 2_000;
    const { deed, calls } = await service({
      "GET /api/events": [refused(429, "rate_limited", 600)],
      [VERIFICATION]: [verification({ nextRunAt: new Date(nextRunAt).toISOString() }), proved()],
    });
    const { status } = await deed.prove("a.example");
    const reads = calls.filter(({ path }) => path === VERIFICATION);
    return { status, reads: reads.length, isAfterRead: (reads[1]?.at ?? 0) > nextRunAt };
  },

  async budget() {
    const { deed, calls } = await service({
      [PUT]: [refused(429, "rate_limited", 1), json(200, found)],
      [VERIFICATION]: [refused(503, "unavailable", 1), proved()],
    });
    const { status } = await deed.prove("a.example");
    const times = (path: string) =>
      calls.filter((call) => call.path === path).map(({ at }) => at) as [number, number];
    const waited = [PUT, VERIFICATION].map((path) => {
      const [first, second] = times(path);
      return second - first >= 1_000;
    });
    return { status, waited };
  },

  async timeouts() {
    let stands: object = { ...ABSENT, waitEstimate: null };
    const { deed, streams } = await service({
      [VERIFICATION]: [(...exchange) => verification(stands)(...exchange)],
    });
    const one = await deed.prove("a.example", { timeout: 1_000 });
    stands = {};
    const two = await deed.prove("a.example", { timeout: 0 });
    await until(() => streams() === 0);
    return [
      one.status === "needs_attention" && one.diagnosis.code,
      two.status === "waiting" && two.waitEstimate?.reason,
    ];
  },

  /** A connection that breaks while the time runs out; a service that is back in time; and a caller's mistake, which is neither. */
  async unheard() {
    const gone: Answer = (response) => response.destroy();
    const told = async (answers: Answer[], options: ProveOptions = {}) => {
      const { deed } = await service({ [VERIFICATION]: answers });
      const outcome = await refusal(deed.prove("a.example", { timeout: 300, ...options }));
      return (outcome as Outcome).status ?? (outcome as Error).name;
    };
    const onChange = () => JSON.parse("null").x;
    return [
      await told([gone]),
      await told([gone, proved()], { timeout: 60_000 }),
      await told([verification({ lastRunAt: "2026-11-02" })], { onChange }),
    ];
  },

  /** A call without an answer: the first call, a read of the claim, the last call; and one ended by the caller's signal. */
  async hanging() {
    const hang: Answer = () => {};
    const open = verification({ ...ABSENT, nextRunAt: new Date(0).toISOString() });
    const told = async (answers: { [call: string]: Answer[] }, options: ProveOptions) => {
      const { deed, streams } = await service({ [WAITING]: [hang], ...answers });
      const outcome = await refusal(deed.prove("a.example", options));
      await until(() => streams() === 0);
      return (outcome as Outcome).status ?? (outcome as Error).name;
    };
    const timeout = 300;
    return [
      await told({ [PUT]: [hang] }, { timeout }),
      await told({ [VERIFICATION]: [hang] }, { timeout }),
      await told({ [VERIFICATION]: [open], "GET /api/claims/clm_1": [hang] }, { timeout }),
      await told({ [VERIFICATION]: [proved()], "GET /api/claims/clm_1": [hang] }, { timeout }),
      await told({ [VERIFICATION]: [hang] }, { signal: AbortSignal.timeout(300) }),
      await told({ [VERIFICATION]: [hang] }, { signal: AbortSignal.timeout(300), timeout: 1 }),
    ];
  },

  /** Sends nothing twice that may have had an effect. */
  async once() {
    const path = "/api/claims/{id}/waiting";
    const { deed, count } = await service({
      [WAITING]: [refused(503, "unavailable", 1)],
      "DELETE /api/domains/dom_1": [(response) => response.destroy()],
    });
    await refusal(deed.post(path, { path: { id: "clm_1" } }));
    await refusal(deed.delete("/api/domains/{id}", { path: { id: "dom_1" } }));
    return [count(WAITING), count("DELETE /api/domains/dom_1")];
  },

  async errors() {
    const body = { error: { code: "too_many_domains", message: "No.", budget: "domains" } };
    const headers = { "X-Request-Id": "req_1", "Retry-After": "7" };
    const { deed } = await service({ "GET /api/domains": [json(409, body, headers)] });
    const error = await refusal(deed.get("/api/domains"));
    if (!(error instanceof DeedError)) throw error;
    const { code, budget, requestId, retryAfter } = error;
    return { code, budget, requestId, retryAfter };
  },

  async ends() {
    const { deed } = await service({
      [VERIFICATION]: [verification({ status: "exhausted" }), verification({ status: "stopped" })],
    });
    const statuses = [await deed.prove("a.example"), await deed.prove("a.example")];
    return statuses.map(({ status }) => status);
  },

  async aborting() {
    const { deed, streams, count } = await service({ [VERIFICATION]: [verification({})] });
    const leaving = new AbortController();
    const call = deed.prove("a.example", { signal: leaving.signal });
    await until(() => count(VERIFICATION) > 0 && streams() === 1 && count(WAITING) === 1);
    leaving.abort("enough");
    const reason = await refusal(call);
    await until(() => streams() === 0);
    return reason;
  },

  /** A hundred calls wait: they share one stream, and an event wakes those it concerns. */
  async sharing() {
    let send = (_: string) => {};
    let isProved = false;
    const { deed, count, streams } = await service({
      "GET /api/events": [
        (response, request) => {
          stream(": open\n\n")(response, request);
          send = (text) => response.write(text);
        },
      ],
      [VERIFICATION]: [(...exchange) => (isProved ? proved() : verification({}))(...exchange)],
    });
    const settled = async () => {
      for (let before = -1; count(VERIFICATION) !== before; ) {
        before = count(VERIFICATION);
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      return count(VERIFICATION);
    };
    const calls = Array.from({ length: 100 }, () => deed.prove("a.example"));
    await until(() => count(VERIFICATION) >= 100 && streams() === 1);
    const before = await settled();
    send('id: 1\ndata: {"type":"verification.ran","verificationId":"ver_2"}\n\n');
    const after = await settled();
    isProved = true;
    send('id: 2\ndata: {"type":"verification.ran","verific');
    send('ationId":"ver_1"}\n\n');
    const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
    await until(() => streams() === 0);
    return [[...statuses], count("GET /api/events"), after - before, count(VERIFICATION) - after];
  },

  async events() {
    const { deed, calls } = await service({
      "GET /api/events": [
        stream('id: a\n\nid: b\ndata: {"type":"claim.opened","claimId":"clm_1"}\n\n', true),
        stream('id: c\nevent: reset\ndata: {"type":"reset"}\n\n', true),
        refused(503, "unavailable", 1),
        stream('id: d\ndata: {"type":"domain.created"}\n\n'),
      ],
    });
    const events: DeedEvent[] = [];
    for await (const event of deed.events()) {
      events.push(event);
      if (event.type === "domain.created") break;
    }
    return { events, ids: calls.map(({ lastEventId }) => lastEventId ?? null) };
  },

  /** Also for a claim that ended without a proof: another one follows. */
  async bodies() {
    const bodies: unknown[] = [];
    const keeping =
      (answer: object): Answer =>
      async (response, request) => {
        bodies.push(await jsonOf(request));
        json(200, answer)(response, request);
      };
    const ended = { claim: { ...claim, id: "clm_0", state: "canceled" }, record: null };
    const { deed } = await service({
      [PUT]: [keeping(ended), keeping(found), keeping(found)],
      [VERIFICATION]: [proved()],
    });
    for (const options of [{ reference: "customer 7" }, {}]) await deed.prove("a.example", options);
    return bodies;
  },

  async refusals() {
    const other = await service({});
    const { deed, url, close } = await service({
      [PUT]: [
        (response) => response.writeHead(404).end("<h1>No such site</h1>"),
        (response) => response.writeHead(307, { Location: `${other.url}/api/domains` }).end(),
      ],
    });
    const page = await refusal(deed.prove("a.example"));
    const redirect = await refusal(deed.prove("a.example"));
    close();
    const gone = await refusal(new Deed({ url }).prove("a.example"));
    const lists = ["", ".."].map((id) => deed.get("/api/domains/{id}", { path: { id } }));
    const empty = await Promise.all(lists.map(refusal));
    return {
      page: page instanceof DeedError && [page.code, page.status],
      redirect: redirect instanceof Error && [redirect.message, other.calls.length],
      gone: gone instanceof Error && gone.message,
      empty: empty.map((error) => error instanceof RangeError),
    };
  },
};

// First alone what keeps this process busy: meanwhile the short timeouts of others could pass.
const { sharing, ...others } = cases;
const shared = await sharing?.();
const seen = Object.entries(others).map(async ([name, run]) => [name, await run()] as const);
console.log(JSON.stringify({ ...Object.fromEntries(await Promise.all(seen)), sharing: shared }));
process.exit(0);
