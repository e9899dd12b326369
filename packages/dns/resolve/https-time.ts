import { ROOT } from "../names.ts";
import { buildQuery } from "../wire/message.ts";
import { secureChannels } from "../wire/secure.ts";
import type { ReaderSettings } from "./reader.ts";

const ANSWER_TIMEOUT_MS = 5_000;

/** Resolvers whose HTTPS answers have a `Date` (RFC 9110, 6.6.1). If our clock is far off, no certificate is valid. */
export const timeSources = (settings: Pick<ReaderSettings, "witnesses" | "authorities">) =>
  [...secureChannels(settings.witnesses, settings.authorities)].flatMap(([{ name }, channel]) => {
    if (channel.secure.transport !== "https") return [];
    /** Returns the time in epoch milliseconds; null if there is no answer. Never rejects; ends when `signal` aborts. */
    const ask = async (signal: AbortSignal) => {
      const query = buildQuery({ name: ROOT, type: "NS" }, { recursion: true });
      const reply = await channel.ask(query, ANSWER_TIMEOUT_MS, signal);
      const date = Date.parse((reply.type === "answer" && reply.date) || "");
      return Number.isNaN(date) ? null : date;
    };
    return [{ name: `the Date of ${name}`, ask }];
  });
export type TimeSource = ReturnType<typeof timeSources>[number];
