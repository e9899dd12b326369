import { checkHere } from "./check-here.ts";

const form = document.querySelector<HTMLFormElement>("[data-verify]");
const output = document.querySelector<HTMLElement>("[data-report]");
if (form && output) void checkHere(form, output);
