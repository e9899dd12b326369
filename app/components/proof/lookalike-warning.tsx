import type { Lookalike } from "#app/services/names/lookalike.ts";
import { Notice } from "../ui/notice.tsx";

/** Why a name may be mistaken for another, and how they differ. */
export function LookalikeWarning({ lookalike, ascii }: { lookalike: Lookalike; ascii: string }) {
  return (
    <Notice tone="needs" title="Look twice at this domain">
      <p>
        {lookalike.type === "mixed_scripts" ? (
          <>
            A part of it mixes letters of several scripts ({lookalike.scripts.join(", ")}). No
            language does this, but an imitation might.
          </>
        ) : (
          <>
            Its letters look like those of <code>{lookalike.ascii}</code>, which is another domain.
          </>
        )}{" "}
        What was proved is exactly <code>{ascii}</code>.
      </p>
    </Notice>
  );
}
