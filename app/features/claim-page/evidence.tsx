import { failureInWords } from "@deed/dns/words/failures.ts";
import { capital } from "@deed/dns/words/wording.ts";
import type { ReactNode } from "react";
import { countText } from "#app/ui/confirm.tsx";
import { DnsText, Dotted } from "#app/ui/name.tsx";
import { Table } from "#app/ui/table.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { ClaimScreen } from "./claim-screen.server.ts";

type ShownRead = NonNullable<ClaimScreen["shown"]>;
type StoredEvidence = NonNullable<ShownRead["evidence"]>;
type DetailedEvidence = Extract<StoredEvidence, { exchanges: unknown }>;
type Witness = NonNullable<DetailedEvidence["witnesses"]>[number];
type ServerAnswer = Pick<DetailedEvidence["servers"][number] | Witness, "result" | "answer">;

function validationText(validation: NonNullable<DetailedEvidence["validation"]>): string {
  if (validation.verdict === "secure") return "secure";
  const { verdict, reason } = validation;
  const subject = "records" in reason ? `${reason.records} of ${reason.name}` : "";
  const about = subject || ("zone" in reason ? reason.zone : "");
  return [`${verdict}: ${reason.type.replaceAll("_", " ")}`, about].filter(Boolean).join(", ");
}

function answerText({ result, answer }: ServerAnswer): ReactNode {
  if (!answer) return failureInWords(result);
  const { rcode, values, ttl, alias, soa } = answer;
  return (
    <>
      {result === "answered" ? null : <div>{failureInWords(result)}; over UDP:</div>}
      {rcode}
      {alias ? (
        <div>
          {alias.type} <bdi>{alias.target}</bdi>
        </div>
      ) : null}
      {[...new Set(values)].map((value) => (
        <div key={value}>
          TXT "<bdi className="anywhere">{value}</bdi>"
        </div>
      ))}
      {ttl === null ? null : <div>TTL {ttl} s</div>}
      {values.length === 0 && soa ? <div>SOA serial {soa.serial}</div> : null}
    </>
  );
}

type Row = { host: string; address?: string | null; answer: ReactNode; latencyMs?: number | null };

function AnswerTable({ title, rows }: { title: string; rows: Row[] }) {
  if (rows.length === 0) return null;
  return (
    <Table
      caption={<DnsText text={title} />}
      rows={rows}
      keyOf={({ host, address = null }) => `${host} ${address}`}
      columns={{
        Asked: ({ host, address }) => (
          <div className="mono">
            <bdi>
              <Dotted name={host} />
            </bdi>
            {address ? <div className="soft">{address}</div> : null}
          </div>
        ),
        Answer: ({ answer }) => <div className="mono">{answer}</div>,
        Took: ({ latencyMs = null }) => (
          <span className="figures">{latencyMs === null ? "" : `${Math.round(latencyMs)} ms`}</span>
        ),
      }}
    />
  );
}

const exchangeLine = (exchange: DetailedEvidence["exchanges"][number]): string => {
  const { at, server, address, transport, question, result, rcode, latencyMs } = exchange;
  const flags = (["aa", "ad", "tc"] as const).filter((flag) => exchange[flag]).join(" ");
  const outcome = result === "answered" ? (rcode ?? "") : failureInWords(result);
  const duration = latencyMs === null ? "" : ` ${Math.round(latencyMs)} ms`;
  const answerText = [outcome, flags].filter(Boolean).join(" ");
  const clock = new Date(at).toISOString().slice(11, 23);
  return `${clock} ${server} (${address}) ${transport} ${question.type} ${question.name} -> ${answerText}${duration}`;
};

function Delegation({ delegation }: Pick<DetailedEvidence, "delegation">) {
  const { type } = delegation;
  const hosts = type === "delegated" ? delegation.nameservers : [];
  return (
    <p>
      The servers of{" "}
      <code>{(type === "unreachable" ? delegation.zone : delegation.parent) || "."}</code>{" "}
      {type === "unreachable" ? "could not be reached." : null}
      {type === "none" ? `delegate nothing here (${delegation.rcode}).` : null}
      {type === "delegated" ? (
        <>
          delegate <code>{delegation.zone}</code> to {countText(hosts.length, "nameserver")}.
        </>
      ) : null}
    </p>
  );
}

function witnessText(witness: Witness, { delegation }: DetailedEvidence): ReactNode {
  const { ad, nameservers: known, uncheckedRcode, extendedErrors } = witness;
  const hosts = delegation.type === "delegated" ? delegation.nameservers : [];
  const shared = known?.filter((host) => hosts.includes(host)).length ?? 0;
  return (
    <>
      {answerText(witness)}
      {ad ? <div>validated (AD)</div> : null}
      {/* Missing in evidence from before resolvers were asked for them. */}
      {!known || delegation.type !== "delegated" ? null : shared > 0 ? (
        <div>
          lists {shared} of {hosts.length} nameservers
        </div>
      ) : (
        <div>
          lists {known.length > 0 ? "other nameservers: " : "no nameservers"}
          <bdi>{known.join(", ")}</bdi>
        </div>
      )}
      {uncheckedRcode ? <div>asked not to validate (CD): {uncheckedRcode}</div> : null}
      {extendedErrors.map(({ code, text }) => (
        <div key={code}>
          EDE {code} <bdi>{text}</bdi>
        </div>
      ))}
    </>
  );
}

