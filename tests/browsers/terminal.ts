import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { newFolder } from "../support/service.ts";
import { seen } from "./walker.ts";

const run = promisify(execFile);
/** Wide enough for a record's value, and high enough for a whole page. */
const [COLUMNS, LINES] = ["120", "220"];

/** A program in tmux, driven by keys and by what is on its screen. */
export async function openTerminal(command: readonly string[]) {
  const folder = newFolder();
  const tmux = async (...args: string[]) =>
    (await run("tmux", ["-f", "/dev/null", "-S", join(folder, "socket"), ...args])).stdout;
  /** Presses keys by tmux's names, such as Enter and C-u. */
  const keys = (...names: string[]) => tmux("send-keys", ...names);
  const screen = () => tmux("capture-pane", "-p");
  await tmux("new-session", "-d", "-x", COLUMNS, "-y", LINES, ...command);
  return {
    keys,
    /** Replaces the line by the text, and ends it. */
    enter: async (text: string) => {
      await keys("C-u");
      await tmux("send-keys", "-l", text);
      await keys("Enter");
    },
    see: (words: RegExp) => seen(screen, words),
    /** Waits until the screen rests: a key pressed before that may be lost. */
    rest: async () => {
      for (let before = ""; ; ) {
        const shown = await screen();
        if (shown === before) return;
        before = shown;
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
    },
    close: async () => {
      await tmux("kill-server");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
