import { KNOWN_NAMES } from "#app/env.server.ts";
import { nameElsewhere } from "./near-names.ts";
import type { Warning } from "./warnings.ts";

type Source = Record<string, string | undefined>;

const PREFIX = "DEED_";

/** The variable that was meant by one that Deed does not know; null if it may well be another program's. */
function meantBy(name: string, given: Source): string | null {
  const bare = name.slice(PREFIX.length);
  // Beside a service called deed, Kubernetes sets DEED_PORT=tcp://…
  if (name.startsWith(PREFIX) && KNOWN_NAMES.includes(bare) && !given[name]?.startsWith("tcp://"))
    return bare;
  const meant = nameElsewhere(name);
  return meant && !given[meant] && !given[`${meant}_FILE`] ? meant : null;
}

/**
 * The variables that Deed does not know but was probably given: those that it calls something else, and all in .env.
 * `given`: the environment with .env. The near names, which are bad values, have been refused before.
 */
export function unknownNames(given: Source, dotEnv: Source): Warning[] {
  return Object.keys(given).flatMap((name) => {
    if (KNOWN_NAMES.includes(name)) return [];
    const meant = meantBy(name, given);
    // Only what looks like a variable: the last line of a key in several lines may look like a name too.
    const isTold = meant || (dotEnv[name] !== undefined && /^[A-Z][A-Z0-9_]*$/.test(name));
    if (!isTold) return [];
    const message = meant
      ? `${name} is not a variable of Deed: set ${meant} instead`
      : `${name} in .env is not a variable of Deed`;
    return [{ code: "unknown_variable", variable: name, message }];
  });
}
