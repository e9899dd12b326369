// A plugin for better-auth, beside its plugins `sso` and `organization`: Deed proves the domains of SSO providers.
import { getCurrentAdapter } from "@better-auth/core/context";
import {
  APIError,
  createAuthEndpoint,
  createAuthMiddleware,
  sessionMiddleware,
} from "better-auth/api";
import * as z from "zod";

/** After this long without a new proof, a domain is not taken over; run /sso/deed/confirm for each provider daily. */
const PROOF_LASTS_MS = 180 * 24 * 60 * 60 * 1000;

/** `url`: the address of Deed. `key`: an API key with `domains:read` and `domains:write`. */
export function deedDomains({ url, key }) {
  async function deed(method, path, body) {
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    const result = await answer.json();
    if (answer.ok || result.error.code === "already_claimed") return result.error?.claim ?? result;
    throw new APIError(
      result.error.code === "invalid_domain" ? "BAD_REQUEST" : "BAD_GATEWAY",
      result.error,
    );
  }

  /** The provider, if the session is of an administrator of its organisation: `sso` checks that. */
  async function providerOf(ctx) {
    const { getSSOProvider } = ctx.context.getPlugin("sso").endpoints;
    const { providerId } = ctx.body;
    const provider = await getSSOProvider({
      context: ctx.context,
      headers: ctx.headers,
      query: { providerId },
    });
    if (provider.organizationId) return provider;
    throw new APIError("BAD_REQUEST", { message: "The provider belongs to no organisation." });
  }

  /** The organisation's domain at Deed. Two organisations with one name have a domain, a record and a proof each. */
  async function domainOf({ domain: typed, organizationId: reference }) {
    const domain = await deed("POST", "/domains", { domain: typed, reference });
    // `sso` compares addresses with what the provider says, so that must be the name that is proved.
    if (domain.name === typed) return domain;
    throw new APIError("BAD_REQUEST", {
      message: `Register the provider for ${domain.name}, one domain.`,
    });
  }

  /** Which provider has the people of a domain. Exactly that name: a proof says nothing about names below it. */
  const captorOf = async (ctx, email) =>
    (await getCurrentAdapter(ctx.context.adapter)).findOne({
      model: "ssoProvider",
      where: [
        { field: "domain", value: email.split("@").at(-1).trim().toLowerCase() },
        { field: "domainVerified", value: true },
      ],
    });

  /** Nobody gets an account or a session with a captured address but through its provider, by whatever way. */
  async function refuseOtherWays(ctx, email) {
    const captor = await captorOf(ctx, email);
    const cameFrom = ctx.path.startsWith("/sso/") ? ctx.params?.providerId : null;
    if (!captor || captor.providerId === cameFrom) return;
    throw new APIError("FORBIDDEN", {
      code: "SSO_REQUIRED",
      message: "Sign in through your organisation.",
    });
  }

  const body = z.object({ providerId: z.string() });
  const options = { method: "POST", body, use: [sessionMiddleware] };
  return {
    id: "deed-domains",
    endpoints: {
      /** Answers the record that the organisation must add to its DNS. */
      requestProof: createAuthEndpoint("/sso/deed/request", options, async (ctx) => {
        const domain = await domainOf(await providerOf(ctx));
        const { records, expiresAt } = await deed("POST", "/claims", { domainId: domain.id });
        return ctx.json({ records, expiresAt });
      }),
      /** Takes the domain's addresses over if it is proved, and lets go of them if the proof is too old. */
      confirmProof: createAuthEndpoint("/sso/deed/confirm", options, async (ctx) => {
        const provider = await providerOf(ctx);
        const { name, organizationId: reference } = { ...(await domainOf(provider)), ...provider };
        const { domains } = await deed(
          "GET",
          `/domains?${new URLSearchParams({ name, reference })}`,
        );
        const at = domains.find(({ archived }) => !archived)?.lastProvedAt;
        const domainVerified = at != null && Date.now() - Date.parse(at) < PROOF_LASTS_MS;
        // Only while the provider still names this domain: it can be edited meanwhile.
        const where = ["providerId", "domain"].map((field) => ({ field, value: provider[field] }));
        const update = { domainVerified };
        await ctx.context.adapter.updateMany({ model: "ssoProvider", where, update }).catch(() => {
          throw new APIError("CONFLICT", {
            message: "Another organisation has this domain. Write to us.",
          });
        });
        return ctx.json({ domainVerified, lastProvedAt: at ?? null });
      }),
    },
    hooks: {
      before: [
        {
          // Without this, `sso` takes the first provider registered for the domain, proved or not.
          matcher: ({ path, body }) => path === "/sign-in/sso" && body?.email && !body.providerId,
          handler: createAuthMiddleware(async (ctx) => {
            const captor = await captorOf(ctx, ctx.body.email);
            if (captor)
              return { context: { body: { ...ctx.body, providerId: captor.providerId } } };
          }),
        },
      ],
    },
    init: ({ internalAdapter }) => ({
      options: {
        databaseHooks: {
          user: { create: { before: ({ email }, ctx) => refuseOtherWays(ctx, email) } },
          session: {
            create: {
              before: async ({ userId }, ctx) =>
                refuseOtherWays(ctx, (await internalAdapter.findUserById(userId)).email),
            },
          },
        },
      },
    }),
  };
}
