import {
  ASSURANCES,
  type Assurance,
  PROOF_RULE,
  RECEIPT_FORMAT,
  STATEMENT_TYPE,
  type Statement,
} from "./statement.ts";
import { exactly, listOf, matching, objectOf, orNull, seconds } from "./strict-json.ts";

const [text, bool] = [matching(/^/), exactly(true, false)];
/** 32 octets as base64url. */
const hash = matching(/^[\w-]{43}$/);
const name = matching(/^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/);
const address = matching(/^[0-9a-f.:]{2,45}$/);
/** Text of others that may be shown: nothing that moves or hides what is around it. */
const plain = matching(/^[^\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]{1,320}$/u);
const transport = exactly("udp", "tcp", "tls", "https");

/** Members in the order of RFC 8785, here and below. */
const [dnssec, format] = [orNull(objectOf({ chain: text })), exactly(RECEIPT_FORMAT)];
export const receiptShape = objectOf({ dnssec, format, log: exactly(null), statement: text });

const jwk = objectOf({ crv: exactly("Ed25519"), kty: exactly("OKP"), x: hash });
const [alg, typ] = [exactly("EdDSA"), exactly(STATEMENT_TYPE)];
export const headerShape = objectOf({ alg, jwk, kid: hash, typ });

const reading = { address: orNull(address), answered: bool, asked: bool, held: bool, name: plain };
const witness = objectOf({ ad: bool, agreed: bool, name: plain, transport });

export const statementShape = objectOf({
  assurance: exactly(...ASSURANCES),
  challengeName: name,
  dnssec: exactly("secure", "insecure", "indeterminate"),
  evidenceSha256: hash,
  heldBy: plain,
  holderCommitment: hash,
  iat: seconds,
  iss: matching(/^https?:\/\/[a-z0-9.:[\]_-]{1,260}$/),
  nameservers: listOf(objectOf({ ...reading, transport: orNull(transport) })),
  provedAt: matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  rule: exactly(PROOF_RULE),
  scope: exactly("exact_name"),
  sub: name,
  token: matching(/^[a-z0-9_-]{1,32}[0-9a-f]{40}$/),
  witnesses: listOf(witness),
});

/** What a reading shows. `isSecure`: by a chain of DNSSEC. */
export const assuranceOf = (witnesses: Statement["witnesses"], isSecure: boolean): Assurance =>
  isSecure
    ? "dnssec"
    : witnesses.length > 0 && witnesses.every(({ agreed }) => agreed)
      ? "witnessed"
      : "nameservers";

type Nameserver = Statement["nameservers"][number];
/** All that answered have the record; only one that was asked can have answered, and only at an address. */
const isPossible = ({ address, asked, answered, held, transport }: Nameserver) =>
  held === answered &&
  answered === (transport !== null) &&
  asked >= answered &&
  (address !== null) >= asked;

/** The first member that contradicts the others, or the rule; undefined if none does. */
export function contradictionIn(statement: Statement): string | undefined {
  const { iss, sub, iat, challengeName, provedAt, nameservers, witnesses, assurance } = statement;
  const ms = Date.parse(provedAt);
  const answered = nameservers.filter((server) => server.answered).length;
  const agreed = witnesses.filter((one) => one.agreed).length;
  const rules = {
    iss: URL.canParse(iss) && new URL(iss).origin === iss,
    challengeName: challengeName.slice(challengeName.indexOf(".") + 1) === sub,
    provedAt: ms >= 0 && new Date(ms).toISOString() === provedAt,
    iat: iat >= Math.floor(ms / 1_000),
    nameservers:
      nameservers.every(isPossible) && answered > 0 && 2 * answered >= nameservers.length,
    witnesses: witnesses.length === 0 || 2 * agreed > witnesses.length,
    assurance: assurance === assuranceOf(witnesses, statement.dnssec === "secure"),
  };
  return Object.entries(rules).find(([, holds]) => !holds)?.[0];
}
