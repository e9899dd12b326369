export type Tone = "proved" | "waiting" | "needs" | "ended";

const SHAPES: Record<Tone, React.ReactNode> = {
  proved: <path d="M2 8.5 6.2 13 14 3.5" fill="none" strokeWidth="2.4" />,
  waiting: <path d="M8 1.5a6.5 6.5 0 1 0 6.5 6.5M8 4v4.5l3 2" fill="none" strokeWidth="2" />,
  needs: <path d="M8 1.5v8M8 12v2.5" fill="none" strokeWidth="2.6" />,
  ended: <path d="M2 8h12" fill="none" strokeWidth="2.2" />,
};

/** A small icon that repeats a state's word. Never used alone. */
export function Glyph({ tone }: { tone: Tone }) {
  return (
    <svg viewBox="0 0 16 16" className={tone} stroke="currentColor" aria-hidden="true">
      {SHAPES[tone]}
    </svg>
  );
}

export function StateWord({ tone, word }: { tone: Tone; word: string }) {
  return (
    <span className={`state ${tone}`}>
      <Glyph tone={tone} />
      {word}
    </span>
  );
}

export type StateLabel = { tone: Tone; word: string };
