import { createServer, type ServerResponse } from "node:http";
import { listening } from "./service.ts";

export type Post = { headers: Record<string, string>; body: string };

/** Receives webhooks in this process: records the posts, and chooses the answers. */
export class Hooks {
  readonly posts: Post[] = [];
  readonly hanging: ServerResponse[] = [];
  hangs = false;
  readonly #server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const headers = request.headers as Record<string, string>;
    this.posts.push({ headers, body });
    if (this.hangs) this.hanging.push(response);
    else response.writeHead(204).end();
  });

  open = () => listening(this.#server);

  close = () => this.#server.close();
}
