/** A value to paste, and the label of the panel field it goes into. */
export type Paste = { field: string; value: string };

/** `cause` says what is published and why it does not prove the claim; `fix` gives a single instruction. */
export type Explanation = { cause: string; fix: string; pastes: Paste[] };
