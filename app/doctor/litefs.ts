import { readInfo, readLag, readPosition } from "#app/cluster/litefs.server.ts";
import { durationInWords } from "#app/dns/copy/wording.ts";
import type { Env } from "#app/env.server.ts";
import { about, type Probe } from "./finding.ts";

const { ok, warning, broken } = about("LiteFS");
/** The primary sends a heartbeat every second; after this the service takes it for lost (app/cluster). */
const SILENT_MS = 5_000;

/** This machine's place in the cluster: its role, the primary, and how far its copy is behind. */
export const examineLitefs =
  ({ cluster, DATABASE_PATH }: Env): Probe =>
  async () => {
    if (!cluster) return [];
    const view = await readInfo(cluster.litefsUrl).catch((error: unknown) => error as Error);
    if (view instanceof Error)
      return [
        broken(
          `${cluster.litefsUrl} does not answer: ${view.message}`,
          "Start LiteFS (`litefs mount`), or correct LITEFS_URL: it is LiteFS's own port, 20202 by default.",
        ),
      ];
    const position = readPosition(DATABASE_PATH);
    const at = `at transaction ${position}`;
    if (view.isPrimary) return [ok(`this machine is the primary, ${at}`)];
    if (view.hostname === "")
      return [
        broken(
          `this machine is a replica, ${at}, and there is no primary: nothing can be written`,
          "Start LiteFS on a machine that may become primary, and check that all reach the lease (Consul).",
        ),
      ];
    const primary = view.hostname;
    const lag = readLag(DATABASE_PATH);
    if (position === 0n || lag === null || lag > SILENT_MS)
      return [
        warning(
          `this machine is a replica of ${primary}, ${at}, and ${lag === null ? "has heard nothing from it yet" : `last heard from it ${durationInWords(lag / 1_000)} ago`}`,
          "Check that this machine reaches the primary's LiteFS, and that the primary is not paused.",
        ),
      ];
    return [ok(`this machine is a replica of ${primary}, ${at}, ${lag} ms behind`)];
  };
