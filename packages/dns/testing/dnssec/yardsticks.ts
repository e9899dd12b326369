import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ADDRESS, type World } from "./world.ts";

/** What other validators say now, with the same anchors. */
export type Yardsticks = { delv: string; unbound: string; ldns: string };

const run = (program: string, args: string[]) =>
  new Promise<{ text: string; code: number }>((resolve) => {
    execFile(program, args, { timeout: 20_000 }, (error, stdout, stderr) =>
      resolve({ text: stdout + stderr, code: error ? 1 : 0 }),
    );
  });

export async function prepare({ folder, anchors, port }: World): Promise<void> {
  const bind = anchors.map((line) => {
    const [, , , tag, algorithm, type, ...digest] = line.split(/\s+/);
    return `. static-ds ${tag} ${algorithm} ${type} "${digest.join("")}";`;
  });
  await writeFile(join(folder, "anchors.conf"), `trust-anchors { ${bind.join(" ")} };\n`);
  await writeFile(join(folder, "anchors.zone"), `${anchors.join("\n")}\n`);
  await writeFile(
    join(folder, "unbound.conf"),
    [
      "server:",
      "  do-not-query-localhost: no",
      // Unbound denies test itself (RFC 6761).
      '  local-zone: "test." nodefault',
      `  trust-anchor-file: "${join(folder, "anchors.zone")}"`,
      "forward-zone:",
      '  name: "."',
      `  forward-addr: ${ADDRESS}@${port}`,
      "",
    ].join("\n"),
  );
}

export async function askYardsticks(world: World, name: string, zone: string): Promise<Yardsticks> {
  const { folder, port } = world;
  const at = [`@${ADDRESS}`, "-p", String(port), "-a", join(folder, "anchors.conf"), "+root=."];
  const delv = await run("delv", [...at, `${name}.`, "TXT"]);
  const unbound = await run("unbound-host", [
    "-C",
    join(folder, "unbound.conf"),
    "-v",
    "-t",
    "TXT",
    `${name}.`,
  ]);
  const ldns = await run("ldns-verify-zone", ["-V", "1", world.fileOf(zone)]);
  return {
    delv: /; fully validated/.test(delv.text)
      ? "secure"
      : /; unsigned answer/.test(delv.text)
        ? "insecure"
        : (/;; resolution failed: (.*)/.exec(delv.text)?.[1] ?? delv.text.slice(0, 200)),
    unbound: (
      /\((secure|insecure|BOGUS)/.exec(unbound.text)?.[1] ?? unbound.text.slice(0, 200)
    ).toLowerCase(),
    ldns: ldns.code === 0 ? "good" : (ldns.text.trim().split("\n").slice(-1)[0] ?? ""),
  };
}
