import * as z from "zod";
import { DeedError } from "#app/core/errors.server.ts";

/** Where a field is, as named in messages. */
const NOUNS = { path: "path parameter", query: "query parameter", body: "field" };
type FieldLocation = keyof typeof NOUNS;

const invalid = (message: string) => new DeedError("invalid_request", { message });

/** A name chosen by the client, cut to a length that is safe to echo. */
const quoted = (name: string) => JSON.stringify(name.slice(0, 64));

function validationError(location: FieldLocation, issue: z.core.$ZodIssue): DeedError {
  const noun = NOUNS[location];
  if (issue.code === "unrecognized_keys")
    return invalid(`There is no ${noun} ${quoted(issue.keys[0] ?? "")} here.`);
  const name = issue.path.map(String).join(".");
  if (name === "") return invalid("The body must be a JSON object.");
  return invalid(`The ${noun} ${quoted(name)} is not valid: ${issue.message}.`);
}

type CoercedType = "integer" | "boolean";

/** Fields to convert from text: a query has only strings. */
function coercions(schema: z.ZodObject): Map<string, CoercedType> {
  const { properties = {} } = z.toJSONSchema(schema, { io: "input" });
  const coercedFields = new Map<string, CoercedType>();
  for (const [name, property] of Object.entries(properties)) {
    const type = typeof property === "object" ? property.type : undefined;
    if (type === "integer" || type === "boolean") coercedFields.set(name, type);
  }
  return coercedFields;
}

function coerce(value: unknown, to: CoercedType | undefined): unknown {
  if (to === "integer" && typeof value === "string" && /^-?\d{1,15}$/.test(value))
    return Number(value);
  if (to === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}

/** A query with one value per name. Names that the schema ignores may repeat. */
function singleValues(query: URLSearchParams, { def, shape }: z.ZodObject): Record<string, string> {
  const isIgnored = (name: string) => def.catchall === undefined && !Object.hasOwn(shape, name);
  const values = new Map<string, string>();
  for (const [name, value] of query) {
    if (isIgnored(name)) continue;
    if (values.has(name)) throw invalid(`The query parameter ${quoted(name)} is there twice.`);
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

const NONE = z.strictObject({});

/**
 * What validates the raw input of one place, and throws invalid_request naming the first bad field. Without a schema, no
 * fields are accepted.
 */
export function fieldReader(location: FieldLocation, fields: z.ZodObject = NONE) {
  // Computed on first use: doing it for every endpoint would add milliseconds to startup.
  let coercedFields: Map<string, CoercedType> | null = null;
  return (input: unknown = {}): object => {
    coercedFields ??= location === "query" ? coercions(fields) : new Map();
    const to = coercedFields;
    const given = input instanceof URLSearchParams ? singleValues(input, fields) : input;
    const coerced = () =>
      Object.entries(given ?? {}).map(([name, text]) => [name, coerce(text, to.get(name))]);
    const value = to.size > 0 ? Object.fromEntries(coerced()) : given;
    const result = fields.safeParse(value);
    if (result.success) return result.data;
    const issue = result.error.issues[0];
    throw issue ? validationError(location, issue) : invalid("The request is not valid.");
  };
}
