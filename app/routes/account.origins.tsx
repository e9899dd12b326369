import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { callEndpoint } from "#app/api/dispatch.server.ts";
import { replaceOrigins } from "#app/api/origins.server.ts";
import { requireSession } from "#app/auth/session.server.ts";
import { Button } from "#app/components/ui/button.tsx";
import { Field } from "#app/components/ui/field.tsx";
import { Entry, Page } from "#app/components/ui/page.tsx";
import { getApp } from "#app/http/app.server.ts";
import { formOf } from "#app/http/body.server.ts";
import { problemOf } from "#app/http/page-errors.server.ts";
import { listOrigins, MAX_ORIGINS } from "#app/services/accounts/origins.server.ts";
import { iso } from "#app/services/time.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { accountId } = await requireSession(request);
  const app = getApp();
  const isSaved = new URL(request.url).searchParams.has("saved");
  return json({
    origins: listOrigins(app, accountId),
    most: MAX_ORIGINS,
    isSaved,
    now: iso(app.clock()),
  });
}

export async function action({ request }: ActionFunctionArgs) {
  await requireSession(request);
  let typed = "";
  try {
    typed = (await formOf(request)).get("origins") ?? "";
    const origins = typed.split(/[\s,]+/).filter(Boolean);
    await callEndpoint(replaceOrigins, request, { body: { origins } });
    return redirect("/account/origins?saved", 303);
  } catch (thrown) {
    const { problem, status } = problemOf(thrown);
    return json({ typed, problem: sentenceOf(problem.message) }, { status });
  }
}

/** The API's sentences name fields of JSON; the form's mistakes have sentences of their own. */
function sentenceOf(message: string): string {
  if (!message.startsWith('The field "origins')) return message;
  return `Type origins such as https://app.example.com, one a line, ${MAX_ORIGINS} at most.`;
}

export const meta: MetaFunction = () => [{ title: "Registered origins · Deed" }];

export default function OriginsPage() {
  const { origins, most, isSaved, now } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const listed = origins.join("\n");
  return (
    <Page
      above={<Link to="/account">Account</Link>}
      title="Registered origins"
      lead="Your applications. Pages you share may lead back to them, and be embedded there."
    >
      <Entry title="Origins">
        {isSaved && !refused ? <p role="status">Saved.</p> : null}
        <Form method="post" className="stack" replace preventScrollReset>
          <input type="hidden" name="at" value={now} />
          <Field
            key={listed}
            label="One origin a line"
            name="origins"
            rows={6}
            isMachineText
            hint={`https:// and a host name, such as https://app.example.com. At most ${most}.`}
            error={refused?.problem}
            defaultValue={refused?.typed ?? listed}
            placeholder="https://app.example.com"
          />
          <Button kind="primary" intent="save">
            Save
          </Button>
        </Form>
      </Entry>
      <Entry title="What they may do">
        <ul>
          <li>
            A page you share can have a button back to them, which carries the signed outcome. Give
            the address as “Back to” when you share the page, or as <code>returnUrl</code> in the{" "}
            <Link to="/docs/api/hand-offs">API</Link>.
          </li>
          <li>They can show the pages you share inside their own, in a frame.</li>
        </ul>
        <p>
          Once you remove an origin, both end at once. Everyone in the account can change this list,
          and its log says who did.
        </p>
      </Entry>
    </Page>
  );
}
