import { openTerminal, type Terminal } from "./terminal.ts";
import { seen, type Walker } from "./walker.ts";

/** How one text browser is driven. */
type Keys = {
  /** Moves the cursor to that text, which is on the screen. */
  find(text: string): Promise<void>;
  open(url: string): Promise<void>;
  /** Types into the field that follows the cursor. */
  fill(text: string): Promise<void>;
};

function walker(terminal: Terminal, keys: Keys): Walker {
  const see = (words: RegExp) => seen(terminal.screen, words);
  /** Waits until the screen rests: a key pressed before that may be lost. */
  const rest = async () => {
    for (let before = ""; ; ) {
      const screen = await terminal.screen();
      if (screen === before) return;
      before = screen;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  };
  const find = async (label: RegExp) => {
    const text = await see(label);
    await rest();
    await keys.find(text);
    await rest();
  };
  return {
    see,
    open: async (url) => {
      await rest();
      await keys.open(url);
    },
    fill: async (label, text) => {
      await find(label);
      await keys.fill(text);
      await see(new RegExp(text.slice(0, 16)));
    },
    press: async (label) => {
      await find(label);
      await terminal.keys("Enter");
    },
    close: terminal.close,
  };
}

/** w3m: the cursor goes to a word by a search from the page's start; Tab goes to the next link or field. */
export async function openW3m(): Promise<Walker> {
  const options = ["use_cookie=1", "accept_cookie=1", "confirm_qq=0"];
  const blank = ["-N", "-v"];
  const terminal = await openTerminal(["w3m", ...options.flatMap((one) => ["-o", one]), ...blank]);
  await seen(terminal.screen, /Viewing/);
  return walker(terminal, {
    find: async (text) => {
      await terminal.keys("g", "/");
      await terminal.keys("C-u");
      await terminal.type(text.replace(/[.*+?()[\]|\\^$]/g, "\\$&"));
      await terminal.keys("Enter");
    },
    open: async (url) => {
      await terminal.keys("U", "C-u");
      await terminal.type(url);
      await terminal.keys("Enter");
    },
    fill: async (text) => {
      await terminal.keys("Tab", "Enter", "C-u");
      await terminal.type(text);
      await terminal.keys("Enter");
    },
  });
}
