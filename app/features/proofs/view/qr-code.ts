import { encode } from "uqr";
import type { Qr } from "#app/ui/qr-code.tsx";

/** Draws the dark modules as one path of horizontal strokes: a third of the size of a path of squares. */
function pathOf(rows: boolean[][]): string {
  const runs: string[] = [];
  for (const [y, row] of rows.entries())
    for (let x = 0; x < row.length; x += 1) {
      const from = x;
      while (row[x]) x += 1;
      if (x > from) runs.push(`M${from} ${y}h${x - from}`);
    }
  return runs.join("");
}

/** Encodes an address as a QR code, with its quiet zone. */
export function qrOf(url: string): Qr {
  // Any mask can be read; searching for the best one takes ten times as long as the rest.
  const { data, size } = encode(url, { ecc: "M", maskPattern: 2, border: 4 });
  return { path: pathOf(data), size };
}
