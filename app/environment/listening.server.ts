import { once } from "node:events";
import { createServer } from "node:net";
import type { Env } from "#app/env.server.ts";

type Place = Pick<Env, "HOST" | "PORT">;

/** Why the service cannot listen: one line that names the variable. */
export function listenProblem(error: NodeJS.ErrnoException, { HOST, PORT }: Place): string {
  switch (error.code) {
    case "EADDRINUSE":
      return `PORT must be free: ${PORT} is in use by another process`;
    case "EACCES":
      return `PORT must be one that this user may open: ${PORT} needs CAP_NET_BIND_SERVICE`;
    case "EADDRNOTAVAIL":
    case "EINVAL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `HOST must be an address of this machine, such as 127.0.0.1 or ::1; ${HOST} is none`;
    default:
      return `HOST and PORT must be an address to listen on: ${error.message}`;
  }
}

/** Listens for a moment. Returns a line that names the variable if that is not possible. */
export async function listenProblems(place: Place): Promise<string[]> {
  const server = createServer();
  try {
    server.listen(place.PORT, place.HOST);
    await once(server, "listening");
    return [];
  } catch (error) {
    return [listenProblem(error as NodeJS.ErrnoException, place)];
  } finally {
    server.close();
  }
}
