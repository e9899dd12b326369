// A plugin for better-auth, to use with its plugins `sso` and `organization`: Deed proves the domains of SSO providers.
import { getCurrentAdapter } from "@better-auth/core/context";
import {
  APIError,
  createAuthEndpoint,
  createAuthMiddleware,
  sessionMiddleware,
} from "better-auth/api";
import * as z from "zod";

/** After this long without a new proof, the daily job gives a domain's addresses back. */
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
    if (answer.ok) return result;
    const { code, message } = result.error;
    const status = code === "invalid_domain" ? "BAD_REQUEST" : "BAD_GATEWAY";
    throw new APIError(status, { code, message });
  }

  /** Returns the provider, if the session belongs to an administrator of its organization: `sso` checks that. */
  async function providerOf(ctx) {
    const { getSSOProvider } = ctx.context.getPlugin("sso").endpoints;
    const { context, headers, body: query } = ctx;
    const provider = await getSSOProvider({ context, headers, query });
    if (provider.organizationId) return provider;
    throw new APIError("BAD_REQUEST", { message: "The provider belongs to no organization." });
  }

  /** Returns the organization's open claim. Each organization that proves a name has its own record. */
  async function claimOf(provider, again) {
    const path = `/domains/by-name/${encodeURIComponent(provider.domain)}`;
    const sent = { reference: provider.organizationId, watch: true, again };
    const { domain, claim } = await deed("PUT", path, sent);
    // `sso` compares addresses with the provider's domain, so the proved name must be the same.
    if (domain.name !== provider.domain)
      throw new APIError("BAD_REQUEST", { message: `Register the provider for ${domain.name}.` });
    // Deed returns a proof or an ended claim unchanged: its id opens another claim.
    return claim.state === "pending" ? claim : claimOf(provider, claim.id);
  }

  /** Stores whether the provider's domain is proved. Throws, and changes nothing, if Deed does not answer. */
  async function confirm(adapter, { providerId, domain: name, organizationId: reference }) {
    const { domains } = await deed("GET", `/domains?${new URLSearchParams({ name, reference })}`);
    const { holds, lastProvedAt = null } = domains.find((domain) => domain.name === name) ?? {};
    // `holds` is false if the domain is archived, or a watch has seen a problem since the proof.
    const isYoung = Date.now() - Date.parse(lastProvedAt) < PROOF_LASTS_MS;
    const update = { domainVerified: holds === true && isYoung };
    // Somebody may have edited the provider meanwhile, so update only if it still names this domain.
    const where = Object.entries({ providerId, domain: name });
    const query = {
      model: "ssoProvider",
      where: where.map(([field, value]) => ({ field, value })),
    };
    await adapter.updateMany({ ...query, update }).catch((error) => {
      if (!/unique/i.test(error.message)) throw error;
      throw new APIError("CONFLICT", { message: "Another organization has this domain." });
    });
    return { ...update, lastProvedAt };
  }

  /** Returns the provider that controls a domain's addresses. A proof covers exactly that name, and none below it. */
  const controllerOf = async (adapter, email) =>
    (await getCurrentAdapter(adapter)).findOne({
      model: "ssoProvider",
      where: [
        { field: "domain", value: email.split("@").at(-1).trim().toLowerCase() },
        { field: "domainVerified", value: true },
      ],
    });

  /** Refuses every account and session with a controlled address, except through its provider. */
  async function refuseOtherWays(adapter, email, ctx) {
    const controller = await controllerOf(adapter, email);
    const cameFrom = ctx?.path?.startsWith("/sso/") ? ctx.params?.providerId : null;
    if (!controller || controller.providerId === cameFrom) return;
    const message = "Sign in through your organization.";
    throw new APIError("FORBIDDEN", { code: "SSO_REQUIRED", message });
  }

  const body = z.object({ providerId: z.string() });
  const options = { method: "POST", body, use: [sessionMiddleware] };
  return {
    id: "deed-domains",
    endpoints: {
      /** Returns the record that the organization must add to its DNS. */
      requestProof: createAuthEndpoint("/sso/deed/request", options, async (ctx) => {
        const { records, expiresAt } = await claimOf(await providerOf(ctx));
        return ctx.json({ records, expiresAt });
      }),
      /** Takes over the domain's addresses if it is proved, and gives them back if the proof is too old. */
      confirmProof: createAuthEndpoint("/sso/deed/confirm", options, async (ctx) =>
        ctx.json(await confirm(ctx.context.adapter, await providerOf(ctx))),
      ),
      /** For a daily job: `await auth.api.confirmProofs()`. HTTP cannot reach it. */
      confirmProofs: createAuthEndpoint.serverOnly({ method: "POST" }, async ({ context }) => {
        const where = [{ field: "domainVerified", value: true }];
        const query = { model: "ssoProvider", where, limit: 10_000 };
        for (const provider of await context.adapter.findMany(query))
          await confirm(context.adapter, provider);
      }),
    },
    hooks: {
      before: [
        {
          // Without this, `sso` takes the first provider registered for the domain, proved or not.
          matcher: ({ path, body }) => path === "/sign-in/sso" && body?.email && !body.providerId,
          handler: createAuthMiddleware(async (ctx) => {
            const controller = await controllerOf(ctx.context.adapter, ctx.body.email);
            if (controller)
              return { context: { body: { ...ctx.body, providerId: controller.providerId } } };
          }),
        },
      ],
    },
    init: ({ adapter, internalAdapter }) => {
      const user = ({ email }, ctx) => refuseOtherWays(adapter, email, ctx);
      const session = async ({ userId }, ctx) =>
        user(await internalAdapter.findUserById(userId), ctx);
      const databaseHooks = {
        user: { create: { before: user } },
        session: { create: { before: session } },
      };
      return { options: { databaseHooks } };
    },
  };
}
