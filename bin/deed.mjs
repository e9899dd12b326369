#!/usr/bin/env node
// This is plain JavaScript that old versions of Node can parse, so that they can say they are too old.
import { existsSync } from "node:fs";
import { inspect } from "node:util";

const MIN_NODE = 22;
const PROGRAM = new URL("../build/commands/deed.js", import.meta.url);

function end(reason) {
  console.error(reason);
  process.exit(1);
}

const { node } = process.versions;
if (Number.parseInt(node, 10) < MIN_NODE)
  end(
    `Deed runs on Node ${MIN_NODE} and newer; this is ${node}. Install a newer one, or Deed's archive, which brings Node.`,
  );
if (!existsSync(PROGRAM)) end("There is no build yet: run `npm ci && npm run build` first.");
import(PROGRAM.href).then(({ guardTerminal, run }) => {
  guardTerminal();
  // Without this listener, Node would print the error unescaped.
  process.on("uncaughtException", (error) => end(inspect(error)));
  return run(process.argv.slice(2));
});
