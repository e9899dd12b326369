import type { ErrorCode } from "#app/core/errors.server.ts";
import recorded from "./examples.json";

/** The exchanges that tests/contract/examples recorded, with shortened, stable values. */

type Request = {
  method: string;
  path: string;
  auth?: "key" | "session";
  headers?: Record<string, string>;
  body?: unknown;
};
export type Example = {
  request: Request;
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
};
type Examples = {
  operations: Partial<Record<string, Example & { errors: Partial<Record<ErrorCode, unknown>> }>>;
  errors: Partial<Record<ErrorCode, Example>>;
  events: Record<string, unknown>;
  messages: Record<string, unknown>;
};
export type Addresses = { baseUrl: string; docsUrl: string };

const EXAMPLE_ORIGIN = "https://deed.example.org";
const cachedExamples = new WeakMap<Addresses, Examples>();

export function examplesAt(addresses: Addresses): Examples {
  const text = () =>
    JSON.stringify(recorded)
      .replaceAll(`${EXAMPLE_ORIGIN}/docs`, addresses.docsUrl)
      .replaceAll(EXAMPLE_ORIGIN, addresses.baseUrl)
      .replaceAll(encodeURIComponent(EXAMPLE_ORIGIN), encodeURIComponent(addresses.baseUrl));
  const examples = cachedExamples.get(addresses) ?? JSON.parse(text());
  cachedExamples.set(addresses, examples);
  return examples;
}

const IDENTITY = {
  key: '"Authorization: Bearer $DEED_KEY"',
  session: '"Cookie: session=$DEED_SESSION"',
};

/** Writes a request as a command, with variables for what only the reader knows. */
function curlOf({ method, path, auth, headers = {}, body }: Request): string {
  const isText = typeof body === "string";
  const verb = method === "GET" || (method === "POST" && body !== undefined) ? "" : ` -X ${method}`;
  const text = isText ? body : JSON.stringify(body);
  return [
    `curl -sS${verb} "$DEED_URL${path.replace(/deed_key_\w+/, "$DEED_KEY")}"`,
    ...(auth ? [`-H ${IDENTITY[auth]}`] : []),
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === undefined || isText ? [] : ["-H 'Content-Type: application/json'"]),
    ...(body === undefined ? [] : [`-d '${text}'`]),
  ].join(" \\\n  ");
}

const jsonText = (value: unknown): string => JSON.stringify(value, null, 2);

export type Block = { label: string; text: string };
export const blocksOf = (bodies: [label: string, body: unknown][]): Block[] =>
  bodies.map(([label, body]) => ({ label, text: jsonText(body) }));

const answerText = ({ headers = {}, body }: Example): string =>
  [
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(typeof body === "string" ? ["", body.trim()] : body === undefined ? [] : [jsonText(body)]),
  ].join("\n");

export const exchangeBlocks = (example: Example | undefined): Block[] =>
  example
    ? [
        { label: "Request", text: curlOf(example.request) },
        { label: `Answer: ${example.status}`, text: answerText(example) },
      ]
    : [];
