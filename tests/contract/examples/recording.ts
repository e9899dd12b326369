import { ENDPOINTS } from "#app/endpoints.server.ts";
import type { Example } from "#app/features/docs/examples.server.ts";
import { type Answer, Client } from "../../support/deed.ts";

/** Exchanges that were made, for the reference's examples (stable.ts makes their values stable). */

export type Exchange = Pick<Example, "request"> & {
  operationId: string | null;
  at: number;
  answer: Answer;
};

const ROUTES = ENDPOINTS.map(({ method, path, operationId }) => ({
  operationId,
  method,
  pattern: new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`),
  parameters: path.split(":").length,
})).sort((a, b) => a.parameters - b.parameters);

export class Recording {
  readonly exchanges: Exchange[] = [];

  note(exchange: Omit<Exchange, "operationId">): void {
    const { method, path } = exchange.request;
    const place = path.replace(/\?.*/, "");
    const route = ROUTES.find((one) => one.method === method && one.pattern.test(place));
    this.exchanges.push({ operationId: route?.operationId ?? null, ...exchange });
  }
}

type Json = Record<string, unknown>;
const SHOWN = ["accept", "origin", "content-type", "if-none-match"];

/** A client that records its exchanges, with a session or an API key. */
export class Recorded extends Client {
  readonly recording: Recording;

  constructor(url: string, recording: Recording, key: string | null = null) {
    super(url, key);
    this.recording = recording;
  }

  override async request(...[method, path, options = {}]: Parameters<Client["request"]>) {
    const at = Date.now();
    const auth = this.key ? ("key" as const) : this.cookie ? ("session" as const) : null;
    const given = Object.entries(options.headers ?? {}).filter(([name]) => SHOWN.includes(name));
    const answer = await super.request(method, path, options);
    const body = options.json ?? options.body;
    const request = {
      ...{ method, path },
      ...(auth && { auth }),
      ...(given.length > 0 && { headers: Object.fromEntries(given) }),
      ...(body !== undefined && { body }),
    };
    this.recording.note({ at, request, answer });
    return answer;
  }

  /** Sends without recording. Returns the body. */
  quietly = async (method: string, path: string, json?: object) =>
    (await super.request(method, path, { json })).body as Json;

  /** Makes calls, one a line: its expected status or error, method, path and body in JSON. Returns the last answer. */
  async calls(lines: string): Promise<Json> {
    let last: Json = {};
    for (const line of lines.split("\n").filter((one) => one.trim() !== "")) {
      const [, expected, method = "", path = "", json] =
        /^\s*(\S+) ([A-Z]+) (\S+)(?: (.+))?$/.exec(line) ?? [];
      const options = json ? { json: JSON.parse(json) } : {};
      const { status, body, text } = await this.request(method, path, options);
      last = (body ?? {}) as Json;
      const came = (last.error as { code: string } | undefined)?.code ?? String(status);
      if (came !== expected) throw new Error(`${line.trim()}: ${came}, ${text.slice(0, 500)}`);
    }
    return last;
  }

  async refused(code: string, method: string, path: string, options: object = {}): Promise<void> {
    const { body, text } = await this.request(method, path, options);
    const { error } = (body ?? {}) as { error?: { code: string } };
    if (error?.code !== code)
      throw new Error(`${method} ${path} is no ${code}: ${text.slice(0, 500)}`);
  }
}
