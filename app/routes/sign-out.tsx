import { oneCall, publicAction, type RouteArgs } from "#app/api/page.server.ts";
import { authEndpoints } from "#app/features/sign-in/api.server.ts";
import { Form, useActionData } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { Page, Problem } from "#app/ui/page.tsx";

export const action = (args: RouteArgs) => publicAction(args, oneCall(authEndpoints.signOut, "/"));

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
