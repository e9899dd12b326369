import { productFolder } from "../support/product.ts";
import { launch } from "../support/service.ts";
import type { Machine } from "./machine.ts";

export async function on(machine: Machine, primary: Machine, command: string, ...args: string[]) {
  const env = machine.env(primary.address);
  const { ended, printed } = launch(command, args, { cwd: productFolder(), env });
  return { status: await ended, said: printed() };
}
