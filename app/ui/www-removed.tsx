import { ActionButton } from "./button.tsx";
import { DomainName } from "./name.tsx";
import { Notice } from "./page.tsx";

/** Says that www. was removed from what was typed, with a button that does the same with it. */
export function WwwRemoved({
  domain,
  intent,
}: {
  domain: { name: string; unicodeName: string; reference: string | null };
  /** What was asked for: a claim, or a place on the list. */
  intent: "claim" | "add";
}) {
  const kept = `www.${domain.name}`;
  const shown = <DomainName ascii={kept} unicode={`www.${domain.unicodeName}`} />;
  return (
    <Notice title="Without www.">
      <p>
        You typed {shown}. Most people prove{" "}
        <DomainName ascii={domain.name} unicode={domain.unicodeName} />, so Deed left out www. A
        proof of one does not cover the other.
      </p>
      <ActionButton
        intent={intent}
        action="/domains?index"
        kind="quiet"
        fields={{ domain: kept, keepWww: "true", reference: domain.reference ?? "" }}
      >
        {intent === "claim" ? "Prove" : "Add"} {shown} too
      </ActionButton>
    </Notice>
  );
}
