import { MANNERS, type Manner, type MannerName } from "./manners.ts";

/** The knotd behind the nameservers: `has` has the token, `not` lacks it, and `far` has other zones. */
export const BACKENDS = { has: "127.0.43", not: "127.0.44", far: "127.0.45" } as const;
export type Backend = keyof typeof BACKENDS;

/** `not2-lost`: the second knotd without the token, behind a front that loses UDP. See addressesOf for other forms. */
export type Host = string;

type Place = { backend: Backend; manner: Manner | null; address: string };

const NAMES = Object.keys(MANNERS) as MannerName[];
const ROOM: Record<Backend, number> = { has: 0, not: 60, far: 120 };
const FIRST_FRONT = 60;

/** Where a nameserver listens, and what answers there; null for other forms. */
export function placeOf(host: Host): Place | null {
  const [, backend, number, name] = /^(has|not|far)(\d+)(?:-(\w+))?$/.exec(host) ?? [];
  if (!backend) return null;
  const known = backend as Backend;
  if (!name) return { backend: known, manner: null, address: `${BACKENDS[known]}.${number}` };
  const front = NAMES.indexOf(name as MannerName);
  if (front < 0) throw new Error(`no server answers like ${host}`);
  const address = `127.0.${FIRST_FRONT + front}.${ROOM[known] + Number(number)}`;
  return { backend: known, manner: MANNERS[name as MannerName], address };
}

const has = (number: number) => `${BACKENDS.has}.${number}`;
/** The addresses of a nameserver's name in DNS. */
export function addressesOf(host: Host): string[] {
  const place = placeOf(host);
  if (place)
    return [place.manner?.isIpv6 ? `fe80::${place.address.split(".").at(-1)}` : place.address];
  const [, form, number] = /^(both|many|vanity|dead)(\d+)$/.exec(host) ?? [];
  if (form === "both") return ["127.0.43.31", "127.0.44.31"];
  if (form === "many") return [1, 2, 3, 4, 5, 6, 7, 8, 9].map(has).concat("127.0.44.31");
  if (form === "vanity") return [has(Number(number))];
  if (form === "dead") return [`127.0.46.${number}`];
  throw new Error(`no server is called ${host}`);
}

export const TLDS = ["com", "example"] as const;
export type Tld = (typeof TLDS)[number];

export const nameOf = (host: Host, tld: Tld) => `${host}.rule.${tld}`;
