import { Table } from "#app/ui/table.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { ClaimScreen } from "./claim-screen.server.ts";

type Shown = NonNullable<ClaimScreen["shown"]>;
type StoredEvidence = NonNullable<Shown["evidence"]>;
type DetailedEvidence = Extract<StoredEvidence, { exchanges: unknown }>;
type Answer = DetailedEvidence["servers"][number]["answer"];

const RESULTS: Record<string, string> = {
  timeout: "no answer",
  refused: "REFUSED",
  servfail: "SERVFAIL",
  not_authoritative: "not authoritative",
  no_address: "no address",
  blocked_address: "address not allowed",
  malformed: "unreadable answer",
  tcp_refused: "no answer over TCP",
  case_changed: "other letters in the question, and no answer over TCP",
  too_large: "answer too large",
  is_alias: "an alias",
  ipv6_only: "not asked: IPv6 only",
  untrusted: "certificate not valid",
};

/** The verdict and its reason, with the zone or the record it is about. */
function validationText(validation: NonNullable<DetailedEvidence["validation"]>): string {
  if (validation.verdict === "secure") return "secure";
  const { verdict, reason } = validation;
  const subject = "records" in reason ? `${reason.records} of ${reason.name}` : "";
  const about = subject || ("zone" in reason ? reason.zone : "");
  return [`${verdict}: ${reason.type.replaceAll("_", " ")}`, about].filter(Boolean).join(", ");
}

/** An answer as `dig` would print it, shortened. */
function AnswerText({ result, answer }: { result: string; answer: Answer }) {
  if (!answer) return <>{RESULTS[result] ?? result}</>;
  const { rcode, values, ttl, alias, soa } = answer;
  return (
    <>
      {result === "answered" ? null : <div>{RESULTS[result] ?? result}; over UDP:</div>}
      {rcode}
      {alias ? (
        <div>
          {alias.type} <bdi>{alias.target}</bdi>
        </div>
      ) : null}
      {[...new Set(values)].map((value) => (
        <div key={value}>
          TXT "<bdi>{value}</bdi>"
        </div>
      ))}
      {ttl === null ? null : <div>TTL {ttl} s</div>}
      {values.length === 0 && soa ? <div>SOA serial {soa.serial}</div> : null}
    </>
  );
}

type Row = {
  server: string;
  address?: string | null;
  answer: React.ReactNode;
  latencyMs?: number | null;
};

function AnswerTable({ title, rows }: { title: string; rows: Row[] }) {
  if (rows.length === 0) return null;
  return (
    <Table
      caption={title}
      head={["Asked", "Answer", "Took"]}
      rows={rows.map(({ server, address = null, answer, latencyMs = null }) => ({
        key: `${server} ${address}`,
        cells: [
          <div key="server" className="mono">
            <bdi>{server}</bdi>
            {address ? <div className="soft">{address}</div> : null}
          </div>,
          <div key="answer" className="mono">
            {answer}
          </div>,
          <span key="took" className="figures">
            {latencyMs === null ? "" : `${Math.round(latencyMs)} ms`}
          </span>,
        ],
      }))}
    />
  );
}

/** One exchange as a line: time, server, transport, question, answer. */
const exchangeLine = (exchange: DetailedEvidence["exchanges"][number]): string => {
  const { at, server, address, transport, question, result, rcode, latencyMs } = exchange;
  const flags = (["aa", "ad", "tc"] as const).filter((flag) => exchange[flag]).join(" ");
  const outcome = result === "answered" ? (rcode ?? "") : (RESULTS[result] ?? result);
  const duration = latencyMs === null ? "" : ` ${Math.round(latencyMs)} ms`;
  const answerText = [outcome, flags].filter(Boolean).join(" ");
  const clock = new Date(at).toISOString().slice(11, 23);
  return `${clock} ${server} (${address}) ${transport} ${question.type} ${question.name} -> ${answerText}${duration}`;
};

function Delegation({ evidence }: { evidence: DetailedEvidence }) {
  const { delegation } = evidence;
  switch (delegation.type) {
    case "delegated":
      return (
        <p>
          The servers of <code>{delegation.parent || "."}</code> delegate{" "}
          <code>{delegation.zone}</code> to {delegation.nameservers.length}{" "}
          {delegation.nameservers.length === 1 ? "nameserver" : "nameservers"}.
        </p>
      );
    case "none":
      return (
        <p>
          The servers of <code>{delegation.parent || "."}</code> delegate nothing here (
          {delegation.rcode}).
        </p>
      );
    case "unreachable":
      return (
        <p>
          The servers of <code>{delegation.zone || "."}</code> could not be reached.
        </p>
      );
  }
}

/** The zone's nameservers as resolvers see them. Empty if not asked, as in evidence from older versions. */
function KnownNameservers({
  known,
  delegation,
}: Pick<DetailedEvidence, "delegation"> & { known: string[] | null | undefined }) {
  if (!known || delegation.type !== "delegated") return null;
  const shared = known.filter((host) => delegation.nameservers.includes(host)).length;
  return shared > 0 ? (
    <div>
      knows {shared} of {delegation.nameservers.length} nameservers
    </div>
  ) : (
    <div>
      knows none of these nameservers, but <bdi>{known.join(", ") || "none at all"}</bdi>
    </div>
  );
}

