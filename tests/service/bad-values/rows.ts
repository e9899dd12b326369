import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { openOwnDatabase } from "../../../db/open-own.ts";
import { isRoot } from "../../support/command.ts";

/** Replaces the new folder of each row; messages then show /srv/deed. */
const HERE = "/srv/deed";

type Prepare = (folder: string) => string | undefined;
export type Row = {
  env: Record<string, string>;
  /** A note on the value, if it does not show what is wrong. */
  note?: string | undefined;
  /** Returns what is wanting, if this machine cannot try the row. */
  prepare?: Prepare | undefined;
  isPlainUser: boolean;
  isInDotEnv: boolean;
};

const SECRET = "s".repeat(32);
const mail = { MAIL_FROM: "deed@example.org" };
const written =
  (name: string, text: string, mode = 0o644): Prepare =>
  (folder) => {
    writeFileSync(join(folder, name), text, { mode });
    chmodSync(join(folder, name), mode);
    return undefined;
  };

function foreignDatabase(folder: string): undefined {
  const sqlite = new Database(join(folder, "deed.db"));
  sqlite.exec("create table users (id integer primary key)");
  sqlite.close();
}

function newerDatabase(folder: string): undefined {
  const { $client } = openOwnDatabase(join(folder, "deed.db"), () => {});
  $client.exec("insert into __drizzle_migrations (hash, created_at) values ('x', 9999999999999)");
  $client.close();
}

/** Only root can prepare another user's files. */
const byRoot =
  (prepare: Prepare): Prepare =>
  (folder) =>
    isRoot ? prepare(folder) : "root";

const closed = byRoot((folder) => {
  mkdirSync(join(folder, "closed"), { mode: 0o700 });
  return undefined;
});

const others = byRoot(written("deed.db", "", 0o600));

const disk = (options: string) => (folder: string) => {
  mkdirSync(join(folder, "disk"));
  const mount = ["-t", "tmpfs", "-o", options, "tmpfs", join(folder, "disk")];
  return spawnSync("mount", mount).status === 0 ? undefined : "the right to mount";
};

const privilegedPorts = () =>
  Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8")) > 80
    ? undefined
    : "a port that plain users may not have";