function FullEvidence({ evidence, noList }: { evidence: DetailedEvidence; noList: string | null }) {
  const { witnesses, confirmation, exchanges } = evidence;
  const refusing = witnesses?.filter(({ result }) => result === "refused").length ?? 0;
  const isRefused = witnesses !== null && refusing * 2 > witnesses.length;
  // Older evidence lacks some of these, because those servers were not asked then.
  const asked = (title: string, servers: DetailedEvidence["named"] | undefined) => {
    const rows = servers?.map((one) => ({ ...one, answer: answerText(one) }));
    return <AnswerTable title={title} rows={rows ?? []} />;
  };
  return (
    <div className="stack-wide">
      <Delegation delegation={evidence.delegation} />
      {evidence.limit === "tcp" ? (
        <p>
          This server could not open a TCP connection to port 53, not even to the root servers. Its
          operator must allow this before a record can be confirmed.
        </p>
      ) : null}
      {asked(`TXT at ${evidence.challengeName}, asked of each nameserver`, evidence.servers)}
      {/* Missing in evidence from before these were stored. */}
      {evidence.strays?.map(({ host, zone, nameservers }) => (
        <p key={host}>
          <bdi>{host}</bdi> refers <bdi>{zone}</bdi> to <bdi>{nameservers.join(", ")}</bdi>, but
          other nameservers do not, so Deed did not follow it.
        </p>
      ))}
      {asked("Nameservers the registry does not list", evidence.unlisted)}
      {asked("Nameservers that resolvers list, and the registry does not", evidence.named)}
      {asked("Nameservers this zone had before", evidence.former)}
      {confirmation ? (
        <p>
          {confirmation.confirmed
            ? `${confirmation.host} and the servers on the way to it confirmed this over TCP.`
            : `${confirmation.host}, or a server on the way to it, did not confirm this over TCP.`}
        </p>
      ) : null}
      {noList ? <p>{noList}</p> : null}
      {witnesses?.length || evidence.shut ? null : (
        <p className="soft">
          {witnesses
            ? "No resolvers are configured on this installation."
            : "Deed asks the resolvers once the nameservers have the record."}
        </p>
      )}
      <AnswerTable
        title="Resolvers, asked the same question"
        rows={(witnesses ?? []).map((one) => ({
          ...one,
          host: capital(one.name),
          answer: witnessText(one, evidence),
        }))}
      />
      {isRefused ? (
        <p>
          Most resolvers refuse questions from this installation. That says nothing about the
          record. The operator of this service has to fix it.
        </p>
      ) : null}
      {/* Missing in evidence from before Deed validated. */}
      {evidence.validation ? (
        <p>
          DNSSEC, as Deed validates it: <bdi>{validationText(evidence.validation)}</bdi>.
        </p>
      ) : null}
      <AnswerTable
        title="Seen at other names"
        rows={evidence.misplaced.map(({ name, value, servers }) => ({
          host: name,
          address: servers.join(", "),
          answer: <bdi>{value}</bdi>,
        }))}
      />
      <details>
        <summary>
          Every question and answer: {evidence.packets} packets in {Math.round(evidence.durationMs)}{" "}
          ms
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
    `${rcode ?? "no answer"}, ${hasToken ? "with the value" : "without the value"}`;
  return (
    <div className="stack">
      <p className="soft">This check is older than 30 days: only its summary was kept.</p>
      <AnswerTable
        title={`Nameservers of ${evidence.zone ?? "the zone"}`}
        rows={evidence.servers.map((row) => ({
          host: row.host,
          answer: row.result === "answered" ? answer(row) : failureInWords(row.result),
        }))}
      />
      <AnswerTable
        title="Resolvers"
        rows={evidence.witnesses.map((row) => ({ host: capital(row.name), answer: answer(row) }))}
      />
    </div>
  );
}

/** `json`: the address of all of it, for programs; null if none. `isProof`: whether the read made the proof, whose time the page says. */
type EvidenceProps = { shown: ShownRead; json: string | null; open: boolean; isProof: boolean };

/** Which servers one read asked, and their answers. Folded unless that read was selected. */
export function Evidence({ shown, json, open, isProof }: EvidenceProps) {
  const { evidence, at, evidenceAt } = shown;
  return (
    <details id="evidence" className="stack" open={open}>
      <summary>
        {isProof ? "Evidence of the proof: what" : "What"} each nameserver answered
        {isProof ? null : [" on ", <Moment key="at" at={evidenceAt ?? at} />]}
        {evidenceAt ? [", and again on ", <Moment key="again" at={at} />] : null}
      </summary>
      {evidenceAt ? (
        <p className="soft">
          The later check saw the same, so only the answers of the earlier one were kept.
        </p>
      ) : null}
      {evidence === null ? (
        <p className="soft">No details of this check were kept.</p>
      ) : "exchanges" in evidence ? (
        <FullEvidence evidence={evidence} noList={shown.noList} />
      ) : (
        <SummaryEvidence evidence={evidence} />
      )}
      {json ? <a href={json}>The same as JSON</a> : null}
    </details>
  );
}
