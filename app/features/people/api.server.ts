import * as z from "zod";
import { defineEndpoint } from "#app/api/endpoint.server.ts";
import { EmailInput } from "#app/api/inputs.ts";
import { mailedPeople, maskEmail, readAccount } from "#app/core/accounts/accounts.server.ts";
import { orThrow } from "#app/core/errors.server.ts";
import { sendRequestedMail } from "#app/core/mail/mail.server.ts";
import { clearSession } from "#app/features/sign-in/api.server.ts";
import { addressIn, consumeMailBudgets } from "#app/features/sign-in/magic-link.server.ts";
import { hashSecret, newSecret } from "#app/http/caller/cookies.server.ts";
import { startSession } from "#app/http/caller/session.server.ts";
import * as invitations from "./invitations.server.ts";
import { invitationMail, personLeftMail } from "./mails.server.ts";
import * as people from "./people.server.ts";
import { Invitation, PeopleList } from "./resources.ts";

const group = "People";
const peopleDefaults = { group, session: true } as const;
const invitationDefaults = {
  group,
  session: false,
  budget: "verify",
  body: z.strictObject({ token: z.string().describe("From the link in the email") }),
} as const;

export const peopleEndpoints = {
  browsePeople: defineEndpoint("GET /api/people", {
    ...peopleDefaults,
    summary: "List the people of the account, and open invitations",
    response: { 200: PeopleList },
    handler: ({ app, session }) => people.listPeople(app, session),
  }),
  invitePerson: defineEndpoint("POST /api/people", {
    ...peopleDefaults,
    summary: "Invite an address to the account",
    description:
      "Emails a link that works once, within 7 days, and names the inviter. Inviting the address again voids the earlier link. The answer does not show whether the address has another account. An account can have twenty addresses besides the first, open invitations included. Counts against the budgets of sign-in emails.",
    body: z.strictObject({ email: EmailInput }),
    response: { 201: Invitation },
    errors: ["already_in_account", "too_many_people", "rate_limited"],
    async handler({ app, request, connection, session, body }) {
      const email = addressIn(body.email);
      const account = orThrow(readAccount(app, session.personId), "unauthenticated");
      await consumeMailBudgets(app, request, connection.address, email);
      const token = newSecret();
      const invitation = await invitations.invite(app, session, email, hashSecret(token));
      const facts = { baseUrl: app.settings.baseUrl, inviter: session.email, token };
      const mail = invitationMail({ ...facts, account: maskEmail(account.email) });
      void sendRequestedMail(app, { to: email, ...mail });
      return invitation;
    },
  }),
  removePerson: defineEndpoint("DELETE /api/people/:id", {
    ...peopleDefaults,
    summary: "Remove a person from the account, or leave it",
    description:
      "Their sessions and event streams end, and the invitations they sent are void. Their API keys end, their webhooks are disabled (`person_left`), and an email tells those who remain. To keep a key or webhook, rotate the key or the secret first: then it is yours. The first address cannot be removed. If you remove yourself, the answer removes the session cookie from the browser.",
    response: { 204: null },
    errors: ["person_not_found", "first_address_stays"],
    async handler({ app, session, params, headers }) {
      const removed = await people.removePerson(app, session, params.id);
      if (removed.keys.length + removed.webhooks.length > 0) {
        const mail = personLeftMail({ ...removed, baseUrl: app.settings.baseUrl });
        for (const { email: to } of mailedPeople(app.db, session.accountId))
          void sendRequestedMail(app, { to, ...mail });
      }
      if (params.id === session.personId) await clearSession(app, headers);
    },
  }),
  withdrawInvitation: defineEndpoint("DELETE /api/invitations/:id", {
    ...peopleDefaults,
    summary: "Withdraw an invitation",
    response: { 204: null },
    errors: ["invitation_not_found"],
    handler: ({ app, session, params }) => invitations.withdrawInvitation(app, session, params.id),
  }),
  acceptInvitation: defineEndpoint("POST /api/auth/invitations/accept", {
    ...invitationDefaults,
    summary: "Accept an invitation, and sign in with its address",
    description:
      "The answer sets the session cookie; an earlier session of the browser ends. If the address has an account of its own with no domains and no other people, that account is deleted.",
    response: {
      200: z.strictObject({ account: z.strictObject({ id: z.string(), email: z.string() }) }),
    },
    errors: ["invitation_not_found", "address_has_account", "invalid_sign_in", "rate_limited"],
    async handler({ app, request, body, headers }) {
      const { account, left, cookies } = await startSession(app, request, "link", (tx, ctx) =>
        invitations.acceptInvitation(ctx, tx, hashSecret(body.token)),
      );
      const { id, email, person } = account;
      app.log.info({ account: id, person: person.id }, "invitation accepted");
      if (left) app.feed.wake(left);
      for (const cookie of cookies) headers.append("Set-Cookie", cookie);
      return { account: { id, email } };
    },
  }),
  declineInvitation: defineEndpoint("POST /api/auth/invitations/decline", {
    ...invitationDefaults,
    summary: "Decline an invitation",
    response: { 204: null },
    errors: ["invitation_not_found", "rate_limited"],
    handler: ({ app, body }) => invitations.declineInvitation(app, hashSecret(body.token)),
  }),
};
