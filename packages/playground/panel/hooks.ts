import type { IncomingMessage } from "node:http";
import { type Html, html } from "./html.ts";
import { head, page } from "./layout.ts";
import { readText } from "./request.ts";

type Post = { at: string; event: string; body: string };

const MAX_POSTS = 50;

/** Receives the service's webhooks: accepts every post, checks no signature, and shows what came. */
export class Hooks {
  readonly #posts: Post[] = [];

  async take(request: IncomingMessage): Promise<void> {
    const at = new Date().toISOString();
    const text = await readText(request, "application/json");
    this.#posts.unshift({ at, ...readEvent(text) });
    this.#posts.length = Math.min(this.#posts.length, MAX_POSTS);
  }

  page(panelUrl: string): Html {
    const address = html`<code>${panelUrl}/hooks</code>`;
    return page(
      "Webhooks",
      html`${head("Webhooks", html`In Deed, under Account, Webhooks, add ${address}. What Deed posts to it appears here.`)}
${this.#posts.length > 0 ? null : html`<p>No posts yet.</p>`}
${this.#posts.map(
  ({ at, event, body }, index) =>
    html`<details${index === 0 ? html` open` : null}><summary>${event}</summary><p class="soft">${at}</p><pre class="mono">${body.split("\n").map((line) => html`${line}\n`)}</pre></details>
`,
)}`,
    );
  }
}

function readEvent(text: string): Omit<Post, "at"> {
  try {
    const body: unknown = JSON.parse(text);
    const isNamed = typeof body === "object" && body !== null && "type" in body;
    return {
      event: isNamed ? String(body.type) : "No event",
      body: JSON.stringify(body, null, 2),
    };
  } catch {
    return { event: "Not JSON", body: text };
  }
}
