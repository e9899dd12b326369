export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The path of the first member that is not as it should be, "" for the value itself; null if there is none. */
export type Shape = (value: Json) => string | null;

const test =
  (is: (value: Json) => boolean): Shape =>
  (value) =>
    is(value) ? null : "";

export const exactly = (...values: Json[]): Shape => test((value) => values.includes(value));
export const matching = (pattern: RegExp): Shape =>
  test((value) => typeof value === "string" && pattern.test(value));
/** Seconds since 1970, as DNSSEC counts them. */
export const seconds = test((value) => Number.isInteger(value) && Number(value) < 2 ** 32);
export const orNull =
  (shape: Shape): Shape =>
  (value) =>
    value === null ? null : shape(value);

export const listOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) ? (value.map(shape).find((wrong) => wrong !== null) ?? null) : "";

/** An object with these members, in this order, and no others. */
export function objectOf(members: Record<string, Shape>): Shape {
  return (value) => {
    const given = Object.entries(value ?? {});
    for (const [name, shape] of Object.entries(members)) {
      const [own, member = null] = given.shift() ?? [];
      const wrong = own === name ? shape(member) : "";
      if (wrong !== null) return wrong === "" ? name : `${name}.${wrong}`;
    }
    return given.length > 0 ? "" : null;
  };
}
