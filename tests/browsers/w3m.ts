import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { newFolder } from "../support/service.ts";
import { rested, seen, type Walker } from "./walker.ts";

const run = promisify(execFile);
/** Wide enough for a record's value, and high enough for a whole page. */
const [COLUMNS, LINES] = ["120", "220"];
const OPTIONS = ["use_cookie=1", "accept_cookie=1", "confirm_qq=0"];
const W3M = ["w3m", ...OPTIONS.flatMap((one) => ["-o", one]), "-N", "-v"];

/** w3m in tmux: the cursor goes to a word by a search from the page's start; Tab goes to the next link or field. */
export async function openW3m(): Promise<Walker> {
  const folder = newFolder();
  const tmux = async (...args: string[]) =>
    (await run("tmux", ["-f", "/dev/null", "-S", join(folder, "socket"), ...args])).stdout;
  /** Presses keys by tmux's names, such as Enter and C-u. */
  const keys = (...names: string[]) => tmux("send-keys", ...names);
  /** Replaces the line by the text, and ends it. */
  const enter = async (text: string) => {
    await keys("C-u");
    await tmux("send-keys", "-l", text);
    await keys("Enter");
  };
  const screen = () => tmux("capture-pane", "-p");
  const see = (words: RegExp) => seen(screen, words);
  const rest = () => rested(screen);
  const find = async (label: RegExp) => {
    const text = await see(label);
    await rest();
    await keys("g", "/");
    await enter(text.replace(/[.*+?()[\]|\\^$]/g, "\\$&"));
    await rest();
  };
  await tmux("new-session", "-d", "-x", COLUMNS, "-y", LINES, ...W3M);
  await see(/Viewing/);
  return {
    see,
    open: async (url) => {
      await rest();
      await keys("U");
      await enter(url);
    },
    fill: async (label, text) => {
      await find(label);
      await keys("Tab", "Enter");
      await enter(text);
      await see(new RegExp(text.slice(0, 16)));
    },
    press: async (label) => {
      await find(label);
      await keys("Enter");
    },
    close: async () => {
      await tmux("kill-server");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
