/** The script of the proof page. If the browser cannot check, it sends the form, and the server checks. */
const form = document.querySelector<HTMLFormElement>("[data-receipt]");
const output = document.querySelector<HTMLElement>("[data-verdict]");
form?.addEventListener("submit", (event) => {
  if (!output) return;
  event.preventDefault();
  import("./check-proof.ts")
    .then(({ checkProof }) => checkProof(form, output))
    .catch(() => form.submit());
});
/** Firefox ESR prints folded parts folded, so unfold them. */
addEventListener("beforeprint", () => {
  for (const fold of document.querySelectorAll("details")) fold.open = true;
});
