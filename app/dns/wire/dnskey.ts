import { createHash } from "node:crypto";
import { labelsOf } from "../names.ts";
import type { ResourceRecord } from "./message.ts";

type Ds = Pick<
  Extract<ResourceRecord, { type: "DS" }>,
  "keyTag" | "algorithm" | "digestType" | "digest"
>;

/** A key that may sign a zone. `rdata` is the record's RDATA in hex. */
export type ZoneKey = { keyTag: number; algorithm: number; isEntryPoint: boolean; rdata: string };

/** Flag bits (RFC 4034 section 2.1.1, RFC 5011 section 3), and the only defined protocol value. */
const ZONE_KEY = 0x100;
const REVOKED = 0x80;
const ENTRY_POINT = 0x1;
const PROTOCOL = 3;
/** Octets of flags, protocol and algorithm. */
const HEAD = 4;
/** RSA/MD5 computes key tags differently (RFC 4034 appendix B.1), and no validator supports it (RFC 8624). */
const RSA_MD5 = 1;

/** Digest algorithms by number: RFC 4034 section 5.1.3, RFC 4509, RFC 6605. */
const HASHES: Record<number, string> = { 1: "sha1", 2: "sha256", 4: "sha384" };

/** The key in a DNSKEY record's RDATA (hex); null if it cannot sign a zone: another purpose, revoked, or truncated. */
export function zoneKey(rdata: string): ZoneKey | null {
  const bytes = Buffer.from(rdata, "hex");
  if (bytes.length <= HEAD) return null;
  const flags = bytes.readUInt16BE(0);
  const algorithm = bytes.readUInt8(3);
  if ((flags & ZONE_KEY) === 0 || (flags & REVOKED) !== 0) return null;
  if (bytes.readUInt8(2) !== PROTOCOL || algorithm === RSA_MD5) return null;
  return { keyTag: keyTagOf(bytes), algorithm, isEntryPoint: (flags & ENTRY_POINT) !== 0, rdata };
}

/** The key tag of a DNSKEY record's RDATA (RFC 4034 appendix B). */
function keyTagOf(rdata: Buffer): number {
  let sum = 0;
  for (const [at, octet] of rdata.entries()) sum += at % 2 === 0 ? octet << 8 : octet;
  return (sum + (sum >>> 16)) & 0xffff;
}

/** Whether a DS record of `zone` matches this key (RFC 4034 section 5.1.4); false if its digest type is unknown. */
export function isDsOf(ds: Ds, zone: string, key: ZoneKey): boolean {
  const hash = HASHES[ds.digestType];
  if (hash === undefined || ds.keyTag !== key.keyTag || ds.algorithm !== key.algorithm)
    return false;
  const digest = createHash(hash).update(ownerOf(zone)).update(Buffer.from(key.rdata, "hex"));
  return digest.digest("hex") === ds.digest;
}

/** A name in canonical wire format for digests (RFC 4034 section 6.2): lower case, uncompressed. */
function ownerOf(zone: string): Buffer {
  const labels = labelsOf(zone).map((label) => {
    const text = Buffer.from(label, "latin1");
    return Buffer.concat([Buffer.from([text.length]), text]);
  });
  return Buffer.concat([...labels, Buffer.alloc(1)]);
}