function FullEvidence({ evidence, noList }: { evidence: DetailedEvidence; noList: string | null }) {
  const { servers, unlisted, former, witnesses, misplaced, confirmation, exchanges } = evidence;
  const refusing = witnesses?.filter(({ result }) => result === "refused").length ?? 0;
  const isRefused = witnesses !== null && refusing * 2 > witnesses.length;
  const server = ({ host, result, answer, ...row }: DetailedEvidence["servers"][number]): Row => ({
    ...row,
    server: host,
    answer: <AnswerText result={result} answer={answer} />,
  });
  return (
    <div className="stack-wide">
      <Delegation evidence={evidence} />
      {evidence.limit === "tcp" ? (
        <p>
          This server could not open a TCP connection to port 53 of anybody, the root servers
          included. Its operator has to allow that before a record can be confirmed.
        </p>
      ) : null}
      <AnswerTable
        title={`TXT at ${evidence.challengeName}, asked of each nameserver`}
        rows={servers.map(server)}
      />
      {/* Absent from evidence recorded before these were stored. */}
      {evidence.strays?.map(({ host, zone, nameservers }) => (
        <p key={host}>
          <bdi>{host}</bdi> refers <bdi>{zone}</bdi> to <bdi>{nameservers.join(", ")}</bdi>, and not
          every nameserver does: that was not followed.
        </p>
      ))}
      <AnswerTable title="Nameservers the registry does not list" rows={unlisted.map(server)} />
      <AnswerTable
        title="Nameservers that resolvers list, and the registry does not"
        rows={(evidence.named ?? []).map(server)}
      />
      {/* Absent from evidence recorded before these were queried. */}
      <AnswerTable title="Nameservers this zone had before" rows={(former ?? []).map(server)} />
      {confirmation ? (
        <p>
          {confirmation.confirmed
            ? `${confirmation.host} and the servers on the way to it said the same once more over TCP.`
            : `${confirmation.host}, or a server on the way to it, did not say the same once more over TCP.`}
        </p>
      ) : null}
      {noList ? <p>{noList}</p> : null}
      {witnesses === null ? (
        <p className="soft">
          The resolvers were not asked: they are only asked once the nameservers have the record.
        </p>
      ) : witnesses.length === 0 ? (
        <p className="soft">No resolvers are configured on this installation.</p>
      ) : (
        <AnswerTable
          title="Resolvers, asked the same"
          rows={witnesses.map((witness) => ({
            server: witness.name,
            address: witness.address,
            answer: (
              <>
                <AnswerText result={witness.result} answer={witness.answer} />
                {witness.ad ? <div>validated (AD)</div> : null}
                <KnownNameservers known={witness.nameservers} delegation={evidence.delegation} />
                {witness.uncheckedRcode ? (
                  <div>asked not to validate (CD): {witness.uncheckedRcode}</div>
                ) : null}
                {witness.extendedErrors.map(({ code, text }) => (
                  <div key={code}>
                    EDE {code} <bdi>{text}</bdi>
                  </div>
                ))}
              </>
            ),
            latencyMs: witness.latencyMs,
          }))}
        />
      )}
      {isRefused ? (
        <p>
          Most resolvers refuse questions from this installation. That says nothing about the
          record. The operator of this service has to fix it.
        </p>
      ) : null}
      {/* Absent from evidence recorded before Deed validated. */}
      {evidence.validation ? (
        <p>
          DNSSEC, as Deed validates it: <bdi>{validationText(evidence.validation)}</bdi>.
        </p>
      ) : null}
      <AnswerTable
        title="Seen at other names"
        rows={misplaced.map(({ name, value, servers: seenOn }) => ({
          server: name,
          address: seenOn.join(", "),
          answer: <bdi>{value}</bdi>,
        }))}
      />
      <details>
        <summary>
          All {exchanges.length} questions and answers, {evidence.packets} packets in{" "}
          {Math.round(evidence.durationMs)} ms
        </summary>
        <pre>
          <code>{exchanges.map(exchangeLine).join("\n")}</code>
        </pre>
      </details>
    </div>
  );
}

function SummaryEvidence({ evidence }: { evidence: Exclude<StoredEvidence, DetailedEvidence> }) {
  const answer = ({ rcode, hasToken }: { rcode: string | null; hasToken: boolean }) =>
    `${rcode ?? "no answer"}, ${hasToken ? "with the token" : "without the token"}`;
  return (
    <div className="stack">
      <p className="soft">This read is older than 30 days: what is kept is its summary.</p>
      <AnswerTable
        title={`Nameservers of ${evidence.zone ?? "the zone"}`}
        rows={evidence.servers.map((row) => ({
          server: row.host,
          answer: row.result === "answered" ? answer(row) : (RESULTS[row.result] ?? row.result),
        }))}
      />
      <AnswerTable
        title="Resolvers"
        rows={evidence.witnesses.map((row) => ({ server: row.name, answer: answer(row) }))}
      />
    </div>
  );
}

/** Which servers were asked in one read and what they answered. Collapsed unless that read was selected. */
export function Evidence({ shown, open }: { shown: Shown; open: boolean }) {
  const { evidence, at, evidenceAt } = shown;
  return (
    <details id="evidence" open={open}>
      <summary>
        What each nameserver answered on <Moment at={evidenceAt ?? at} />
      </summary>
      {evidenceAt ? (
        <p className="soft">
          The check on <Moment at={at} /> saw the same, so only the answers of this earlier one were
          kept.
        </p>
      ) : null}
      {evidence === null ? (
        <p className="soft">Nothing was kept of this read.</p>
      ) : "exchanges" in evidence ? (
        <FullEvidence evidence={evidence} noList={shown.noList} />
      ) : (
        <SummaryEvidence evidence={evidence} />
      )}
    </details>
  );
}
