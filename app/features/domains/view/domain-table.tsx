import { Link } from "#app/remix/react.ts";
import { DomainName, Reference } from "#app/ui/name.tsx";
import { StateWord } from "#app/ui/page.tsx";
import { Table } from "#app/ui/table.tsx";
import { dayText, LastSeen } from "#app/ui/time.tsx";
import type { ShownDomain } from "./open-states.server.ts";

/** The rows of a form that acts on those that are ticked. */
export const DomainTable = ({ domains, now }: { domains: ShownDomain[]; now: string }) => (
  <Table
    className="domains"
    rows={domains}
    columns={{
      Domain: ({ id, name, unicodeName, reference }) => (
        <>
          <input type="checkbox" name="id" value={id} aria-label={unicodeName} />{" "}
          <Link to={`/domains/${id}`} className="named">
            <DomainName ascii={name} unicode={unicodeName} isOneLine />
          </Link>
          <Reference reference={reference} />
        </>
      ),
      State: ({ label, archived, watch, earlier, isEnding }) => (
        <>
          <StateWord {...label} />
          {watch && label.tone === "proved" ? <span className="soft"> · watched</span> : null}
          {archived ? <span className="soft"> · archived</span> : null}
          {isEnding ? <div className="soft small">Less than a day left</div> : null}
          {earlier ? <div className="soft small">Proved on {dayText(earlier)}</div> : null}
        </>
      ),
      "Last checked": ({ checkedAt, status }) => (
        <span className="soft small">
          {checkedAt || status === "pending" ? <LastSeen at={checkedAt} now={now} /> : "never"}
        </span>
      ),
    }}
  />
);
