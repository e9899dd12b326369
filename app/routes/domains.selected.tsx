import { accountAction, accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { proveDomain } from "#app/features/by-name/api.server.ts";
import type { Domain } from "#app/features/domains/resources.ts";
import { actOnSelected } from "#app/features/domains/selected.server.ts";
import { SelectedPage, toList } from "#app/features/domains/view/selected.tsx";
import { useLastAnswer } from "#app/ui/background-revalidation.ts";
import { Page, Problem } from "#app/ui/page.tsx";

export const loader = (args: RouteArgs) => accountLoader(args, () => ({}));

export const action = (args: RouteArgs) =>
  accountAction(
    args,
    async ({ app, form, call, session: { accountId } }) => {
      const watch = ({ name, reference }: Domain) => {
        const body = { ...(reference && { reference }), keepWww: true, watch: true };
        return call(proveDomain, { params: { name }, body });
      };
      const answer = await actOnSelected(app, args.request, accountId, form, watch);
      return { problem: null, answer };
    },
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
