import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Wide enough for a record's value, and high enough for a whole page. */
const [COLUMNS, LINES] = ["120", "220"];

/** A program in a terminal of its own: what is typed into it, and what its screen shows. */
export type Terminal = {
  /** Types text as it is. */
  type(text: string): Promise<void>;
  /** Presses keys by tmux's names, such as Enter and C-u. */
  keys(...names: string[]): Promise<void>;
  screen(): Promise<string>;
  close(): Promise<void>;
};

/** Runs a command in tmux. */
export async function openTerminal(command: string[]): Promise<Terminal> {
  const folder = mkdtempSync(join(tmpdir(), "deed-terminal-"));
  const tmux = async (...args: string[]) =>
    (await run("tmux", ["-f", "/dev/null", "-S", join(folder, "socket"), ...args])).stdout;
  await tmux("new-session", "-d", "-x", COLUMNS, "-y", LINES, ...command);
  return {
    type: async (text) => void (await tmux("send-keys", "-l", text)),
    keys: async (...names) => void (await tmux("send-keys", ...names)),
    screen: () => tmux("capture-pane", "-p"),
    close: async () => {
      await tmux("kill-server");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
