import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { targetService } from "../contract/kit.ts";
import { databaseFolder, databaseIn, fingerprint, openBeside, settle } from "./database.ts";
import { ADMIN, apiWrites, formWrites, type Write } from "./writes.ts";

const dataDir = databaseFolder();
const target = targetService({ ...databaseIn(dataDir), ADMIN });
let db: Database.Database;
beforeAll(() => {
  db = openBeside({ dataDir });
});
afterAll(() => db.close());

type Headers = Record<string, string>;
const FORM = "application/x-www-form-urlencoded";
/** Routes whose action writes nothing: the page of any other address, and the one that checks receipts, below. */
const NO_WRITES = ["$.tsx", "verify.tsx"];

/** Headers of writes a browser can be made to send by another site, or by a page that hides its origin. */
function foreign(): Headers[] {
  const { host, port } = new URL(target().url);
  return [
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { Origin: `http://evil.${host}` },
    { Origin: `https://${host}` },
    { Origin: `http://localhost:${Number(port) + 1}` },
    { Origin: `${target().url}.evil.example` },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site", Origin: target().url },
  ];
}

function send(write: Write, headers: Headers, type?: string) {
  const text = write.form
    ? String(new URLSearchParams(write.form))
    : write.json === undefined
      ? undefined
      : JSON.stringify(write.json);
  const contentType = type ?? (write.form ? FORM : text === undefined ? null : "application/json");
  const [method] = write.form ? ["POST"] : write.at.split(" ");
  return (write.client ?? target().stranger()).request(method ?? "POST", write.path, {
    headers: { ...headers, ...(contentType ? { "content-type": contentType } : {}) },
    ...(text === undefined ? (type ? { body: "{}" } : {}) : { body: text }),
  });
}

const told: { attempts: number; changes: number } = { attempts: 0, changes: 0 };

/** Expects every foreign attempt at each write to change nothing, and the same write from this origin to succeed. */
async function expectOnlyOwn(writes: Write[], types: string[]): Promise<void> {
  for (const write of writes) {
    await settle(db);
    const cookie = write.client?.cookie;
    const state = () => fingerprint(db);
    const before = state();
    const answers = await Promise.all([
      ...foreign().map((headers) => send(write, headers)),
      ...types.map((type) => send(write, {}, type)),
    ]);
    expect([write.at, ...answers.map(({ status }) => status)]).toEqual([
      write.at,
      ...foreign().map(() => 403),
      ...types.map(() => 415),
    ]);
    told.attempts += foreign().length + types.length;
    if (state() !== before) told.changes += 1;
    expect([write.at, state()]).toEqual([write.at, before]);
    expect(write.client?.cookie).toBe(cookie);

    const own = await send(write, { Origin: target().url, "Sec-Fetch-Site": "same-origin" });
    expect([write.at, own.status < 400, own.text.slice(0, 300)]).toEqual([
      write.at,
      true,
      expect.anything(),
    ]);
    expect([write.at, state() !== before]).toEqual([write.at, true]);
  }
}

describe("a write from another site", () => {
  it("changes nothing, at any entry of the endpoint table", async () => {
    const writes = await apiWrites(target(), dataDir);
    const listed = ENDPOINTS.filter(({ method }) => method !== "GET");
    expect(writes.map(({ at }) => at).sort()).toEqual(
      listed.map(({ method, path }) => `${method} ${path}`).sort(),
    );
    await expectOnlyOwn(writes, ["text/plain", FORM, "multipart/form-data; boundary=x"]);
  });

  it("changes nothing, at any form of a page", async () => {
    const routes = readdirSync("app/routes").filter((file) => /\.tsx$/.test(file));
    const withForms = routes.filter(
      (file) =>
        !NO_WRITES.includes(file) &&
        /export (?:async function|function|const) action\b/.test(
          readFileSync(join("app/routes", file), "utf8"),
        ),
    );
    const writes = await formWrites(target(), dataDir);
    expect([...new Set(writes.map(({ at }) => at))].sort()).toEqual(withForms.sort());
    await expectOnlyOwn(writes, [
      "text/plain",
      "application/json",
      "multipart/form-data; boundary=x",
    ]);
  });

  it("is not answered with a checked receipt, which changes nothing anyway", async () => {
    const { kid, cases } = JSON.parse(
      readFileSync("packages/receipt/testing/vectors.json", "utf8"),
    ) as {
      kid: string;
      cases: { name: string; file: string }[];
    };
    const part = (name: string, text: string) =>
      `--x\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${text}\r\n--x--\r\n`;
    const post = (file: string, headers: Headers, type = "multipart/form-data; boundary=x") =>
      target()
        .stranger()
        .request("POST", "/verify", {
          headers: { ...headers, "content-type": type },
          body: part('"key"', kid).replace("--x--\r\n", "") + part('"receipt"; filename="r"', file),
        });
    const file = cases.find(({ name }) => name === "unsigned zone")?.file ?? "";
    await settle(db);
    const before = fingerprint(db);
    for (const headers of foreign()) expect((await post(file, headers)).status).toBe(403);
    expect((await post(file, {}, FORM)).status).toBe(415);
    const own = { Origin: target().url, "Sec-Fetch-Site": "same-origin" };
    const good = await post(file, own);
    expect([good.status, good.text]).toEqual([
      200,
      expect.stringContaining("This receipt is good."),
    ]);
    expect(good.text).toContain("The server of this installation checked the file");
    const bad = await post(file.replace("deed-receipt/1", "<b>"), own);
    expect([bad.status, bad.text]).toEqual([
      200,
      expect.stringContaining("This receipt is bad. Do not rely on it."),
    ]);
    expect((await post("", own)).status).toBe(400);
    expect((await post(" ".repeat(80_000), own)).status).toBe(413);
    expect(fingerprint(db)).toBe(before);
  });

  it("was tried at every endpoint", () => {
    console.log(`${told.attempts} foreign writes, ${told.changes} state changes`);
    expect(told.attempts).toBeGreaterThan(400);
    expect(told.changes).toBe(0);
  });
});
