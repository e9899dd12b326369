import type { components } from "./api.ts";

export { Deed, type DeedOptions, type NameOptions } from "./deed.ts";
export { DeedError, type ErrorCode } from "./error.ts";
export type { DeedEvent, EventsOptions } from "./events.ts";
export type { Outcome, ProveOptions, RecordToAdd } from "./prove.ts";

/** Every API resource by name, for example `Schemas["Attempt"]`. */
export type Schemas = components["schemas"];
export type Claim = Schemas["Claim"];
export type Diagnosis = Schemas["Diagnosis"];
export type Domain = Schemas["Domain"];
export type Verification = Schemas["Verification"];
export type WaitEstimate = Schemas["WaitEstimate"];
