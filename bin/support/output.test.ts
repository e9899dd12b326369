import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { guardTerminal, rewriteLine, styled } from "./output.ts";

const { stdout, stderr } = process;
const kept = [stdout, stderr].map(({ write, isTTY }) => ({ write, isTTY }));
let written: string[];
beforeEach(() => {
  written = [];
  vi.stubEnv("NO_COLOR", "");
  for (const stream of [stdout, stderr]) {
    stream.isTTY = true;
    stream.write = (text: string | Uint8Array) => written.push(String(text)) > 0;
  }
});
afterEach(() => {
  for (const [index, stream] of [stdout, stderr].entries()) Object.assign(stream, kept[index]);
});

it("ends without a word once the reader of a pipe stops", () => {
  const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
  guardTerminal();
  stdout.emit("error", new Error("write EPIPE"));
  expect(exit).toHaveBeenCalledWith(1);
});

it("lets our own styles through to a terminal, and escapes what is in the text", () => {
  guardTerminal();
  stdout.write(`${styled("green", "good \x1b[31mevil")} \x1b[2J\n`);
  rewriteLine("checking \x9b2J\r…");
  stderr.write(Buffer.from([0x1b, 0x9b, 0xff, 0x0a]));
  expect(written).toEqual([
    "\x1b[32mgood \\u001b[31mevil\x1b[39m \\u001b[2J\n",
    "\x1b[G\x1b[Kchecking \\u009b2J\\u000d…",
    "\\u001b\ufffd\ufffd\n",
  ]);
});
