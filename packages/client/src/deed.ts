import type { components } from "./api.ts";
import type { CallOptions, Method, OptionsOf, PathOf, ResultOf } from "./calls.ts";
import { DeedError, errorOf } from "./error.ts";
import { Changes, type DeedEvent, type EventsOptions, events, serverSentEvents } from "./events.ts";
import { type Outcome, type ProveOptions, prove } from "./prove.ts";

export type DeedOptions = {
  /** The service's address, for example https://deed.example.com. */
  url: string;
  /** An API key. Public reads need none. */
  key?: string | undefined;
};

type RequestOptions = {
  headers?: { [name: string]: string };
  body?: string;
  signal?: AbortSignal | undefined;
};

/** `reference` has the same meaning as in ProveOptions. */
export type NameOptions = { reference?: string | undefined; signal?: AbortSignal | undefined };

type WatchOptions = { every?: "day" | "hour" | undefined };

const BY_NAME_PATH = "/api/domains/by-name/{name}";
const ABSENT_CODES: readonly string[] = ["domain_not_found", "claim_not_found", "domain_archived"];

export class Deed {
  readonly #url: string;
  readonly #key: string | undefined;
  readonly #changes = new Changes(this);

  constructor({ url, key }: DeedOptions) {
    this.#url = url.replace(/\/+$/, "");
    this.#key = key;
  }

  /**
   * Proves that you deal with somebody who can edit the zone of `domain`: opens or finds its claim and waits for the
   * record, at most seven days; returns at once for a proved domain. Throws DeedError if the service refuses.
   */
  prove(domain: string, options: ProveOptions = {}): Promise<Outcome> {
    return prove(this, this.#changes, domain, options);
  }

  /** Whether you may rely on the domain: it is proved, and nothing has gone wrong since. Creates nothing. */
  async holds(name: string, { reference, signal }: NameOptions = {}): Promise<boolean> {
    try {
      const query = reference === undefined ? {} : { reference };
      return (await this.get(BY_NAME_PATH, { path: { name }, query, signal })).holds;
    } catch (error) {
      if (error instanceof DeedError && ABSENT_CODES.includes(error.code)) return false;
      throw error;
    }
  }

  /** Has Deed watch the record, daily or hourly, from the domain's proof on. `watch` in the answer shows the result. */
  watch(name: string, { reference, signal, every = "day" }: NameOptions & WatchOptions = {}) {
    const body = { ...(reference !== undefined && { reference }), watch: { every } };
    return this.put(BY_NAME_PATH, { path: { name }, body, signal });
  }

  /**
   * Yields the account's changes, for as long as you take events. It reconnects by itself and loses none. The first
   * event is `reset`, unless `lastEventId` is given and all later events are still kept.
   */
  events(options: EventsOptions = {}): AsyncGenerator<DeedEvent, never> {
    return events(this, options);
  }

  /** Yields two events with different `step`: who hosts the zone, and then what was found in it. */
  async *zone(
    name: string,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<components["schemas"]["ZoneFrame"], void> {
    const response = await this.send("GET", `/api/zones/${encodeURIComponent(name)}`, { signal });
    for await (const { data } of serverSentEvents(response)) if (data) yield JSON.parse(data);
  }

  /** Yields why a TXT or CNAME record is not found, and then each change, for ten minutes or until it is found. */
  async *check(
    record: { name: string; type?: "TXT" | "CNAME"; value: string },
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<components["schemas"]["RecordCheck"], void> {
    const headers = { "Content-Type": "application/json", Accept: "text/event-stream" };
    const body = JSON.stringify(record);
    const response = await this.send("POST", "/api/checks", { headers, body, signal });
    for await (const { data } of serverSentEvents(response)) if (data) yield JSON.parse(data);
  }

  get<P extends PathOf<"get">>(path: P, ...options: OptionsOf<"get", P>) {
    return this.#call("get", path, options);
  }

  post<P extends PathOf<"post">>(path: P, ...options: OptionsOf<"post", P>) {
    return this.#call("post", path, options);
  }

  put<P extends PathOf<"put">>(path: P, ...options: OptionsOf<"put", P>) {
    return this.#call("put", path, options);
  }

  delete<P extends PathOf<"delete">>(path: P, ...options: OptionsOf<"delete", P>) {
    return this.#call("delete", path, options);
  }

  async #call<M extends Method, P extends PathOf<M>>(
    method: M,
    template: P,
    options: OptionsOf<M, P>,
  ): Promise<ResultOf<M, P>> {
    const { path = {}, query = {}, body, signal }: CallOptions = options[0] ?? {};
    const pathValues = new Map<string, unknown>(Object.entries(path));
    const filledPath = template.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(pathValues.get(name))),
    );
    if (/\/\.{0,2}(\/|$)/.test(filledPath)) throw new RangeError(`${template} lacks a value`);
    const queryEntries = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(queryEntries.map(([name, value]) => [name, String(value)]));
    const json = { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
    const target = search.size > 0 ? `${filledPath}?${search}` : filledPath;
    const request = { ...(body !== undefined && json), signal };
    const response = await this.send(method.toUpperCase(), target, request);
    return (response.status === 204 ? undefined : await response.json()) as ResultOf<M, P>;
  }

  /** Makes any call, without types. Throws DeedError unless the status is 2xx. */
  async send(method: string, path: string, { headers, body, signal }: RequestOptions = {}) {
    const response = await fetch(this.#url + path, {
      method,
      headers: { ...headers, ...(this.#key ? { Authorization: `Bearer ${this.#key}` } : {}) },
      // The service never redirects a call, but something in front of it may, and the key must not go there.
      redirect: "error",
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    });
    if (!response.ok) throw await errorOf(response);
    return response;
  }
}
