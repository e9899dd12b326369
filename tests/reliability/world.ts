import { foundAt } from "#app/services/testing/observations.ts";
import { type TestService, testService } from "#app/services/testing/service.ts";
import { type Db, openDatabase } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";

/** The services on a database file, as the running service opens it; the record is there to be found. */
export function serviceOn(path: string): TestService {
  const db = openDatabase(path);
  migrateDatabase(db);
  const service = testService(db);
  service.see = foundAt;
  return service;
}

/** Looks at every transaction of one connection: `before` its commit, still inside it, and `after`. */
export function watchCommits(db: Db, watch: { before?: () => void; after?: () => void }): void {
  const transaction = db.transaction.bind(db);
  db.transaction = (work, config) => {
    const result = transaction((tx) => {
      const made = work(tx);
      watch.before?.();
      return made;
    }, config);
    watch.after?.();
    return result;
  };
}
