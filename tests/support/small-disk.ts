import { spawnSync } from "node:child_process";
import { onTestFinished, type TestContext } from "vitest";
import { passOver } from "./lacks.ts";
import { newFolder } from "./service.ts";

/** A disk of so many megabytes, until the test ends. Skips the test if this user may not mount disks. */
export function smallDisk({ skip }: TestContext, megabytes: number): string {
  const disk = newFolder();
  const options = `size=${megabytes}m,mode=0700`;
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk]);
  if (mounted.status !== 0) skip(passOver("the right to mount a disk"));
  onTestFinished(() => void spawnSync("umount", ["-l", disk]));
  return disk;
}
