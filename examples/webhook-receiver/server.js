// Receives webhooks: verifies and stores each message, answers, and then handles it.
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { Webhook } from "standardwebhooks";

const { DEED_WEBHOOK_SECRET, DATABASE = "webhooks.db", PORT = "3003" } = process.env;

const webhook = new Webhook(DEED_WEBHOOK_SECRET);
const MAX_BODY = 256 * 1024;

const db = new DatabaseSync(DATABASE);
db.exec(`
  pragma journal_mode = wal;
  create table if not exists inbox (
    place integer primary key, id text not null unique, domain text not null, body text not null,
    tries integer not null default 0, due integer not null default 0, done integer not null default 0);
  create index if not exists todo on inbox (domain, place) where done = 0;
  create table if not exists domains (
    reference text not null, name text not null, proved_at text, problem text, primary key (reference, name));
`);

/** The same message can come twice, and has the same id. */
const store = db.prepare("insert or ignore into inbox (id, domain, body) values (?, ?, ?)");
/** The oldest message of each domain. Later messages about that domain wait for it. */
const next = db.prepare(`
  select * from inbox where place in (select min(place) from inbox where done = 0 group by domain)
  and due <= ? order by place limit 1`);
const nextDue = db.prepare(`
  select min(due) as due from inbox
  where place in (select min(place) from inbox where done = 0 group by domain)`);
const finish = db.prepare("update inbox set done = 1 where place = ?");
const postpone = db.prepare("update inbox set tries = tries + 1, due = ? where place = ?");
const proved = db.prepare(`
  insert into domains (reference, name, proved_at) values (?, ?, ?)
  on conflict do update set proved_at = max(ifnull(proved_at, ''), excluded.proved_at), problem = null`);
const problem = db.prepare(`
  insert into domains (reference, name, problem) values (?, ?, ?)
  on conflict do update set problem = excluded.problem`);

/** What your product does. Each handler runs once for each message, in order for each domain. */
const HANDLERS = {
  "claim.proved": ({ claim }) => proved.run(claim.reference ?? "", claim.domain, claim.endedAt),
  "claim.needs_attention": ({ claim, verification: { diagnosis } }) =>
    problem.run(claim.reference ?? "", claim.domain, `${diagnosis.cause} ${diagnosis.fix}`),
  // The claim ended without a proof. An earlier proof of the domain stays.
  "claim.expired": ({ claim }) =>
    problem.run(claim.reference ?? "", claim.domain, "The record was not found in seven days."),
  // A watch has seen a problem. Close what you opened.
  "domain.no_longer_holds": ({ domain }) =>
    problem.run(domain.reference ?? "", domain.name, "The proof no longer holds."),
  "domain.holds": ({ domain }) => problem.run(domain.reference ?? "", domain.name, null),
};

let timer;

/** Handles the due messages, one after another, and sleeps until the next is due. */
function work() {
  clearTimeout(timer);
  for (let message = next.get(Date.now()); message; message = next.get(Date.now())) {
    const { type, data } = JSON.parse(message.body);
    try {
      db.exec("begin immediate");
      HANDLERS[type]?.(data);
      // This is in the handler's transaction, so a crash cannot make the handler run twice.
      finish.run(message.place);
      db.exec("commit");
      console.log(`${type} ${message.domain}`);
    } catch (error) {
      db.exec("rollback");
      console.error(`${message.id}: ${error.message}`);
      postpone.run(Date.now() + Math.min(1000 * 2 ** message.tries, 600_000), message.place);
    }
  }
  const { due } = nextDue.get();
  if (due !== null) timer = setTimeout(work, Math.max(0, due - Date.now()));
}

/** Returns the text as it came, which the signature covers; null if it is too long. */
async function bodyOf(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_BODY) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Returns the id of a message's domain, or of its claim if the message does not name the domain. */
const domainIn = ({ domain, claim, verification, proofLink, handoff, notice }) =>
  domain?.id ?? (claim ?? notice)?.domainId ?? (verification ?? proofLink ?? handoff)?.claimId;

/** Answers 204 once the message is stored: Deed waits only five seconds. After another status, Deed tries again. */
async function receive(request) {
  if (request.method !== "POST") return 405;
  const body = await bodyOf(request);
  if (body === null) return 413;
  const id = request.headers["webhook-id"];
  try {
    // Throws unless the secret signed the body, the id and the time, within the last five minutes.
    webhook.verify(body, request.headers);
  } catch {
    return 401;
  }
  store.run(id, domainIn(JSON.parse(body).data) ?? id, body);
  setImmediate(work);
  return 204;
}

createServer(async (request, response) => {
  const status = await receive(request).catch((error) => {
    console.error(error);
    return 500;
  });
  response.writeHead(status, { Connection: status === 204 ? "keep-alive" : "close" }).end();
}).listen(Number(PORT), () => {
  console.log(`Listening on ${PORT}`);
  work();
});
