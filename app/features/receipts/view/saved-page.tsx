import { renderToStaticMarkup } from "react-dom/server";
import { Page } from "#app/ui/page.tsx";
import { VerifyForm } from "./verify-form.tsx";

/** Placeholders for texts that React must not escape. */
const [STYLE, SCRIPT] = ["@style@", "@script@"];

/** A page in one file that can neither load nor send anything. `hashes`: in Content-Security-Policy format. */
export function savedPage(
  style: string,
  script: string,
  hashes: { style: string; script: string },
  version: string,
) {
  const policy = `default-src 'none'; style-src '${hashes.style}'; script-src '${hashes.script}'; form-action 'none'; base-uri 'none'`;
  const page = renderToStaticMarkup(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta httpEquiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Check a receipt · Deed</title>
        <style>{STYLE}</style>
      </head>
      <body>
        <div>
          <Page title="Check a receipt" lead="This page works offline and sends nothing.">
            <div className="stack">
              <div className="stack" data-report tabIndex={-1} />
              <VerifyForm />
            </div>
            <p className="hint">Saved from Deed {version}.</p>
          </Page>
        </div>
        <script>{SCRIPT}</script>
      </body>
    </html>,
  );
  const whole = page.replace(STYLE, () => style).replace(SCRIPT, () => script);
  return `<!doctype html>\n${whole}\n`;
}
