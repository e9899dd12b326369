import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { lacks, passOver } from "../support/lacks.ts";
import { launch } from "../support/service.ts";

/** As root by right, else as root of a namespace of users. */
const OWN = process.getuid?.() === 0 ? ["-n"] : ["-rn"];
const INTERFACE = "ip link add out0 type veth peer name out1";

const isRefused = () =>
  spawnSync("unshare", [...OWN, "sh", "-c", INTERFACE]).status !== 0 &&
  passOver(`the right to \`unshare ${OWN}\``);

it.skipIf(lacks("unshare", "ip") || isRefused())(
  "whatever a test starts, and however, no packet of it leaves this machine",
  async () => {
    const script = ["--import", "tsx", "tests/security/outward/every-way.ts"];
    const { ended, printed } = launch("unshare", [...OWN, process.execPath, ...script]);
    expect([await ended, printed()]).toEqual([0, expect.any(String)]);
    const { "a packet of a program that is not Node's": unfenced, ...fenced } = JSON.parse(
      printed().trimEnd().split("\n").at(-1) ?? "",
    );
    expect(unfenced).toBe(1);
    expect(Object.keys(fenced)).toHaveLength(7);
    expect(fenced).toEqual(Object.fromEntries(Object.keys(fenced).map((way) => [way, 0])));
  },
);
