import { spawn } from "node:child_process";
import { productFolder } from "../support/product.ts";
import type { Machine } from "./machine.ts";

export function on(machine: Machine, primary: Machine, command: string, ...args: string[]) {
  return new Promise<{ status: number | null; said: string }>((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: productFolder(),
      env: machine.env(primary.address),
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        said += chunk;
      });
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, said }));
  });
}
