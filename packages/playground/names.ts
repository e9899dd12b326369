/** Names here are lower case without the trailing dot; the root is the empty string. */

/** The form in which names are compared (RFC 4343): lower case, no trailing dot. */
export const canonical = (name: string): string => name.toLowerCase().replace(/\.$/, "");

/** Whether `name` is `zone` or below it. */
export const isWithin = (name: string, zone: string): boolean =>
  zone === "" || name === zone || name.endsWith(`.${zone}`);

/** The name without its first label; the root's parent is the root. */
export function parentOf(name: string): string {
  const dot = name.indexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1);
}

/** `name` and all its ancestors, longest first, ending with the root. */
export function ancestry(name: string): string[] {
  const names = [name];
  for (let rest = name; rest !== ""; names.push(rest)) rest = parentOf(rest);
  return names;
}

/** The value of the longest key in `table` that is `name` or an ancestor of it. */
export const closestValue = <V>(table: ReadonlyMap<string, V>, name: string): V | undefined => {
  for (const candidate of ancestry(name)) {
    const value = table.get(candidate);
    if (value !== undefined) return value;
  }
  return undefined;
};
