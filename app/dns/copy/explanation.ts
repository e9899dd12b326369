/** A value the fix asks to paste, and the panel's label of the field it goes into. */
export type Paste = { field: string; value: string };

/** `cause` says what stands there and why it does not prove the claim; `fix` says the one thing to do. */
export type Explanation = { cause: string; fix: string; pastes: Paste[] };