/** Started by a user who is not root (`plain`), or set in .env in the working directory alone (`.env`). */
const LISTED: [Row["env"], note?: string, prepare?: Prepare, how?: "plain" | ".env"][] = [
  [{ PORT: "abc" }],
  [{ PORT: "3000" }, "in use"],
  [{ PORT: "80" }, "as a user who is not root", privilegedPorts, "plain"],
  [{ HOST: "192.0.2.1" }, "another machine's"],
  [{ HOST: "http://localhost" }],
  [{ HOST: "nowhere.invalid" }],
  [{ BASE_URL: "deed.example.org" }],
  [{ DATA_DIR: "/proc/deed" }, undefined, byRoot(() => undefined)],
  [{ DATA_DIR: `${HERE}/file` }, "a file", written("file", "")],
  [{ DATA_DIR: `${HERE}/file/data` }, "below a file", written("file", "")],
  [{ DATA_DIR: `${HERE}/closed` }, "of another user", closed, "plain"],
  [{ DATA_DIR: `${HERE}/disk` }, "read-only", disk("ro")],
  [{ DATA_DIR: `${HERE}/disk` }, "a full disk", disk("size=64k")],
  [{ DATA_DIR: HERE }, "with an empty `session-secret`", written("session-secret", "", 0o600)],
  [{ DATA_DIR: HERE }, "with an empty `signing-key`", written("signing-key", "", 0o600)],
  [{ DATABASE_PATH: HERE }, "a folder"],
  [{ DATABASE_PATH: `${HERE}/missing/deed.db` }, "in a folder that is missing"],
  [{ DATABASE_PATH: `${HERE}/closed/deed.db` }, "in a folder of another user", closed, "plain"],
  [{ DATABASE_PATH: `${HERE}/deed.db` }, "of another user", others, "plain"],
  [{ DATABASE_PATH: `${HERE}/notes.txt` }, "a text file", written("notes.txt", "notes\n")],
  [{ DATABASE_PATH: `${HERE}/deed.db` }, "another program's", foreignDatabase],
  [{ DATABASE_PATH: `${HERE}/deed.db` }, "of a newer version", newerDatabase],
  [{ SESSION_SECRET: "short" }],
  [{ SESSION_SECRET_FILE: `${HERE}/missing` }],
  [{ SESSION_SECRET_FILE: `${HERE}/secret` }, "an empty file", written("secret", "\n")],
  [{ SESSION_SECRET_FILE: HERE }, "a folder"],
  [
    { SESSION_SECRET: SECRET, SESSION_SECRET_FILE: `${HERE}/secret` },
    undefined,
    written("secret", SECRET),
  ],
  [{ SIGNING_KEY: "short" }],
  [{ SMTP_URL: "mail.example.org", ...mail }],
  [{ SMTP_URL: "smtp://deed:pass/word@mail.example.org:587", ...mail }],
  [{ SMTP_URL: "smtp://mail.example.org" }, "without `MAIL_FROM`"],
  [{ MAIL_FROM: "deed@example.org" }, "without `SMTP_URL`"],
  [{ MAIL_FROM: "Deed", SMTP_URL: "smtp://mail.example.org" }],
  [{ OIDC_ISSUER: "http://login.example.org", OIDC_CLIENT_ID: "deed", OIDC_CLIENT_SECRET: "x" }],
  [{ OIDC_ISSUER: "https://login.example.org" }, "alone"],
  [{ OIDC_LABEL: "Example login" }, "alone"],
  [{ DNS_ROOT_HINTS: `${HERE}/missing` }],
  [{ DNS_ROOT_HINTS: `${HERE}/hints` }, "without a root server", written("hints", "; none\n")],
  [{ DNS_TRUST_ANCHORS: ". IN DS 20326 8 2 e06d" }],
  [{ DNS_RESOLVERS: "1.1.1.1" }],
  [{ DNS_ALLOW_ADDRESSES: "10.0.0" }],
  [{ WEBHOOK_ALLOW_ADDRESSES: "10.0.0" }],
  [{ RDAP: "maybe" }],
  [{ RDAP_BOOTSTRAP: `${HERE}/missing` }],
  [{ RDAP_ALLOW_ADDRESSES: "10.0.0" }],
  [{ TIMESTAMP_ROOTS: `${HERE}/missing` }],
  [{ TIMESTAMP_URL: "timestamp.example.org" }],
  [{ TRUSTED_PROXIES: "everybody" }],
  [{ RATE_LIMIT_API: "many" }],
  [{ SIGN_UP: "everybody" }],
  [{ SIGN_UP: "*@example.org" }],
  [{ DOCS_URL: "javascript:alert(1)" }],
  [{ TOKEN_PREFIX: "With Space" }],
  [{ LOG_LEVEL: "loud" }],
  [{ METRICS: "127.0.0.1:8080", PORT: "8080" }],
  [{ NODE_ENV: "prod" }],
  [{ LITEFS_URL: "http://10.0.0.1:20202" }, "alone"],
  [{ PROT: "8080" }, "in `.env`", undefined, ".env"],
  [{ BASEURL: "https://deed.example.org" }, "in `.env`", undefined, ".env"],
  [{ SMPT_URL: "smtp://mail.example.org" }, "in `.env`", undefined, ".env"],
  [{ TRUSTED_PROXY: "127.0.0.1/32" }, "in `.env`", undefined, ".env"],
  [{ PORT: "abc", LOG_LEVEL: "loud", PROT: "1" }, "several at once in `.env`", undefined, ".env"],
];
export const ROWS: Row[] = LISTED.map(([env, note, prepare, how]) => ({
  ...{ env, note, prepare, isPlainUser: how === "plain", isInDotEnv: how === ".env" },
}));
