import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { openOwnDatabase } from "../../../db/open-own.ts";
import { isRoot } from "../../support/command.ts";

/** Replaces the new folder of each row; messages then show /srv/deed. */
const HERE = "/srv/deed";

export type Row = {
  /** A note on the value, if it does not show what is wrong. */
  note?: string;
  env: Record<string, string>;
  prepare?(folder: string): string | undefined;
  isPlainUser?: true;
  isInDotEnv?: true;
};

const SECRET = "s".repeat(32);
const mail = { MAIL_FROM: "deed@example.org" };
const single = (env: Row["env"], note?: string, prepare?: Row["prepare"]): Row => ({
  env,
  ...(note && { note }),
  ...(prepare && { prepare }),
});
const plain = (...row: Parameters<typeof single>): Row => ({
  ...single(...row),
  isPlainUser: true,
});

const written =
  (name: string, text: string, mode = 0o644) =>
  (folder: string) => {
    writeFileSync(join(folder, name), text, { mode });
    chmodSync(join(folder, name), mode);
    return undefined;
  };

/** Set in .env in the working directory, and not in the environment. */
const inDotEnv = (env: Row["env"], note = "in `.env`"): Row => ({
  ...single(env, note),
  isInDotEnv: true,
});

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
  (prepare: NonNullable<Row["prepare"]>): Row["prepare"] =>
  (folder) =>
    isRoot ? prepare(folder) : "root";

const closedFolder = byRoot((folder: string): undefined => {
  mkdirSync(join(folder, "closed"), { mode: 0o700 });
  return undefined;
});

const disk = (options: string) => (folder: string) => {
  mkdirSync(join(folder, "disk"));
  const mount = ["-t", "tmpfs", "-o", options, "tmpfs", join(folder, "disk")];
  return spawnSync("mount", mount).status === 0 ? undefined : "the right to mount";
};

const privilegedPorts = () =>
  Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8")) > 80
    ? undefined
    : "a port that plain users may not have";

export const ROWS: Row[] = [
  single({ PORT: "abc" }),
  single({ PORT: "3000" }, "in use"),
  plain({ PORT: "80" }, "as a user who is not root", privilegedPorts),
  single({ HOST: "192.0.2.1" }, "another machine's"),
  single({ HOST: "http://localhost" }),
  single({ HOST: "nowhere.invalid" }),
  single({ BASE_URL: "deed.example.org" }),
  single(
    { DATA_DIR: "/proc/deed" },
    undefined,
    byRoot(() => undefined),
  ),
  single({ DATA_DIR: `${HERE}/file` }, "a file", written("file", "")),
  single({ DATA_DIR: `${HERE}/file/data` }, "below a file", written("file", "")),
  plain({ DATA_DIR: `${HERE}/closed` }, "of another user", closedFolder),
  single({ DATA_DIR: `${HERE}/disk` }, "read-only", disk("ro")),
  single({ DATA_DIR: `${HERE}/disk` }, "a full disk", disk("size=64k")),
  single(
    { DATA_DIR: HERE },
    "with an empty `session-secret`",
    written("session-secret", "", 0o600),
  ),
  single({ DATA_DIR: HERE }, "with an empty `signing-key`", written("signing-key", "", 0o600)),
  single({ DATABASE_PATH: HERE }, "a folder"),
  single({ DATABASE_PATH: `${HERE}/missing/deed.db` }, "in a folder that is missing"),
  plain({ DATABASE_PATH: `${HERE}/closed/deed.db` }, "in a folder of another user", closedFolder),
  plain(
    { DATABASE_PATH: `${HERE}/deed.db` },
    "of another user",
    byRoot(written("deed.db", "", 0o600)),
  ),
  single({ DATABASE_PATH: `${HERE}/notes.txt` }, "a text file", written("notes.txt", "notes\n")),
  single({ DATABASE_PATH: `${HERE}/deed.db` }, "another program's", foreignDatabase),
  single({ DATABASE_PATH: `${HERE}/deed.db` }, "of a newer version", newerDatabase),
  single({ SESSION_SECRET: "short" }),
  single({ SESSION_SECRET_FILE: `${HERE}/missing` }),
  single({ SESSION_SECRET_FILE: `${HERE}/secret` }, "an empty file", written("secret", "\n")),
  single({ SESSION_SECRET_FILE: HERE }, "a folder"),
  single(
    { SESSION_SECRET: SECRET, SESSION_SECRET_FILE: `${HERE}/secret` },
    undefined,
    written("secret", SECRET),
  ),
  single({ SIGNING_KEY: "short" }),
  single({ SMTP_URL: "mail.example.org", ...mail }),
  single({ SMTP_URL: "smtp://deed:pass/word@mail.example.org:587", ...mail }),
  single({ SMTP_URL: "smtp://mail.example.org" }, "without `MAIL_FROM`"),
  single({ MAIL_FROM: "deed@example.org" }, "without `SMTP_URL`"),
  single({ MAIL_FROM: "Deed", SMTP_URL: "smtp://mail.example.org" }),
  single({
    OIDC_ISSUER: "http://login.example.org",
    OIDC_CLIENT_ID: "deed",
    OIDC_CLIENT_SECRET: "x",
  }),
  single({ OIDC_ISSUER: "https://login.example.org" }, "alone"),
  single({ OIDC_LABEL: "Example login" }, "alone"),
  single({ DNS_ROOT_HINTS: `${HERE}/missing` }),
  single(
    { DNS_ROOT_HINTS: `${HERE}/hints` },
    "without a root server",
    written("hints", "; none\n"),
  ),
  single({ DNS_TRUST_ANCHORS: ". IN DS 20326 8 2 e06d" }),
  single({ DNS_RESOLVERS: "1.1.1.1" }),
  single({ DNS_ALLOW_ADDRESSES: "10.0.0" }),
  single({ WEBHOOK_ALLOW_ADDRESSES: "10.0.0" }),
  single({ RDAP: "maybe" }),
  single({ RDAP_BOOTSTRAP: `${HERE}/missing` }),
  single({ RDAP_ALLOW_ADDRESSES: "10.0.0" }),
  single({ TIMESTAMP_ROOTS: `${HERE}/missing` }),
  single({ TIMESTAMP_URL: "timestamp.example.org" }),
  single({ TRUSTED_PROXIES: "everybody" }),
  single({ RATE_LIMIT_API: "many" }),
  single({ SIGN_UP: "everybody" }),
  single({ SIGN_UP: "*@example.org" }),
  single({ DOCS_URL: "javascript:alert(1)" }),
  single({ TOKEN_PREFIX: "With Space" }),
  single({ LOG_LEVEL: "loud" }),
  single({ METRICS: "127.0.0.1:8080", PORT: "8080" }),
  single({ NODE_ENV: "prod" }),
  single({ LITEFS_URL: "http://10.0.0.1:20202" }, "alone"),
  inDotEnv({ PROT: "8080" }),
  inDotEnv({ BASEURL: "https://deed.example.org" }),
  inDotEnv({ SMPT_URL: "smtp://mail.example.org" }),
  inDotEnv({ TRUSTED_PROXY: "127.0.0.1/32" }),
  inDotEnv({ PORT: "abc", LOG_LEVEL: "loud", PROT: "1" }, "several at once in `.env`"),
];
