import * as verdict from "../verdict/decide.ts";
import type { History } from "../verdict/history.ts";
import type { Observation } from "../verdict/observation.ts";
import { standingOf } from "../verdict/standing.ts";

export const decide = (observation: Observation, history: History) =>
  verdict.decide(standingOf(observation, history));
export const diagnose = (observation: Observation, history: History) =>
  verdict.diagnose(standingOf(observation, history));
export const progressOf = (observation: Observation, history: History) =>
  verdict.progressOf(standingOf(observation, history));
