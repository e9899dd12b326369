import { copyFileSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { type Panel, startPanel } from "@deed/playground/panel/server.ts";
import { type Playground, startPlayground } from "@deed/playground/playground.ts";
import { openDatabase } from "#db/client.ts";
import { roomy } from "../../support/deed.ts";
import { productFolder } from "../../support/product.ts";
import {
  freePort,
  listening,
  newFolder,
  type Service,
  startService,
} from "../../support/service.ts";
import { OPERATOR, type Seeded } from "./seed.ts";

/** The services the gallery visits: a seeded one, one with exhausted budgets, and one without its primary. */
export type GalleryServices = {
  seeded: Seeded;
  playground: Playground;
  panel: Panel;
  service: Service;
  strict: Service;
  /** A cluster node that has lost its primary: it serves pages but cannot write. */
  orphan: Service;
  close(): Promise<void>;
};

export const LARGE_BUDGETS = roomy(
  ...["ZONES", "PROOFS", "PAGES", "API", "MAIL_ADDRESS", "MAILBOX", "MAIL_IP", "VERIFY"],
);
const SECRET = "gallery-gallery-gallery-gallery-gallery";

/** Simulates LiteFS on a node without a primary. */
async function startLiteFsWithoutPrimary(): Promise<{ url: string; stop(): void }> {
  const server = createServer((request, response) => {
    const lost = { isPrimary: false, hostname: "" };
    if (request.url === "/info") return response.end(JSON.stringify(lost));
    response.write(`${JSON.stringify({ type: "init", data: lost })}\n`);
  });
  return {
    url: await listening(server),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Locks a service's database as another writing process would. Returns the function that releases it. */
export function holdDatabase(dataDir: string): () => void {
  const { $client } = openDatabase(join(dataDir, "deed.db"));
  $client.exec("begin immediate");
  return () => $client.close();
}

async function startOrphan(database: string, litefs: string): Promise<Service> {
  const dataDir = newFolder();
  const copy = join(dataDir, "deed.db");
  copyFileSync(database, copy);
  const port = await freePort();
  return startService({
    dataDir,
    port,
    env: {
      LITEFS_URL: litefs,
      CLUSTER_SECRET: SECRET,
      SESSION_SECRET: SECRET,
      SIGNING_KEY: "5".repeat(64),
      BASE_URL: `http://localhost:${port}`,
      DATABASE_PATH: copy,
    },
  });
}

/** Starts the services on a copy of the seeded database. Everything is stopped in reverse order. */
export async function startGallery(): Promise<GalleryServices> {
  const from = process.env.GALLERY_SEED ?? "";
  const seeded = JSON.parse(readFileSync(join(from, "seeded.json"), "utf8")) as Seeded;
  const database = join(from, "deed.db");
  const dataDir = newFolder();
  copyFileSync(database, join(dataDir, "deed.db"));

  const playground = await startPlayground();
  const litefs = await startLiteFsWithoutPrimary();
  const [orphan, strict] = await Promise.all([
    startOrphan(database, litefs.url),
    startService({ env: { ...playground.env, RATE_LIMIT_ZONES: "1/3600" } }),
  ]);
  const service = await startService({
    dataDir,
    env: {
      ...playground.env,
      ...LARGE_BUDGETS,
      ADMIN: OPERATOR,
    },
  });
  const panel = await startPanel({
    playground,
    serviceUrl: service.url,
    outbox: join(dataDir, "outbox"),
    files: join(productFolder(), "build/commands/panel"),
  });
  return {
    seeded,
    playground,
    panel,
    service,
    strict,
    orphan,
    close: async () => {
      await panel.stop();
      await Promise.all([service.stop(), strict.stop(), orphan.stop()]);
      litefs.stop();
      await playground.stop();
    },
  };
}
