import { readFileSync } from "node:fs";
import { resolve } from "node:path";

export type SentenceId = `C${number}.${number}`;

const CONTRACT = resolve(import.meta.dirname, "../../docs/contract.md");

/** The numbered sentences of docs/contract.md, in order, without markup. */
export const SENTENCES: readonly { id: string; text: string }[] = [
  ...readFileSync(CONTRACT, "utf8").matchAll(/^- \*\*(C\d+\.\d+)\*\* (.+)$/gm),
].map(([, id = "", text = ""]) => ({ id, text: text.replaceAll("`", "") }));

const byId = new Map(SENTENCES.map(({ id, text }) => [id, text]));

/** A test's name: the sentences that it checks. */
export const says = (...ids: [SentenceId, ...SentenceId[]]): string =>
  ids
    .map((id) => {
      const text = byId.get(id);
      if (!text) throw new Error(`docs/contract.md has no ${id}`);
      return `${id}: ${text.replace(/\.$/, "")}`;
    })
    .join(" / ");
