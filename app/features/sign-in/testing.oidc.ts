import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import Provider from "oidc-provider";
import { listening } from "#app/core/testing/servers.ts";

const CLIENT = { id: "deed", secret: "a secret of the client, long enough" };

export type Person = { sub: string; email?: unknown; email_verified?: unknown };
type Claims = Record<string, unknown>;
type Tokens = Record<string, unknown>;

export type TestProvider = Awaited<ReturnType<typeof startProvider>>;

const rsaKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const KEY = rsaKey();
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A real oidc-provider on loopback, with hooks to tamper with its responses. */
export async function startProvider(redirectUri: string) {
  const server = createServer();
  const { port, stop } = await listening(server);
  const issuer = `http://127.0.0.1:${port}`;
  const provider = {
    issuer,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
    person: { sub: "ada" } as Person,
    /** Changes the next responses of the token endpoint; null leaves them unchanged. */
    tamper: null as ((tokens: Tokens) => Tokens) | null,
    /** Answers 500 to everything. */
    down: false,
    /** Never answers at the token endpoint. */
    isSilent: false,
    /** Signs in as `person`, starting at the authorization URL. Returns the URL the browser is sent back to. */
    signIn: (location: string) => walk(new URL(location), redirectUri),
    stop,
  };
  const oidc = providerFor(provider, redirectUri);
  const callback = oidc.callback();
  server.on("request", (request, response) => {
    if (provider.down) return void response.writeHead(500).end();
    if (request.url?.startsWith("/interaction/")) {
      return void oidc.interactionFinished(request, response, {
        login: { accountId: provider.person.sub },
      });
    }
    if (request.url === "/token" && provider.isSilent) return;
    if (request.url === "/token" && provider.tamper) rewrite(response, provider.tamper);
    void callback(request, response);
  });
  return provider;
}

function providerFor(state: { issuer: string; person: Person }, redirectUri: string) {
  const oidc = new Provider(state.issuer, {
    clients: [
      {
        ...{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] },
        ...{ grant_types: ["authorization_code"], response_types: ["code"] },
      },
    ],
    jwks: { keys: [{ ...KEY.export({ format: "jwk" }), kid: "k1", alg: "RS256", use: "sig" }] },
    ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    cookies: { keys: ["cookies of the provider"] },
    claims: { email: ["email", "email_verified"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: () => ({ accountId: state.person.sub, claims: () => ({ ...state.person }) }),
    loadExistingGrant: async () => {
      const grant = new oidc.Grant({ clientId: CLIENT.id, accountId: state.person.sub });
      grant.addOIDCScope("openid email");
      await grant.save();
      return grant;
    },
  });
  return oidc;
}

function rewrite(response: ServerResponse, tamper: (tokens: Tokens) => Tokens): void {
  const end = response.end.bind(response);
  response.end = ((body: unknown) => {
    const changed = JSON.stringify(tamper(JSON.parse(String(body))));
    response.setHeader("Content-Length", Buffer.byteLength(changed));
    return end(changed);
  }) as typeof response.end;
}

/** The provider's ID token with other claims, or with another signature. */
export const reissue =
  (
    change: (claims: Claims) => Claims,
    how: "its key" | "another key" | "none" | "client secret" = "its key",
  ) =>
  (tokens: Tokens): Tokens => {
    const [, payload = ""] = String(tokens.id_token).split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const alg = { none: "none", "client secret": "HS256" }[how as string] ?? "RS256";
    const signed = `${encode({ alg, kid: "k1" })}.${encode(change(claims))}`;
    return { ...tokens, id_token: `${signed}.${signature(how, signed)}` };
  };

function signature(how: string, text: string): string {
  if (how === "none") return "";
  if (how === "client secret") {
    return createHmac("sha256", CLIENT.secret).update(text).digest("base64url");
  }
  const key: KeyObject = how === "its key" ? KEY : rsaKey();
  return sign("RSA-SHA256", Buffer.from(text), key).toString("base64url");
}

/** A minimal browser: follows redirects with cookies until one leads to `redirectUri`. */
async function walk(start: URL, redirectUri: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let hop = 0; hop < 10; hop++) {
    if (url.href.startsWith(redirectUri)) return url;
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const { status, headers } = await fetch(url, { headers: { cookie }, redirect: "manual" });
    for (const line of headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      cookies.set(name, value);
    }
    const next = headers.get("location");
    if (!next) throw new Error(`${url.href} answered ${status}`);
    url = new URL(next, url);
  }
  throw new Error("the provider redirects without end");
}
