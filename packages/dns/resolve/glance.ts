import { under } from "../names.ts";
import { replyHash } from "../verdict/evidence.ts";
import { hasToken } from "../verdict/publication-status.ts";
import { askAuthority, recordAnswer } from "./authority.ts";
import type { Read } from "./read.ts";
import { type Glance, type GlanceQuestion, wantedIn } from "./reader.ts";

/** Sends one packet. An answer that needs a second packet counts as silence. */
export async function glance(read: Read, question: GlanceQuestion): Promise<Glance> {
  read.budget.packets = 1;
  const { zone, server, token, domain } = question;
  const name = under(question.label, domain) ?? domain;
  read.wanted = wantedIn(question);
  const answer = await askAuthority(read, zone, server, { name, type: read.wanted.type });
  if ("failure" in answer) return { type: answer.failure === "refused" ? "refused" : "silent" };
  const reading = recordAnswer(read, answer.message, name);
  return { type: "answered", digest: replyHash(reading), hasToken: hasToken(reading, token) };
}
