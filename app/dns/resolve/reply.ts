import type { AnswerSize } from "../message-size.ts";
import type { Failure } from "../verdict/observation.ts";
import type { Message } from "../wire/message.ts";

/** The result of one question to one address. */
export type Reply =
  | { ok: true; message: Message; latencyMs: number }
  | { ok: false; failure: Failure; size?: AnswerSize };
