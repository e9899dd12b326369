import { fromBase64 } from "@deed/dns/dnssec/base64.ts";
import { type Bytes, compareBytes } from "@deed/dns/dnssec/records.ts";
import { fromBER, Null, OctetString, Sequence } from "asn1js";
import * as pki from "pkijs";
import stampRoots from "./stamp-roots.json";
import { plainShape } from "./statement.ts";

/** Limits on a token's cost (docs/receipts.md). A path includes the stamper's certificate and the root. */
const LIMITS = { octets: 16 * 1024, certificates: 8, path: 5, checks: 8, signature: 512, key: 560 };
/** Nodes are counted deeper than pkijs reads at first, so that what it reads later is also limited. */
const ELEMENT_LIMITS = { maxNodes: 1_000, maxDepth: 200 };
const [SIGNED_DATA, STAMP_INFO] = ["1.2.840.113549.1.7.2", "1.2.840.113549.1.9.16.1.4"];
/** Attributes that name the stamper's certificate, by a hash (RFC 5816) or by SHA-1. */
const CERTIFICATE_IDS = ["1.2.840.113549.1.9.16.2.47", "1.2.840.113549.1.9.16.2.12"];
const [KEY_PURPOSES, TIME_STAMPING, COMMON_NAME] = ["2.5.29.37", "1.3.6.1.5.5.7.3.8", "2.5.4.3"];
const SHA256 = "2.16.840.1.101.3.4.2.1";
const [KEY_USAGE, BASIC_CONSTRAINTS] = ["2.5.29.15", "2.5.29.19"];
const MAY_BE_CRITICAL = /^2\.5\.29\.(?:15|17|19|31|32|33|36|37|54)$/;
/** Octets of a key usage: digital signature, non-repudiation, or both; and the bit for signing certificates. */
const [SIGNING_USAGES, CERTIFICATE_SIGN] = [["128", "64", "192"], 0x04];
const certificateOf = (der: Bytes | null) => pki.Certificate.fromBER(der ?? new Uint8Array());
/** These are parsed for the first stamp that is read. Most services and commands read none. */
let publicRoots: pki.Certificate[] | undefined;
/** Many stampers leave out the fraction of a second. */
const SECOND_MS = 1_000;

function demandStamp(holds: unknown): asserts holds {
  if (!holds) throw new RangeError("not a time stamp");
}

/** Parses DER octets. Throws if they are not DER or exceed the limits. */
export function parseDer(octets: Bytes) {
  demandStamp(octets.length <= LIMITS.octets);
  const { offset, result } = fromBER(octets, ELEMENT_LIMITS);
  demandStamp(offset === octets.length);
  return result;
}

/** Reads the stamp of `data`, made before `until`, in an RFC 3161 token. Throws if there is none or it costs too much. */
export async function readStamp(token: Bytes, data: Bytes, roots: readonly Bytes[] = []) {
  const { content } = new pki.ContentInfo({ schema: parseDer(token) });
  const signed = new pki.SignedData({ schema: content });
  const { certificates = [] } = signed;
  const all = certificates.filter((certificate) => certificate instanceof pki.Certificate);
  demandStamp(certificates.length <= LIMITS.certificates && all.every(isKeyCheap));
  const [signer] = signed.signerInfos;
  demandStamp(signer && signer.signature.valueBlock.valueHexView.length <= LIMITS.signature);
  const { genTime, accuracy, messageImprint, nonce } = pki.TSTInfo.fromBER(
    signed.encapContentInfo.eContent?.getValue() ?? token,
  );
  const check = { signer: 0, data: data.slice().buffer, extendedMode: true } as const;
  const { signerCertificate: stamper, signatureVerified } = await signed.verify(check);
  demandStamp(stamper && signatureVerified && messageImprint.hashAlgorithm.algorithmId === SHA256);
  demandStamp(isCanonicalToken(token, signed, stamper) && (await isNamed(stamper, signer)));
  const [purposes, usage] = [extensionOf(stamper, KEY_PURPOSES), usageOf(stamper)];
  demandStamp(purposes?.critical && purposes.parsedValue?.keyPurposes?.join() === TIME_STAMPING);
  demandStamp(isUsable(stamper, genTime) && (!usage || SIGNING_USAGES.includes(usage.join())));
  publicRoots ??= Object.values(stampRoots).map((root) => certificateOf(fromBase64(root)));
  const allRoots = [...publicRoots, ...roots.map(certificateOf)];
  const commonName = stamper.subject.typesAndValues.findLast(({ type }) => type === COMMON_NAME);
  const name = String(commonName?.value.valueBlock.value);
  const { seconds = 0, millis = 0, micros = 0 } = accuracy ?? {};
  const margin = SECOND_MS + seconds * 1_000 + millis + micros / 1_000;
  return {
    by: plainShape(name) === null ? name : "a stamper without a name",
    at: genTime.toISOString(),
    until: new Date(genTime.getTime() + margin).toISOString(),
    isOfRoot: await leadsToRoot(stamper, all, allRoots, genTime),
    nonce: nonce?.toBigInt(),
  };
}

