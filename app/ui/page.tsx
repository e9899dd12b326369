import type { ReactNode } from "react";
import type { LoaderFunction, MetaFunction, SerializeFrom } from "#app/remix/node.server.ts";

type PageProps = { title: ReactNode; above?: ReactNode; lead?: ReactNode; children?: ReactNode };

export const Page = ({ title, above, lead, children }: PageProps) => (
  <main id="main" tabIndex={-1} className="wide">
    <header className="head">
      {above === undefined ? null : <div className="kicker">{above}</div>}
      <h1>{title}</h1>
      {lead === undefined ? null : <p className="lead">{lead}</p>}
    </header>
    {children}
  </main>
);

type EntryProps = { title: ReactNode; id?: string; children: ReactNode };

/** A section of a page. On wide screens its heading is in the margin. */
export const Entry = ({ title, id, children }: EntryProps) => (
  <section className="entry" id={id}>
    <h2>{title}</h2>
    <div className="stack">{children}</div>
  </section>
);

export type Fact = readonly [name: string, value: ReactNode] | null | false;
type FactsProps = { rows: readonly Fact[]; className?: string };

/** Names and their values; null, false and undefined leave a row out. */
export const Facts = ({ rows, className = "facts" }: FactsProps) => (
  <dl className={className}>
    {rows.map((row) =>
      row && row[1] != null && row[1] !== false ? (
        <div key={row[0]}>
          <dt>{row[0]}</dt>
          <dd>{row[1]}</dd>
        </div>
      ) : null,
    )}
  </dl>
);
type FoldProps = { title: ReactNode; id?: string; open?: boolean; children: ReactNode };

export const Fold = ({ title, id, open = false, children }: FoldProps) => (
  <details className="fold" id={id} open={open}>
    <summary>{title}</summary>
    <div className="stack">{children}</div>
  </details>
);

export type Tone = "proved" | "waiting" | "needs" | "ended";

const SHAPES: Record<Tone, ReactNode> = {
  proved: <path d="M2 8.5 6.2 13 14 3.5" fill="none" strokeWidth="2.4" />,
  waiting: <path d="M8 1.5a6.5 6.5 0 1 0 6.5 6.5M8 4v4.5l3 2" fill="none" strokeWidth="2" />,
  needs: <path d="M8 1.5v8M8 12v2.5" fill="none" strokeWidth="2.6" />,
  ended: <path d="M2 8h12" fill="none" strokeWidth="2.2" />,
};

/**
 * A route's facts about its page, in `export const handle`. `script`: it is better with script (other pages get no script
 * tag); `live`: it follows the account's stream, with script; `scriptFile`: its script is a file, which needs no nonce;
 * `document`: it is for visitors, without account navigation.
 */
export type PageHandle = Partial<Record<"script" | "live" | "scriptFile" | "document", boolean>>;

export const sendsScript = ({ script, live }: PageHandle): boolean =>
  script === true || live === true;

/**
 * What a loader can put into the page's head, as `head` in its data. `icon`: the state in the tab's icon; `refreshSeconds`:
 * until a browser without script reloads it; `follows`: an id whose changes it follows besides its own.
 */
export type PageHead = { icon?: Tone; refreshSeconds?: number; follows?: string };

/** The `meta` of a page whose title comes from its loader's data. */
export const titled =
  <Loader extends LoaderFunction>(
    titleOf: (data: SerializeFrom<Loader>) => string,
  ): MetaFunction<Loader> =>
  ({ data }) => [{ title: data ? `${titleOf(data as SerializeFrom<Loader>)} · Deed` : "Deed" }];

/** A small icon for a state, never used without the state's word. */
export const Glyph = ({ tone, mark = tone }: { tone: Tone; mark?: Tone | undefined }) => (
  <svg viewBox="0 0 16 16" className={tone} stroke="currentColor" aria-hidden="true">
    {SHAPES[mark]}
  </svg>
);

export const capitalised = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

export const StateWord = ({ tone, word, mark }: StateLabel) => (
  <span className={`state ${tone}`}>
    <Glyph tone={tone} mark={mark} />
    {capitalised(word)}
  </span>
);

/** `mark`: the tone whose icon it has, if not its own. */
export type StateLabel = { tone: Tone; word: string; mark?: Tone };

type NoticeProps = { tone?: Tone; title?: ReactNode; children?: ReactNode };

export const Notice = ({ tone, title, children }: NoticeProps) => (
  <div className={tone ? `panel ${tone}` : "panel"}>
    {title ? <p className="label">{title}</p> : null}
    {children}
  </div>
);

/** Why a form was rejected, if no single field is wrong. Screen readers announce it when it appears. */
export const Problem = ({ message }: { message: string | null | undefined }) =>
  message ? (
    <p className="error" role="alert">
      {message}
    </p>
  ) : null;
