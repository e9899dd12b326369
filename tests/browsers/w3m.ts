import { openTerminal } from "./tmux.ts";
import type { Walker } from "./walker.ts";

const OPTIONS = ["use_cookie=1", "accept_cookie=1", "confirm_qq=0"];
const W3M = ["w3m", ...OPTIONS.flatMap((one) => ["-o", one]), "-N", "-v"];

/** w3m: a search from the page's start moves the cursor to a word; Tab goes to the next link or field. */
export async function openW3m(): Promise<Walker> {
  const { keys, enter, see, rest, close } = await openTerminal(() => W3M);
  const find = async (label: RegExp) => {
    const text = await see(label);
    await rest();
    await keys("g", "/");
    await enter(text.replace(/[.*+?()[\]|\\^$]/g, "\\$&"));
    await rest();
  };
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
    close,
  };
}
