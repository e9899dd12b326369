import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

/** In PEM. */
export type Certificate = { key: string; cert: string };

type Issuer = { name: string; key: KeyObject };

const DAY = 86_400_000;

/** A certificate authority for tests. */
export class Authority {
  /** Its certificate, in PEM. */
  readonly cert: string;
  readonly #issuer: Issuer;

  constructor() {
    const { publicKey, privateKey } = newKey();
    this.#issuer = { name: "Lab authority", key: privateKey };
    // 2.5.29.19, critical: it is an authority.
    const basic = der(0x04, der(0x30, der(0x01, "ff")));
    const isAuthority = der(0x30, oid("551d13"), der(0x01, "ff"), basic);
    this.cert = certificate(this.#issuer, this.#issuer.name, publicKey, isAuthority);
  }

  /** Issues a certificate for these addresses and host names, valid for two days. */
  issue(names: readonly string[]): Certificate {
    const { publicKey, privateKey } = newKey();
    const alternatives = names.map((name) =>
      isIP(name) === 4
        ? der(0x87, Buffer.from(name.split(".").map(Number)))
        : der(0x82, Buffer.from(name)),
    );
    // 2.5.29.17.
    const extension = der(0x30, oid("551d11"), der(0x04, der(0x30, ...alternatives)));
    return {
      key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      cert: certificate(this.#issuer, "Lab resolver", publicKey, extension),
    };
  }
}

const newKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" });

/** A DER value with these contents: bytes or hexadecimal digits. */
function der(tag: number, ...contents: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(
    contents.map((each) => (typeof each === "string" ? Buffer.from(each, "hex") : each)),
  );
  const { length } = content;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const oid = (hex: string) => der(0x06, hex);
// 2.5.4.3, the common name.
const named = (name: string) =>
  der(0x30, der(0x31, der(0x30, oid("550403"), der(0x0c, Buffer.from(name)))));
const time = (ms: number) =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, "").slice(2, 14)}Z`));

/** A certificate in the format of RFC 5280, in PEM. */
function certificate(issuer: Issuer, subject: string, key: KeyObject, extension: Buffer): string {
  // 1.2.840.10045.4.3.2, ecdsa-with-SHA256.
  const algorithm = der(0x30, oid("2a8648ce3d040302"));
  const signed = der(
    0x30,
    der(0xa0, der(0x02, "02")),
    der(0x02, "01", randomBytes(8)),
    algorithm,
    named(issuer.name),
    der(0x30, time(Date.now() - DAY), time(Date.now() + 2 * DAY)),
    named(subject),
    key.export({ type: "spki", format: "der" }),
    der(0xa3, der(0x30, extension)),
  );
  const signature = sign("sha256", signed, issuer.key);
  const whole = der(0x30, signed, algorithm, der(0x03, "00", signature));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
