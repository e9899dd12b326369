/** The script of the proof page. Where the browser cannot check, the form is sent, and the server does. */
const form = document.querySelector<HTMLFormElement>("[data-receipt]");
const output = document.querySelector<HTMLElement>("[data-verdict]");
form?.addEventListener("submit", (event) => {
  if (!output) return;
  event.preventDefault();
  import("./check-proof.ts")
    .then(({ checkProof }) => checkProof(form, output))
    .catch(() => form.submit());
});
/** Firefox ESR prints folds as they are. */
addEventListener("beforeprint", () => {
  for (const fold of document.querySelectorAll("details")) fold.open = true;
});
