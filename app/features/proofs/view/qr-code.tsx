import { encode } from "uqr";

/** The dark modules as one path of horizontal strokes: a third of a path of squares. */
function strokes(rows: boolean[][]): string {
  const runs: string[] = [];
  for (const [y, row] of rows.entries())
    for (let x = 0; x < row.length; x += 1) {
      const from = x;
      while (row[x]) x += 1;
      if (x > from) runs.push(`M${from} ${y}h${x - from}`);
    }
  return runs.join("");
}

/** A QR code of an address, in black with its quiet zone. */
export function QrCode({ url }: { url: string }) {
  // Every mask can be read; looking for the best one takes ten times as long as the rest of the code.
  const { data, size } = encode(url, { ecc: "M", maskPattern: 2, border: 4 });
  return (
    <svg
      className="qr"
      viewBox={`0 -0.5 ${size} ${size}`}
      role="img"
      aria-label="QR code of the address of this page"
      shapeRendering="crispEdges"
    >
      <path d={strokes(data)} stroke="#000" />
    </svg>
  );
}
