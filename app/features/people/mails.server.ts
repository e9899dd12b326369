import { link, renderMail } from "#app/features/notices/mail-texts.ts";
import { INVITATION_DAYS } from "./invitations.server.ts";

/** `account` is the masked address of the account. */
type InvitationFacts = Record<"baseUrl" | "account" | "inviter" | "token", string>;

export const invitationMail = ({ baseUrl, account, inviter, token }: InvitationFacts) =>
  renderMail(
    "You are invited to an account on Deed",
    [
      `${inviter} invites you to the account of ${account} on Deed. With this address you can sign in, see its domains, and add and prove domains.`,
      link("Accept or decline", `${baseUrl}/sign-in/invitation?token=${encodeURIComponent(token)}`),
      `The link works once, within ${INVITATION_DAYS} days.`,
    ],
    ["If you do not know who this is, ignore this email. Nothing happens unless you accept."],
  );

type DepartureFacts = Record<"baseUrl" | "email", string> & {
  keys: { name: string }[];
  webhooks: { url: string }[];
};

/** Tells the people who stay which keys and webhooks ended when somebody left. */
export function personLeftMail({ baseUrl, email, keys, webhooks }: DepartureFacts) {
  const ended = [
    ...keys.map(({ name }) => ["API key", name] as const),
    ...webhooks.map(({ url }) => ["Webhook", url] as const),
  ];
  return renderMail(
    `${email} is no longer in your account on Deed`,
    [
      "Their API keys and webhooks no longer work, because they may have kept the secrets.",
      { facts: ended },
      keys.length > 0 && "The API keys stopped working. Give the programs that used them new ones.",
      webhooks.length > 0 &&
        "The webhooks are disabled, and their events are kept for a week. If the address is yours, rotate the secret (Slack, Discord and ntfy have none), then enable the webhook.",
      link("See your keys and webhooks", `${baseUrl}/account`),
    ],
    [
      "You received this email because you are in this account on Deed.",
      link("Turn off these emails", `${baseUrl}/account`),
    ],
  );
}
