import type { Env } from "#app/env.server.ts";
import { listenProblems } from "#app/environment/listening.server.ts";
import { SETTINGS } from "./configuration.ts";
import { about, type Probe } from "./finding.ts";
import { askOwnService } from "./own-service.ts";

const { ok, broken } = about("Port");

/** Whether the service can listen, or does. */
export const examinePort =
  (env: Env): Probe =>
  async () => {
    const [problem] = await listenProblems(env);
    if (!problem) return [ok(`${env.PORT} is free`)];
    const { status } = await askOwnService(env, "live");
    if (status !== "unreachable") return [ok(`Deed answers on ${env.PORT}`)];
    const advice = problem.includes("in use") ? "End that process, or set another PORT." : SETTINGS;
    return [broken(problem, advice)];
  };
