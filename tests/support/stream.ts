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

type Heard = { id: string; type: string; domainId?: string };

/** Follows an account's stream: what has come so far, in `heard` only whole events. */
export async function followEvents(url: string, headers: Record<string, string>) {
  const leaving = new AbortController();
  const answer = await fetch(`${url}/api/events`, { headers, signal: leaving.signal });
  if (answer.status !== 200) throw new Error(`the stream: ${answer.status}`);
  const stream = {
    text: "",
    headers: answer.headers,
    heard: [] as Heard[],
    leave: () => leaving.abort(),
  };
  void (async () => {
    const decoder = new TextDecoder();
    for await (const part of answer.body ?? []) {
      stream.text += decoder.decode(part, { stream: true });
      const whole = stream.text.slice(0, stream.text.lastIndexOf("\n\n") + 2);
      for (const { id, data } of frames(whole).slice(stream.heard.length))
        stream.heard.push({ id: id ?? "", ...(data as { type: string }) });
    }
  })().catch(() => {});
  return stream;
}
