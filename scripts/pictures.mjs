// `npm run pictures`: takes the pictures of the README and of docs/receipts.md from states of the gallery, light and dark.
import { run } from "./setup.mjs";

run("npx", ["playwright", "test", "pictures.spec.ts"], { GALLERY: "on" });
