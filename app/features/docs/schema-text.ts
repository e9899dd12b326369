/** The subset of JSON Schema that zod emits and the reference shows. */
export type Schema = {
  $ref?: string;
  type?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  default?: unknown;
};

export type FieldRow = { name: string; type: string; required: boolean; description: string };

function bounds({ minimum, maximum, minLength, maxLength }: Schema): string {
  const [least, most] = [minimum ?? minLength, maximum ?? maxLength];
  const isKnown = (bound: number | undefined) =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  if (isKnown(least) && isKnown(most)) return `, ${least} to ${most}`;
  if (isKnown(least) && least !== undefined && least > 0) return `, at least ${least}`;
  return isKnown(most) ? `, at most ${most}` : "";
}

/** A schema in a few words: "string", "pending | proved", "array of Claim", "Diagnosis or null". */
export function typeText(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.enum) return schema.enum.map((value) => String(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return variants.map(typeText).join(" or ");
  if (schema.type === "array")
    return `array of ${schema.items ? typeText(schema.items) : "anything"}`;
  if (schema.type === "object" && schema.properties) {
    const fields = Object.entries(schema.properties);
    return `{ ${fields.map(([name, field]) => `${name}: ${typeText(field)}`).join(", ")} }`;
  }
  const fallback = schema.default === undefined ? "" : `, default ${schema.default}`;
  return `${schema.type ?? "anything"}${bounds(schema)}${fallback}`;
}

/** The fields of an object schema; empty for any other schema. */
export function fieldRows({ properties = {}, required = [] }: Schema): FieldRow[] {
  return Object.entries(properties).map(([name, field]) => ({
    name,
    type: typeText(field),
    required: required.includes(name),
    description: field.description ?? "",
  }));
}
