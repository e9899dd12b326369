import { expect, vi } from "vitest";
import { newEmail, type Target } from "../contract/kit.ts";
import type { Client } from "./deed.ts";

/** Invites an address to the account of `client`, and returns the invitation with the token of its mail. */
export async function inviteTo(target: Target, client: Client, email = newEmail()) {
  const { id } = await client.expect<{ id: string }>(201, "POST", "/api/people", { email });
  const tokens = () =>
    target
      .mails()
      .filter((mail) => mail.includes(email))
      .flatMap((mail) => /(?<=\/sign-in\/invitation\?token=)[\w-]{43}/.exec(mail) ?? []);
  // Also called in hooks, where expect.poll is not allowed.
  await vi.waitFor(() => expect(tokens()).not.toEqual([]), 30_000);
  return { id, email, token: tokens().at(-1) ?? "" };
}

/** Somebody who accepted such an invitation: the browser, and the person's id. */
export async function joinTo(target: Target, client: Client) {
  const { email, token } = await inviteTo(target, client);
  const joined = target.stranger();
  await joined.expect(200, "POST", "/api/auth/invitations/accept", { token });
  type People = { people: { id: string; isYou: boolean }[] };
  const { people } = await joined.expect<People>(200, "GET", "/api/people");
  return { client: joined, id: people.find(({ isYou }) => isYou)?.id ?? "", email };
}
