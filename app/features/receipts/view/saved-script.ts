import { checkHere } from "./check-here.ts";

/** The script of the saved page. */
const form = document.querySelector<HTMLFormElement>("[data-verify]");
const output = document.querySelector<HTMLElement>("[data-report]");
if (form && output) checkHere(form, output);
