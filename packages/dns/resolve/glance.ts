import { sayingOf } from "../verdict/evidence.ts";
import { hasToken } from "../verdict/publication-status.ts";
import { askAuthority, txtAnswer } from "./authority.ts";
import type { Read } from "./read.ts";
import type { Glance, GlanceQuestion } from "./reader.ts";

/** One packet, and what comes back; what needs a second packet counts as silence. */
export async function glance(read: Read, name: string, asked: GlanceQuestion): Promise<Glance> {
  read.allowOnly(1);
  const answer = await askAuthority(read, asked.zone, asked.server, { name, type: "TXT" });
  if ("failure" in answer) return { type: answer.failure === "refused" ? "refused" : "silent" };
  const said = txtAnswer(answer.message, name);
  return { type: "answered", said: sayingOf(said), hasToken: hasToken(said, asked.token) };
}
