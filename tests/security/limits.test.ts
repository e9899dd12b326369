import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { memoryOf } from "../reliability/metrics.ts";
import { Client } from "../support/deed.ts";
import { type Service, startService } from "../support/service.ts";

const MB = 1024 * 1024;
const REFUSED = 300 * MB;

/** Posts 300 MB without reading the answer; resolves with the status once the connection closes. */
const postBlindly = (service: Service, path: string, type: string, framing: "length" | "chunks") =>
  new Promise<number>((resolve) => {
    const { host, port } = new URL(service.url);
    const data = "a".repeat(MB);
    const chunk = framing === "length" ? data : `${MB.toString(16)}\r\n${data}\r\n`;
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${host}`,
      `Origin: ${service.url}`,
      `Content-Type: ${type}`,
      framing === "length" ? `Content-Length: ${REFUSED}` : "Transfer-Encoding: chunked",
    ];
    let answer = "";
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("data", (bytes) => {
      answer += bytes;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(Number(answer.split(" ")[1])));
    let sent = 0;
    const pump = () => {
      while (sent < REFUSED && !socket.destroyed) {
        sent += MB;
        if (!socket.write(chunk)) return void socket.once("drain", pump);
      }
      socket.end();
    };
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    pump();
  });

it.runIf(process.platform === "linux")(
  "a body of 300 MB costs under 30 MB, declared or not, on the API and on a form",
  async () => {
    const own = await startService();
    const form = "application/x-www-form-urlencoded";
    onTestFinished(() => own.kill());
    const before = memoryOf(own.child.pid);
    const answers = [
      await postBlindly(own, "/api/auth/magic-link", "application/json", "length"),
      await postBlindly(own, "/api/auth/magic-link", "application/json", "chunks"),
      await postBlindly(own, "/sign-in?index", form, "chunks"),
      await postBlindly(own, "/nowhere", form, "length"),
      await postBlindly(own, "/sign-in?index", "multipart/form-data", "chunks"),
    ];
    const cost = memoryOf(own.child.pid, "VmHWM") - before;
    console.log(`five bodies of 300 MB: ${answers.join(", ")}, ${cost.toFixed(1)} MB`);
    expect(cost).toBeLessThan(30);
    expect(answers).toEqual([413, 413, 413, 404, 415]);
    expect((await new Client(own.url).get("/api/health")).status).toBe(200);
  },
);
