import type { IncomingMessage } from "node:http";

const LONGEST_BODY = 16_384;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** A request the panel refuses: HTTP status and message. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Refuses host names that do not belong to this machine (DNS rebinding) and cross-site writes. */
export function checkOrigin(request: IncomingMessage): void {
  const host = request.headers.host ?? "";
  const address = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
  if (!LOOPBACK.test(address)) throw new Refusal(421, "The panel only answers on localhost.");
  if (request.method !== "POST") return;
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  const foreign = origin !== undefined && origin !== `http://${host}`;
  if (foreign || site === "cross-site" || site === "same-site")
    throw new Refusal(403, "This form came from another site and was refused.");
}

/** The fields of a posted form. */
export async function readFields(request: IncomingMessage): Promise<URLSearchParams> {
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("application/x-www-form-urlencoded"))
    throw new Refusal(415, "Send a form, application/x-www-form-urlencoded.");
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > LONGEST_BODY) throw new Refusal(413, "The form is larger than 16 KiB.");
    chunks.push(bytes);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}
