import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import * as z from "zod";

/** A tree that was signed, or is about to be. `root`: base64. */
export type SignedTree = { origin: string; size: number; root: string };

/**
 * Remembers outside the database what was signed last, so that a database that has lost it is noticed. A stamp names
 * one copy of the memory: a memory restored from a backup has another stamp, even with the same content.
 */
export type SignedTreeMemory = {
  /** Returns the stamp, once nothing can lose the memory any more. */
  keep(tree: SignedTree): string;
  /** Null if there is no memory, or it has neither this stamp nor one given to this process. */
  recall(stamp: string | null): SignedTree | null;
};

const Tree = z.object({ origin: z.string(), size: z.int(), root: z.string() });

function sync(path: string): void {
  const opened = openSync(path, "r");
  fsyncSync(opened);
  closeSync(opened);
}

/**
 * The memory as a file beside the signing key. Its stamp is the inode and the time of its last change, which no copy
 * keeps and no program can set.
 */
export class SignedTreeFile implements SignedTreeMemory {
  readonly #path: string;
  #own: string | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  keep(tree: SignedTree): string {
    const draft = `${this.#path}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(tree)}\n`, { mode: 0o600, flush: true });
    renameSync(draft, this.#path);
    sync(dirname(this.#path));
    this.#own = this.#read()?.stamp ?? null;
    return this.#own ?? "";
  }

  recall(stamp: string | null): SignedTree | null {
    const found = this.#read();
    if (!found || (found.stamp !== stamp && found.stamp !== this.#own)) return null;
    try {
      return Tree.parse(JSON.parse(found.text));
    } catch {
      return null;
    }
  }

  #read(): { stamp: string; text: string } | null {
    let file: number;
    try {
      file = openSync(this.#path, "r");
    } catch {
      return null;
    }
    try {
      const { ino, ctimeNs } = fstatSync(file, { bigint: true });
      return { stamp: `${ino}.${ctimeNs}`, text: readFileSync(file, "utf8") };
    } finally {
      closeSync(file);
    }
  }
}
