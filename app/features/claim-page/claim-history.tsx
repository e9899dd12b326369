import { claimPath } from "#app/core/names/prove-path.ts";
import { Link } from "#app/remix/react.ts";
import { Glyph } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { claimHistory } from "../claims/claims.server.ts";
import type { OpenState } from "../claims/open-state.server.ts";
import { stateLabel } from "./state-label.ts";

type ClaimHistoryProps = Awaited<ReturnType<typeof claimHistory>> & {
  /** The id of the claim that the page shows. */
  shown: string;
  open: OpenState | null;
};

export function ClaimHistory({ claims, hasMore, shown, open }: ClaimHistoryProps) {
  return (
    <>
      <ol className="plain timeline">
        {claims.map(({ id, domainId, state, token, createdAt, endedAt, expiresAt }) => {
          const { tone, word } = stateLabel(state, open);
          return (
            <li key={id}>
              <Glyph tone={tone} />
              <Link to={claimPath(domainId, id)} aria-current={id === shown ? "page" : undefined}>
                <strong className={`sans ${tone}`}>{word}</strong>
                <span className="unseen"> claim</span>
              </Link>
              <div>
                {endedAt === null ? "open until" : `${state} on`}{" "}
                <Moment at={endedAt ?? expiresAt} />
              </div>
              <div className="soft small sans">
                opened <Moment at={createdAt} />, token <code>…{token}</code>
              </div>
            </li>
          );
        })}
      </ol>
      {hasMore ? (
        <p className="small sans">
          <a href={`/api/claims?domainId=${claims[0]?.domainId}`}>All claims, as JSON</a>
        </p>
      ) : null}
    </>
  );
}
