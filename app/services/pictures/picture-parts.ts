import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { packageFile } from "#db/package-file.ts";

/** The size of a picture in pixels. */
export const [WIDTH, HEIGHT] = [1200, 630];
/** Octets of a row: PNG's filter, which is none, and three for each pixel. */
export const ROW = 1 + 3 * WIDTH;
/** A letter's cell at full size: pixels, and the row its letter stands on. */
export const CELL = { width: 39, height: 80, size: 64, baseline: 60 };

/** What scripts/picture-parts.mjs drew: the empty sheet, and how dark each pixel of a letter is (0 to 255). */
export type PictureParts = { sheet: Buffer; letters: Map<string, Buffer> };

/** Reads the parts, about 4 MB. Rejects if the service was never built (`npm run dev`). */
export async function readPictureParts(): Promise<PictureParts> {
  const read = (name: string) => readFile(packageFile(`build/commands/pictures/${name}`));
  const unpack = async (name: string) => promisify(brotliDecompress)(await read(name));
  const [sheet, cells, names] = await Promise.all([
    unpack("sheet.br"),
    unpack("letters.br"),
    read("letters.txt"),
  ]);
  const octets = CELL.width * CELL.height;
  const letters = [...names.toString()].map((letter, index): [string, Buffer] => [
    letter,
    cells.subarray(index * octets, (index + 1) * octets),
  ]);
  return { sheet, letters: new Map(letters) };
}
