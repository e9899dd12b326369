/** A browser used like a person would, from what is on the screen. */
export type Walker = {
  open(url: string): Promise<void>;
  /** Types into the field after `label`, replacing its text. */
  fill(label: RegExp, text: string): Promise<void>;
  /** Follows the link or presses the button with that text. */
  press(label: RegExp): Promise<void>;
  /** Waits until the screen shows `words`, and returns the match. Throws with the screen after 30 s. */
  see(words: RegExp): Promise<string>;
  close(): Promise<unknown>;
};

const PATIENCE_MS = 30_000;

/** Waits until the result of `look` matches `words`. */
export async function seen(look: () => Promise<string>, words: RegExp): Promise<string> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const screen = await look();
    const found = words.exec(screen)?.[0];
    if (found !== undefined) return found;
    if (Date.now() > giveUpAt) throw new Error(`${words} was not seen in:\n${screen}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until the screen stops changing: an earlier press may hit what was there before. */
export async function rested(look: () => Promise<string>): Promise<void> {
  for (let before = ""; ; ) {
    const shown = await look();
    if (shown === before) return;
    before = shown;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}
