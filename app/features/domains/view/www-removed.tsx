import { ActionButton } from "#app/ui/button.tsx";
import { DomainName } from "#app/ui/name.tsx";
import { Notice } from "#app/ui/page.tsx";
import type { Domain } from "../resources.ts";

export function WwwRemoved({ domain }: { domain: Domain }) {
  const kept = `www.${domain.name}`;
  const shown = <DomainName ascii={kept} unicode={`www.${domain.unicodeName}`} />;
  return (
    <Notice title="Without www">
      <p>
        You typed {shown}. Most people prove{" "}
        <DomainName ascii={domain.name} unicode={domain.unicodeName} />, so Deed left out www. A
        proof of one does not cover the other.
      </p>
      <ActionButton
        intent="claim"
        action="/domains?index"
        kind="quiet"
        fields={{ domain: kept, keepWww: "true", reference: domain.reference ?? "" }}
      >
        Prove {shown} too
      </ActionButton>
    </Notice>
  );
}
