import type { Db } from "#db/client.ts";
import { currentLog, type LogRow, logNamed, readEntries, readHashes } from "./log-rows.server.ts";

/** Hashes in a full tile, entries in a full bundle. */
const FULL = 256;
const TILE_HEIGHT = 8;

/** A tile of the tree, or a bundle of entries. `width`: how many of its 256 hashes or entries. */
export type Tile = { level: number | "entries"; index: number; width: number };

/** What an address under /log names. `log`: the last part of the log's origin, null for the current one. */
export type LogResource = { log: string | null; tile: Tile | null };

const PATH =
  /^\/log\/(?:([0-9a-f]{8})\/)?(?:checkpoint|tile\/(?:(entries)|(\d|[1-5]\d|6[0-3]))\/(?!x000)((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?)$/;

/** Reads an address (C2SP tlog-tiles); null if it names nothing that a log can have. */
export function parseLogPath(path: string): LogResource | null {
  const match = PATH.exec(path);
  if (!match) return null;
  const [, log = null, entries, level, index, width = FULL] = match;
  if (index === undefined) return { log, tile: null };
  if (width !== FULL && Number(width) >= FULL) return null;
  const tile: Tile = {
    level: entries ? "entries" : Number(level),
    index: Number(index.replaceAll(/[x/]/g, "")),
    width: Number(width),
  };
  return { log, tile };
}

/** The hashes of a tile one after another, or the entries of a bundle, each after its length in two octets. */
function readTile(db: Db, log: LogRow, { level, index, width }: Tile): Buffer<ArrayBuffer> | null {
  const height = level === "entries" ? 0 : TILE_HEIGHT * level;
  const from = index * FULL;
  // What no checkpoint covers may still be lost, and a tile that was served must never change.
  if (from + width > Math.floor(log.checkpointSize / 2 ** height)) return null;
  if (level !== "entries") return Buffer.concat(readHashes(db, log.id, height, from, width));
  return Buffer.concat(
    readEntries(db, log.id, from, width).flatMap((entry) => [Buffer.of(0, entry.length), entry]),
  );
}

/** The newest checkpoint of a log, as text, or a tile. Null if there is none. */
export function readLogResource(
  db: Db,
  { log, tile }: LogResource,
): string | Buffer<ArrayBuffer> | null {
  const row = log === null ? currentLog(db) : logNamed(db, log);
  if (!row) return null;
  return tile ? readTile(db, row, tile) : row.checkpoint;
}
