/**
 * `npm run fuzz -- costs`: searches for the message that is most expensive to decode, and measures whole reads from
 * servers that send as much work as possible. `npm run fuzz -- costs 200 7`: number of generations and seed.
 */
import type { Plan } from "./hostile-server.ts";
import { generator, worstMessage } from "./worst-message.ts";
import { TOKEN, worstRead } from "./worst-read.ts";

const PLAIN: Plan = {
  transport: "tcp",
  values: "none",
  message: null,
  pieces: 0,
  useless: 0,
  flood: 0,
  token: TOKEN,
};
const READS = 15;

export async function searchCosts(generations: number, seed: number): Promise<void> {
  let worst: Buffer | null = null;
  let ms = 0;
  for (const by of ["steps", "steps an octet", "time"] as const) {
    const found = worstMessage(by, generations, generator(seed));
    console.log(
      `worst message by ${by}: ${found.ms.toFixed(2)} ms, ${found.steps} steps, ${found.bytes.length} octets, ${found.bytes.readUInt16BE(6)} records`,
    );
    if (found.ms > ms) [ms, worst] = [found.ms, found.bytes];
  }
  const plans: [string, Partial<Plan>][] = [
    ["no values", {}],
    ["13 long values", { values: "long" }],
    ["6,630 values", { values: "many" }],
    ["6,630 values, over UDP", { values: "many", transport: "udp" }],
    ["6,435 values that begin alike", { values: "alike" }],
    ["values that are no text", { values: "garbage" }],
    ["values close to the token", { values: "near" }],
    ["useless answers on the way, 6,630 values", { values: "many", useless: 5 }],
    ["6,630 values, in forty pieces each", { values: "many", pieces: 420 }],
  ];
  const show = async (what: "challenge" | "zone", name: string, plan: Partial<Plan>) => {
    const { cpuMs, outcome } = await worstRead({ ...PLAIN, ...plan }, what, READS);
    console.log(`${what}, ${name}: ${cpuMs.toFixed(1)} ms, ${outcome}`);
  };
  for (const [name, plan] of plans) await show("challenge", name, plan);
  for (const [name, message] of [
    ["names beside the way", null],
    ["the worst message", worst],
    ["a chain of pointers", "chain"],
  ] as const) {
    const plan = {
      useless: 5,
      message: typeof message === "string" ? message : (message?.toString("base64") ?? null),
    };
    await show("zone", `useless answers: ${name}`, plan);
    await show("zone", `useless answers over UDP: ${name}`, { ...plan, transport: "udp" });
  }
}
