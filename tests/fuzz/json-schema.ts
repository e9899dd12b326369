/** The part of JSON Schema 2020-12 that the description uses. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
  description?: string;
  default?: unknown;
};

const KEYWORDS = new Set(
  (
    "$ref type enum const anyOf oneOf allOf items properties required additionalProperties " +
    "minimum maximum minLength maxLength minItems maxItems pattern format description default discriminator"
  ).split(" "),
);
const FORMATS: Record<string, RegExp> = {
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const typeOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
};

/**
 * Validates values against the schemas of a description, independently of the library that made the schemas. Throws on
 * an unknown keyword rather than ignore it.
 */
export class Judge {
  readonly #components: Record<string, Schema>;

  constructor(components: Record<string, Schema>) {
    this.#components = components;
  }

  /** The schema itself, or the target of its reference. */
  resolve(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    const target = this.#components[schema.$ref.replace("#/components/schemas/", "")];
    if (!target) throw new Error(`the description has no ${schema.$ref}`);
    return this.resolve(target);
  }

  /** How the value deviates from the schema; empty if it conforms. */
  faults(schema: Schema, value: unknown, at = "$"): string[] {
    for (const keyword of Object.keys(schema))
      if (!KEYWORDS.has(keyword)) throw new Error(`the judge does not know ${keyword}`);
    if (schema.$ref !== undefined) return this.faults(this.resolve(schema), value, at);
    return [
      ...this.#combined(schema, value, at),
      ...this.#simple(schema, value, at),
      ...(isObject(value) ? this.#members(schema, value, at) : []),
      ...(Array.isArray(value) && schema.items
        ? value.flatMap((item, i) => this.faults(schema.items ?? {}, item, `${at}[${i}]`))
        : []),
    ];
  }

  #combined({ allOf = [], anyOf, oneOf }: Schema, value: unknown, at: string): string[] {
    const faults = allOf.flatMap((part) => this.faults(part, value, at));
    const fitting = (parts: Schema[]) =>
      parts.filter((part) => this.faults(part, value, at).length === 0).length;
    if (anyOf && fitting(anyOf) === 0) faults.push(`${at} fits none of anyOf`);
    if (oneOf && fitting(oneOf) !== 1) faults.push(`${at} fits ${fitting(oneOf)} of oneOf`);
    return faults;
  }

  #simple(schema: Schema, value: unknown, at: string): string[] {
    const faults: string[] = [];
    const must = (holds: boolean, what: string) => {
      if (!holds) faults.push(`${at} ${what}: ${JSON.stringify(value)?.slice(0, 80)}`);
    };
    const { type, enum: values, pattern, format } = schema;
    if (type !== undefined) {
      const found = typeOf(value);
      const taken = [type].flat();
      const fits = taken.includes(found) || (found === "integer" && taken.includes("number"));
      must(fits, `is not ${taken.join(" or ")}`);
    }
    if (values) must(values.includes(value), `is none of ${values.join(", ")}`);
    if ("const" in schema) must(schema.const === value, `is not ${String(schema.const)}`);
    if (typeof value === "number") {
      must(value >= (schema.minimum ?? value), "is too small");
      must(value <= (schema.maximum ?? value), "is too large");
    }
    if (typeof value === "string") {
      must(value.length >= (schema.minLength ?? 0), "is too short");
      must(value.length <= (schema.maxLength ?? value.length), "is too long");
      must(pattern === undefined || new RegExp(pattern, "u").test(value), "has another pattern");
      must(format === undefined || (FORMATS[format]?.test(value) ?? false), `is no ${format}`);
    }
    if (Array.isArray(value)) {
      must(value.length >= (schema.minItems ?? 0), "has too few items");
      must(value.length <= (schema.maxItems ?? value.length), "has too many items");
    }
    return faults;
  }

  #members(schema: Schema, value: Record<string, unknown>, at: string): string[] {
    const { properties = {}, required = [], additionalProperties = true } = schema;
    const faults = required
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) => `${at} lacks ${name}`);
    for (const [name, member] of Object.entries(value)) {
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (own) faults.push(...this.faults(own, member, `${at}.${name}`));
      else if (additionalProperties === false) faults.push(`${at} has ${name}, undescribed`);
      else if (additionalProperties !== true)
        faults.push(...this.faults(additionalProperties, member, `${at}.${name}`));
    }
    return faults;
  }
}
