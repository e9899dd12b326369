import { setTimeout as sleep } from "node:timers/promises";
import { type Playground, startPlayground } from "@deed/playground/playground.ts";
import type { Claim } from "#app/features/claims/resources.ts";
import { newFolder, type Service, startService } from "./service.ts";

const BUDGETS =
  "ZONES PROOFS PAGES RUNS_VERIFICATION RUNS_ACCOUNT MAIL_ADDRESS MAILBOX HANDOFF_MAILS MAIL_IP VERIFY API KEY ADDITIONS".split(
    " ",
  );

/** Sets the named rate limits (`RATE_LIMIT_…`; default all of people and programs) and additions so large that no test reaches them. */
export const roomy = (...names: string[]): Record<string, string> =>
  Object.fromEntries(
    (names.length > 0 ? [...names, "ADDITIONS"] : BUDGETS).map((name) => [
      `RATE_LIMIT_${name}`,
      "100000000/1",
    ]),
  );

export type Answer = { status: number; headers: Headers; body: unknown; text: string };

type Asked = {
  json?: unknown;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
};

/** A minimal browser, or a program with an API key: keeps cookies, does not follow redirects, speaks JSON. */
export class Client {
  /** The session cookie; others are kept internally. */
  cookie = "";
  readonly #others = new Map<string, string>();
  readonly #url: string;
  readonly key: string | null;

  constructor(url: string, key: string | null = null) {
    this.#url = url;
    this.key = key;
  }

  get url(): string {
    return this.#url;
  }

  /** The headers that say who asks. */
  get identity(): Record<string, string> {
    const others = [...this.#others].map((pair) => pair.join("="));
    const cookie = [this.cookie, ...others].filter(Boolean).join("; ");
    return {
      ...(cookie && { cookie }),
      ...(this.key && { authorization: `Bearer ${this.key}` }),
    };
  }

  async request(method: string, path: string, options: Asked = {}): Promise<Answer> {
    const headers = this.identity;
    if (options.json !== undefined) headers["content-type"] = "application/json";
    const body = options.json === undefined ? options.body : JSON.stringify(options.json);
    const response = await fetch(this.url + path, {
      method,
      redirect: "manual",
      headers: { ...headers, ...options.headers },
      ...(body === undefined ? {} : { body }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const pair = line.split(";")[0] ?? "";
      if (/^(__Host-)?session=/.test(pair)) this.cookie = pair.endsWith("=") ? "" : pair;
      else this.#keep(pair);
    }
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("application/json") ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== "" ? JSON.parse(text) : null,
    };
  }

  #keep(pair: string): void {
    const [name = "", value = ""] = pair.split(/=(.*)/);
    if (value === "") this.#others.delete(name);
    else this.#others.set(name, value);
  }

  get = (path: string) => this.request("GET", path);
  post = (path: string, json?: unknown) =>
    this.request("POST", path, json === undefined ? {} : { json });
  delete = (path: string, json?: unknown) =>
    this.request("DELETE", path, json === undefined ? {} : { json });

  /** Sends a page's form like a browser, by default from the site itself. */
  submit = (
    path: string,
    fields: Record<string, string> | [string, string][] = {},
    headers: Record<string, string> = { Origin: this.url },
  ) =>
    this.request("POST", path, {
      body: String(new URLSearchParams(fields)),
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    });

  async expect<Body = Record<string, unknown>>(
    status: number,
    method: string,
    path: string,
    json?: unknown,
  ): Promise<Body> {
    const answer = await this.request(method, path, json === undefined ? {} : { json });
    if (answer.status !== status)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 500)}`);
    return answer.body as Body;
  }
}

type Mailing = Pick<Service, "outbox">;

/** The sign-in mails to `email` in the outbox; notices go to the same address. */
const signInMails = (service: Mailing, email: string) =>
  service.outbox().filter((text) => text.includes(email) && text.includes("/sign-in/confirm?"));

/** The newest sign-in token mailed to `email`, from the outbox. */
export function mailedToken(service: Mailing, email: string): string {
  const mail = signInMails(service, email).at(-1) ?? "";
  const token = /\/sign-in\/confirm\?token=([A-Za-z0-9_-]+)/.exec(mail)?.[1];
  if (!token) throw new Error(`no sign-in link was mailed to ${email}`);
  return token;
}

export const mailedCode = (service: Mailing, email: string): string =>
  /^ {4}(\d{6})$/m.exec(signInMails(service, email).at(-1) ?? "")?.[1] ?? "";

/** Requests a sign-in link for `email`, and returns its token and code once the mail is there. */
export async function mailTo(
  service: Mailing,
  client: Client,
  email: string,
  callbackPath?: string,
) {
  const mails = () => signInMails(service, email).length;
  const before = mails();
  await client.expect(202, "POST", "/api/auth/magic-link", { email, callbackPath });
  for (let tries = 0; mails() === before; tries += 1) {
    if (tries > 2_000) throw new Error(`no mail came to ${email}`);
    await sleep(20);
  }
  return { token: mailedToken(service, email), code: mailedCode(service, email) };
}

export async function signIn<C extends Client = Client>(
  service: Pick<Service, "url" | "outbox">,
  email: string,
  client = new Client(service.url) as C,
): Promise<C> {
  const { token } = await mailTo(service, client, email, "/domains");
  await client.expect(200, "POST", "/api/auth/magic-link/verify", { token });
  return client;
}

export type Deed = { playground: Playground; service: Service; stop(): Promise<void> };

/** The service on an embedded DNS playground. Budgets have their defaults unless `env` sets them. */
export async function startDeed(
  env: Record<string, string> = {},
  dataDir = newFolder(),
): Promise<Deed> {
  const playground = await startPlayground();
  const started = startService({ dataDir, env: { ...playground.env, ...env } });
  const service = await started.catch(async (error) => {
    await playground.stop();
    throw error;
  });
  return {
    playground,
    service,
    stop: async () => {
      await service.stop();
      await playground.stop();
    },
  };
}

type Json = Record<string, unknown>;
/** `name`: where its record goes. */
export type OpenClaim = Claim & { name: string };

export async function openClaim(client: Client, domain: string): Promise<OpenClaim> {
  const { id: domainId } = (await client.post("/api/domains", { domain })).body as Json;
  const claim = await client.expect<Claim>(201, "POST", "/api/claims", { domainId });
  return { ...claim, name: claim.records[0]?.name ?? "" };
}

/** Polls a path until `done`, for at most a minute, and returns the body of the last response. */
export async function poll(
  client: Client,
  path: string,
  done: (body: Json) => boolean,
): Promise<Json> {
  const giveUpAt = Date.now() + 60_000;
  for (;;) {
    const body = (await client.get(path)).body as Json;
    if (done(body) || Date.now() > giveUpAt) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const SCOPES = ["zones:read", "domains:read", "domains:write", "webhooks:manage"];

/** An API key of the client's account, default with every scope. */
export const keyOf = (client: Client, scopes = SCOPES, test = false) =>
  client.expect<{ id: string; key: string }>(201, "POST", "/api/keys", {
    name: "A program",
    scopes,
    addresses: [],
    test,
  });
