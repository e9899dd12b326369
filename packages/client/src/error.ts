import type { components } from "./api.ts";

type Body = components["schemas"]["ApiError"];

/** The service's codes when this client was made. A newer service may have more. */
export type ErrorCode = Body["code"];

/** A refusal by the service. Use `code` in programs: `message` is for people and may change. */
export class DeedError extends Error {
  override readonly name = "DeedError";
  /** `unknown` if something other than the service answered, for example a proxy. */
  readonly code: ErrorCode | "unknown";
  readonly status: number;
  /** Seconds after which the same call may succeed. Only `rate_limited` and `unavailable` have it. */
  readonly retryAfter: number | undefined;
  /** The limit that refused the call, by its name in `GET /api/limits`. */
  readonly budget: string | undefined;
  /** The answer's id in the service's log. */
  readonly requestId: string | undefined;
  readonly docsUrl: string | undefined;
  /** The field that is wrong. Only `invalid_request` has it. */
  readonly param: string | null | undefined;
  /** The open claim. Only `already_claimed` has it. */
  readonly claim: Extract<Body, { code: "already_claimed" }>["claim"];

  constructor({ status, headers }: Response, body: Body | undefined) {
    super(body?.message ?? `The answer (status ${status}) is not from Deed.`);
    this.code = body?.code ?? "unknown";
    this.status = status;
    const seconds = Number(headers.get("Retry-After"));
    this.retryAfter = seconds > 0 ? seconds : undefined;
    this.budget = body && "budget" in body ? body.budget : undefined;
    this.requestId = headers.get("X-Request-Id") ?? undefined;
    this.docsUrl = body?.docsUrl;
    this.param = body && "param" in body ? body.param : undefined;
    this.claim = body && "claim" in body ? body.claim : undefined;
  }
}

export async function errorOf(response: Response): Promise<DeedError> {
  const body = (await response.json().catch(() => undefined)) as { error?: Body } | undefined;
  return new DeedError(response, typeof body?.error?.code === "string" ? body.error : undefined);
}

/** After this many failures in a row a call is not repeated, unless the service says when to do so. */
const MAX_FAILURES = 10;

/** Milliseconds until a call that failed `failures` times in a row is repeated; undefined to give up. */
export function pauseAfter(error: unknown, failures: number): number | undefined {
  const jitterMs = Math.random() * 1_000;
  if (error instanceof DeedError && error.retryAfter !== undefined)
    return error.retryAfter * 1_000 + jitterMs;
  // If no answer comes, fetch throws a TypeError.
  const isTransient = error instanceof DeedError ? error.status >= 500 : error instanceof TypeError;
  if (!isTransient || failures > MAX_FAILURES) return undefined;
  return Math.min(1_000 * 2 ** (failures - 1), 60_000) + jitterMs;
}

/** The longest delay of a timer. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
