// Clients of event streams: a child process of account-streams.ts, driven over IPC.
import { connect, type Socket } from "node:net";
import Database from "better-sqlite3";

const AT_ONCE = 50;
const EVENT_MS = 10_000;

/** One change per account: rows written straight to the feed, and for the last account a call to the service. */
export type Trigger = {
  path: string;
  cookie?: string;
  feed?: { file: string; accounts: string[] };
};
export type Request =
  | { type: "open"; port: number; count: number; cookies: string[]; headers: string }
  | { type: "event"; trigger: Trigger; domain: string }
  | { type: "leave" };
/** `ms`: from just before the trigger until the last stream has received the event. */
export type Reply = { error: string } | { opened: number } | { ms: number } | { left: true };

const sockets: Socket[] = [];
let port = 0;
let awaited = 0;
let heard = () => {};
let failure = "";

function receive(chunk: string): void {
  let at = chunk.indexOf("data: ");
  while (at >= 0) {
    if (!chunk.startsWith('{"type":"domain.created"', at + 6)) failure = `unexpected: ${chunk}`;
    if (--awaited === 0) heard();
    at = chunk.indexOf("data: ", at + 6);
  }
}

const open = (cookie: string | undefined, headers: string) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    socket.setEncoding("latin1");
    socket.once("error", reject);
    socket.once("data", (head: string) => {
      if (!head.startsWith("HTTP/1.1 200 ")) return reject(new Error(head.slice(0, 200)));
      socket.on("data", receive);
      socket.once("close", () => {
        failure ||= "a stream ended";
      });
      resolve();
    });
    socket.write(
      `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${cookie ? `Cookie: ${cookie}\r\n` : ""}${headers}\r\n`,
    );
  });

async function openAll(count: number, cookies: string[], headers: string): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) =>
        open(cookies[(from + i) % cookies.length], headers),
      ),
    );
}

function writeFeed({ file, accounts }: { file: string; accounts: string[] }, domain: string) {
  const db = new Database(file, { timeout: 1_000 });
  const insert = db.prepare(
    "insert into change_feed (account_id, type, ids, at) values (?, 'domain.created', ?, ?)",
  );
  db.transaction(() => {
    for (const account of accounts)
      insert.run(account, JSON.stringify({ domainId: domain }), Date.now());
  })();
  db.close();
}

async function event({ path, cookie, feed }: Trigger, domain: string): Promise<number> {
  awaited = sockets.length;
  const all = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const began = performance.now();
  if (feed) writeFeed(feed, domain);
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(cookie ? { cookie } : {}) },
    body: JSON.stringify({ domain }),
  });
  if (!response.ok) throw new Error(`the trigger was answered ${response.status}`);
  const late = setTimeout(() => {
    failure = `${awaited} streams heard nothing`;
    heard();
  }, EVENT_MS);
  let last = 0;
  await all.then(() => {
    last = performance.now();
  });
  clearTimeout(late);
  return last - began;
}

async function handle(request: Request): Promise<Reply> {
  switch (request.type) {
    case "open":
      port = request.port;
      await openAll(request.count, request.cookies, request.headers);
      return { opened: sockets.length };
    case "event":
      return { ms: await event(request.trigger, request.domain) };
    case "leave":
      for (const socket of sockets) {
        socket.removeAllListeners("close");
        socket.destroy();
      }
      return { left: true };
  }
}

process.on("message", (request: Request) => {
  handle(request).then(
    (reply) => process.send?.(failure ? { error: failure } : reply),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
