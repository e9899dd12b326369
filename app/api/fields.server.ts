import * as z from "zod";
import { DeedError } from "#app/services/errors.server.ts";

/** Where a field is, as named in messages. */
export type Place = "path" | "query" | "body";
/** Validates raw input against a schema. Throws invalid_request naming the first bad field. */
export type FieldReader = (input: unknown) => object;

const PLACES: Record<Place, string> = {
  path: "path parameter",
  query: "query parameter",
  body: "field",
};

const invalid = (message: string) => new DeedError("invalid_request", { message });

/** A name chosen by the client, cut to a length that is safe to echo. */
const quoted = (name: string) => JSON.stringify(name.slice(0, 64));

function complaint(place: Place, issue: z.core.$ZodIssue): DeedError {
  const noun = PLACES[place];
  if (issue.code === "unrecognized_keys")
    return invalid(`There is no ${noun} ${quoted(issue.keys[0] ?? "")} here.`);
  const name = issue.path.map(String).join(".");
  if (name === "") return invalid("The body must be a JSON object.");
  return invalid(`The ${noun} ${quoted(name)} is not valid: ${issue.message}.`);
}

type Coerced = "integer" | "boolean";

/** Fields to convert from text: a query has only strings. */
function coercions(schema: z.ZodObject): Map<string, Coerced> {
  const { properties = {} } = z.toJSONSchema(schema, { io: "input" });
  const found = new Map<string, Coerced>();
  for (const [name, property] of Object.entries(properties)) {
    const type = typeof property === "object" ? property.type : undefined;
    if (type === "integer" || type === "boolean") found.set(name, type);
  }
  return found;
}

function coerce(value: unknown, to: Coerced | undefined): unknown {
  if (to === "integer" && typeof value === "string" && /^-?\d{1,15}$/.test(value))
    return Number(value);
  if (to === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}

/** A query with one value per name. Names that the schema ignores may repeat. */
function singles(query: URLSearchParams, { def, shape }: z.ZodObject): Record<string, string> {
  const passesOver = (name: string) => def.catchall === undefined && !Object.hasOwn(shape, name);
  const values = new Map<string, string>();
  for (const [name, value] of query) {
    if (passesOver(name)) continue;
    if (values.has(name)) throw invalid(`The query parameter ${quoted(name)} stands there twice.`);
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

const NONE = z.strictObject({});

/** The reader of one place's fields. Without a schema, no fields are accepted. */
export function fieldReader(place: Place, fields: z.ZodObject = NONE): FieldReader {
  // Computed on first use: doing it for every endpoint would add milliseconds to startup.
  let found: Map<string, Coerced> | null = null;
  return (input = {}) => {
    found ??= place === "query" ? coercions(fields) : new Map();
    const textual = found;
    const given = input instanceof URLSearchParams ? singles(input, fields) : input;
    const value =
      textual.size > 0
        ? Object.fromEntries(
            Object.entries(given ?? {}).map(([name, text]) => [
              name,
              coerce(text, textual.get(name)),
            ]),
          )
        : given;
    const result = fields.safeParse(value);
    if (result.success) return result.data;
    const issue = result.error.issues[0];
    throw issue ? complaint(place, issue) : invalid("The request is not valid.");
  };
}