/** Whether a check by the key is cheap: for RSA, 128 to 512 octets and an exponent of at most four. */
function isKeyCheap({ subjectPublicKeyInfo: key }: pki.Certificate): boolean {
  if (key.subjectPublicKey.valueBlock.valueHexView.length > LIMITS.key) return false;
  if (!(key.parsedKey instanceof pki.RSAPublicKey)) return true;
  const { modulus, publicExponent } = key.parsedKey;
  const { length } = modulus.valueBlock.valueHexView;
  return length >= 128 && length <= 512 && publicExponent.valueBlock.valueHexView.length <= 4;
}

const extensionOf = ({ extensions }: pki.Certificate, id: string) =>
  extensions?.find(({ extnID }) => extnID === id);

/** The octets of a certificate's key usage (RFC 5280 section 4.2.1.3); undefined if it has none. */
function usageOf(certificate: pki.Certificate): Uint8Array | undefined {
  const extension = extensionOf(certificate, KEY_USAGE);
  return extension && (extension.parsedValue?.valueBlock?.valueHexView ?? new Uint8Array());
}

/** Whether a certificate can be used at a time. Like openssl, excludes its last second. */
function isUsable({ extensions = [], notBefore, notAfter }: pki.Certificate, at: Date): boolean {
  const isKnown = extensions.every((one) => !one.critical || MAY_BE_CRITICAL.test(one.extnID));
  return isKnown && notBefore.value <= at && at < notAfter.value;
}

const isSelfIssued = ({ subject, issuer }: pki.Certificate) => subject.isEqual(issuer);

/** Whether a certificate may sign others, with `below` authorities under it, not self-issued. Roots need not say so. */
function isAuthority(certificate: pki.Certificate, below: number, isRoot: boolean): boolean {
  const basic = extensionOf(certificate, BASIC_CONSTRAINTS)?.parsedValue;
  const usage = usageOf(certificate);
  const isTrusted = isRoot && !basic && (certificate.version === 0 || usage !== undefined);
  const { cA = isTrusted, pathLenConstraint = below } = basic ?? {};
  const maySign = ((usage?.[0] ?? CERTIFICATE_SIGN) & CERTIFICATE_SIGN) !== 0;
  return cA && below <= Number(pathLenConstraint) && maySign;
}

