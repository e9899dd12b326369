/** The fields of a zone's SOA record that a read uses (RFC 1035 section 3.3.13). */
export type Soa = {
  /** Owner name: the zone. */
  zone: string;
  serial: number;
  /** Seconds. */
  refresh: number;
  /** Seconds: SOA MINIMUM (RFC 2308 section 4). */
  minimum: number;
  /** Seconds: TTL of the SOA record itself. */
  ttl: number;
};
