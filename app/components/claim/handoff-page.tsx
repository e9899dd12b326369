import type { HandoffScreen } from "#app/services/screens/handoff-screen.server.ts";
import { PathSection } from "../path/path-section.tsx";
import { Fold } from "../ui/fold.tsx";
import { DomainName } from "../ui/name.tsx";
import { Notice } from "../ui/notice.tsx";
import { Entry, Page } from "../ui/page.tsx";
import { StateWord, stateLabel } from "../ui/state.tsx";
import { Moment } from "../ui/time.tsx";
import { HistoryFold } from "./history-fold.tsx";
import { OpenCard } from "./open-card.tsx";
import { RecordForms } from "./record-fields.tsx";

type Open = Extract<HandoffScreen, { type: "open" }>;
type Ended = Extract<HandoffScreen, { type: "ended" }>;

/** For the person who edits the zone: the requested record, its state, and what is wrong with it. */
export function OpenHandoff({
  screen: { askedBy, view },
  problem,
}: {
  screen: Open;
  /** Why the last check was not made. */
  problem: string | null;
}) {
  const { claim } = view;
  return (
    <Page
      above={
        <>
          <span role="status">
            <StateWord {...stateLabel(claim.state, view.open)} />
          </span>
          <span>
            asked for on <Moment at={claim.createdAt} form="day" />, open until{" "}
            <Moment at={claim.expiresAt} form="day" />
          </span>
        </>
      }
      title={
        <>
          One TXT record for <DomainName ascii={claim.domain} unicode={claim.unicodeDomain} />
        </>
      }
      lead={
        <>
          <bdi>{askedBy}</bdi> asks whoever edits this zone to add it. It proves to Deed that they
          control the name.
        </>
      }
    >
      <section className="card">
        <OpenCard view={view} problem={problem} tooSoon={null} promise="You can close this page." />
      </section>
      <PathSection view={view} />
      <Fold title="The record for a panel, zone file, nsupdate and dig">
        <RecordForms labels={view.labels} snippets={view.snippets} />
      </Fold>
      <HistoryFold view={view} />
      <Entry title="Before you add it">
        <p>
          The record changes nothing else: mail and websites of the name go on as they are. Once it
          was found it can be deleted.
        </p>
        <p>
          With it, the holder of <bdi>{askedBy}</bdi> can show others a dated proof of control of
          exactly <strong className="mono">{claim.domain}</strong>. Add it only if you know who asks
          and agree.
        </p>
        {view.isPublicSuffix ? (
          <Notice tone="waiting" title="This name is a public suffix">
            <p>Names directly below it belong to other people.</p>
          </Notice>
        ) : null}
      </Entry>
    </Page>
  );
}

const ENDS: Record<Ended["how"], { title: string; lead: string; next: string }> = {
  proved: {
    title: "The record was found",
    lead: "The name is proved, and this page has ended with the claim behind it.",
    next: "Nothing more is needed. The TXT record can be deleted.",
  },
  expired: {
    title: "The seven days are over",
    lead: "The record was not found in time, and its token is not accepted any more.",
    next: "Do not add the record now; delete it if it stands. Whoever asked can start again and send a new link.",
  },
  canceled: {
    title: "The record is not needed any more",
    lead: "Whoever asked for it has ended the claim, and its token is not accepted any more.",
    next: "Do not add the record now; delete it if it stands.",
  },
  revoked: {
    title: "This link was taken back",
    lead: "Whoever sent it has ended it.",
    next: "Ask them for a new one if you still edit the zone.",
  },
};

/** The page of a hand-off that has ended. */
export function EndedHandoff({ screen: { how, at } }: { screen: Ended }) {
  const { title, lead, next } = ENDS[how];
  return (
    <Page
      above={
        <span role="status">
          <StateWord
            tone={how === "proved" ? "proved" : "ended"}
            word={how === "proved" ? "proved" : "ended"}
          />
        </span>
      }
      title={title}
      lead={lead}
    >
      <div className="stack">
        <p>{next}</p>
        <p className="soft">
          Ended on <Moment at={at} />.
        </p>
      </div>
    </Page>
  );
}

/** The page for a link that was never issued, or whose hand-off has been deleted. */
export function UnknownHandoff() {
  return (
    <Page
      above="No such link"
      title="Nothing was handed over at this address"
      lead="The link is misspelt or was never issued, or what it led to has been erased."
    >
      <p>Compare it with the link you were given, to the last letter.</p>
    </Page>
  );
}
