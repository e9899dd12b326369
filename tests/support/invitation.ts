import type { Target } from "../contract/kit.ts";
import { newEmail } from "../contract/kit.ts";
import type { Client } from "./deed.ts";

export type Invited = { id: string; email: string; token: string };

/** Invites an address to the account of `client`, and returns the invitation with the token of its mail. */
export async function inviteTo(
  target: Target,
  client: Client,
  email = newEmail(),
): Promise<Invited> {
  const { id } = (await client.post("/api/people", { email })).body as { id: string };
  const mails = () =>
    target.mails().filter((mail) => mail.includes(email) && mail.includes("/sign-in/invitation?"));
  for (let tries = 0; mails().length === 0 && tries < 1_500; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  const token = /\/sign-in\/invitation\?token=([\w-]{43})/.exec(mails().at(-1) ?? "")?.[1] ?? "";
  return { id, email, token };
}

/** Somebody who accepted such an invitation: the browser, and the person's id. */
export async function joinTo(
  target: Target,
  client: Client,
  email = newEmail(),
): Promise<{ client: Client; id: string; email: string }> {
  const { token } = await inviteTo(target, client, email);
  const joined = target.stranger();
  await joined.post("/api/auth/invitations/accept", { token });
  const { people } = (await joined.get("/api/people")).body as {
    people: { id: string; isYou: boolean }[];
  };
  return { client: joined, id: people.find(({ isYou }) => isYou)?.id ?? "", email };
}
