import { claimPath } from "#app/core/names/prove-path.ts";
import type { NamedNotice } from "#app/features/notices/notices.server.ts";
import type { Notice } from "#app/features/notices/resources.ts";
import { Link } from "#app/remix/react.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { DomainName, Reference } from "#app/ui/name.tsx";
import { Glyph, type Tone } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";

const KINDS: Record<Notice["kind"], { tone: Tone; predicate: string }> = {
  proved: { tone: "proved", predicate: "is proved" },
  nudge: { tone: "waiting", predicate: "is not proved yet" },
  expiring: { tone: "waiting", predicate: "has less than a day left" },
  expired: { tone: "ended", predicate: "was not proved in seven days" },
  missing: { tone: "needs", predicate: "has lost its record" },
  lapsed: {
    tone: "needs",
    predicate: "has been without its record for seven days",
  },
  moved: {
    tone: "needs",
    predicate: "has moved to other nameservers. If that was not you, ask your registrar",
  },
  gone: { tone: "needs", predicate: "has no nameservers at the registry. Ask your registrar why" },
  registered_again: { tone: "needs", predicate: "was registered again after you proved it" },
  registration_expiring: {
    tone: "needs",
    predicate: "has a registration that ends soon, unless it renews by itself. Ask your registrar",
  },
  coexistence: { tone: "waiting", predicate: "was also proved by another account" },
};

export function NoticeList({ notices, now }: { notices: NamedNotice[]; now: string }) {
  return (
    <ol className="plain timeline">
      {notices.map((notice) => {
        const { id, kind, domainId, claimId, domain, unicodeDomain, reference } = notice;
        const { fate, createdAt, readAt } = notice;
        const { tone, predicate } = KINDS[kind];
        return (
          <li key={id}>
            <Glyph tone={tone} />
            <div className="row apart">
              <div>
                <div className={readAt === null ? "unread" : "soft"}>
                  {readAt === null ? <strong className="unseen">Unread: </strong> : null}
                  <Link
                    to={`${claimPath(domainId, claimId)}${readAt === null ? `&notice=${id}` : ""}`}
                  >
                    <DomainName ascii={domain} unicode={unicodeDomain} />
                  </Link>{" "}
                  <Reference reference={reference} /> {predicate}
                  {fate ? `. ${fate}` : null}
                </div>
                <div className="soft small sans">
                  <Moment at={createdAt} now={now} form="ago" />
                </div>
              </div>
              {readAt === null ? (
                <div className="row">
                  {notice.isWatched ? (
                    <ActionButton intent="unwatch" fields={{ claimId }} kind="quiet">
                      Stop watching<span className="unseen"> {domain}</span>
                    </ActionButton>
                  ) : null}
                  <ActionButton intent="read" fields={{ id }} kind="quiet">
                    Mark as read<span className="unseen">: {domain}</span>
                  </ActionButton>
                </div>
              ) : null}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
