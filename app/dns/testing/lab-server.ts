import { createSocket, type Socket } from "node:dgram";
import { createServer, type Server } from "node:net";
import { decode, encode } from "dns-packet";
import { lowerCase } from "../names.ts";
import { answerFrom, empty, type LabAnswer, type LabZone } from "./lab-zone.ts";

export type LabQuery = {
  bytes: Buffer;
  id: number;
  /** As asked, and in lower case. */
  rawName: string;
  name: string;
  type: string;
  transport: "udp" | "tcp";
};

/** Bytes to send back, one message or several; nothing at all; or the plain answer of the server's zones. */
export type LabReply = Buffer | Buffer[] | "silence" | "honest" | "refuse_connection";
export type LabBehaviour = (query: LabQuery, server: LabServer) => LabReply | Promise<LabReply>;

/** An authoritative server on one loopback address that can be made to misbehave. */
export class LabServer {
  readonly seen: LabQuery[] = [];
  private readonly udp: Socket;
  private readonly tcp: Server;

  constructor(
    readonly address: string,
    readonly zones: LabZone[],
    private readonly behaviour: LabBehaviour = () => "honest",
  ) {
    this.udp = createSocket(address.includes(":") ? "udp6" : "udp4");
    this.tcp = createServer();
  }

  async listen(port: number): Promise<void> {
    this.udp.on("message", async (bytes, from) => {
      for (const reply of await this.reply(bytes, "udp")) {
        this.udp.send(reply, from.port, from.address);
      }
    });
    this.tcp.on("connection", (socket) => {
      socket.on("error", () => socket.destroy());
      socket.on("data", async (chunk: Buffer) => {
        for (const reply of await this.reply(chunk.subarray(2), "tcp")) {
          const length = Buffer.alloc(2);
          length.writeUInt16BE(reply.length);
          socket.write(Buffer.concat([length, reply]));
        }
      });
    });
    await new Promise<void>((resolve, reject) => {
      this.udp.once("error", reject);
      this.udp.bind(port, this.address, resolve);
    });
    await new Promise<void>((resolve, reject) => {
      this.tcp.once("error", reject);
      this.tcp.listen(port, this.address, resolve);
    });
  }

  close(): void {
    this.udp.close();
    this.tcp.close();
  }

  /** The answer the server's zones give, encoded; `change` alters it first. */
  honest(query: LabQuery, change: (answer: LabAnswer) => LabAnswer = (answer) => answer): Buffer {
    const answer = change(answerFrom(this.zones, query.name, query.type) ?? empty(5, false));
    return encodeAnswer(query, answer);
  }

  private async reply(bytes: Buffer, transport: "udp" | "tcp"): Promise<Buffer[]> {
    const packet = decode(bytes);
    const [question] = packet.questions ?? [];
    if (!question) return [];
    const query: LabQuery = {
      bytes: Buffer.from(bytes),
      id: packet.id ?? 0,
      rawName: question.name,
      name: lowerCase(question.name),
      type: question.type,
      transport,
    };
    this.seen.push(query);
    const reply = await this.behaviour(query, this);
    if (reply === "silence") return [];
    if (reply === "honest") return [this.honest(query)];
    return Array.isArray(reply) ? reply : [reply as Buffer];
  }
}

/** Encodes an answer to a query, echoing its question as it was asked. */
export function encodeAnswer(query: LabQuery, answer: LabAnswer, flags = 0): Buffer {
  return encode({
    id: query.id,
    type: "response",
    flags: (answer.aa ? 0x400 : 0) | answer.rcode | flags,
    questions: [{ name: query.rawName, type: query.type as "TXT", class: "IN" }],
    answers: answer.answers,
    authorities: answer.authorities,
    additionals: answer.additionals,
  });
}
