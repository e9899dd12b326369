import { MAX_RECEIPT } from "@deed/receipt/report.ts";
import { verifyReceipt } from "@deed/receipt/verify.ts";
import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { publicLoader } from "#app/api/page.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { checkHere } from "#app/features/receipts/view/check-here.ts";
import { FIELDS, type Fields, optionsOf } from "#app/features/receipts/view/fields.ts";
import { ReportView } from "#app/features/receipts/view/report-view.tsx";
import { VerifyForm } from "#app/features/receipts/view/verify-form.tsx";
import { labAnchors, savedPageHash } from "#app/features/receipts/view/verify-page.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { uploadOf } from "#app/http/body.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { consumeBudget } from "#app/http/limits.server.ts";
import { problemOf } from "#app/http/page-errors.server.ts";
import { Entry, Page, type PageHandle } from "#app/ui/page.tsx";

export const handle: PageHandle = { script: true, document: true };
export const meta = () => [{ title: "Check a receipt · Deed" }];

export const loader = (args: LoaderFunctionArgs) =>
  publicLoader(args, ({ app }) => ({
    ownKey: app.signer.kid,
    labAnchors: labAnchors(app.settings),
    savedHash: savedPageHash(),
  }));

/** Checks the posted file, for browsers without script. */
export async function action({ request }: ActionFunctionArgs) {
  try {
    await consumeBudget(getApp(), "proofs", connectionOf(request).address);
    const form = await uploadOf(request, MAX_RECEIPT);
    const fields = FIELDS.map((name) => [name, String(form.get(name) ?? "")]);
    const asked = optionsOf(Object.fromEntries(fields) as Fields);
    const file = form.get("receipt");
    if (!(file instanceof Blob) || file.size === 0)
      throw new DeedError("invalid_request", { message: "Choose a file." });
    if (typeof asked === "string") throw new DeedError("invalid_request", { message: asked });
    const report = await verifyReceipt(new Uint8Array(await file.arrayBuffer()), asked);
    return json({ report, problem: null });
  } catch (thrown) {
    const { problem, ...init } = problemOf(thrown);
    return json({ report: null, problem }, init);
  }
}

export default function VerifyPage() {
  const { ownKey, labAnchors: anchors, savedHash } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const page = useRef<HTMLDivElement>(null);
  const output = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const form = page.current?.querySelector<HTMLFormElement>("[data-verify]");
    return form && output.current ? checkHere(form, output.current) : undefined;
  }, []);
  return (
    <Page title="Check a receipt" lead="A receipt is a signed file about a proof.">
      <div ref={page} className="stack">
        {result?.report ? (
          <div className="stack">
            <ReportView report={result.report} />
            <p className="hint">
              The server of this installation checked the file, not your browser. Check it yourself
              with script, with the saved page, or with the command “deed verify”.
            </p>
          </div>
        ) : null}
        <div ref={output} className="stack" tabIndex={-1} />
        <VerifyForm
          action="/verify"
          ownKey={ownKey}
          labAnchors={anchors}
          problem={result?.problem?.message}
        />
      </div>
      <Entry title="For later years">
        <p>
          <a href="/deed-verify.html" download>
            Save this page as one file
          </a>
          . It works offline, from a disk, and sends nothing.
        </p>
        {savedHash ? (
          <p className="hint">
            Its SHA-256 is <code className="dns">{savedHash}</code>.
          </p>
        ) : null}
        <p>
          <a href="/docs/how-to-check">How to check a receipt</a> has the steps, and what a receipt
          does not say.
        </p>
      </Entry>
    </Page>
  );
}
