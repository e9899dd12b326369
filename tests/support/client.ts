import type { Service } from "./service.ts";

export type Answer = { status: number; headers: Headers; body: unknown; text: string };

/** A minimal browser: keeps cookies, does not follow redirects, speaks JSON. */
export class Client {
  /** The session cookie; other cookies are kept privately. */
  cookie = "";
  readonly #others = new Map<string, string>();
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async request(
    method: string,
    path: string,
    options: { json?: unknown; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Answer> {
    const others = [...this.#others].map((pair) => pair.join("="));
    const cookie = [this.cookie, ...others].filter(Boolean).join("; ");
    const headers: Record<string, string> = cookie ? { cookie } : {};
    if (options.json !== undefined) headers["content-type"] = "application/json";
    const body = options.json === undefined ? options.body : JSON.stringify(options.json);
    const response = await fetch(this.url + path, {
      method,
      redirect: "manual",
      headers: { ...headers, ...options.headers },
      ...(body === undefined ? {} : { body }),
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

  /** The headers that say who calls. */
  identityFor(_path: string): Record<string, string> {
    return { cookie: this.cookie };
  }

  get = (path: string) => this.request("GET", path);
  post = (path: string, json?: unknown) =>
    this.request("POST", path, json === undefined ? {} : { json });
  delete = (path: string, json?: unknown) =>
    this.request("DELETE", path, json === undefined ? {} : { json });
}

/** The sign-in mails to `email` in the outbox; notices are sent to the same address. */
const signInMails = (service: Pick<Service, "outbox">, email: string) =>
  service.outbox().filter((text) => text.includes(email) && text.includes("/sign-in/confirm?"));

/** The newest sign-in token mailed to `email`, from the outbox. */
export function mailedToken(service: Pick<Service, "outbox">, email: string): string {
  const mail = signInMails(service, email).at(-1) ?? "";
  const token = /\/sign-in\/confirm\?token=([A-Za-z0-9_-]+)/.exec(mail)?.[1];
  if (!token) throw new Error(`no sign-in link was mailed to ${email}`);
  return token;
}

const until = async <T>(look: () => T | null): Promise<T> => {
  for (let i = 0; i < 100; i++) {
    const seen = look();
    if (seen !== null) return seen;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("did not happen within 5 s");
};

/** Signs `email` in through the outbox, as a person would. */
export async function signIn(
  service: Pick<Service, "url" | "outbox">,
  email: string,
): Promise<Client> {
  const client = new Client(service.url);
  const mails = () => signInMails(service, email).length;
  const before = mails();
  const asked = await client.post("/api/auth/magic-link", { email, callbackPath: "/domains" });
  if (asked.status !== 202) throw new Error(`magic link: ${asked.status} ${asked.text}`);
  await until(() => (mails() > before ? true : null));
  const verified = await client.post("/api/auth/magic-link/verify", {
    token: mailedToken(service, email),
  });
  if (verified.status !== 200) throw new Error(`verify: ${verified.status} ${verified.text}`);
  return client;
}
