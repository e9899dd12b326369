import { AccountDisabledError, SignUpClosedError } from "#app/core/accounts/sign-up.ts";
import { DeedError } from "#app/core/errors.server.ts";
import type { App } from "#app/http/app.server.ts";
import { countRefusedSignIn } from "#app/http/metrics.server.ts";

/** Why a sign-in was refused; listed in docs/operate/monitoring.md. */
export type RefusalReason =
  | "unknown_link"
  | "expired"
  | "wrong_code"
  | "too_many_tries"
  | "other_browser"
  | "provider"
  | "account"
  | "rate_limited"
  | "sign_up"
  | "disabled";

/** What was tried: to be sent a mail, its link or code, or the identity provider. */
export type Tried = "mail" | "link" | "code" | "provider";

/** An invalid_sign_in with its reason, which the log gets and the client does not. */
export class SignInRefused extends DeedError {
  /** `detail`: for the operator; must hold no token or code, and a mail address only masked. */
  constructor(
    readonly reason: RefusalReason,
    readonly detail?: string,
  ) {
    super("invalid_sign_in");
  }
}

/**
 * Logs a refused sign-in with the client's address, and without a token, code or whole mail address. The client comes first
 * and each refusal has its own line: operators block clients by it (docs/operate/monitoring.md).
 */
export function logRefusal(
  app: Pick<App, "log">,
  client: string,
  by: Tried,
  reason: RefusalReason,
  detail?: string,
): void {
  countRefusedSignIn(by, reason);
  app.log.warn({ client, by, reason, ...(detail ? { detail } : {}) }, "sign-in refused");
}

/** Runs a step of a sign-in for the client, and logs it if it is refused. Rethrows. */
export async function loggingRefusal<T>(
  app: Pick<App, "log">,
  client: string,
  by: Tried,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof SignInRefused) logRefusal(app, client, by, error.reason, error.detail);
    else if (error instanceof SignUpClosedError) logRefusal(app, client, by, "sign_up");
    else if (error instanceof AccountDisabledError) logRefusal(app, client, by, "disabled");
    else if (error instanceof DeedError) {
      if (error.code === "rate_limited") logRefusal(app, client, by, "rate_limited");
      if (error.code === "invalid_sign_in") logRefusal(app, client, by, "account", error.message);
    }
    throw error;
  }
}
