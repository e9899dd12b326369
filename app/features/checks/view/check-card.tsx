import { comparisonOf, Fix } from "#app/features/claim-page/fix-and-details.tsx";
import { PanelFields, PanelLink } from "#app/features/claim-page/record-fields.tsx";
import { ActionButton } from "#app/ui/button.tsx";
import { TextDiff } from "#app/ui/compare.tsx";
import { DnsText, Dotted } from "#app/ui/name.tsx";
import { Facts, Glyph } from "#app/ui/page.tsx";
import { Moment, Ticking, WaitBar } from "#app/ui/time.tsx";
import type { CheckScreen } from "../check-screen.server.ts";

const FoundRecord = ({ screen: { vendor, at, path, record } }: { screen: CheckScreen }) => (
  <>
    <h2 className="row proved">
      <Glyph tone="proved" />{" "}
      {`Found on ${path.some(({ title }) => title === "Nameserver") ? "the" : "every"} nameserver`}
    </h2>
    <Facts
      className="facts diff"
      rows={[["Found value", <Dotted key="1" name={record.value} />]]}
    />
    <p>
      Seen on <Moment at={at} />.{" "}
      {vendor?.next ?? "Whoever asked for the record will check again on their own schedule."}{" "}
      {vendor ? <a href={vendor.page}>How {vendor.name} checks it</a> : null}
    </p>
  </>
);

function RecordProblem({ screen }: { screen: CheckScreen }) {
  const { headline, code, cause, fix, pastes, record, diagnosis, nearest, others } = screen;
  // Show no comparison: replacing that value would do harm, as the cause says.
  const isOnlyOne = nearest?.how === "only_one";
  const compared = isOnlyOne ? null : nearest ? (
    <TextDiff what="value" runs={nearest.diff} odd={[]} />
  ) : (
    diagnosis && comparisonOf(diagnosis, record)
  );
  return (
    <>
      <h2 data-code={code}>{headline ?? "The record is there, but not everywhere yet"}</h2>
      {compared ?? (
        <p>
          <DnsText text={cause ?? ""} />
        </p>
      )}
      {others > 0 ? (
        <p className="soft small sans">
          {others} other {others === 1 ? "value is" : "values are"} there too.
        </p>
      ) : null}
      {fix === null ? null : <Fix text={fix} pastes={pastes} />}
      {screen.until ? (
        <WaitBar since={screen.at} until={screen.until} servedAt={screen.now} />
      ) : null}
      {screen.isClaimantsTurn && pastes.length > 0 ? (
        <PanelFields
          labels={screen.labels}
          type={record.type}
          changed={pastes.map(({ field }) => field)}
        />
      ) : null}
    </>
  );
}

/** What is wrong, and the one thing to change. `isLooking`: the page updates by itself. */
export function CheckCard({ screen, isLooking }: { screen: CheckScreen; isLooking: boolean }) {
  const { isFound, record, at, now } = screen;
  return (
    <section className="card">
      {isFound ? <FoundRecord screen={screen} /> : <RecordProblem screen={screen} />}
      {isFound ? null : (
        <p role="status" className="sans">
          Checked <Ticking at={at} servedAt={now} />.{isLooking ? " This page keeps checking." : ""}
        </p>
      )}
      <div className="row">
        {isFound || !screen.isClaimantsTurn ? null : <PanelLink labels={screen.labels} />}{" "}
        <ActionButton intent="again" action="/check" fields={record} busy="Checking DNS…">
          Check again
        </ActionButton>
      </div>
    </section>
  );
}
