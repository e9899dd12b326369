import type { ReactNode } from "react";
import { TextDiff } from "#app/ui/compare.tsx";
import { DnsText } from "#app/ui/name.tsx";
import { Glyph } from "#app/ui/page.tsx";
import { Moment, Ticking, WaitBar } from "#app/ui/time.tsx";
import { DiagnosisFix } from "../../claim-page/fix-and-details.tsx";
import { PanelFields } from "../../claim-page/record-fields.tsx";
import type { CheckScreen } from "../check-screen.server.ts";

function Found({ screen: { vendor, at } }: { screen: CheckScreen }) {
  return (
    <>
      <h2 className="row proved">
        <Glyph tone="proved" /> Found on every nameserver
      </h2>
      <p>
        At <Moment at={at} form="clock" />.{" "}
        {vendor ? (
          <>
            {vendor.next} <a href={vendor.page}>{vendor.name}’s page</a>
          </>
        ) : (
          "Whoever asked for it looks again in its own time."
        )}
      </p>
    </>
  );
}

function Wrong({ screen }: { screen: CheckScreen }) {
  const { headline, cause, fix, diagnosis, nearest, others, until, at, now } = screen;
  const view = { ...screen, verification: { registry: null } };
  const more =
    others === 0 ? "" : `${others} other ${others === 1 ? "value is" : "values are"} there too.`;
  const advice: ReactNode = nearest ? (
    <>
      <TextDiff of="value" runs={nearest.diff} strange={[]} />
      <p className="fix">{fix}</p>
    </>
  ) : diagnosis ? (
    <DiagnosisFix diagnosis={diagnosis} view={view} />
  ) : (
    <>
      <p>
        <DnsText text={cause ?? ""} />
      </p>
      <p className="fix">
        <DnsText text={fix ?? ""} />
      </p>
    </>
  );
  return (
    <>
      <h2 data-code={diagnosis?.code}>{headline ?? "It is there, but not everywhere yet"}</h2>
      {advice}
      {more ? <p className="soft small sans">{more}</p> : null}
      {until ? (
        <WaitBar label="until it should be seen" since={at} until={until} servedAt={now} />
      ) : null}
    </>
  );
}

/** What is wrong, and the one thing to change. `isLooking`: the page follows what happens. */
export function CheckCard({ screen, isLooking }: { screen: CheckScreen; isLooking: boolean }) {
  const { isFound, isTurn, labels, pastes, record, at, now } = screen;
  return (
    <section className="card">
      {isFound ? <Found screen={screen} /> : <Wrong screen={screen} />}
      {isTurn && pastes.length > 0 ? (
        <PanelFields
          labels={labels}
          type={record.type}
          changed={pastes.map(({ field }) => field)}
        />
      ) : null}
      {isFound ? null : (
        <p role="status" className="sans">
          Checked <Ticking at={at} servedAt={now} />.{isLooking ? " This page keeps looking." : ""}
        </p>
      )}
    </section>
  );
}
