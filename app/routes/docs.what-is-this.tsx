import { Link } from "@remix-run/react";
import { DocsNav } from "#app/features/docs/view/docs.tsx";
import type { PageHandle } from "#app/ui/handle.ts";
import { Entry, Page } from "#app/ui/page.tsx";

export const handle: PageHandle = { script: false };
export const meta = () => [{ title: "What is this? · Deed" }];

export default function WhatIsThisPage() {
  return (
    <Page
      above={<DocsNav />}
      title="What is this?"
      lead="Deed lets somebody show that they control a domain. They add one TXT record to its DNS; Deed finds it and writes down what it saw, and when."
    >
      <Entry title="You were asked to add a record">
        <p>
          Somebody wants to prove that a domain is theirs, and you edit its DNS. The page you were
          sent shows the domain, the one record, and whether Deed has found it yet.
        </p>
        <ul>
          <li>
            <strong>Do</strong> ask the person who sent it, by a way you already know, whether it is
            theirs. With the record in place they can show others that they control this domain.
          </li>
          <li>
            <strong>Do</strong> add the TXT record exactly as shown.{" "}
            <Link to="/docs/providers">Where to click at your provider</Link>.
          </li>
          <li>
            <strong>Don’t</strong> add it if you do not know who asks.
          </li>
          <li>
            <strong>Don’t</strong> change or delete any other record, and give nobody a password:
            Deed never asks for one.
          </li>
        </ul>
        <p>
          The record does nothing to the website or mail. Once it is found you can delete it. You
          need no account, and the person who asked sees only whether the record was found. Anyone
          who has the link can open the page until the domain is proved or the claim ends.
        </p>
      </Entry>
      <Entry title="You were sent a proof">
        <p>
          The page says: at that moment, the person named on it was able to change the DNS of
          exactly that domain. It does not say that they still can, who they are in law, or anything
          about domains above or below it.
        </p>
        <ul>
          <li>
            <strong>Do</strong> look at your browser’s address bar: the page must be on the service
            you expect. A picture or a printout proves nothing; open the link.
          </li>
          <li>
            <strong>Do</strong> compare the domain letter by letter, and look at the date.
          </li>
          <li>
            <strong>Don’t</strong> take an old proof for today’s. Ask for a new one if it matters.
          </li>
        </ul>
        <p>
          Its signed receipt is a file that you can check without trusting the page, offline and
          years later: <Link to="/docs/how-to-check">how to check this</Link>.
        </p>
        <p>
          Anyone who has the link sees the domain, the date, what was found, and part of the
          holder’s email address. The holder can revoke the link; the page then says so. They are
          not told who opened it.
        </p>
      </Entry>
      <Entry title="You want a proof yourself">
        <p>
          <Link to="/">Enter your domain</Link>. You need an email address and access to the
          domain’s DNS.
        </p>
      </Entry>
    </Page>
  );
}
