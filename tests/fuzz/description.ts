import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** What the generator of values reads of a schema. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
};

/** Validates by another library than made the schemas. Throws at an unknown keyword rather than pass it over. */
export class Judge {
  readonly #ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  readonly #compiled = new Map<Schema, ValidateFunction>();

  constructor(private readonly schemas: Record<string, Schema>) {
    this.#ajv.addVocabulary(["components", "discriminator"]);
    this.#ajv.addFormat("int64", true);
    // C2.4
    this.#ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }

  resolve(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    const target = this.schemas[schema.$ref.replace("#/components/schemas/", "")];
    if (!target) throw new Error(`the description has no ${schema.$ref}`);
    return this.resolve(target);
  }

  faults(schema: Schema, value: unknown, at = "$"): string[] {
    const components = { schemas: this.schemas };
    const validate = this.#compiled.get(schema) ?? this.#ajv.compile({ ...schema, components });
    this.#compiled.set(schema, validate);
    validate(value);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${at}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}

type Content = Record<string, { schema: Schema; "x-events"?: Record<string, Schema> }>;
export type Parameter = { name: string; in: "path" | "query" | "header"; schema: Schema };
export type Response = { headers?: Record<string, { required?: boolean }>; content?: Content };

export type Operation = {
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
