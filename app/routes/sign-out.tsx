import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { Form } from "@remix-run/react";
import { signOut } from "#app/api/auth.server.ts";
import { callEndpoint } from "#app/api/dispatch.server.ts";
import { Button } from "#app/components/ui/button.tsx";
import { Page } from "#app/components/ui/page.tsx";
import { formOf } from "#app/http/body.server.ts";
import { throwPage } from "#app/http/page-errors.server.ts";

export async function action({ request }: ActionFunctionArgs) {
  await formOf(request).catch(throwPage);
  const { headers } = await callEndpoint(signOut, request);
  return redirect("/", { status: 303, headers });
}

export const meta = () => [{ title: "Sign out · Deed" }];

export default function SignOut() {
  return (
    <Page title="Sign out" lead="Ends the session of this browser. Claims go on being checked.">
      <Form method="post">
        <Button kind="primary">Sign out</Button>
      </Form>
    </Page>
  );
}
