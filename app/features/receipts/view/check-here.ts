import { hasEd25519 } from "@deed/receipt/ed25519.ts";
import { MAX_RECEIPT } from "@deed/receipt/report.ts";
import { verifyReceipt } from "@deed/receipt/verify.ts";
import { fieldsIn, optionsOf } from "./fields.ts";
import { linkIn, type Markup, offerSiteKeys, viewOf } from "./view.ts";

const CHECKED_HERE = "Your browser checks it, and nothing is sent.";
const NOT_HERE =
  "This browser cannot check signatures here: it needs https or a page from disk, and Ed25519.";

/** Checks a receipt in the page. If the browser cannot, submits the form, as it does without script. */
export async function checkHere(form: HTMLFormElement, output: HTMLElement): Promise<void> {
  const isAble = await hasEd25519();
  const place = form.querySelector("[data-where]");
  if (place) place.textContent = isAble ? CHECKED_HERE : `${NOT_HERE} ${place.textContent}`;
  if (!isAble) return;

  const { own: siteKey } = form.dataset;
  const input = form.querySelector<HTMLInputElement>("input[type=file]");
  const check = async (key?: string) => {
    const file = input?.files?.[0];
    const asked = optionsOf({ ...fieldsIn(new FormData(form)), ...(key && { key }) });
    const problems = typeof asked === "string" ? [element(["p", "error", asked])] : [];
    form.querySelector("[data-problem]")?.replaceChildren(...problems);
    if (!file || typeof asked === "string") return;
    const start = new Uint8Array(await file.slice(0, MAX_RECEIPT + 1).arrayBuffer());
    const report = await verifyReceipt(start, asked);
    const offer = siteKey ? offerSiteKeys(report, location.origin) : null;
    output.replaceChildren(...viewOf(report, { offer, link: linkIn(start, report) }).map(element));
    output.querySelector("button")?.addEventListener("click", () => void check(siteKey));
    form.querySelector("details")?.toggleAttribute("open", !report.statement);
    output.focus();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void check();
  });
  input?.addEventListener("change", () => void check());
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    if (!input || !event.dataTransfer?.files.length) return;
    input.files = event.dataTransfer.files;
    void check();
  });
}

export function element([tag, className, ...content]: Markup): HTMLElement {
  const node = document.createElement(tag);
  if (className) node.className = tag === "a" ? "button primary" : className;
  if (tag === "a") node.setAttribute("href", className);
  node.append(...content.map((part) => (typeof part === "string" ? part : element(part))));
  return node;
}
