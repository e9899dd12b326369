import { randomBytes } from "node:crypto";
import type { Mail } from "#app/services/context.server.ts";

/**
 * A mail as an RFC 5322 message that people can read and mail programs can open: plain UTF-8 (RFC 6532), no transfer
 * encoding. `now`: epoch milliseconds.
 */
export function toEml(mail: Mail, from: string, now: number): string {
  const boundary = `deed-${randomBytes(12).toString("hex")}`;
  const part = (type: string, body: string) =>
    [
      `--${boundary}`,
      `Content-Type: ${type}; charset=utf-8`,
      "Content-Transfer-Encoding: 8bit",
      "",
      body,
      "",
    ].join("\n");
  return [
    `From: ${headerText(from)}`,
    `To: ${headerText(mail.to)}`,
    `Subject: ${headerText(mail.subject)}`,
    `Date: ${new Date(now).toUTCString().replace("GMT", "+0000")}`,
    "MIME-Version: 1.0",
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    "",
    part("text/plain", mail.text),
    part("text/html", mail.html),
    `--${boundary}--`,
    "",
  ].join("\n");
}

/** Replaces control characters with spaces to prevent header injection. */
const headerText = (text: string) => text.replace(/\p{Cc}+/gu, " ");
