import { checkHere } from "./check-here.ts";

/** The script of the page that checks receipts, served or saved. */
const form = document.querySelector<HTMLFormElement>("[data-verify]");
const output = document.querySelector<HTMLElement>("[data-report]");
if (form && output) void checkHere(form, output);
