import { claimPath } from "#app/core/names/prove-path.ts";
import type { NamedNotice } from "#app/features/notices/notices.server.ts";
import { Link } from "#app/remix/react.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { DnsText, DomainName, Reference } from "#app/ui/name.tsx";
import { Glyph } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";

export const NoticeList = ({ notices, now }: { notices: NamedNotice[]; now: string }) => (
  <ol className="plain timeline">
    {notices.map((notice) => {
      const { id, domainId, claimId, domain, unicodeDomain, reference } = notice;
      const { tone, says, next, createdAt, readAt } = notice;
      return (
        <li key={id} className={readAt === null ? "unread" : "soft"}>
          <Glyph tone={tone} />
          <div>
            {readAt === null ? <strong className="unseen">Unread: </strong> : null}
            <Link to={`${claimPath(domainId, claimId)}${readAt === null ? `&notice=${id}` : ""}`}>
              <DomainName ascii={domain} unicode={unicodeDomain} />
            </Link>
            <Reference reference={reference} />
            {says}.
          </div>
          {next ? (
            <div>
              <DnsText text={next} />
            </div>
          ) : null}
          <div className="row soft small sans">
            <Moment at={createdAt} now={now} form="ago" />{" "}
            {readAt === null ? (
              <ActionButton intent="read" fields={{ id }} kind="linkish">
                Mark as read<span className="unseen">: {domain}</span>
              </ActionButton>
            ) : null}
          </div>
        </li>
      );
    })}
  </ol>
);
