import type { Verification, WaitEstimate } from "#app/services/resources.ts";
import { WaitBar } from "../ui/time.tsx";

type Words = { title: string; body: string; barLabel: string };

const WORDS: Record<WaitEstimate["reason"], Words> = {
  first_check: {
    title: "Create the record below. Deed looks for it by itself.",
    body: "Nothing has been read yet.",
    barLabel: "until the first read",
  },
  negative_cache: {
    title: "Your record is there. Now the old answer has to be forgotten.",
    body: "Your nameservers have it; public resolvers were asked before it stood there and still hold what they were told. There is nothing to do.",
    barLabel: "until resolvers have forgotten the old answer",
  },
  nameserver_sync: {
    title: "Your nameservers do not agree yet: some are still catching up.",
    body: "Your DNS host copies the zone from one server to the next. There is nothing to do.",
    barLabel: "until the nameservers should agree",
  },
  retry: {
    title: "DNS could not be reached just now. That is on our side.",
    body: "It is tried again by itself; your record and your claim are not affected.",
    barLabel: "until the next try",
  },
};

/** No server is lagging: all that answer have the record. */
const TOO_FEW_ANSWERS: Words = {
  title: "Your record is there, but too few of your nameservers answer.",
  body: "At least half of them must. An answer from the others is awaited; if none comes, Deed says whom to ask.",
  barLabel: "until they should answer",
};

function wordsFor({ reason, observed }: WaitEstimate): Words {
  return observed?.nameservers.length === 0 ? TOO_FEW_ANSWERS : WORDS[reason];
}

/** A wait that only time ends: its cause, and a bar up to its end. */
export function Wait({
  estimate,
  awaited,
  verification,
  now,
}: {
  estimate: WaitEstimate;
  /** Who it is waiting for, in a sentence. */
  awaited: string | null;
  verification: Pick<Verification, "createdAt" | "lastRunAt">;
  now: string;
}) {
  const { title, body, barLabel } = wordsFor(estimate);
  const until = new Date(Date.parse(now) + estimate.secondsRemaining * 1000).toISOString();
  return (
    <div className="stack">
      <p className="lead" data-code={estimate.reason}>
        {title}
      </p>
      {awaited ? <p>{awaited}</p> : null}
      <p>{body}</p>
      <WaitBar
        label={barLabel}
        since={verification.lastRunAt ?? verification.createdAt}
        until={until}
        servedAt={now}
      />
    </div>
  );
}
