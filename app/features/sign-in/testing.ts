import { onTestFinished, vi } from "vitest";
import { provideEndpoints } from "#app/api/dispatch.server.ts";
import { Subscribers } from "#app/api/subscribers.server.ts";
import type { Mail } from "#app/core/context.server.ts";
import { createOutbound } from "#app/core/outbound/outbound.server.ts";
import { settingsOf } from "#app/core/settings.server.ts";
import { testContext } from "#app/core/testing/service.ts";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { parseEnvironment } from "#app/environment/env.server.ts";
import { type App, provideApp } from "#app/http/app.server.ts";
import { loadSecrets } from "#app/http/caller/cookies.server.ts";
import { Limiter } from "#app/http/limits.server.ts";
import { createLog } from "#app/http/log.server.ts";
import { installGlobals } from "#app/remix/node.server.ts";
import { createTestWorlds } from "#app/test-worlds.server.ts";
import type { Db } from "#db/client.ts";
import { testFolder } from "#db/testing.files.ts";
import { testDatabase } from "#db/testing.ts";
import { finishMagicLink, type MailedCredential, startMagicLink } from "./magic-link.server.ts";
import { createOidcClient } from "./oidc.server.ts";

// The Request and Response that the service runs with, but Node's fetch: Remix's can fail in later test files.
const { fetch } = globalThis;
installGlobals();
globalThis.fetch = fetch;

export type TestApp = App & {
  /** Mails passed to the mailer, oldest first. */
  mails: Mail[];
  /** Every line logged, as JSON. */
  logged: string[];
  pass(milliseconds: number): void;
};

/** A service for one test: an in-memory database, a stopped clock, and mails kept in a list. */
export function testApp(
  environment: Record<string, string> = {},
  db: Db = testDatabase(),
): TestApp {
  const env = parseEnvironment({ DATA_DIR: testFolder(), LOG_LEVEL: "debug", ...environment });
  const mails: Mail[] = [];
  const logged: string[] = [];
  let now = Date.UTC(2026, 2, 12, 14, 3, 22);
  const settings = { ...settingsOf(env, env.SIGN_UP), version: "0.0.0", witnesses: [] };
  const context = testContext(
    {
      db,
      clock: () => now,
      outbound: createOutbound({ allowed: env.WEBHOOK_ALLOW_ADDRESSES, denied: [] }),
      mailer: { send: async (mail) => void mails.push(mail) },
      log: createLog("debug", { write: (line: string) => void logged.push(line) }),
    },
    settings,
  );
  const app: Omit<TestApp, "streams" | "testWorlds" | "oidcClient"> = {
    ...context,
    env,
    limiter: new Limiter(env),
    get secrets() {
      return loadSecrets(env);
    },
    closing: new AbortController().signal,
    mailHealth: () => "unknown",
    isWorkerRunning: () => true,
    mails,
    logged,
    pass: (milliseconds) => {
      now += milliseconds;
    },
  };
  const fullApp: TestApp = Object.assign(app, {
    streams: new Subscribers(app, app.secrets, app.closing),
    testWorlds: createTestWorlds(() => fullApp),
    oidcClient: createOidcClient(env, app.log),
  });
  provideApp(fullApp);
  provideEndpoints(ENDPOINTS);
  return fullApp;
}

/** A request to the service, with an optional cookie ("name=value; attributes" is accepted). */
export function requestTo(
  app: App,
  path: string,
  { cookie, ...init }: RequestInit & { cookie?: string | undefined } = {},
): Request {
  const headers = new Headers(init.headers);
  if (cookie) headers.set("Cookie", cookie.split(";")[0] ?? "");
  return new Request(new URL(path, app.settings.baseUrl), { ...init, headers });
}

/** A browser that keeps its cookies and always connects from one address. */
export class Browser {
  readonly #cookies = new Map<string, string>();

  constructor(
    private readonly app: TestApp,
    readonly client = "192.0.2.1",
  ) {}

  static async signedIn(app: TestApp, email: string): Promise<Browser> {
    const browser = new Browser(app);
    await browser.signIn(email);
    return browser;
  }

  get cookie(): string {
    return [...this.#cookies].map((pair) => pair.join("=")).join("; ");
  }

  keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/);
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }

  request = (): Request => {
    const headers = { "User-Agent": "Browser of a test" };
    return requestTo(this.app, "/", { headers: { ...headers, Cookie: this.cookie } });
  };

  /** Asks for a mail and returns what the newest one has. */
  async ask(email: string, callbackPath?: string) {
    const body = { email, callbackPath };
    const { cookie } = await startMagicLink(this.app, this.request(), this.client, body);
    this.keep([cookie]);
    return mailedSecrets(this.app);
  }

  isSent = (email: string) => this.ask(email).then(Boolean, () => false);

  signIn = async (email: string) => this.finish({ token: (await this.ask(email)).token });

  async finish(proof: MailedCredential) {
    const arrival = await finishMagicLink(this.app, this.request(), this.client, proof);
    this.keep(arrival.cookies);
    return arrival;
  }
}

/** Stops the clock of the budgets; only the test moves it. */
export function holdTime(): void {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

export function mailedSecrets({ mails }: TestApp): { token: string; code: string } {
  const text = mails.at(-1)?.text ?? "";
  return {
    token: /confirm\?token=([\w-]{43})\n/.exec(text)?.[1] ?? "",
    code: /^ {4}(\d{6})$/m.exec(text)?.[1] ?? "",
  };
}

/** The Set-Cookie values of a response; Remix's Headers have no getSetCookie. */
export const setCookies = (headers: Headers): string[] =>
  headers.get("Set-Cookie")?.split(/, (?=[\w-]+=)/) ?? [];
