/** One block of an event stream. `id` is undefined if it has none, `data` is empty if it only moves the id. */
export type ServerSentEvent = { id: string | undefined; data: string };

function parse(block: string): ServerSentEvent {
  const valuesOf = (field: string) =>
    block
      .split("\n")
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).replace(/^ /, ""));
  return { id: valuesOf("id").at(-1), data: valuesOf("data").join("\n") };
}

/** Reads the events of a response as they arrive, to its end. Leaving the loop closes the connection. */
export async function* serverSentEvents(response: Response): AsyncGenerator<ServerSentEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  try {
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const blocks = (text + part.value).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) yield parse(block);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
