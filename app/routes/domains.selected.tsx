import { accountAction, accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { actOnSelected } from "#app/features/domains/selected.server.ts";
import { SelectedPage, toList } from "#app/features/domains/view/selected.tsx";
import { useLastAnswer } from "#app/ui/background-revalidation.ts";
import { Page, Problem } from "#app/ui/page.tsx";

export const loader = (args: RouteArgs) => accountLoader(args, () => ({}));

export const action = (args: RouteArgs) =>
  accountAction(
    args,
    async ({ app, form, session: { accountId } }) => ({
      problem: null,
      answer: await actOnSelected(app, args.request, accountId, form),
    }),
    ({ problem }) => ({ problem, answer: null }),
  );

export const meta = () => [{ title: "Selected domains · Deed" }];

export default function SelectedRoute() {
  const { answer, problem } = useLastAnswer<typeof action>() ?? {};
  if (answer) return <SelectedPage {...answer} />;
  return (
    <Page above={toList} title="Selected domains">
      <Problem message={problem?.message ?? "Tick at least one domain."} />
    </Page>
  );
}
