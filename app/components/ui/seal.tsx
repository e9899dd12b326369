/** The logo: a ring around a single record. */
export function Seal() {
  return (
    <svg
      className="seal"
      viewBox="0 0 32 32"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      aria-hidden="true"
    >
      <circle cx="16" cy="16" r="14" />
      <circle cx="16" cy="16" r="10.5" strokeWidth="0.9" />
      <path d="M10.5 16.6 14.3 21 21.8 11.4" strokeWidth="2.6" />
    </svg>
  );
}
