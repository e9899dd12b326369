import type { WaitEstimate } from "#app/core/resources.ts";
import { WaitBar } from "#app/ui/time.tsx";
import type { ClaimView } from "./claim-screen.server.ts";

type Words = { title: string; body: string; barLabel: string };

const WORDS: Record<WaitEstimate["reason"], Words> = {
  first_check: {
    title: "Deed has not checked yet.",
    body: "The first check is about to happen.",
    barLabel: "until the first check",
  },
  negative_cache: {
    title: "Your record is there. Public resolvers still have the old answer cached.",
    body: "They were asked before you added it. There is nothing to do.",
    barLabel: "until resolvers ask again",
  },
  nameserver_sync: {
    title: "Your record is on some nameservers; others are still catching up.",
    body: "Your DNS provider copies it from one server to the next. There is nothing to do.",
    barLabel: "until the nameservers should agree",
  },
  retry: {
    title: "Deed could not reach DNS. That is on our side.",
    body: "Deed tries again; your record and your claim are not affected.",
    barLabel: "until the next try",
  },
};

/** No server is lagging: all that answer have the record. */
const TOO_FEW_ANSWERS: Words = {
  title: "Your record is there, but too few of your nameservers answer.",
  body: "Deed waits for the others; if they stay silent, it says whom to ask.",
  barLabel: "until they should answer",
};

/** All that answer have the record, and one that does not might say otherwise. */
const SECOND_READ: Words = {
  title: "Your record is there, but not every nameserver answers.",
  body: "Deed checks a second time before it counts, in case the silent ones disagree. There is nothing to do.",
  barLabel: "until the second check",
};

const wordsOf = ({ reason, observed }: WaitEstimate): Words => {
  if (observed?.secondRead) return SECOND_READ;
  const isMissing = observed && observed.nameservers.length === 0;
  return isMissing ? TOO_FEW_ANSWERS : WORDS[reason];
};

/** A wait that only time ends: its cause, and a bar up to its end. */
export function Wait({
  view: { awaited, verification, now },
  estimate,
}: {
  view: ClaimView;
  estimate: WaitEstimate;
}) {
  const { reason, secondsRemaining } = estimate;
  const { title, body, barLabel } = wordsOf(estimate);
  return (
    <>
      <h2 data-code={reason}>{title}</h2>
      {awaited ? <p>{awaited}</p> : null}
      <p>{body}</p>
      <WaitBar
        label={barLabel}
        since={verification.lastRunAt ?? verification.createdAt}
        until={new Date(Date.parse(now) + secondsRemaining * 1000).toISOString()}
        servedAt={now}
      />
    </>
  );
}
