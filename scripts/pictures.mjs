// `npm run pictures`: takes the pictures of the README from states of the gallery, light and dark.
import { run } from "./setup.mjs";

run("npx", ["playwright", "test", "pictures.spec.ts"], { GALLERY: "on" });
