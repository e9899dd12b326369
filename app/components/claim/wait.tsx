import type { Verification, WaitEstimate } from "#app/services/resources.ts";
import { WaitBar } from "../ui/time.tsx";

type Words = { title: string; body: string; bar: string };

const WORDS: Record<WaitEstimate["reason"], Words> = {
  first_check: {
    title: "Create the record below. Deed looks for it by itself.",
    body: "Nothing has been read yet.",
    bar: "until the first read",
  },
  negative_cache: {
    title: "Your record is there. Now the old answer has to be forgotten.",
    body: "Your nameservers have it; public resolvers were asked before it stood there and still hold what they were told. There is nothing to do.",
    bar: "until resolvers have forgotten the old answer",
  },
  nameserver_sync: {
    title: "Your nameservers do not agree yet: some are still catching up.",
    body: "Your DNS host copies the zone from one server to the next. There is nothing to do.",
    bar: "until the nameservers should agree",
  },
  retry: {
    title: "DNS could not be reached just now. That is on our side.",
    body: "It is tried again by itself; your record and your claim are not affected.",
    bar: "until the next try",
  },
};

/** No server is lagging: all that answer have the record. */
const SILENCE: Words = {
  title: "Your record is there, but too few of your nameservers answer.",
  body: "At least half of them must. An answer from the others is awaited; if none comes, Deed says whom to ask.",
  bar: "until they should answer",
};

function wordsFor({ reason, observed }: WaitEstimate): Words {
  return observed?.nameservers.length === 0 ? SILENCE : WORDS[reason];
}

/** A wait that only time ends: its cause, and a bar up to its end. */
export function Wait({
  estimate,
  awaited,
  verification,
  served,
}: {
  estimate: WaitEstimate;
  /** Who it is waiting for, in a sentence. */
  awaited: string | null;
  verification: Pick<Verification, "createdAt" | "lastRunAt">;
  served: string;
}) {
  const { title, body, bar } = wordsFor(estimate);
  const until = new Date(Date.parse(served) + estimate.secondsRemaining * 1000).toISOString();
  return (
    <div className="stack">
      <p className="lead" data-code={estimate.reason}>
        {title}
      </p>
      {awaited ? <p>{awaited}</p> : null}
      <p>{body}</p>
      <WaitBar
        label={bar}
        since={verification.lastRunAt ?? verification.createdAt}
        until={until}
        served={served}
      />
    </div>
  );
}
