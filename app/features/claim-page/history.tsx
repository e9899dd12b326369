import { Link, useSearchParams } from "#app/remix/react.ts";
import { capitalised, Fold, Glyph } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { ClaimView } from "./claim-screen.server.ts";
import { Evidence } from "./evidence.tsx";
import type { Entry } from "./timeline.ts";

const Timeline = ({ entries, shown }: { entries: readonly Entry[]; shown: ClaimView["shown"] }) => (
  <ol className="plain timeline sans">
    {entries.map(({ at, tone, mark, says, more, until, to }) => (
      <li key={`${at} ${says} ${more}`}>
        <Glyph tone={tone} mark={mark} />
        <strong>
          {to ? (
            <Link
              to={to}
              aria-current={to.includes(`read=${shown?.id}#`) ? "true" : undefined}
              preventScrollReset
            >
              {capitalised(says)}
            </Link>
          ) : (
            capitalised(says)
          )}
        </strong>
        <div className="soft small">
          <Moment at={at} />
          {more ? `, ${more}` : null}
          {until ? (
            <>
              , until <Moment at={until} />
            </>
          ) : null}
        </div>
      </li>
    ))}
  </ol>
);

/** `inFull`: text and address of links to the rest, if the reader may see it. `json`: the newest check's evidence. */
type HistoryProps = { view: ClaimView; inFull?: Record<string, string>; json?: string | null };

/** What happened, and what each check saw: folded while there is something to do. */
export function History({ view, inFull = {}, json = null }: HistoryProps) {
  const { claim, checks, timeline, shown } = view;
  const isReadSelected = useSearchParams()[0].has("read");
  const content = (
    <>
      {checks === 0 && claim.state === "pending" ? <p>Nothing has been checked yet.</p> : null}
      {timeline.length > 0 ? <Timeline entries={timeline} shown={shown} /> : null}
      {Object.entries(inFull).map(([words, url]) => (
        <p key={url} className="small sans">
          <a href={url}>{words}</a>
        </p>
      ))}
      {shown ? (
        <Evidence
          shown={shown}
          json={shown.isNewest ? json : null}
          open={isReadSelected}
          isProof={shown.isNewest && claim.state === "proved"}
        />
      ) : null}
    </>
  );
  if (claim.state === "pending")
    return (
      <Fold
        title={`History: ${checks.toLocaleString("en")} ${checks === 1 ? "check" : "checks"}`}
        id="history"
        open={isReadSelected}
      >
        {content}
      </Fold>
    );
  return (
    <section className="more stack" id="history">
      <h2>History</h2>
      {content}
    </section>
  );
}
