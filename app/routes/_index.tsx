import { NameSearch } from "#app/components/domains/name-search.tsx";
import { Entry } from "#app/components/ui/page.tsx";

export default function Landing() {
  return (
    <main id="main" tabIndex={-1} className="wide landing">
      <h1>
        <span>A domain is yours.</span> <span>Put it on record, with a date.</span>
      </h1>
      <p className="lead">
        Publish one TXT record. Deed finds it by itself, says which mistake it is when it is not
        there, and gives you a page that states what was proved and when.
      </p>
      <NameSearch typed="" />
      <Entry title="How it goes">
        <ol className="steps">
          <li>
            <strong>Name it.</strong> The zone is read as anybody can read it: no account, nothing
            written.
          </li>
          <li>
            <strong>Create one record.</strong> In the words of your own DNS panel, with what to
            type in each field.
          </li>
          <li>
            <strong>Leave.</strong> Every nameserver of your zone is asked directly, for seven days.
            You hear when it is found, or what is wrong.
          </li>
          <li>
            <strong>Share it.</strong> A link to one dated sentence, which you can take back.
          </li>
        </ol>
      </Entry>
      <Entry title="What it says">
        <p>
          That at one moment the holder of an address controlled the DNS of exactly one name. Not
          that they own a company or a trade mark, and nothing about the names above or below it.
        </p>
      </Entry>
    </main>
  );
}
