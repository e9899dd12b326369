import { openTerminal } from "./terminal.ts";
import type { Walker } from "./walker.ts";

/** Fields need Enter before they take keys (-tna), or they would take those of a search. It keeps no old pages. */
const LYNX = ["lynx", "-accept_all_cookies", "-nopause", "-tna", "-cache=2", "/dev/null"];

/** Lynx in tmux: a search goes to the link or field at the text, or to the next one after it. */
export async function openLynx(): Promise<Walker> {
  const { keys, enter, see, rest, close } = await openTerminal(LYNX);
  const find = async (label: RegExp) => {
    const text = await see(label);
    await rest();
    await keys("Home", "/");
    await enter(text);
    await rest();
  };
  return {
    see,
    open: async (url) => {
      await rest();
      await keys("g");
      await enter(url);
    },
    fill: async (label, text) => {
      await find(label);
      await keys("Enter");
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
