import type { Log } from "#app/services/context.server.ts";
import { Episode } from "#app/services/episode.ts";

/** Another node, and where it says that it is. */
export type Located = { node: string; region: string };

type Health = { region?: string | null | undefined; version?: string | null | undefined };

/** A node that missed these many questions in a row, five seconds apart, is not there: a minute. */
const MOST_MISSED = 12;

/**
 * Which nodes of other regions are there, by their answers to the primary's questions. Silence is counted in questions,
 * not in time, so that a primary that was paused takes no node for silent.
 */
export class Regions {
  /** Of this node. */
  readonly own: string;
  readonly #version: string;
  readonly #log: Log;
  readonly #known = new Map<string, { region: string; missed: number }>();
  readonly #alone = new Episode(
    "no node of another region answers: proofs rest on what this one reads",
    "a node of another region answers again",
  );

  /** `version`: this node's. One of another version may see DNS in another form, so it is not asked. */
  constructor(own: string, version: string, log: Log) {
    this.own = own;
    this.#version = version;
    this.#log = log;
  }

  /** Call after each question to a node, with its health; null without an answer. */
  note(node: string, health: Health | null): void {
    const known = this.#known.get(node);
    if (health === null) {
      if (known) known.missed++;
    } else if (health.region && health.version === this.#version)
      this.#known.set(node, { region: health.region, missed: 0 });
    else this.#known.delete(node);
  }

  /** Call after each round of questions. */
  lookAround(): void {
    const wereThere = [...this.#known.values()].some(({ region }) => region !== this.own);
    this.#alone.note(this.#log, wereThere && this.elsewhere().length === 0, { region: this.own });
  }

  /** The nodes of other regions that are there. */
  elsewhere(): Located[] {
    return [...this.#known]
      .filter(([, { region, missed }]) => region !== this.own && missed < MOST_MISSED)
      .map(([node, { region }]) => ({ node, region }));
  }
}
