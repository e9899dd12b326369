import {
  type Env,
  EnvironmentError,
  parseEnvironment,
  VARIABLES,
} from "#app/ops/environment/env.server.ts";
import { unknownNames, warningsOf } from "#app/ops/environment/warnings.ts";
import { about, type Finding, SETTINGS, withAdvice } from "./finding.ts";

const { ok, warning, broken } = about("Configuration");

type Source = Record<string, string | undefined>;

/** The source without the variables that these lines name, and without the files of their secrets. */
function without(problems: readonly string[], source: Source): Source {
  const named = new Set(problems.join(" ").match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []);
  return Object.fromEntries(
    Object.entries(source).filter(
      ([name]) => !named.has(name) && !named.has(name.replace(/_FILE$/, "")),
    ),
  );
}

/** What is left of an environment once every bad value is dropped, so that the rest can still be examined. */
function usable(source: Source): Env {
  let left = source;
  for (let round = 0; round <= VARIABLES.length; round++) {
    try {
      return parseEnvironment(left);
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error;
      left = without(error.problems, left);
    }
  }
  return parseEnvironment({});
}

/**
 * The environment as far as it is valid, and a finding for each bad or suspicious value. `dotEnv`: what of it is in
 * .env.
 */
export function examineConfiguration(
  source: Source,
  dotEnv: Source,
): { env: Env; findings: Finding[] } {
  try {
    const env = parseEnvironment(source);
    const warnings = [...warningsOf(env), ...unknownNames(source, dotEnv)].map(({ message }) =>
      warning(...withAdvice(message)),
    );
    return { env, findings: warnings.length > 0 ? warnings : [ok("every value is valid")] };
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    const findings = error.problems.map((problem) => broken(problem, SETTINGS));
    return { env: usable(source), findings };
  }
}
