import { DeedError } from "./errors.server.ts";

/** A position in a listing, newest first: just after this row. */
export type Position = { createdAt: number; id: string };

/** Before the first row of any listing. */
const TOP: Position = { createdAt: Number.MAX_SAFE_INTEGER, id: "~" };

export const cursorAfter = ({ createdAt, id }: Position): string =>
  Buffer.from(`${createdAt}.${id}`).toString("base64url");

/** Reads a cursor made by `cursorAfter`; without one, the top of the listing. Throws invalid_request. */
export function parseCursor(cursor: string | undefined): Position {
  if (cursor === undefined) return TOP;
  const match = /^(\d{1,15})\.([a-z]{3}_[0-9a-z]{1,60})$/.exec(
    Buffer.from(cursor, "base64url").toString("latin1"),
  );
  const [, createdAt, id = ""] = match ?? [];
  const place = { createdAt: Number(createdAt), id };
  // Decoding skips invalid characters, so re-encode to reject anything but an exact cursor.
  if (!match || cursorAfter(place) !== cursor)
    throw new DeedError("invalid_request", {
      message: '"cursor" must be a nextCursor from this list.',
    });
  return place;
}

/** Splits `limit` + 1 rows into a page and the cursor of the next page, null on the last page. */
export function pageOf<T extends Position>(rows: T[], limit: number) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > limit && last ? cursorAfter(last) : null };
}
