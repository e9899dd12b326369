import { setTimeout as sleep } from "node:timers/promises";
import { mailFiles, readMail } from "./mailbox.ts";
import { Refusal } from "./request.ts";

/** A claim in the service's API. */
export type OpenClaim = { id: string; token: string; verificationId: string };

/** The parts of its answers in use here. */
type ServiceAnswer = Partial<OpenClaim> & {
  session?: object | null;
  archived?: boolean;
  error?: { message: string; claim?: OpenClaim };
};

/** Who gets signed in if the browser is not signed in. */
export const GUEST = "guest@holder.example";
const MAIL_TIMEOUT_MS = 5_000;

/**
 * The panel's visitor in the service. Both are at one host name, and cookies ignore ports: the panel gets the service's
 * session cookie with each request, and can set it.
 */
export class Visitor {
  /** `Set-Cookie` lines for the browser, if it had to be signed in. */
  readonly cookies: string[] = [];
  readonly #serviceUrl: string;
  readonly #outbox: string;
  #cookie: string;

  constructor(panel: { serviceUrl: string; outbox: string }, cookie: string) {
    this.#serviceUrl = panel.serviceUrl;
    this.#outbox = panel.outbox;
    this.#cookie = cookie;
  }

  async #call(method: string, path: string, body?: object): Promise<ServiceAnswer> {
    const answer = await fetch(this.#serviceUrl + path, {
      method,
      headers: { cookie: this.#cookie, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new Refusal(502, "Deed does not answer.");
    });
    this.cookies.push(...answer.headers.getSetCookie());
    return (await answer.json()) as ServiceAnswer;
  }

  /** Throws the service's message if it refuses. */
  async #ask(...call: [method: string, path: string, body?: object]): Promise<ServiceAnswer> {
    const answer = await this.#call(...call);
    if (answer.error) throw new Refusal(409, `Deed refused this. ${answer.error.message}`);
    return answer;
  }

  /** Signs the guest in by mail, as a person would, unless the browser is signed in. */
  async signIn(): Promise<void> {
    if ((await this.#ask("GET", "/api/auth/session")).session) return;
    const mailCount = (await mailFiles(this.#outbox)).length;
    await this.#ask("POST", "/api/auth/magic-link", { email: GUEST });
    const token = await this.#mailedToken(mailCount);
    this.cookies.length = 0;
    await this.#ask("POST", "/api/auth/magic-link/verify", { token });
    this.#cookie = this.cookies.map((line) => line.split(";")[0]).join("; ");
  }

  async #mailedToken(mailCount: number): Promise<string> {
    for (const giveUpAt = Date.now() + MAIL_TIMEOUT_MS; Date.now() < giveUpAt; await sleep(50)) {
      for (const file of (await mailFiles(this.#outbox)).slice(mailCount)) {
        const { to, text } = await readMail(this.#outbox, file);
        const token = /\/sign-in\/confirm\?token=([\w-]+)/.exec(text)?.[1];
        if (to === GUEST && token) return token;
      }
    }
    throw new Refusal(502, "Deed sent no mail to sign in with.");
  }

  /** Adds the domain and opens a claim, or finds the existing ones. */
  async claim(domain: string): Promise<OpenClaim> {
    const { id, archived } = await this.#ask("POST", "/api/domains", { domain });
    if (archived) await this.#ask("POST", `/api/domains/${id}/unarchive`);
    const answer = await this.#call("POST", "/api/claims", { domainId: id });
    const { id: claim, token, verificationId } = answer.error?.claim ?? answer;
    if (claim && token && verificationId) return { id: claim, token, verificationId };
    throw new Refusal(409, `Deed opened no claim. ${answer.error?.message ?? ""}`);
  }

  cancel = ({ id }: OpenClaim) => this.#ask("POST", `/api/claims/${id}/cancel`);

  /** Makes the service look for the record at once. It may refuse if it just did. */
  check = ({ verificationId }: OpenClaim) =>
    this.#call("POST", `/api/verifications/${verificationId}/runs`);
}
