import { replyHash } from "../verdict/evidence.ts";
import { hasToken } from "../verdict/publication-status.ts";
import { askAuthority, recordAnswer } from "./authority.ts";
import type { Read } from "./read.ts";
import { type Glance, type GlanceQuestion, wantedIn } from "./reader.ts";

/** One packet and its answer; an answer that needs a second packet counts as silence. */
export async function glance(read: Read, name: string, asked: GlanceQuestion): Promise<Glance> {
  read.budget.packets = 1;
  const { zone, server, token } = asked;
  read.wanted = wantedIn(asked);
  const answer = await askAuthority(read, zone, server, { name, type: read.wanted.type });
  if ("failure" in answer) return { type: answer.failure === "refused" ? "refused" : "silent" };
  const said = recordAnswer(read, answer.message, name);
  return { type: "answered", said: replyHash(said), hasToken: hasToken(said, token) };
}
