import type { components } from "./api.ts";
import type { Method, OptionsOf, PathOf, ResultOf, Sent } from "./calls.ts";
import { errorOf } from "./error.ts";
import { Changes, type DeedEvent, type EventsOptions, events, serverSentEvents } from "./events.ts";
import { type Outcome, type ProveOptions, prove } from "./prove.ts";

export type DeedOptions = {
  /** Where the service is, for example https://deed.example.com. */
  url: string;
  /** An API key. Public reads need none. */
  key?: string | undefined;
};

type Raw = {
  headers?: { [name: string]: string };
  body?: string;
  signal?: AbortSignal | undefined;
};

/** A Deed service, as a program with an API key sees it. */
export class Deed {
  readonly #url: string;
  readonly #key: string | undefined;
  readonly #changes: Changes;

  constructor({ url, key }: DeedOptions) {
    this.#url = url.replace(/\/+$/, "");
    this.#key = key;
    this.#changes = new Changes(this);
  }

  /**
   * Proves that whoever can edit the zone of `domain` works with you: adds the domain or finds it, opens a claim or
   * finds the open one, calls `onRecord` with the record to add, and waits until the service has found it, for seven
   * days at most. A domain that is proved already is answered at once. Throws DeedError if the service refuses, for
   * example `invalid_domain`.
   */
  prove(domain: string, options: ProveOptions = {}): Promise<Outcome> {
    return prove(this, this.#changes, domain, options);
  }

  /**
   * What moves on the account, as it moves, for as long as you take events; a lost connection is made again, without
   * losing an event. The first event is `reset`, unless `lastEventId` is given and what followed is all kept.
   */
  events(options: EventsOptions = {}): AsyncGenerator<DeedEvent, never> {
    return events(this, options);
  }

  /** Reads who hosts a zone, then what has been found in it: two events, with `step` to tell them apart. */
  async *zone(
    name: string,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<components["schemas"]["ZoneFrame"], void> {
    const response = await this.send("GET", `/api/zones/${encodeURIComponent(name)}`, { signal });
    for await (const { data } of serverSentEvents(response)) if (data) yield JSON.parse(data);
  }

  get<P extends PathOf<"get">>(path: P, ...options: OptionsOf<"get", P>) {
    return this.#call("get", path, options);
  }

  post<P extends PathOf<"post">>(path: P, ...options: OptionsOf<"post", P>) {
    return this.#call("post", path, options);
  }

  delete<P extends PathOf<"delete">>(path: P, ...options: OptionsOf<"delete", P>) {
    return this.#call("delete", path, options);
  }

  async #call<M extends Method, P extends PathOf<M>>(
    method: M,
    template: P,
    options: OptionsOf<M, P>,
  ): Promise<ResultOf<M, P>> {
    const { path = {}, query = {}, body, signal }: Sent = options[0] ?? {};
    const parts = new Map<string, unknown>(Object.entries(path));
    const filled = template.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(parts.get(name))),
    );
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    const response = await this.send(
      method.toUpperCase(),
      search.size > 0 ? `${filled}?${search}` : filled,
      {
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
        signal,
      },
    );
    return (response.status === 204 ? undefined : await response.json()) as ResultOf<M, P>;
  }

  /** Makes a call that has no types, and resolves to its response. Throws DeedError unless the status is 2xx. */
  async send(method: string, path: string, { headers, body, signal }: Raw = {}): Promise<Response> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { ...headers, ...(this.#key ? { Authorization: `Bearer ${this.#key}` } : {}) },
      // The service redirects no call: something before it does, to where the key should not go.
      redirect: "error",
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    });
    if (!response.ok) throw await errorOf(response);
    return response;
  }
}
