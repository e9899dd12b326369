import { type Bytes, compareBytes } from "@deed/dns/dnssec/records.ts";
import { Null, OctetString, Sequence } from "asn1js";
import * as pki from "pkijs";
import { plain } from "./statement.ts";

const MAX_OCTETS = 16 * 1024;
const [SIGNED_DATA, STAMP_INFO] = ["1.2.840.113549.1.7.2", "1.2.840.113549.1.9.16.1.4"];
/** Attributes that name the stamper's certificate: by a hash (RFC 5816), or by SHA-1. */
const CERTIFICATE_IDS = ["1.2.840.113549.1.9.16.2.47", "1.2.840.113549.1.9.16.2.12"];
const [PURPOSES, TIME_STAMPING, COMMON_NAME] = ["2.5.29.37", "1.3.6.1.5.5.7.3.8", "2.5.4.3"];
const SHA256 = "2.16.840.1.101.3.4.2.1";
const SHA1_SIGNATURES = ["1.2.840.113549.1.1.5", "1.2.840.10045.4.1"];
/** Many stampers leave out the fraction of a second. */
const WHOLE_SECOND = 1_000;

function must(holds: unknown): asserts holds {
  if (!holds) throw new RangeError("not a time stamp");
}

/** What a token of RFC 3161 says of `data`; its time means `until` at the latest. Throws if it says nothing. */
export async function readStamp(token: Bytes, data: Bytes, roots: readonly Bytes[]) {
  must(token.length <= MAX_OCTETS);
  const signed = new pki.SignedData({ schema: pki.ContentInfo.fromBER(token).content });
  const { genTime, accuracy, messageImprint } = pki.TSTInfo.fromBER(
    signed.encapContentInfo.eContent?.getValue() ?? token,
  );
  const check = { signer: 0, data: data.slice().buffer, extendedMode: true } as const;
  const { signerCertificate: by, signatureVerified } = await signed.verify(check);
  const [signer] = signed.signerInfos;
  must(signer && by && signatureVerified && messageImprint.hashAlgorithm.algorithmId === SHA256);
  must(isOneSpelling(token, signed, signer, by) && (await isNamed(by, signer)));
  const purposes = by.extensions?.find(({ extnID }) => extnID === PURPOSES);
  must(purposes?.critical && purposes.parsedValue?.keyPurposes?.join() === TIME_STAMPING);
  must(by.notBefore.value <= genTime && genTime <= by.notAfter.value);
  const trustedCerts = roots.map((root) => pki.Certificate.fromBER(root));
  const chained = await signed
    .verify({ ...check, checkChain: true, trustedCerts })
    .catch(() => null);
  const path = chained?.certificatePath.slice(0, -1).map((one) => one.signatureAlgorithm);
  const common = by.subject.typesAndValues.findLast(({ type }) => type === COMMON_NAME);
  const name = String(common?.value.valueBlock.value);
  const { seconds = 0, millis = 0, micros = 0 } = accuracy ?? {};
  const margin = WHOLE_SECOND + seconds * 1_000 + millis + micros / 1_000;
  return {
    by: plain(name) === null ? name : "a stamper without a name",
    at: genTime.toISOString(),
    until: new Date(genTime.getTime() + margin).toISOString(),
    isOfRoot: path?.every(({ algorithmId }) => !SHA1_SIGNATURES.includes(algorithmId)) ?? false,
  };
}

/** Whether what nothing signs has one spelling: versions, algorithms, and names that are said twice. */
function isOneSpelling(
  token: Bytes,
  signed: pki.SignedData,
  signer: pki.SignerInfo,
  by: pki.Certificate,
): boolean {
  [signed.version, signer.version] = [3, 1];
  signed.signerInfos = [signer];
  signed.digestAlgorithms = [signer.digestAlgorithm];
  signed.encapContentInfo.eContentType = STAMP_INFO;
  signer.sid = new pki.IssuerAndSerialNumber({ issuer: by.issuer, serialNumber: by.serialNumber });
  for (const one of signed.certificates ?? [])
    if (one instanceof pki.Certificate) {
      one.signatureAlgorithm = one.signature;
      one.signatureValue.valueBlock.unusedBits = 0;
    }
  const whole = { contentType: SIGNED_DATA, content: signed.toSchema(true) };
  const octets = new Uint8Array(new pki.ContentInfo(whole).toSchema().toBER());
  const { algorithmParams = new Null() } = signer.signatureAlgorithm;
  return compareBytes(octets, token) === 0 && algorithmParams instanceof Null;
}

const inside = (value: unknown) => (value instanceof Sequence ? value.valueBlock.value : []);
const HASHES: Record<number, string> = { 20: "SHA-1", 32: "SHA-256", 48: "SHA-384", 64: "SHA-512" };

/** Whether the first certificate that the signature names is this one. */
async function isNamed(by: pki.Certificate, { signedAttrs }: pki.SignerInfo): Promise<boolean> {
  const named = signedAttrs?.attributes.find(({ type }) => CERTIFICATE_IDS.includes(type));
  const [id] = inside(inside(named?.values[0])[0]);
  const hash = inside(id).find((one) => one instanceof OctetString)?.valueBlock.valueHexView;
  const own = await crypto.subtle.digest(HASHES[hash?.length ?? 0] ?? "", by.toSchema().toBER());
  return hash !== undefined && compareBytes(hash, new Uint8Array(own)) === 0;
}
