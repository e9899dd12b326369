import { Judge, type Schema } from "./json-schema.ts";

type Content = Record<string, { schema: Schema; "x-events"?: Record<string, Schema> }>;
export type Parameter = { name: string; in: "path" | "query" | "header"; schema: Schema };
export type Response = { headers?: Record<string, { required?: boolean }>; content?: Content };

/** One operation of the description. */
export type Operation = {
  /** For example "POST /api/claims". */
  name: string;
  method: string;
  /** Templated: /api/claims/{id}. */
  path: string;
  needsSession: boolean;
  parameters: Parameter[];
  body: Schema | null;
  responses: Record<string, Response>;
};

type Document = {
  paths: Record<
    string,
    Record<
      string,
      {
        security: Record<string, unknown>[];
        parameters: Parameter[];
        requestBody?: { content: Content };
        responses: Record<string, Response>;
      }
    >
  >;
  components: { schemas: Record<string, Schema> };
};

/** What a request target leads to according to the description. */
export type Destination = { methods: string[]; operation: Operation | null };

/** The path of a target as sent, because the service does not resolve dot segments. */
export const pathOf = (target: string): string => target.replace(/[?#].*$/s, "");

/** The OpenAPI document of a running service, used to send requests and check responses. */
export class Description {
  readonly operations: Operation[];
  readonly judge: Judge;

  constructor(document: Document) {
    this.judge = new Judge(document.components.schemas);
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([verb, described]) => {
        const method = verb.toUpperCase();
        const body = described.requestBody?.content["application/json"]?.schema ?? null;
        return {
          name: `${method} ${path}`,
          method,
          path,
          needsSession: described.security.some((one) => "session" in one),
          parameters: described.parameters,
          body: body && this.judge.resolve(body),
          responses: described.responses,
        };
      }),
    );
  }

  static async of(url: string): Promise<Description> {
    const answer = await fetch(`${url}/api/openapi.json`);
    if (!answer.ok) throw new Error(`no description: ${answer.status}`);
    return new Description((await answer.json()) as Document);
  }

  /** Where a target leads; null if the path is not in the description. A single trailing slash is ignored. */
  destination(method: string, target: string): Destination | null {
    const asked = pathOf(target)
      .replace(/(?<=.)\/$/, "")
      .split("/");
    const here = this.operations.filter(({ path }) => {
      const parts = path.split("/");
      return (
        parts.length === asked.length &&
        parts.every((part, i) => (part.startsWith("{") ? asked[i] !== "" : part === asked[i]))
      );
    });
    if (here.length === 0) return null;
    const methods = here.map((operation) => operation.method);
    if (methods.includes("GET")) methods.push("HEAD");
    const wanted = method === "HEAD" ? "GET" : method;
    return {
      methods: [...methods, "OPTIONS"].sort(),
      operation: here.find((operation) => operation.method === wanted) ?? null,
    };
  }
}
