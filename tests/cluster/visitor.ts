import type { Cluster } from "./cluster.ts";
import type { Machine } from "./machine.ts";

export type Reply = { status: number; body: unknown; headers: Headers };
type Json = Record<string, unknown>;

/** A client with a cookie jar that sends each request to the machine `next` returns. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  next: () => Pick<Machine, "url">;

  constructor(next: () => Pick<Machine, "url">) {
    this.next = next;
  }

  async send(method: string, path: string, json?: unknown, timeoutMs = 30_000): Promise<Reply> {
    const headers: Record<string, string> = {};
    if (this.cookies.size > 0)
      headers.cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (json !== undefined) headers["content-type"] = "application/json";
    const response = await fetch(this.next().url + path, {
      method,
      redirect: "manual",
      headers,
      signal: AbortSignal.timeout(timeoutMs),
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/s);
      if (value) this.cookies.set(name, value);
      else this.cookies.delete(name);
    }
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("application/json");
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    };
  }

  get = (path: string) => this.send("GET", path);
  post = (path: string, json?: unknown) => this.send("POST", path, json);

  /** The body of a JSON response that must have this status. */
  async expect(status: number, method: string, path: string, json?: unknown): Promise<Json> {
    const reply = await this.send(method, path, json);
    if (reply.status !== status)
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body as Json;
  }
}

/** The newest sign-in token mailed to `email`. */
export async function mailed(cluster: Cluster, email: string): Promise<string> {
  for (let i = 0; i < 200; i++) {
    const mail =
      cluster
        .outbox()
        .filter((text) => text.includes(email))
        .at(-1) ?? "";
    const token = /\/sign-in\/confirm\?token=([A-Za-z0-9_-]+)/.exec(mail)?.[1];
    if (token) return token;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`no sign-in link was mailed to ${email}`);
}

/** Signs `email` in, sending each request to the machine `next` returns. */
export async function visit(
  cluster: Cluster,
  email: string,
  next: () => Machine,
): Promise<Visitor> {
  const visitor = new Visitor(next);
  await visitor.expect(202, "POST", "/api/auth/magic-link", { email, callbackPath: "/domains" });
  await visitor.expect(200, "POST", "/api/auth/magic-link/verify", {
    token: await mailed(cluster, email),
  });
  return visitor;
}

/** A random machine for every call. */
export const anyOf = (machines: Machine[]) => () => {
  const machine = machines[Math.floor(Math.random() * machines.length)];
  if (!machine) throw new Error("no machines");
  return machine;
};
