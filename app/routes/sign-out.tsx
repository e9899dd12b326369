import { type ActionFunctionArgs, json, redirect } from "@remix-run/node";
import { Form, useActionData } from "@remix-run/react";
import { callEndpoint } from "#app/api/dispatch.server.ts";
import { signOut } from "#app/features/sign-in/api.server.ts";
import { formOf } from "#app/http/body.server.ts";
import { problemOf } from "#app/http/page-errors.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Page, Problem } from "#app/ui/page.tsx";

export async function action({ request }: ActionFunctionArgs) {
  try {
    await formOf(request);
    const { headers } = await callEndpoint(signOut, request);
    return redirect("/", { status: 303, headers });
  } catch (thrown) {
    const { problem, ...init } = problemOf(thrown);
    return json({ problem }, init);
  }
}

export const meta = () => [{ title: "Sign out · Deed" }];

export default function SignOut() {
  return (
    <Page
      title="Sign out"
      lead="This signs you out in this browser. Deed keeps checking your domains."
    >
      <Form method="post" className="stack">
        <Problem message={useActionData<typeof action>()?.problem.message} />
        <Button kind="primary">Sign out</Button>
      </Form>
    </Page>
  );
}
