import type { ClaimDetail } from "#app/core/resources.ts";
import { Notice } from "#app/ui/notice.tsx";
import { Moment } from "#app/ui/time.tsx";

/** What a claim covers, and who else has proved the same name. */
export function ClaimScope({
  claim,
  isPublicSuffix,
}: {
  claim: ClaimDetail;
  isPublicSuffix: boolean;
}) {
  const { coexistence } = claim;
  return (
    <>
      <p>
        This claim covers exactly <strong className="mono">{claim.domain}</strong>. It says nothing
        about a name below or above it.
      </p>
      {isPublicSuffix ? (
        <Notice tone="waiting" title="This name is a public suffix">
          <p>
            Names directly below it belong to other people. Proving it says that you control its
            zone, not theirs.
          </p>
        </Notice>
      ) : null}
      {coexistence ? (
        <Notice title="Somebody else has proved this name too">
          {coexistence.type === "named" ? (
            <p>
              <bdi>{coexistence.maskedEmail}</bdi> did so on <Moment at={coexistence.provedAt} />.
              Both proofs stand; neither takes anything from the other.
            </p>
          ) : (
            <p>Their proof takes nothing from your claim. Prove the name to see who they are.</p>
          )}
        </Notice>
      ) : null}
    </>
  );
}
