import { randomInt } from "node:crypto";
import { type Handler, type Listener, listen } from "./listener.ts";

/** One port number, open over UDP and TCP on several loopback addresses. */
export type Port = {
  number: number;
  /** Opens the port on one more address. Rejects if it is in use there. */
  open(address: string): Promise<void>;
  /** Sets the handler of an address; without one, nothing is answered. */
  serve(address: string, handler: Handler): void;
  close(): Promise<void>;
};

// Below the ephemeral port ranges.
const LOWEST_PORT = 10_000;
const HIGHEST_PORT = 32_000;
const MAX_TRIES = 30;

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error ? String(error.code) : "";

/** macOS and the BSDs configure only 127.0.0.1 on the loopback interface. */
const missingAddress = (address: string) =>
  new Error(
    `The address ${address} is not on this machine's loopback interface. Add 127.0.0.2 to 127.0.0.254, on macOS by: ` +
      "for i in $(seq 2 254); do sudo ifconfig lo0 alias 127.0.0.$i up; done",
  );

async function tryOpen(number: number, addresses: string[]): Promise<Port> {
  const handlers = new Map<string, Handler>();
  const listeners: Listener[] = [];
  const close = async () => {
    await Promise.all(listeners.splice(0).map((listener) => listener.close()));
  };
  const open = async (address: string) => {
    const answer: Handler = async (message, transport) =>
      (await handlers.get(address)?.(message, transport)) ?? null;
    listeners.push(await listen(address, number, answer));
  };
  try {
    for (const address of addresses)
      await open(address).catch((error) => {
        throw codeOf(error) === "EADDRNOTAVAIL" ? missingAddress(address) : error;
      });
  } catch (error) {
    await close();
    throw error;
  }
  return { number, open, serve: (address, handler) => void handlers.set(address, handler), close };
}

/** Finds a port that is free on every address, and opens it there. */
export async function openPort(addresses: string[]): Promise<Port> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryOpen(randomInt(LOWEST_PORT, HIGHEST_PORT), addresses);
    } catch (error) {
      if (codeOf(error) !== "EADDRINUSE" || attempt === MAX_TRIES) throw error;
    }
  }
}
