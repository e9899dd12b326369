import type { Settings } from "../context.server.ts";
import { DeedError } from "../errors.server.ts";

/** Whether the address may open an account here. `email` is canonical. */
export const isWelcome = ({ signUp, admins }: Pick<Settings, "signUp" | "admins">, email: string) =>
  signUp === "open" ||
  signUp.includes(email) ||
  signUp.includes(email.slice(email.lastIndexOf("@"))) ||
  admins.includes(email);

/** The account would be new, and this installation does not take it. */
export class SignUpClosedError extends DeedError {
  constructor() {
    super("invalid_sign_in", {
      message: "This address cannot open an account here. Ask the operator of this service.",
    });
  }
}

/** The operator has disabled the account. */
export class AccountDisabledError extends DeedError {
  constructor() {
    super("invalid_sign_in", {
      message: "This account is disabled. The operator of this service can enable it again.",
    });
  }
}
