export type Frame = { event: string | null; id: string | null; data: unknown };

/** The events in a stream's text, without comments. */
export const frames = (text: string): Frame[] =>
  text
    .split("\n\n")
    .filter((block) => /^data:/m.test(block))
    .map((block) => ({
      event: /^event: (.*)$/m.exec(block)?.[1] ?? null,
      id: /^id: (.*)$/m.exec(block)?.[1] ?? null,
      data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "null"),
    }));

/** An account stream being followed: what has come so far, whole events only, and when. */
export type Followed = {
  text: string;
  headers: Headers;
  heard: { id: string; type: string; domainId?: string; at: number }[];
  ended: boolean;
  leave(): void;
};

export async function followEvents(
  url: string,
  headers: Record<string, string>,
): Promise<Followed> {
  const leaving = new AbortController();
  const answer = await fetch(`${url}/api/events`, { headers, signal: leaving.signal });
  if (answer.status !== 200) throw new Error(`the stream: ${answer.status}`);
  const stream: Followed = {
    text: "",
    headers: answer.headers,
    heard: [],
    ended: false,
    leave: () => leaving.abort(),
  };
  void (async () => {
    const decoder = new TextDecoder();
    const reader = answer.body?.getReader();
    try {
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
        stream.text += decoder.decode(part.value, { stream: true });
        const whole = stream.text.slice(0, stream.text.lastIndexOf("\n\n") + 2);
        for (const { id, data } of frames(whole).slice(stream.heard.length))
          stream.heard.push({ id: id ?? "", ...(data as { type: string }), at: performance.now() });
      }
    } finally {
      stream.ended = true;
    }
  })().catch(() => {});
  return stream;
}
