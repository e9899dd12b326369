import { existsSync } from "node:fs";
import type { Context, Log } from "#app/core/context.server.ts";
import { settingsOf } from "#app/core/settings.server.ts";
import { createContext } from "#app/create-context.server.ts";
import type { Env } from "#app/environment/env.server.ts";
import { type Db, isWritable, openDatabase } from "#db/client.ts";
import { RefusedDatabase } from "#db/migrate.ts";
import { checkDatabase, openReplicated } from "#db/open-own.ts";
import { readTerm } from "#db/term.ts";
import { loadEnvironment } from "./environment.ts";
import { CommandError } from "./output.ts";

const doNothing = () => {};
const SILENT_LOG: Log = { debug: doNothing, info: doNothing, warn: doNothing, error: doNothing };

/** Stands for a part that commands do not have: any use throws. */
const UNUSABLE: never = new Proxy({} as never, {
  get: (_, name) => {
    throw new Error(`commands neither read DNS, call out, send mail nor sign: ${String(name)}`);
  },
});

/** Opens the database, which the service may have open too. Throws a CommandError. */
function openCurrentDatabase(path: string): Db {
  if (!existsSync(path)) throw new CommandError(`${path} does not exist: start Deed once`);
  try {
    if (checkDatabase(path)?.pending.length === 0) return openDatabase(path);
  } catch (error) {
    throw error instanceof RefusedDatabase ? new CommandError(error.message) : error;
  }
  throw new CommandError(`${path} is from another version: start Deed once to migrate it`);
}

async function openClusterDatabase(env: Env, cluster: NonNullable<Env["cluster"]>) {
  const { DATABASE_PATH } = env;
  const { joinCluster } = await import("#app/cluster/join.server.ts");
  const node = await joinCluster(env, cluster, () => readTerm(DATABASE_PATH), SILENT_LOG);
  const db = await openReplicated(DATABASE_PATH, node, doNothing);
  if (isWritable(db)) return { db, node };
  node.stop();
  db.$client.close();
  throw new CommandError("This node is not the primary: run the command there.");
}

/** Runs `work` with the context of a command; in a cluster, only on the primary. */
export async function runAsOperator<T>(work: (ctx: Context) => T | Promise<T>): Promise<T> {
  const env = loadEnvironment();
  const { db, node = null } = env.cluster
    ? await openClusterDatabase(env, env.cluster)
    : { db: openCurrentDatabase(env.DATABASE_PATH) };
  try {
    return await work(
      createContext({
        db,
        clock: Date.now,
        timekeeper: { resume: doNothing, reasonToWait: () => null },
        random: Math.random,
        settings: settingsOf(env),
        ...{ reader: UNUSABLE, signer: UNUSABLE, mailer: UNUSABLE, outbound: UNUSABLE },
        ...{ registry: null, stamper: null },
        log: SILENT_LOG,
      }),
    );
  } finally {
    node?.stop();
    db.$client.close();
  }
}
