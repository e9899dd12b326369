import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SENTENCES, type SentenceId } from "./sentences.ts";

const FOLDER = import.meta.dirname;
const isSentence = (id: string): id is SentenceId => id in SENTENCES;

/** Each sentence of the contract with the files whose tests check it. */
export function coverage(): Map<SentenceId, string[]> {
  const found = new Map<SentenceId, string[]>();
  for (const id of Object.keys(SENTENCES)) if (isSentence(id)) found.set(id, []);
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".test.ts"))) {
    const text = readFileSync(`${FOLDER}/${file}`, "utf8");
    const named = text.matchAll(/"((?:interface|decisions)#[a-z]+\.\d+)"/g);
    for (const id of new Set([...named].map(([, id = ""]) => id)))
      if (isSentence(id)) found.get(id)?.push(file);
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [id, files] of coverage())
    console.log(`${id}\t${SENTENCES[id]}\t${files.join(", ") || "NONE"}`);
}
