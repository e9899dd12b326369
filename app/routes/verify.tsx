import { MAX_RECEIPT } from "@deed/receipt/report.ts";
import { verifyReceipt } from "@deed/receipt/verify.ts";
import { chargeVisitor, publicLoader, type RouteArgs } from "#app/api/page.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { jwkSet } from "#app/features/receipts/keys.server.ts";
import { fieldsIn, optionsOf } from "#app/features/receipts/view/fields.ts";
import { ReportView } from "#app/features/receipts/view/report-view.tsx";
import { VerifyForm } from "#app/features/receipts/view/verify-form.tsx";
import { labAnchors, pageScript } from "#app/features/receipts/view/verify-page.server.ts";
import { linkIn, offerSiteKeys } from "#app/features/receipts/view/view.ts";
import { getApp } from "#app/http/app.server.ts";
import { uploadOf } from "#app/http/body.server.ts";
import { problemOf } from "#app/http/page-errors.server.ts";
import { json } from "#app/remix/node.server.ts";
import { useActionData, useLoaderData } from "#app/remix/react.ts";
import { Page, type PageHandle } from "#app/ui/page.tsx";

export const handle: PageHandle = { document: true, scriptFile: true };
export const meta = () => [{ title: "Check a receipt · Deed" }];

export const loader = (args: RouteArgs) =>
  publicLoader(args, ({ app }) => ({
    ownKeys: JSON.stringify(jwkSet(app)),
    script: pageScript("verify"),
    labAnchors: labAnchors(app.settings),
  }));

/** Checks the posted file for browsers without script. */
export async function action({ request }: RouteArgs) {
  try {
    chargeVisitor(getApp(), request);
    const form = await uploadOf(request, MAX_RECEIPT);
    const ownKey = form.get("intent") === "own" && { key: JSON.stringify(jwkSet(getApp())) };
    const options = optionsOf({ ...fieldsIn(form), ...ownKey });
    const file = form.get("receipt");
    if (!(file instanceof Blob) || file.size === 0)
      throw new DeedError("invalid_request", { message: "Choose a file." });
    if (typeof options === "string") throw new DeedError("invalid_request", { message: options });
    const octets = new Uint8Array(await file.arrayBuffer());
    const report = await verifyReceipt(octets, options);
    const offer = offerSiteKeys(report, getApp().settings.baseUrl);
    return json({ report, offer, link: linkIn(octets, report), problem: null });
  } catch (error) {
    const { problem, ...init } = problemOf(error);
    return json({ report: null, offer: null, link: null, problem }, init);
  }
}

export default function VerifyPage() {
  const { ownKeys, labAnchors: anchors, script } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  return (
    <Page title="Check a receipt" lead="A receipt is a signed file about a proof.">
      <div className="stack after">
        <div className="stack" data-report tabIndex={-1}>
          {result?.report ? (
            <>
              <ReportView {...result} report={result.report} />
              <p className="hint">
                The server of this installation checked the file, not your browser. Check it
                yourself with JavaScript, with the saved page, or{" "}
                <a href="/docs/how-to-check#in-a-shell">in a shell</a>.
              </p>
            </>
          ) : null}
        </div>
        <VerifyForm
          action="/verify"
          ownKeys={ownKeys}
          offer={result?.offer}
          isDone={Boolean(result?.report?.statement && !result.offer)}
          labAnchors={anchors}
          problem={result?.problem?.message}
        />
      </div>
      <section className="path-section stack">
        <h2>To check it years later</h2>
        <p>
          <a href="/deed-verify.html" download>
            Save this page as one file
          </a>
          . It works offline, from a disk, and sends nothing. The notes of each release have its
          SHA-256 hash.
        </p>
        <p>
          <a href="/docs/how-to-check">How to check a receipt</a> has the steps, and what a receipt
          does not say.
        </p>
      </section>
      {script ? <script type="module" src={script} /> : null}
    </Page>
  );
}
