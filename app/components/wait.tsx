import type { Verification, WaitEstimate } from "#app/services/resources.ts";
import { WaitBar } from "./time.tsx";

const WORDS: Record<WaitEstimate["reason"], { title: string; body: string; bar: string }> = {
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

/** A wait that only time ends: what it is, and a bar to the moment it is over. */
export function Wait({
  estimate,
  verification,
  served,
}: {
  estimate: WaitEstimate;
  verification: Pick<Verification, "createdAt" | "lastRunAt">;
  served: string;
}) {
  const { title, body, bar } = WORDS[estimate.reason];
  const until = new Date(Date.parse(served) + estimate.secondsRemaining * 1000).toISOString();
  return (
    <div className="stack">
      <p className="lead" data-code={estimate.reason}>
        {title}
      </p>
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
