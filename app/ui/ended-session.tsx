import { isRouteErrorResponse } from "#app/remix/react.ts";

/** A form sent without a session: its address, its fields, and the fields that a person typed. */
type EndedSession = { place: string; fields: [name: string, value: string][]; typed: string[] };

export const endedSessionOf = (error: unknown): EndedSession | null =>
  isRouteErrorResponse(error) && error.status === 401 && "typed" in error.data ? error.data : null;

/** The typed text, with a button that sends it again after signing in next to this page. */
export const ResendForm = ({ place, fields, typed }: EndedSession) => (
  <form method="post" action={place} className="stack after">
    {fields.map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <ul>
      {[...new Set(typed.flatMap((value) => value.split(/\r?\n/)))].map((line) => (
        <li key={line}>
          <bdi>{line}</bdi>
        </li>
      ))}
    </ul>
    <p className="row">
      <a href="/sign-in" target="_blank" rel="noreferrer" className="button primary">
        Sign in in a new tab
      </a>{" "}
      <button type="submit">Send it again</button>
    </p>
  </form>
);
