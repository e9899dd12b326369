import { createSocket } from "node:dgram";
import { connect } from "node:net";
import { framed, type LabQuery, LabServer, onMessages } from "@deed/dns/testing/lab-server.ts";
import type { Manner } from "./manners.ts";

/** How long to wait for a knotd, in milliseconds. */
const PATIENCE = 5_000;
/** The reader's address. */
const OURS = "127.0.0.1";

export type Front = { close(): void };

/** A server's answer at an address; null if there is none in time. */
export const forward = ({ bytes, transport }: LabQuery, address: string, port: number) =>
  transport === "udp" ? overUdp(bytes, address, port) : overTcp(bytes, address, port);

function overUdp(bytes: Buffer, address: string, port: number): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const socket = createSocket("udp4");
    const end = (answer: Buffer | null) => {
      clearTimeout(timer);
      socket.removeAllListeners().close();
      resolve(answer);
    };
    const timer = setTimeout(() => end(null), PATIENCE);
    socket.on("error", () => end(null));
    socket.on("message", (answer) => end(answer));
    socket.send(bytes, port, address);
  });
}

function overTcp(bytes: Buffer, address: string, port: number): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const socket = connect(port, address, () => socket.write(framed(bytes)));
    const end = (answer: Buffer | null) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PATIENCE, () => end(null));
    socket.on("error", () => end(null));
    socket.on("close", () => end(null));
    onMessages(socket, end);
  });
}

/** Listens in front of a server. `behind`: the addresses that a turn may ask. */
export async function openFront(
  address: string,
  port: number,
  { answer, only }: Manner,
  behind: { own: string; has: string; not: string },
): Promise<Front> {
  const server = new LabServer(address, [], {
    ...(only === "tcp" && { udp: "closed" }),
    ...(only === "udp" && { tcp: "closed" }),
    behaviour: async (query, server) => {
      const turn = {
        ...query,
        isOurs: query.from === OURS,
        ask: () => forward(query, behind.own, port),
        askThat: (backend: "has" | "not") => forward(query, behind[backend], port),
      };
      return [(await answer(turn, server)) ?? []].flat();
    },
  });
  await server.listen(port);
  return server;
}