/** Whether certificates, each used once, lead from `stamper` to a root at that time (RFC 5280, 6), as in openssl. */
function leadsToRoot(
  stamper: pki.Certificate,
  others: readonly pki.Certificate[],
  roots: readonly pki.Certificate[],
  at: Date,
): Promise<boolean> {
  const candidates = [...roots, ...others].filter((certificate) => isUsable(certificate, at));
  const issuers = (certificate: pki.Certificate) =>
    candidates.filter((issuer) => issuer.subject.isEqual(certificate.issuer));
  const issuersOf = new Map(candidates.map((certificate) => [certificate, issuers(certificate)]));
  const isRoot = (certificate: pki.Certificate) =>
    isSelfIssued(certificate) &&
    roots.some(({ tbsView }) => compareBytes(tbsView, certificate.tbsView) === 0);
  const checkedPairs = new Map<string, boolean | Promise<boolean>>();
  /** Paths share signatures, so each is checked once. */
  const isSignedBy = (certificate: pki.Certificate, issuer: pki.Certificate) => {
    const pair = `${candidates.indexOf(certificate)} ${candidates.indexOf(issuer)}`;
    if (!checkedPairs.has(pair)) {
      demandStamp(checkedPairs.size < LIMITS.checks);
      const hash = pki.getCrypto(true).getHashAlgorithm(certificate.signatureAlgorithm);
      checkedPairs.set(pair, hash !== "SHA-1" && certificate.verify(issuer).catch(() => false));
    }
    return checkedPairs.get(pair) ?? false;
  };
  /** Checks signatures from the root down, so that a circle costs nothing, and strangers' certificates fail at once. */
  const reachesRoot = async (path: readonly pki.Certificate[]): Promise<boolean> => {
    const last = path.at(-1) ?? stamper;
    if (isRoot(last)) return true;
    const below = path.slice(1).filter((certificate) => !isSelfIssued(certificate)).length;
    for (const next of path.length < LIMITS.path ? (issuersOf.get(last) ?? []) : []) {
      const mayFollow = !path.includes(next) && isAuthority(next, below, isRoot(next));
      if (mayFollow && (await reachesRoot([...path, next])) && (await isSignedBy(last, next)))
        return true;
    }
    return false;
  };
  return reachesRoot([stamper]);
}

/** Whether the parts that nobody signed are canonical: versions, algorithms, and repeated names. */
function isCanonicalToken(token: Bytes, signed: pki.SignedData, stamper: pki.Certificate): boolean {
  const { issuer, serialNumber } = stamper;
  const [signer = new pki.SignerInfo()] = signed.signerInfos;
  [signed.version, signer.version] = [3, 1];
  signed.signerInfos = [signer];
  signed.digestAlgorithms = [signer.digestAlgorithm];
  signed.encapContentInfo.eContentType = STAMP_INFO;
  signer.sid = new pki.IssuerAndSerialNumber({ issuer, serialNumber });
  for (const certificate of signed.certificates ?? [])
    if (certificate instanceof pki.Certificate) {
      certificate.signatureAlgorithm = certificate.signature;
      certificate.signatureValue.valueBlock.unusedBits = 0;
    }
  const envelope = { contentType: SIGNED_DATA, content: signed.toSchema(true) };
  const octets = new Uint8Array(new pki.ContentInfo(envelope).toSchema().toBER());
  const { algorithmParams = new Null() } = signer.signatureAlgorithm;
  return compareBytes(octets, token) === 0 && algorithmParams instanceof Null;
}

const itemsOf = (value: unknown) => (value instanceof Sequence ? value.valueBlock.value : []);
const HASHES: Record<number, string> = { 20: "SHA-1", 32: "SHA-256", 48: "SHA-384", 64: "SHA-512" };

/** Whether the first certificate that the signature names is this one. */
async function isNamed(stamper: pki.Certificate, { signedAttrs }: pki.SignerInfo) {
  const certificateIds = signedAttrs?.attributes.find(({ type }) => CERTIFICATE_IDS.includes(type));
  const [id] = itemsOf(itemsOf(certificateIds?.values[0])[0]);
  const hash = itemsOf(id).find((item) => item instanceof OctetString)?.valueBlock.valueHexView;
  const algorithm = HASHES[hash?.length ?? 0] ?? "";
  const digest = await crypto.subtle.digest(algorithm, stamper.toSchema().toBER());
  return hash !== undefined && compareBytes(hash, new Uint8Array(digest)) === 0;
}
