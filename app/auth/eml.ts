import { randomBytes } from "node:crypto";
import type { Mail } from "#app/services/context.server.ts";

/**
 * A mail as an RFC 5322 message that a person can read and a mail program can open: UTF-8 as it is
 * (RFC 6532), nothing encoded. `now`: epoch milliseconds.
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

/** A header ends at its line: whatever could begin another becomes a space. */
const headerText = (text: string) => text.replace(/\p{Cc}+/gu, " ");
