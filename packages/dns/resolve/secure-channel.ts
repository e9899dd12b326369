import { openDnsOverHttps } from "../wire/dns-over-https.ts";
import { dnsOverTls } from "../wire/dns-over-tls.ts";
import type { Query } from "../wire/message.ts";
import {
  IDLE_MS,
  openFailure,
  openTls,
  type Secure,
  type SecureReply,
  type SecureTransport,
} from "../wire/tls.ts";
import type { ReaderSettings, WitnessAddress } from "./reader.ts";

/** The channels of all witnesses that are asked over TLS or HTTPS. */
export function secureChannels(
  settings: Pick<ReaderSettings, "witnesses" | "authorities">,
): Map<WitnessAddress, SecureChannel> {
  const channels = new Map<WitnessAddress, SecureChannel>();
  for (const one of settings.witnesses)
    if (one.secure) channels.set(one, new SecureChannel(one, one.secure, settings.authorities));
  return channels;
}

/** A channel to one witness. All reads share one connection, which opens on demand and closes after some idle seconds. */
export class SecureChannel {
  private connection: Promise<SecureTransport> | null = null;

  constructor(
    private readonly to: { address: string; port: number },
    private readonly secure: Secure,
    private readonly authorities: string[] | undefined,
    private readonly idleMs = IDLE_MS,
  ) {}

  get transport(): Secure["transport"] {
    return this.secure.transport;
  }

  /** A kept connection may have died unnoticed, so a question lost on it is asked once more on a new one. */
  ask(query: Query, timeoutMs: number, signal: AbortSignal): Promise<SecureReply> {
    return new Promise((resolve) => {
      let over = false;
      let forget = () => {};
      const finish = (reply: SecureReply) => {
        if (over) return;
        over = true;
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
        forget();
        resolve(reply);
      };
      const giveUp = () => finish({ type: "failed", failure: "timeout" });
      const attempt = async () => {
        const isKept = this.connection !== null;
        const opening = this.connection ?? this.open();
        try {
          const connection = await opening;
          if (over) return;
          forget = connection.ask(query, (reply) => {
            if (reply !== "lost") return finish(reply);
            this.drop(opening);
            if (isKept && !over) void attempt();
            else giveUp();
          });
        } catch (error) {
          finish({ type: "failed", failure: openFailure(error) });
        }
      };
      const timer = setTimeout(() => {
        // The connection may be dead: the next question opens another, and this one closes when idle.
        if (this.connection) this.drop(this.connection);
        giveUp();
      }, timeoutMs);
      signal.addEventListener("abort", giveUp);
      if (signal.aborted) giveUp();
      else void attempt();
    });
  }

  close(): void {
    this.connection?.then(
      (connection) => connection.close(),
      () => {},
    );
    this.connection = null;
  }

  private open(): Promise<SecureTransport> {
    const { transport } = this.secure;
    const ended = () => this.drop(opening);
    const opening = openTls(this.to, this.secure, this.authorities).then((socket) =>
      transport === "tls"
        ? dnsOverTls(socket, this.idleMs, ended)
        : openDnsOverHttps(socket, this.secure, this.to, this.idleMs, ended),
    );
    opening.catch(ended);
    this.connection = opening;
    return opening;
  }

  private drop(connection: Promise<SecureTransport>): void {
    if (this.connection === connection) this.connection = null;
  }
}
