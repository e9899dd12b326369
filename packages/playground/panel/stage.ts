import type { Playground } from "../playground.ts";
import { txt } from "../records.ts";
import { hostsOf, siteRecords } from "../samples.ts";
import { type Names, SITUATIONS, type Situation } from "./situations.ts";

/** The state of a situation: not set up, waiting to be claimed, wrong, or put right. */
export type Progress = "absent" | "ready" | "wrong" | "right";

/** Sets situations up in the playground, makes them go wrong, and puts them right again. */
export class Stage {
  readonly #playground: Playground;
  readonly #label: string;
  readonly #progress = new Map<string, { progress: Progress; value: string }>();

  constructor(playground: Playground, label: string) {
    this.#playground = playground;
    this.#label = label;
  }

  find(code: string): Situation | undefined {
    return SITUATIONS.find((situation) => situation.code === code);
  }

  /** The situation's progress, and the last value it was given. */
  state({ code }: Situation): { progress: Progress; value: string } {
    return this.#progress.get(code) ?? { progress: "absent", value: "" };
  }

  names({ zone }: Situation): Names {
    return { zone, label: this.#label, challenge: `${this.#label}.${zone}` };
  }

  async setUp(situation: Situation): Promise<void> {
    const { zone, provider, spec } = situation;
    this.#clear(zone);
    this.#playground.addZone({
      name: zone,
      nameservers: hostsOf(provider),
      records: siteRecords(zone),
      times: { minimum: 60 },
      ...spec,
    });
    this.#set(situation, "ready", "");
    if (situation.atOnce) await this.goWrong(situation, "");
  }

  async goWrong(situation: Situation, value: string): Promise<void> {
    await situation.apply(this.#playground, this.names(situation), value);
    this.#set(situation, "wrong", value);
  }

  /** Restores the zone to a correct state: the record on every server, the right delegation, no faults. */
  putRight(situation: Situation, value: string): void {
    const { zone, provider, spec } = situation;
    this.#clear(zone);
    this.#playground.addZone({
      name: zone,
      nameservers: spec?.ownNameservers ?? hostsOf(provider),
      records: [...siteRecords(zone), txt(this.names(situation).challenge, value)],
      times: { minimum: 60, ...spec?.times },
    });
    this.#set(situation, "right", value);
  }

  #set({ code }: Situation, progress: Progress, value: string): void {
    this.#progress.set(code, { progress, value });
  }

  #clear(zone: string): void {
    this.#playground.clearFaults(zone);
    this.#playground.registry.register(zone, null);
    if (this.#playground.world.hasZone(zone)) this.#playground.removeZone(zone);
  }
}
