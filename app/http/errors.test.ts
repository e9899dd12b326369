import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { testService } from "#app/core/testing/service.ts";
import type { App } from "./app.server.ts";
import { asDeedError } from "./errors.server.ts";

const app = { ...testService().ctx } as App;
const thrown = (code: string) => new Database.SqliteError("no", code);

test.each(["SQLITE_BUSY", "SQLITE_FULL", "SQLITE_IOERR_WRITE"])(
  "%s may pass: unavailable, with Retry-After",
  (code) => {
    const details = { retryAfter: 5 };
    expect(asDeedError(app, thrown(code))).toMatchObject({ code: "unavailable", details });
  },
);

test("what the database refuses for its content is a fault of ours", () => {
  expect(asDeedError(app, thrown("SQLITE_CONSTRAINT_CHECK")).code).toBe("internal");
  expect(asDeedError(app, new Error("no")).code).toBe("internal");
});
