import { DeedError } from "./errors.server.ts";

export type Position = { createdAt: number; id: string };

const LIST_START: Position = { createdAt: Number.MAX_SAFE_INTEGER, id: "~" };

export const cursorAfter = ({ createdAt, id }: Position): string =>
  Buffer.from(`${createdAt}.${id}`).toString("base64url");

/** Returns the position of a cursor in a list of such ids, or without one its start. Throws invalid_request. */
export function parseCursor(cursor: string | undefined, prefix: string): Position {
  if (cursor === undefined) return LIST_START;
  const match = new RegExp(`^(\\d{1,15})\\.(${prefix}_[0-9a-z]{1,60})$`).exec(
    Buffer.from(cursor, "base64url").toString("latin1"),
  );
  const [, createdAt, id = ""] = match ?? [];
  const position = { createdAt: Number(createdAt), id };
  // Decoding skips invalid characters, so re-encode to reject anything but an exact cursor.
  const message = '"cursor" must be a nextCursor from this list.';
  if (!match || cursorAfter(position) !== cursor)
    throw new DeedError("invalid_request", { message, param: "cursor" });
  return position;
}

export function pageOf<T>(rows: T[], limit: number, positionOf: (row: T) => Position) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > limit && last ? cursorAfter(positionOf(last)) : null };
}
