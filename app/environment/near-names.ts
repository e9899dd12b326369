/** In names up to this length only swapped letters count as a slip: HOSTS and POST may be another program's. */
const MAX_SWAP_ONLY_LENGTH = 5;
/** In names from this length on, two edits still count as a slip. */
const MIN_TWO_EDITS_LENGTH = 13;

const compact = (name: string) => name.replaceAll("_", "");
const singular = (name: string) => name.replace(/IES$/, "Y").replace(/S$/, "");
const isSwap = (a: string, b: string) => [...a].sort().join("") === [...b].sort().join("");

export function nearestName(name: string, known: readonly string[]): string | null {
  if (known.includes(name) || !/^[A-Z_]+$/.test(name)) return null;
  return known.find((candidate) => isNear(compact(name), compact(candidate))) ?? null;
}

const COMMON_NAMES: readonly [name: RegExp, meant: string][] = [
  [/^ADMIN(S|_EMAILS?|_ADDRESS(ES)?)$/, "ADMIN"],
  [/^(APP_|PUBLIC_|SITE_)?URL$/, "BASE_URL"],
  [/^(DATABASE_URL|DB_(FILE|PATH|URL))$/, "DATABASE_PATH"],
  [/^(SMTP|EMAIL|MAIL)_(FROM|SENDER)(_ADDRESS)?$/, "MAIL_FROM"],
  [/^(SMTP|EMAIL|MAIL)_(HOST|PASS(WORD)?|PORT|SERVER|URL|USER(NAME)?)$/, "SMTP_URL"],
  [/^DNS_(NAME)?SERVERS?$/, "DNS_RESOLVERS"],
  [/^(OIDC|OPENID)_(DISCOVERY_|ISSUER_|PROVIDER_)?UR[IL]$/, "OIDC_ISSUER"],
  [/^TRUST_PROXY$/, "TRUSTED_PROXIES"],
];

export const deedNameFor = (name: string): string | null =>
  COMMON_NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? null;

function isNear(given: string, known: string): boolean {
  if (given === known || given === singular(known)) return true;
  const maxEdits = known.length < MIN_TWO_EDITS_LENGTH ? 1 : 2;
  if (Math.abs(given.length - known.length) > maxEdits || edits(given, known) > maxEdits)
    return false;
  if (known.length <= MAX_SWAP_ONLY_LENGTH) return isSwap(given, known);
  // LOG_LEVELS or DATA_DIRS, for example, may be another program's.
  return known.length >= MIN_TWO_EDITS_LENGTH || given !== `${known}S`;
}

function edits(a: string, b: string): number {
  const rows: number[][] = [];
  const at = (i: number, j: number) => rows[i]?.[j] ?? i + j;
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isTransposed = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const steps = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1)];
      if (isTransposed) steps.push(at(i - 2, j - 2) + 1);
      rows[i]?.push(Math.min(...steps));
    }
  }
  return at(a.length, b.length);
}
