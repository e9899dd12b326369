import { randomBytes, randomInt } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Playground, startPlayground } from "@deed/playground/playground.ts";
import { roomy } from "../support/deed.ts";
import { freePort, newFolder } from "../support/service.ts";
import { buildLitefs } from "./build.ts";
import { Machine } from "./machine.ts";

type Options = { machines?: number; env?: Record<string, string> };

/** The machines of one cluster on separate loopback addresses; they read the DNS of an embedded playground. */
export class Cluster {
  readonly machines: Machine[] = [];
  readonly secret = randomBytes(32).toString("hex");
  readonly #clear = () => {
    for (const machine of this.machines) machine.clear();
  };

  private constructor(
    readonly playground: Playground,
    readonly baseUrl: string,
  ) {
    process.once("exit", this.#clear);
  }

  static async create({ machines = 3, env = {} }: Options = {}): Promise<Cluster> {
    const litefs = buildLitefs();
    const playground = await startPlayground();
    const folder = newFolder();
    const network = `127.${randomInt(64, 128)}.${randomInt(1, 255)}`;
    const baseUrl = `http://${network}.100:${await freePort()}`;
    const cluster = new Cluster(playground, baseUrl);
    const addresses = Array.from({ length: machines }, (_, i) => `${network}.${i + 1}`);
    const shared = {
      PORT: String(await freePort()),
      BASE_URL: baseUrl,
      LITEFS_LEASE: "static",
      CLUSTER_SECRET: cluster.secret,
      CLUSTER_NODES: addresses.join(","),
      SESSION_SECRET: randomBytes(32).toString("hex"),
      SIGNING_KEY: randomBytes(32).toString("hex"),
      // Without this, budgets would limit the writes.
      ...roomy(),
      ...playground.env,
      ...env,
    };
    for (const [i, address] of addresses.entries())
      cluster.machines.push(new Machine(litefs, join(folder, String(i + 1)), address, shared));
    return cluster;
  }

  machine(n: number): Machine {
    const machine = this.machines[n];
    if (!machine) throw new Error(`there is no machine ${n}`);
    return machine;
  }

  /** Starts every machine under a static lease, `primary` first, and waits until all serve. */
  async start(primary = this.machine(0)): Promise<void> {
    for (const machine of this.machines) machine.start(primary.address);
    await primary.leads();
    for (const machine of this.machines)
      if (machine !== primary) await machine.until(({ role }) => role === "replica");
  }

  /** Makes `chosen` the primary of `machines`, by docs/cluster.md, "Promote": all of them restart. */
  async promote(chosen: Machine, machines: Machine[]): Promise<void> {
    for (const machine of machines) {
      await machine.stop();
      machine.start(chosen.address);
    }
    await chosen.leads();
  }

  /** Waits until every running machine has reached the primary's position. */
  async settle(primary: Machine): Promise<void> {
    const { position } = await primary.serving();
    for (const machine of this.machines) if (machine.isRunning) await machine.reached(position);
  }

  /** Every mail from any machine, oldest first. */
  outbox(): string[] {
    return this.machines
      .map(({ folder }) => join(folder, "data", "outbox"))
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder).map((name) => ({ folder, name })))
      .sort((a, b) => a.name.localeCompare(b.name))
      .map(({ folder, name }) => readFileSync(join(folder, name), "utf8"));
  }

  async stop(): Promise<void> {
    await Promise.all(this.machines.map((machine) => machine.stop()));
    this.#clear();
    process.removeListener("exit", this.#clear);
    await this.playground.stop();
  }
}
