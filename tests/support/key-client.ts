import { type Answer, Client, keyOf } from "./deed.ts";

const BY_KEY =
  /^\/api\/(?:zones|domains|claims|verifications|notices|events|webhooks|test)(?:[/?]|$)/;

/** A program that calls what it can with an API key, or a test key, without cookies, and the rest as the browser it comes from. */
export class KeyClient extends Client {
  static calls = 0;
  readonly #key: string;

  private constructor({ url, cookie }: Client, key: string) {
    super(url);
    this.cookie = cookie;
    this.#key = key;
  }

  static async of(client: Client, isTest = false): Promise<KeyClient> {
    return new KeyClient(client, (await keyOf(client, undefined, [], isTest)).key);
  }

  override request(
    method: string,
    path: string,
    options: Parameters<Client["request"]>[2] = {},
  ): Promise<Answer> {
    if (!BY_KEY.test(path) || options.headers?.cookie !== undefined)
      return super.request(method, path, options);
    const headers = { ...options.headers, cookie: "", ...this.identityFor(path) };
    return super.request(method, path, { ...options, headers });
  }

  override identityFor(path: string): Record<string, string> {
    if (!BY_KEY.test(path)) return super.identityFor(path);
    KeyClient.calls += 1;
    return { authorization: `Bearer ${this.#key}` };
  }
}
