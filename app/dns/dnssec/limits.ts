/** Octets of one message, as the reader accepts (protocol.ts), and of a chain. */
export const MAX_MESSAGE = 16 * 1024;
export const MAX_CHAIN = 64 * 1024;
/** Messages judged together: two of each kind for ten zones, and the answers of the name's servers. */
export const MAX_MESSAGES = 64;
/** Records of one message or chain. */
export const MAX_RECORDS = 512;
/** Versions of one RRset, as servers that disagree give them. */
export const MAX_VERSIONS = 4;
/** Keys or DS records of a zone; the largest honest sets have about a dozen. */
export const MAX_KEYS = 32;

/** Signatures tried for one RRset; the rollover of an algorithm needs four. */
export const MAX_SIGNATURES = 8;
/** Keys tried for one signature: equal key tags are rare and honest, three of them are an attack (CVE-2023-50387). */
export const MAX_KEYS_OF_A_TAG = 2;
/** Signatures verified, digests of keys, and rounds of SHA-1 for NSEC3 in one judgement. */
export const BUDGET = { verifications: 64, digests: 64, rounds: 4_096 } as const;
/** Additional NSEC3 iterations; above, a zone counts as unsigned (RFC 9276 section 3.2, CVE-2023-50868). */
export const MAX_ITERATIONS = 50;
/** RSA moduli in bits: shorter ones can be factored, longer ones are not allowed (RFC 5702 section 2). */
export const RSA_BITS = { least: 1_024, most: 4_096 } as const;
