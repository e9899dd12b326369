import { DeedError } from "./errors.server.ts";

export type Position = { createdAt: number; id: string };

const TOP: Position = { createdAt: Number.MAX_SAFE_INTEGER, id: "~" };

export const cursorAfter = ({ createdAt, id }: Position): string =>
  Buffer.from(`${createdAt}.${id}`).toString("base64url");

/** The cursor's position; without a cursor, the start of the list. Throws invalid_request. */
export function parseCursor(cursor: string | undefined): Position {
  if (cursor === undefined) return TOP;
  const match = /^(\d{1,15})\.([a-z]{3}_[0-9a-z]{1,60})$/.exec(
    Buffer.from(cursor, "base64url").toString("latin1"),
  );
  const [, createdAt, id = ""] = match ?? [];
  const place = { createdAt: Number(createdAt), id };
  // Decoding skips invalid characters, so re-encode to reject anything but an exact cursor.
  const message = '"cursor" must be a nextCursor from this list.';
  if (!match || cursorAfter(place) !== cursor)
    throw new DeedError("invalid_request", { message, param: "cursor" });
  return place;
}

export function pageOf<T>(rows: T[], limit: number, placeOf: (row: T) => Position) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > limit && last ? cursorAfter(placeOf(last)) : null };
}
