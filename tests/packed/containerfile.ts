import { cpSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run, runIn } from "./tree.ts";

/** What a Containerfile says of the container that starts from its image. */
export type Image = {
  env: Record<string, string>;
  user: string;
  workdir: string;
  /** Folders that are writable though the root is not. */
  volumes: string[];
  command: string[];
  healthcheck: string[];
};

const instructions = (text: string) =>
  text
    .replaceAll(/^\s*#.*\n/gm, "")
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .map((line) => /^([A-Z]+)\s+(.*)$/.exec(line.trim()))
    .flatMap((match) => (match ? [[match[1] ?? "", match[2] ?? ""] as const] : []));

const pairOf = (text: string) => text.split(/=(.*)/s).slice(0, 2) as [string, string];

/** Executes the steps of a Containerfile in a tree that holds what its FROM names. Throws at an unknown step. */
export function build(file: string, tree: string, args: Record<string, string>): Image {
  const variables: Record<string, string> = {};
  const image: Image = {
    env: {},
    user: "0:0",
    workdir: "/",
    volumes: [],
    command: [],
    healthcheck: [],
  };
  let entrypoint: string[] = [];
  for (const [name, raw] of instructions(readFileSync(file, "utf8"))) {
    const text = raw.replaceAll(/\$\{(\w+)\}/g, (_, key: string) => variables[key] ?? "");
    if (name === "ARG") {
      const [key, value] = pairOf(text);
      variables[key] = args[key] ?? value;
    } else if (name === "ADD") {
      const [source = "", target = ""] = text.split(/\s+/);
      const found = globSync(source);
      if (found.length !== 1) throw new Error(`ADD ${source} finds ${found.length} files`);
      run("tar", ["-xzf", found[0] ?? "", "-C", join(tree, target)]);
    } else if (name === "COPY") {
      const [source = "", target = ""] = text.split(/\s+/);
      cpSync(source, join(tree, target), { recursive: true });
    } else if (name === "RUN") {
      const { status, stderr } = runIn(tree, ["/bin/sh", "-c", text], image.env);
      if (status !== 0) throw new Error(`RUN ${text}: ${stderr}`);
    } else if (name === "ENV") {
      const [key, value] = pairOf(text);
      image.env[key] = value;
    } else if (name === "USER") image.user = text;
    else if (name === "WORKDIR") image.workdir = text;
    else if (name === "VOLUME") image.volumes.push(text);
    else if (name === "ENTRYPOINT") entrypoint = JSON.parse(text);
    else if (name === "CMD") image.command = [...entrypoint, ...JSON.parse(text)];
    else if (name === "HEALTHCHECK") image.healthcheck = JSON.parse(text.replace(/^.*\bCMD /, ""));
    else if (!["FROM", "EXPOSE", "STOPSIGNAL"].includes(name))
      throw new Error(`tests/packed does not know ${name}`);
  }
  return image;
}
