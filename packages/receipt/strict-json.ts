export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

/** Returns the path of the first member that is not right for a T, "" for the value itself, null if all are right. */
export type Shape<T> = { (value: Json): string | null; value?: T; isOptional?: true };
export type ValueOf<S> = S extends Shape<infer T> ? T : never;

const shape =
  <T>(isValid: (value: Json) => boolean): Shape<T> =>
  (value) =>
    isValid(value) ? null : "";

export const exactly = <T extends Json>(...values: readonly T[]): Shape<T> =>
  shape((value) => values.some((allowed) => allowed === value));
export const matching = (pattern: RegExp): Shape<string> =>
  shape((value) => typeof value === "string" && pattern.test(value));
/** Whole seconds since 1970 that fit 32 bits, as in DNSSEC. */
export const seconds = shape<number>((value) => Number.isInteger(value) && Number(value) < 2 ** 32);
export const orNull =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (value) =>
    value === null ? null : shape(value);

export const optional = <T>(shape: Shape<T>): Shape<T | undefined> =>
  Object.assign((value: Json) => shape(value), { isOptional: true as const });

export const listOf =
  <T>(shape: Shape<T>): Shape<T[]> =>
  (value) =>
    Array.isArray(value) ? (value.map(shape).find((problem) => problem !== null) ?? null) : "";

/** An object with these members. Others are ignored. */
export const objectOf =
  <T extends object>(members: { [Name in keyof T]: Shape<T[Name]> }): Shape<T> =>
  (value) => {
    if (!isObject(value)) return "";
    const entries = Object.entries(value);
    for (const [name, shape] of Object.entries<Shape<unknown>>(members)) {
      const [, member] = entries.find((member) => member[0] === name) ?? [];
      if (member === undefined && shape.isOptional) continue;
      const problem = member === undefined ? "" : shape(member);
      if (problem !== null) return problem === "" ? name : `${name}.${problem}`;
    }
    return null;
  };

const isObject = (value: Json): value is { readonly [name: string]: Json | undefined } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
