import { hasEd25519 } from "@deed/receipt/ed25519.ts";
import { verifyReceipt } from "@deed/receipt/verify.ts";
import { element } from "../../receipts/view/check-here.ts";
import { keySetIn, optionsOf } from "../../receipts/view/fields.ts";
import { minuteText, verdictOf } from "./verdict.ts";

async function textAt(path: string): Promise<string> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.text();
}

/** Replaces the page's state by a worse one. */
function showState({ tone, word }: ReturnType<typeof verdictOf>): void {
  const template = document.querySelector<HTMLTemplateElement>(`template.${tone}`);
  if (!template) return;
  const head = template.content.cloneNode(true) as DocumentFragment;
  head.querySelector(".state")?.append(word);
  document.querySelector("[data-head]")?.replaceChildren(head);
  document.title = [word, ...document.title.split(" · ").slice(-2)].join(" · ");
}

/** Checks the proof in this page's form with the keys that its site publishes. Throws if the browser cannot. */
export async function checkProof(form: HTMLFormElement, output: HTMLElement): Promise<void> {
  if (!(await hasEd25519())) throw new Error("no Ed25519");
  const { receipt = "", url = "", domain = "", provedAt = "", anchors = "" } = form.dataset;
  const [file, keySet] = await Promise.all([receipt, "/.well-known/jwks.json"].map(textAt));
  const options = optionsOf({ key: "", require: "", holder: "", opening: "", anchors });
  if (!file || !keySet || typeof options === "string") throw new Error("not readable");
  const report = await verifyReceipt(file, { ...options, ...keySetIn(keySet) });
  const by = `Checked by your browser at ${minuteText(new Date().toISOString())}.`;
  const found = verdictOf(report, { url, domain, provedAt }, by);
  output.replaceChildren(element(found.drawn));
  output.scrollIntoView({ block: "nearest" });
  const button = form.querySelector("button");
  if (button) Object.assign(button, { className: "", textContent: "Check again" });
  showState(found);
}
