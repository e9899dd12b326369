import { foundAt } from "@deed/dns/testing/readings.ts";
import { type TestService, testService } from "#app/core/testing/service.ts";
import { openDatabase } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";

/** The services on a database file, opened like the running service's; the record is in DNS. */
export function serviceOn(path: string): TestService {
  const db = openDatabase(path);
  migrateDatabase(db);
  const service = testService(db);
  service.see = foundAt;
  return service;
}
