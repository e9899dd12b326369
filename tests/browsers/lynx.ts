import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTerminal } from "./tmux.ts";
import type { Walker } from "./walker.ts";

const SETTINGS = `DEFAULT_KEYPAD_MODE:LINKS_AND_FIELDS_ARE_NUMBERED
ACCEPT_ALL_COOKIES:TRUE
INFOSECS:0
MESSAGESECS:0
ALERTSECS:0
`;

/** Lynx: every link, button and field has a number. A field takes text after Enter was pressed on it. */
export async function openLynx(): Promise<Walker> {
  const { keys, type, enter, screen, see, rest, close } = await openTerminal((folder) => {
    const file = join(folder, "lynx.cfg");
    writeFileSync(file, SETTINGS);
    return ["lynx", `-cfg=${file}`, "-tna", file];
  });
  /** Goes to the number that `numberOf` finds from the screen's text before and after the label. */
  const goTo = async (
    label: RegExp,
    numberOf: (before: string, after: string) => string | undefined,
  ) => {
    await see(label);
    await rest();
    const text = await screen();
    const at = text.search(label);
    const number = numberOf(text.slice(0, at), text.slice(at));
    if (!number) throw new Error(`${label} has no number in:\n${text}`);
    await type(`${number}g`);
    await keys("Enter");
    await rest();
  };
  await see(/DEFAULT_KEYPAD_MODE/);
  return {
    see,
    open: async (url) => {
      await rest();
      await keys("g");
      await see(/URL to open:/);
      await enter(url);
      // Lynx shows a page from its cache first.
      await rest();
      await keys("C-r");
    },
    fill: async (label, text) => {
      await goTo(label, (_, after) => /\[(\d+)\]/.exec(after)?.[1]);
      await keys("Enter", "C-u");
      await type(text);
      // Of a long text, only the end is visible.
      await see(new RegExp(`${text.slice(-8)}_*$`, "m"));
      await keys("Tab");
    },
    press: async (label) => {
      await goTo(label, (before) => [...before.matchAll(/\[(\d+)\]/g)].at(-1)?.[1]);
      await keys("Enter");
    },
    close,
  };
}
