import type { IncomingMessage } from "node:http";

const MAX_BODY_BYTES = 16_384;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** A request the panel refuses: HTTP status and message. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Refuses host names of other machines (DNS rebinding) and cross-site writes. */
export function checkOrigin(request: IncomingMessage): void {
  const host = request.headers.host ?? "";
  const address = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
  if (!LOOPBACK.test(address)) throw new Refusal(421, "The panel only answers on localhost.");
  if (request.method !== "POST") return;
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  const isForeign = origin !== undefined && origin !== `http://${host}`;
  if (isForeign || site === "cross-site" || site === "same-site")
    throw new Refusal(403, "This form came from another site and was refused.");
}

/** The body of a post with this type. */
export async function readText(request: IncomingMessage, type: string): Promise<string> {
  if (!request.headers["content-type"]?.startsWith(type))
    throw new Refusal(415, `Send ${type} here.`);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > MAX_BODY_BYTES) throw new Refusal(413, "This is larger than 16 KiB.");
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The fields of a posted form. */
export const readFields = async (request: IncomingMessage): Promise<URLSearchParams> =>
  new URLSearchParams(await readText(request, "application/x-www-form-urlencoded"));
