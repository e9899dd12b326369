export type Qr = { path: string; size: number };

/** In black; the style sheet makes the background white. */
export const QrCode = ({ qr: { path, size }, what }: { qr: Qr; what: string }) => (
  <svg
    className="qr"
    viewBox={`0 -0.5 ${size} ${size}`}
    role="img"
    aria-label={`QR code of ${what}`}
    shapeRendering="crispEdges"
  >
    <path d={path} stroke="#000" />
  </svg>
);
