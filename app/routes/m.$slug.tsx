import { chargeVisitor, publicAction, publicLoader, type RouteArgs } from "#app/api/page.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { isStopped, stopMails } from "#app/features/handoffs/handoff-mails.server.ts";
import { redirectToSelf } from "#app/http/body.server.ts";
import { useLoaderData } from "#app/remix/react.ts";
import { Confirm } from "#app/ui/confirm.tsx";
import { Page, type PageHandle } from "#app/ui/page.tsx";

export const handle: PageHandle = { document: true };

export const headers = () => ({ "X-Robots-Tag": "noindex, nofollow" });

/** Stops nothing, because mail scanners open links. */
export const loader = (args: RouteArgs) =>
  publicLoader(args, ({ app, slug }) => ({ stopped: isStopped(app, slug) }));

/** For the button, or a mail program's post, which must not get a redirect (RFC 8058 section 3.1). */
export const action = (args: RouteArgs) =>
  publicAction(args, async ({ app, slug, form }) => {
    const isFromMailer = form.get("List-Unsubscribe") === "One-Click";
    if (!isFromMailer && form.get("intent") !== "confirm") throw new DeedError("invalid_request");
    chargeVisitor(app, args.request);
    await stopMails(app, slug);
    return isFromMailer ? { problem: null } : redirectToSelf(`/m/${slug}`);
  });

export const meta = () => [{ title: "Emails that ask for a record · Deed" }];

export default function StopMailsPage() {
  const { stopped } = useLoaderData<typeof loader>();
  return stopped ? (
    <Page
      title="Emails stopped"
      lead="Deed no longer emails you requests for DNS records, whoever asks. Links you already have still work. This cannot be undone, but people can still send you their links themselves."
    />
  ) : (
    <Confirm
      above="Emails from Deed"
      title="Stop emails that ask for a record?"
      consequences={[
        "Deed sends no more requests for DNS records to the address that got this link, whoever asks. This cannot be undone.",
        "The people who ask are not notified.",
        "If you have an account here, you still get its sign-in links and notices.",
      ]}
      actionLabel="Stop these emails"
      back="/"
    />
  );
}
