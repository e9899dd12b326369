import type { ReceiptSummary } from "#app/services/proofs/receipt-summary.server.ts";
import { Fold } from "../ui/fold.tsx";

/** The assurance word of a receipt, with a link to what it means. */
export const AssuranceWord = ({ assurance }: Pick<ReceiptSummary, "assurance">) => (
  <a href={`/docs/assurance#${assurance}`}>{assurance}</a>
);

/** What our own validation made of the record. */
export const DNSSEC_TEXT: Record<ReceiptSummary["dnssec"], string> = {
  secure: "signed; the receipt has every signature from the root of DNS to the record",
  insecure: "this domain is not signed",
  indeterminate: "could not be checked",
};

type Server = ReceiptSummary["nameservers"][number];

const serverText = ({ asked, answered, held }: Server): string =>
  held
    ? "had the record"
    : answered
      ? "did not have the record"
      : asked
        ? "did not answer"
        : "was not asked";

const over = (transport: Server["transport"]) =>
  transport ? `, over ${transport.toUpperCase()}` : "";

/** What each server answered when the domain was proved, folded away. */
export function ServersAsked({ receipt: { nameservers, witnesses } }: { receipt: ReceiptSummary }) {
  return (
    <div className="screen-only">
      <Fold title="What each server answered">
        <ul className="plain stack small">
          {nameservers.map((server) => (
            <li key={server.name}>
              <bdi className="mono">{server.name}</bdi>
              {server.address ? ` (${server.address})` : ""} {serverText(server)}
              {over(server.transport)}
            </li>
          ))}
          {witnesses.map(({ name, agreed, ad, transport }) => (
            <li key={name}>
              Resolver {name} {agreed ? "had the record" : "did not have the record"}
              {over(transport)}
              {agreed && ad ? ", and found it signed" : ""}
            </li>
          ))}
        </ul>
      </Fold>
    </div>
  );
}
