import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { newFolder } from "../support/service.ts";
import { rested, seen } from "./walker.ts";

const run = promisify(execFile);
/** Wide enough for a record's value, and high enough for a whole page. */
const [COLUMNS, LINES] = ["120", "220"];

/** A program in its own terminal: what it shows, and keys to press. */
export async function openTerminal(commandIn: (folder: string) => string[]) {
  const folder = newFolder();
  const tmux = async (...args: string[]) =>
    (await run("tmux", ["-f", "/dev/null", "-S", join(folder, "socket"), ...args])).stdout;
  /** Presses keys by tmux's names, such as Enter and C-u. */
  const keys = (...names: string[]) => tmux("send-keys", ...names);
  const type = (text: string) => tmux("send-keys", "-l", text);
  const screen = () => tmux("capture-pane", "-p");
  await tmux("new-session", "-d", "-x", COLUMNS, "-y", LINES, ...commandIn(folder));
  return {
    keys,
    type,
    /** Replaces the line with the text, and presses Enter. */
    enter: async (text: string) => {
      await keys("C-u");
      await type(text);
      await keys("Enter");
    },
    screen,
    see: (words: RegExp) => seen(screen, words),
    rest: () => rested(screen),
    close: () => tmux("kill-server"),
  };
}
