import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";

const CONFIG = `
[req]
distinguished_name = dn
prompt = no
[dn]
CN = unused
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[authority]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign
extendedKeyUsage = timeStamping
[stamper]
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[tsa]
serial = serial
signer_digest = sha256
default_policy = 1.2.3.4.1
other_policies = 1.2.3.4.1
digests = sha256, sha512
accuracy = secs:1
ess_cert_id_alg = sha256
`;

/** A root, an authority below it and stampers, all made by openssl. */
export function makeStampers() {
  const folder = mkdtempSync(join(tmpdir(), "deed-stamps-"));
  const file = (name: string) => join(folder, name);
  /** Calls openssl with the words of all lines; a subject, which begins with a slash, is one word. */
  const openssl = (...lines: string[]) => {
    const args = lines.flatMap((line) => (line.startsWith("/") ? line : line.split(" ")));
    const { status, stderr } = spawnSync("openssl", args, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
  };
  writeFileSync(file("openssl.cnf"), CONFIG);
  writeFileSync(file("serial"), "01");
  const made = (name: string) => `-nodes -keyout ${name}.key -config openssl.cnf -subj`;
  const request = (name: string, key = "rsa:2048") =>
    openssl(`req -newkey ${key} -out ${name}.csr`, made(name), `/O=Test/CN=Test ${name}`);
  const certify = (name: string, by: string, extensions: string, days: number) =>
    openssl(
      `x509 -req -in ${name}.csr -CA ${by}.pem -CAkey ${by}.key -CAcreateserial -days ${days}`,
      `-extfile openssl.cnf -extensions ${extensions} -out ${name}.pem`,
    );
  const root = "req -x509 -newkey rsa:2048 -extensions root -days 300 -out root.pem";
  openssl(root, made("root"), "/CN=Test root");
  request("authority");
  certify("authority", "root", "authority", 200);
  request("stamper");
  request("elliptic", "ec -pkeyopt ec_paramgen_curve:P-384");
  for (const name of ["stamper", "elliptic"]) certify(name, "authority", "stamper", 100);
  openssl("x509 -in root.pem -outform DER -out root.der");

  const reply = (query: Uint8Array, kind = "stamper", form = ""): Buffer => {
    writeFileSync(file("query"), query);
    openssl(
      `ts -reply -config openssl.cnf -section tsa -queryfile query -out reply${form}`,
      `-signer ${kind}.pem -inkey ${kind}.key -chain authority.pem`,
    );
    return readFileSync(file("reply"));
  };
  return {
    root: new Uint8Array(readFileSync(file("root.der"))),
    rootFile: file("root.pem"),
    reply,
    token(data: Uint8Array | string, kind = "stamper", hash = "sha256"): Uint8Array<ArrayBuffer> {
      writeFileSync(file("data"), data);
      openssl(`ts -query -data data -${hash} -cert -out request`);
      return new Uint8Array(reply(readFileSync(file("request")), kind, " -token_out"));
    },
    accepts(token: Uint8Array, data: Uint8Array | string): boolean {
      writeFileSync(file("token"), token);
      writeFileSync(file("data"), data);
      const args = "ts -verify -data data -token_in -in token -CAfile root.pem".split(" ");
      return spawnSync("openssl", args, { cwd: folder }).status === 0;
    },
    stop: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function stampServer(answer: (query: Uint8Array) => Uint8Array) {
  return createServer(async (request, response) => {
    const query = await buffer(request);
    response.writeHead(200, { "Content-Type": "application/timestamp-reply" }).end(answer(query));
  });
}
