import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Playground, startPlayground } from "@deed/playground/playground.ts";
import { openDatabase } from "#db/client.ts";
import { roomy } from "../../support/deed.ts";
import { newFolder, type Service, startService } from "../../support/service.ts";
import { OPERATOR, type Seeded } from "./seed.ts";
import { keepPlans } from "./simulation.ts";

/** The services the gallery visits: a seeded one, and one with exhausted budgets. */
export type GalleryServices = {
  seeded: Seeded;
  playground: Playground;
  service: Service;
  strict: Service;
  close(): Promise<void>;
};

export const LARGE_BUDGETS = roomy(
  ...["ZONES", "PROOFS", "PAGES", "API", "MAIL_ADDRESS", "MAILBOX", "MAIL_IP", "VERIFY"],
);
/** Locks a service's database as another writing process would. Returns the function that releases it. */
export function holdDatabase(dataDir: string): () => void {
  const { $client } = openDatabase(join(dataDir, "deed.db"));
  $client.exec("begin immediate");
  return () => $client.close();
}

/** Starts the services on a copy of the seeded database. Everything is stopped in reverse order. */
export async function startGallery(): Promise<GalleryServices> {
  const from = process.env.GALLERY_SEED ?? "";
  const seeded = JSON.parse(readFileSync(join(from, "seeded.json"), "utf8")) as Seeded;
  const database = join(from, "deed.db");
  const dataDir = newFolder();
  const copy = join(dataDir, "deed.db");
  copyFileSync(database, copy);
  const db = openDatabase(copy);
  const stopKeeping = keepPlans(db, seeded.at);

  const playground = await startPlayground();
  const strict = await startService({ env: { ...playground.env, RATE_LIMIT_ZONES: "1/3600" } });
  const service = await startService({
    dataDir,
    env: {
      ...playground.env,
      ...LARGE_BUDGETS,
      ADMIN: OPERATOR,
      // The key of the seed.
      SIGNING_KEY: "5".repeat(64),
    },
  });
  return {
    seeded,
    playground,
    service,
    strict,
    close: async () => {
      stopKeeping();
      db.$client.close();
      await Promise.all([service.stop(), strict.stop()]);
      await playground.stop();
    },
  };
}
