import { Link } from "@remix-run/react";
import { Glyph } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { OpenState } from "../open-state.server.ts";
import type { Claim } from "../resources.ts";
import { stateLabel } from "./state-label.ts";

export function ClaimHistory({ claims, open }: { claims: Claim[]; open: OpenState | null }) {
  return (
    <ol className="plain timeline">
      {claims.map((claim) => {
        const { tone, word } = stateLabel(claim.state, open);
        return (
          <li key={claim.id}>
            <Glyph tone={tone} />
            <Link to={`/claims/${claim.id}`}>
              <strong className={`sans ${tone}`}>{word}</strong>
              <span className="unseen"> claim</span>
            </Link>
            <div>
              {claim.endedAt === null ? "open until" : `${claim.state} on`}{" "}
              <Moment at={claim.endedAt ?? claim.expiresAt} />
            </div>
            <div className="soft small sans">
              opened <Moment at={claim.createdAt} />, token <code>…{claim.token.slice(-8)}</code>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
