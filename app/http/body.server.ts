import { DeedError } from "#app/core/errors.server.ts";
import { readUpTo } from "#app/core/read-up-to.ts";
import { redirect, type TypedResponse } from "#app/remix/node.server.ts";
import { getApp } from "./app.server.ts";
import { checkOrigin } from "./connection.server.ts";

export const BODY_LIMIT = 16 * 1024;
const OTHER_FIELDS_LIMIT = 8 * 1024;

const mediaType = (request: Request) =>
  (request.headers.get("Content-Type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";

/** Refuses a compressed body (RFC 9110 section 8.4). */
function refuseEncoded(request: Request): void {
  const encoding = (request.headers.get("Content-Encoding") ?? "").trim().toLowerCase();
  const message = "Send the body uncompressed, without a Content-Encoding.";
  if (encoding !== "" && encoding !== "identity")
    throw new DeedError("unsupported_media_type", { message });
}

async function readBytes(request: Request, limit = BODY_LIMIT): Promise<Uint8Array> {
  if (Number(request.headers.get("Content-Length") ?? 0) > limit)
    throw new DeedError("payload_too_large");
  if (!request.body) return new Uint8Array();
  // The body is not cancelled, because that would close the socket before the answer is sent.
  const bytes = await readUpTo(limit + 1, request.body.values({ preventCancel: true }));
  if (bytes.length > limit) throw new DeedError("payload_too_large");
  return bytes;
}

async function readText(request: Request): Promise<string> {
  const bytes = await readBytes(request);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new DeedError("invalid_request", { message: "The body is not UTF-8." });
  }
}

/** Reads JSON; undefined for an empty body. Throws payload_too_large, unsupported_media_type, invalid_request. */
export async function readJson(request: Request): Promise<unknown> {
  refuseEncoded(request);
  const type = mediaType(request);
  if (type !== "" && type !== "application/json") throw new DeedError("unsupported_media_type");
  const text = await readText(request);
  if (text === "") return undefined;
  if (type === "") throw new DeedError("unsupported_media_type");
  try {
    return JSON.parse(text);
  } catch {
    throw new DeedError("invalid_request", { message: "The body is not JSON." });
  }
}

function requireForm(request: Request, type: string): void {
  checkOrigin(request, getApp().env);
  refuseEncoded(request);
  if (mediaType(request) !== type)
    throw new DeedError("unsupported_media_type", { message: `Send the form as ${type}.` });
}

/** Reads the form of an action. Throws cross_origin for a cross-site post, and what `readJson` throws. */
export async function formOf(request: Request): Promise<URLSearchParams> {
  requireForm(request, "application/x-www-form-urlencoded");
  return new URLSearchParams(await readText(request));
}

/** Like `formOf`, for a form with a file of at most `limit` bytes (multipart/form-data, RFC 7578). */
export async function uploadOf(request: Request, limit: number): Promise<FormData> {
  requireForm(request, "multipart/form-data");
  const headers = { "Content-Type": request.headers.get("Content-Type") ?? "" };
  const bytes = Uint8Array.from(await readBytes(request, limit + OTHER_FIELDS_LIMIT));
  try {
    return await new Response(bytes, { headers }).formData();
  } catch {
    throw new DeedError("invalid_request", { message: "The form is malformed." });
  }
}

/** Leads to the page at a changed address: at the old one, some browsers (Dillo) show the page from before the form. */
export const redirectToSelf = (path: string): TypedResponse<never> =>
  redirect(`${path}${path.includes("?") ? "&" : "?"}at=${Date.now().toString(36)}`, 303);
