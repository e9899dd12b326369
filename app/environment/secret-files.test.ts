import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder } from "../../tests/support/service.ts";
import { parseEnvironment } from "./env.server.ts";

const folder = newFolder();

const SECRET = "s".repeat(32);
let files = 0;
function fileWith(text: string, mode = 0o600): string {
  const path = join(folder, String(++files));
  writeFileSync(path, text, { mode });
  return path;
}

describe("C21.12: a secret in a file", () => {
  it.each(["", "\n", "\r\n"])("is read without the newline at its end: %j", (end) => {
    const env = parseEnvironment({ SESSION_SECRET_FILE: fileWith(`${SECRET}${end}`) });
    expect(env.SESSION_SECRET).toEqual([SECRET]);
  });

  it("stands for each secret variable", () => {
    const env = parseEnvironment({
      SESSION_SECRET_FILE: fileWith(`${SECRET},${"o".repeat(32)}\n`),
      SIGNING_KEY_FILE: fileWith(`${"A5".repeat(32)}\n`),
      CLUSTER_SECRET_FILE: fileWith("c".repeat(32)),
      SMTP_URL_FILE: fileWith("smtp://user:password@mail.example.org:587\n"),
      MAIL_FROM: "deed@example.org",
      OIDC_ISSUER: "https://login.example.org",
      OIDC_CLIENT_ID: "deed",
      OIDC_CLIENT_SECRET_FILE: fileWith("o"),
      LITEFS_URL: "http://10.0.0.1:20202",
      BASE_URL: "https://deed.example.org",
      DATABASE_PATH: "/mnt/deed/deed.db",
    });
    expect(env).toMatchObject({
      SESSION_SECRET: [SECRET, "o".repeat(32)],
      SIGNING_KEY: ["a5".repeat(32)],
      cluster: { secret: "c".repeat(32) },
      SMTP_URL: "smtp://user:password@mail.example.org:587",
      OIDC_CLIENT_SECRET: "o",
      secretFilesReadableByAll: [],
    });
  });

  it("is noted if every user of the machine can read it", () => {
    const env = parseEnvironment({ SESSION_SECRET_FILE: fileWith(SECRET, 0o644) });
    expect(env.secretFilesReadableByAll).toEqual(["SESSION_SECRET_FILE"]);
  });
});

describe("a file that cannot be used", () => {
  const pipe = join(folder, "pipe");
  spawnSync("mkfifo", [pipe]);

  it.each([
    ["missing", join(folder, "nowhere"), /no such file/],
    ["a folder", folder, /is not a file$/],
    ["empty", fileWith(""), /is empty$/],
    ["only a newline", fileWith("\n"), /is empty$/],
    ["a pipe", pipe, /is not a file$/],
    ["endless", "/dev/zero", /is not a file$/],
    ["too large", fileWith("x".repeat(70_000)), /is larger than 65536 bytes$/],
    ["named with a line break", `${folder}/a\nb`, /a\\u\{a\}b/],
  ])("is refused in one line: %s", (_, path, reason) => {
    const parse = () => parseEnvironment({ SESSION_SECRET_FILE: path });
    expect(parse).toThrow(/^SESSION_SECRET_FILE must name a readable file with the secret: .+$/);
    expect(parse).toThrow(reason);
  });

  it("is refused beside the variable itself", () => {
    expect(() =>
      parseEnvironment({ SESSION_SECRET: SECRET, SESSION_SECRET_FILE: fileWith(SECRET) }),
    ).toThrow(/^SESSION_SECRET_FILE must not be set beside SESSION_SECRET: remove one$/);
  });

  it("is checked as its variable is, and never shown", () => {
    const parse = () => parseEnvironment({ SESSION_SECRET_FILE: fileWith("hunter2") });
    expect(parse).toThrow(/^SESSION_SECRET must be secrets of at least 32 characters/);
    expect(parse).not.toThrow(/hunter2/);
  });
});
