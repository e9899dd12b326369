import type { LabRecord } from "./lab-zone.ts";

/**
 * acme.test as signed by BIND's dnssec-signzone 9.18, valid from 1 March 2026 to 12 March 2026 at 14:00, and the DS
 * records that dnssec-dsfromkey derived from its keys. The challenge record comes from each world (world.ts).
 */
export const KSK = 45452;
export const ZSK = 51823;
export const SIGNED_FROM = Date.UTC(2026, 2, 1);
export const SIGNED_UNTIL = Date.UTC(2026, 2, 12, 14);

const ZONE = "acme.test";
const NAME = `_service-challenge.${ZONE}`;
const record = (name: string, type: LabRecord["type"], data: string): LabRecord => ({
  name,
  type,
  data,
});

export const KEYS: LabRecord[] = [
  "256 3 13 8TVE2C45Cyv0OImy3QjjhLEBJaLVmZRSTQh+72xxtW6r7b55PaQ3nKMq 3/3u9pvKN2j/hyHPAqn/yW+N73lCQw==",
  "257 3 13 LrKdzylh3+/KI7NabeCkxfSaADKYtAHSEothlXrTkChYnJXrrm63avRD bY2mAM95D36zGPdiFMjhV4OeBSTUjQ==",
].map((data) => record(ZONE, "DNSKEY", data));

export const KEY_SIGNATURE_BY_KSK = record(
  ZONE,
  "RRSIG",
  "DNSKEY 13 2 300 20260312140000 20260301000000 45452 acme.test. hKwaCKwyhRDQBlJs++Yf0zNcq5vhOiQZI3R0Ms8WxbCnZvF9nU4gSvTg RmAIZ3H7Sz4ZyYkrHgOoTJ00gzQUWw==",
);
export const KEY_SIGNATURE_BY_ZSK = record(
  ZONE,
  "RRSIG",
  "DNSKEY 13 2 300 20260312140000 20260301000000 51823 acme.test. ZL/9O/BUtOKJYO+8AQEPkSwkRWstTORCatadV1iTyuUi1NRuO0smS4fI J8Wde7eK+UVkvRAHr3FuFQlllUrDkg==",
);
export const TXT_SIGNATURE = record(
  NAME,
  "RRSIG",
  "TXT 13 3 300 20260312140000 20260301000000 51823 acme.test. WfodeJIUtfDqwvm18Kzt57C/sn3TauglXp/Iro1g74ukN5mbpbPTEO1Y 7ekcoOW6sJ0+X5YlAgzTYNuyM9YG5Q==",
);
export const SIGNED: LabRecord[] = [
  ...KEYS,
  KEY_SIGNATURE_BY_KSK,
  KEY_SIGNATURE_BY_ZSK,
  TXT_SIGNATURE,
];

/** DS records of both keys, by digest. */
export const DS = {
  sha1: "45452 13 1 D6CE40F95D478A4D4CF47D16D208A671F166ADC2",
  sha256: "45452 13 2 36ECEDCE6F68E74BD0F460CE8D92901BE6D371AA807F95BEFB3937EFEA4E3FBD",
  sha384:
    "45452 13 4 BBBF78C4AB9CAB8A3445A4A3A0EC0B0DF042D2B3520E0A60D9ACEFB1AD10B001CC1050BDA70DF7C113C9D4DF4EC9B065",
  ofZsk: "51823 13 2 9A31169227CA902117BD4C0A9D317A7EF71F4C931BBDB679F4E98BDB91561F3C",
  /** For the key of another zone. */
  stranger: "60485 13 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A",
} as const;

export const ds = (data: string, name = ZONE): LabRecord => ({
  name,
  type: "DS",
  data,
  ttl: 86_400,
});
