import { once } from "node:events";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { says } from "../contract/sentences.ts";
import { signIn } from "../support/deed.ts";
import { startService } from "../support/service.ts";

/** Opens a connection to `url`, sends `octets`, and resolves once `awaited` came back. `rest`: everything until its end. */
async function send(url: string, octets: string, awaited: string) {
  const socket = connect(Number(new URL(url).port), "localhost");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.write(octets);
  let heard = "";
  socket.on("data", (octets) => {
    heard += octets;
  });
  const rest = once(socket, "close").then(() => heard);
  await expect.poll(() => heard).toContain(awaited);
  return { socket, rest };
}

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");

/** Has the service say so if it does not end by itself, because it waited for connections in vain. */
const TOLD = "process.exit was called";
const SCRIPT = `const { exit } = process;
  process.exit = (code) => { console.error("${TOLD}"); exit(code); };`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(SCRIPT)}`;

it(`${says("C14.6")}, and keeps nothing waiting, as idle connections`, async () => {
  const service = await startService({ env: { NODE_OPTIONS } });
  const { cookie } = await signIn(service, "mara@holder.example");
  const open: Awaited<ReturnType<typeof send>>[] = [];
  for (let i = 0; i < 5; i++) {
    open.push(await send(service.url, get("/api/events", `Cookie: ${cookie}`), ": open"));
    open.push(await send(service.url, get("/api/health"), '"status"'));
  }
  expect(await service.stop()).toBe(0);
  expect(service.output()).not.toContain(TOLD);
  await Promise.all(open.map(({ rest }) => rest));
});

it("gives a request under way its answer first", async () => {
  const service = await startService();
  const { cookie } = await signIn(service, "mara@holder.example");
  const body = JSON.stringify({ domain: "acme.com" });
  const head = [
    "POST /api/domains HTTP/1.1",
    ...["Host: localhost", `Cookie: ${cookie}`, "Content-Type: application/json"],
    ...[`Content-Length: ${body.length}`, "Expect: 100-continue", "", ""],
  ];
  const { socket, rest } = await send(service.url, head.join("\r\n"), "100 Continue");
  const stopped = service.stop();
  await expect.poll(() => fetch(service.url).catch(() => null)).toBeNull();
  socket.write(body);
  expect(await rest).toMatch(/^HTTP\/1.1 (201|503) /m);
  expect(await stopped).toBe(0);
});
