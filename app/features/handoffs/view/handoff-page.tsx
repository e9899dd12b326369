import { PUBLIC_SUFFIX_WARNING } from "#app/core/names/warnings.ts";
import type { ClaimActionResult } from "#app/features/claim-page/action-result.ts";
import { History } from "#app/features/claim-page/history.tsx";
import { OpenCard, OpenPath, RecordUse, ReloadLinks } from "#app/features/claim-page/open-card.tsx";
import { RecordForms } from "#app/features/claim-page/record-fields.tsx";
import { stateLabel } from "#app/features/claim-page/state-label.ts";
import { useParams } from "#app/remix/react.ts";
import { DomainName, Dotted } from "#app/ui/name.tsx";
import { capitalised, Notice, Page, type StateLabel, StateWord } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { HandoffScreen } from "../handoff-screen.server.ts";

type OpenScreen = Extract<HandoffScreen, { type: "open" }>;
type EndedScreen = Extract<HandoffScreen, { type: "ended" }>;

function BeforeYouAdd({ screen }: { screen: OpenScreen }) {
  const { askedBy, title, requestedFor, view } = screen;
  const { claim, installation, isPublicSuffix } = view;
  const texts = [title !== null && "the heading", requestedFor !== null && "the customer’s name"];
  const chosen = texts.filter(Boolean).join(" and ");
  return (
    <Notice tone="waiting" title="Only add this if you recognize this request">
      <p>
        <bdi>{askedBy}</bdi> asked through Deed at <span className="mono">{installation}</span> on{" "}
        <Moment at={claim.createdAt} form="day" />
        {requestedFor === null ? null : (
          <>
            , for “<bdi>{requestedFor}</bdi>”
          </>
        )}
        . The record proves to others that this person controls{" "}
        <strong className="mono">
          <Dotted name={claim.domain} />
        </strong>
        . <a href="/docs/what-is-this">What is this?</a>
      </p>
      {chosen ? <p>{`They chose ${chosen}. Deed did not check what they wrote.`}</p> : null}
      {isPublicSuffix ? <p>{PUBLIC_SUFFIX_WARNING}</p> : null}
    </Notice>
  );
}

function BackTo({ to, isDone = false }: { to: OpenScreen["back"]; isDone?: boolean }) {
  const { slug } = useParams();
  if (to === null) return null;
  const host = <bdi>{to.host}</bdi>;
  if (!to.isAllowed)
    return (
      <p className="soft">
        There is no link back to {host}: the person who asked no longer has a proof of it.
      </p>
    );
  return (
    <p className="row">
      <a href={`/h/${slug}/back`} className={isDone ? "button primary" : "button"}>
        Back to {host}
      </a>
    </p>
  );
}

const StatusLine = (label: StateLabel) => (
  <span role="status">
    <StateWord {...label} />
  </span>
);

export function OpenHandoff({ screen, result }: { screen: OpenScreen; result: ClaimActionResult }) {
  const { view } = screen;
  const { claim } = view;
  const what = (
    <>
      One TXT record for <DomainName ascii={claim.domain} unicode={claim.unicodeDomain} />
    </>
  );
  return (
    <Page
      above={<StatusLine {...stateLabel(claim.state, view.open)} />}
      title={screen.title === null ? what : <bdi>{screen.title}</bdi>}
      lead={screen.title === null ? undefined : what}
    >
      <div className="after">
        <BeforeYouAdd screen={screen} />
      </div>
      <section className="card">
        <OpenCard view={view} result={result} handoffFold={null} />
        <BackTo to={screen.back} />
      </section>
      <ReloadLinks view={view} />
      <OpenPath view={view} />
      <RecordUse view={view} watchProof={null} />
      <div className="more">
        <RecordForms labels={view.labels} snippets={view.snippets} />
        <History view={view} />
      </div>
    </Page>
  );
}

const END_TEXTS: Record<EndedScreen["how"], { title: string; lead: string; next?: string }> = {
  proved: {
    title: "was proved",
    lead: "The record was found. The person who asked has been notified.",
  },
  expired: {
    title: "The seven days are over",
    lead: "The record was not found in time.",
    next: "The person who asked can start again and send a new link.",
  },
  canceled: {
    title: "The record is no longer needed",
    lead: "The person who asked for it canceled the claim.",
  },
  revoked: {
    title: "This link was revoked",
    lead: "The person who sent it revoked it.",
    next: "Ask them for a new one if you still manage the DNS.",
  },
};

export function EndedHandoff({ screen: { how, at, back, name, about } }: { screen: EndedScreen }) {
  const { title, lead, next } = END_TEXTS[how];
  const tone = how === "proved" ? how : "ended";
  return (
    <Page
      above={<StatusLine tone={tone} word={how} />}
      title={
        <>
          {name ? <DomainName {...name} /> : null} {title}
        </>
      }
      lead={lead}
    >
      <div className="stack">
        <p>
          {about?.fate} {next}
        </p>
        <BackTo to={back} isDone={how === "proved"} />
        <p className="soft">
          {about ? (
            <>
              Asked for by <bdi>{about.askedBy}</bdi> on <Moment at={about.askedAt} form="day" />.{" "}
            </>
          ) : null}
          {capitalised(how)} on <Moment at={at} />.
        </p>
      </div>
    </Page>
  );
}

/** The page for a link that never existed, or whose hand-off was deleted. */
export const UnknownHandoff = () => (
  <Page title="This link does not work" lead="The link has a typo, or the page was deleted.">
    <p>Copy the link again from the message.</p>
  </Page>
);
