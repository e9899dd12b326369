import type { ReactNode } from "react";

type PageProps = { title: ReactNode; above?: ReactNode; lead?: ReactNode; children?: ReactNode };

/** A page: its head (a line above the title, the title, a sentence below) and its entries. */
export function Page({ title, above, lead, children }: PageProps) {
  return (
    <main id="main" tabIndex={-1} className="wide">
      <header className="head">
        {above === undefined ? null : <div className="kicker">{above}</div>}
        <h1>{title}</h1>
        {lead === undefined ? null : <p className="lead">{lead}</p>}
      </header>
      {children}
    </main>
  );
}

type EntryProps = { title: string; id?: string; children: ReactNode };

/** A section of a page. On wide screens its heading is in the margin. */
export function Entry({ title, id, children }: EntryProps) {
  return (
    <section className="entry" id={id}>
      <h2>{title}</h2>
      <div className="stack">{children}</div>
    </section>
  );
}

/** Rows of a name and its value. */
export function Facts({ rows }: { rows: (readonly [string, ReactNode] | null)[] }) {
  return (
    <dl className="facts">
      {rows.map((row) =>
        row === null ? null : (
          <div key={row[0]}>
            <dt>{row[0]}</dt>
            <dd>{row[1]}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
