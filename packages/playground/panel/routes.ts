import type { Playground } from "../playground.ts";
import { EMPTY_FORM, fillForm, idOf, readForm, type TypedRecord } from "./editing.ts";
import type { Hooks } from "./hooks.ts";
import type { Html } from "./html.ts";
import { mailboxPage } from "./mailbox.ts";
import { Refusal } from "./request.ts";
import { situationPage, situationsPage } from "./situation-pages.ts";
import type { Stage } from "./stage.ts";
import { Visitor } from "./visitor.ts";
import { editableZones, panelOf, recordPage, zonePage, zonesPage } from "./zone-pages.ts";

/** Where to redirect, or the page to show. A page that reports a problem has status 422. */
export type Outcome = { to: string; cookies?: string[] } | { status: 200 | 422; page: Html };
export type PanelContext = {
  playground: Playground;
  stage: Stage;
  serviceUrl: string;
  outbox: string;
  hooks: Hooks;
};
/** `cookie`: the request's header. */
type Handler = (
  panel: PanelContext,
  path: string[],
  form: URLSearchParams,
  cookie: string,
) => Outcome | Promise<Outcome>;

const MAX_VALUE_LENGTH = 255;

const show = (page: Html): Outcome => ({ status: 200, page });

const zoneAt = ({ playground }: PanelContext, zone = "") => {
  if (!editableZones(playground).includes(zone)) throw new Refusal(404, "There is no such zone.");
  return zone;
};

const recordAt = ({ playground }: PanelContext, zone: string, id = "") => {
  const { records } = playground.world.copy(zone);
  const record = records.find((candidate) => idOf(candidate) === id);
  if (!record) throw new Refusal(404, "This record no longer exists.");
  return record;
};

const situationAt = ({ stage }: PanelContext, code = "") => {
  const situation = stage.find(code);
  if (!situation) throw new Refusal(404, "There is no such situation.");
  return situation;
};

const typedFields = (form: URLSearchParams): TypedRecord => ({
  name: form.get("name") ?? "",
  type: form.get("type") ?? "",
  value: form.get("value") ?? "",
  ttl: form.get("ttl") ?? "",
});

const addRecord: Handler = (panel, [, name], form) => {
  const zone = zoneAt(panel, name);
  const typed = typedFields(form);
  const { records } = panel.playground.world.copy(zone);
  const record = readForm(panelOf(panel.playground, zone), zone, typed, records);
  if ("message" in record)
    return { status: 422, page: zonePage(panel.playground, zone, typed, record) };
  panel.playground.addRecord(zone, record);
  return { to: `/zones/${zone}` };
};

const changeRecord: Handler = (panel, [, name, , id = ""], form) => {
  const zone = zoneAt(panel, name);
  const old = recordAt(panel, zone, id);
  const isOld = (record: Parameters<typeof idOf>[0]) => idOf(record) === id;
  if (form.get("intent") === "delete") {
    panel.playground.deleteRecord(zone, isOld);
    return { to: `/zones/${zone}` };
  }
  const typed = typedFields(form);
  const others = panel.playground.world.copy(zone).records.filter((record) => record !== old);
  const record = readForm(panelOf(panel.playground, zone), zone, typed, others);
  if ("message" in record)
    return { status: 422, page: recordPage(panel.playground, zone, id, typed, record) };
  panel.playground.replaceRecord(zone, isOld, record);
  return { to: `/zones/${zone}` };
};

const applyAct: Handler = async (panel, [, code, act = ""], form) => {
  const situation = situationAt(panel, code);
  const { progress } = panel.stage.state(situation);
  const toSituation = { to: `/situations/${situation.code}` };
  if (act === "set-up") {
    await panel.stage.setUp(situation);
    return toSituation;
  }
  if (progress === "absent") throw new Refusal(409, "Set this situation up first.");
  // Pressing a button twice has no further effect.
  if (progress !== (act === "go-wrong" ? "ready" : "wrong")) return toSituation;
  const isValueNeeded = act === "put-right" || situation.asks !== null;
  const value = isValueNeeded ? (form.get("value") ?? "").trim() : "";
  if (isValueNeeded && (value === "" || value.length > MAX_VALUE_LENGTH)) {
    const rejected = { act, value, message: `Paste 1 to ${MAX_VALUE_LENGTH} characters.` };
    return { status: 422, page: situationPage(panel.stage, situation, panel.serviceUrl, rejected) };
  }
  if (act === "go-wrong") await panel.stage.goWrong(situation, value);
  else panel.stage.putRight(situation, value);
  return toSituation;
};

/** Makes the mistake on a domain in the visitor's own account, and opens the service there. */
const play: Handler = async (panel, [, code], _form, cookie) => {
  const { stage, playground, serviceUrl } = panel;
  const situation = situationAt(panel, code);
  const visitor = new Visitor(panel, cookie);
  await visitor.signIn();
  await stage.setUp(situation);
  playground.flushWitnesses(situation.zone);
  const first = await visitor.claim(situation.zone);
  if (situation.asks === "the value of the claim you canceled") await visitor.cancel(first);
  const open = await visitor.claim(situation.zone);
  await stage.goWrong(situation, situation.asks ? first.token : "");
  if (situation.kind === "mistake") await visitor.check(open);
  return { to: `${serviceUrl}/claims/${open.id}`, cookies: visitor.cookies };
};

/** Method, path pattern and handler. A handler of GET gets an empty form. */
export const ROUTES: readonly (readonly [method: string, path: RegExp, handler: Handler])[] = [
  ["GET", /^\/$/, ({ playground, serviceUrl }) => show(zonesPage(playground, serviceUrl))],
  [
    "GET",
    /^\/zones\/[^/]+$/,
    (panel, [, zone]) => show(zonePage(panel.playground, zoneAt(panel, zone), EMPTY_FORM, null)),
  ],
  [
    "GET",
    /^\/zones\/[^/]+\/records\/[^/]+$/,
    (panel, [, name, , id = ""]) => {
      const zone = zoneAt(panel, name);
      const typed = fillForm(panelOf(panel.playground, zone), zone, recordAt(panel, zone, id));
      return show(recordPage(panel.playground, zone, id, typed, null));
    },
  ],
  ["GET", /^\/situations$/, ({ stage }) => show(situationsPage(stage))],
  [
    "GET",
    /^\/situations\/[^/]+$/,
    (panel, [, code]) =>
      show(situationPage(panel.stage, situationAt(panel, code), panel.serviceUrl, null)),
  ],
  [
    "GET",
    /^\/mail$/,
    async ({ outbox, serviceUrl }) => show(await mailboxPage(outbox, serviceUrl)),
  ],
  ["POST", /^\/situations\/[^/]+\/play$/, play],
  ["POST", /^\/zones\/[^/]+\/records$/, addRecord],
  ["POST", /^\/zones\/[^/]+\/records\/[^/]+$/, changeRecord],
  ["POST", /^\/situations\/[^/]+\/(set-up|go-wrong|put-right)$/, applyAct],
];
