import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Post = { path: string; headers: Record<string, string>; body: string };

/** A receiver of webhooks in this process: what was posted, and how it answers. */
export class Hooks {
  readonly posts: Post[] = [];
  status = 204;
  readonly hanging: ServerResponse[] = [];
  hangs = false;
  readonly #server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const headers = request.headers as Record<string, string>;
    this.posts.push({ path: request.url ?? "", headers, body });
    if (this.hangs) this.hanging.push(response);
    else response.writeHead(this.status, { Location: "/elsewhere" }).end("<hello>");
  });

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close = () => this.#server.close();
}
