import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** PEM. */
export type Certificate = { key: string; cert: string };

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** A certificate authority for tests, created with the openssl command. */
export class Authority {
  /** Its certificate, PEM. */
  readonly cert: string;
  private readonly own: Certificate;

  constructor() {
    this.own = make([], ["-subj", "/CN=Lab authority"]);
    this.cert = this.own.cert;
  }

  /** Issues a certificate for these addresses and host names, valid for two days. */
  issue(names: readonly string[]): Certificate {
    const alternatives = names.map((name) => `${isIP(name) ? "IP" : "DNS"}:${name}`).join(",");
    return make(
      [this.own],
      ["-subj", "/CN=Lab resolver", "-addext", `subjectAltName=${alternatives}`],
    );
  }
}

function make(signers: readonly Certificate[], rest: string[]): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "deed-certificate-"));
  const file = (name: string) => join(folder, name);
  try {
    const signing = signers.flatMap(({ key, cert }) => {
      writeFileSync(file("ca.key"), key);
      writeFileSync(file("ca.pem"), cert);
      return ["-CA", file("ca.pem"), "-CAkey", file("ca.key")];
    });
    const out = ["-keyout", file("key"), "-out", file("cert"), "-days", "2"];
    execFileSync("openssl", ["req", "-x509", ...NEW_KEY, ...signing, ...out, ...rest], {
      stdio: "pipe",
    });
    return { key: readFileSync(file("key"), "utf8"), cert: readFileSync(file("cert"), "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
