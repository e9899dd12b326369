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
export type Desk = {
  playground: Playground;
  stage: Stage;
  serviceUrl: string;
  outbox: string;
  hooks: Hooks;
};
/** `cookie`: the request's header. */
type Handler = (
  desk: Desk,
  path: string[],
  form: URLSearchParams,
  cookie: string,
) => Outcome | Promise<Outcome>;

const MAX_VALUE_LENGTH = 255;

const show = (page: Html): Outcome => ({ status: 200, page });

const zoneAt = ({ playground }: Desk, zone = "") => {
  if (!editableZones(playground).includes(zone)) throw new Refusal(404, "There is no such zone.");
  return zone;
};

const recordAt = ({ playground }: Desk, zone: string, id = "") => {
  const { records } = playground.world.copy(zone);
  const record = records.find((candidate) => idOf(candidate) === id);
  if (!record) throw new Refusal(404, "This record no longer exists.");
  return record;
};

const situationAt = ({ stage }: Desk, code = "") => {
  const situation = stage.find(code);
  if (!situation) throw new Refusal(404, "There is no such situation.");
  return situation;
};

const typedIn = (form: URLSearchParams): TypedRecord => ({
  name: form.get("name") ?? "",
  type: form.get("type") ?? "",
  value: form.get("value") ?? "",
  ttl: form.get("ttl") ?? "",
});

const addRecord: Handler = (desk, [, name], form) => {
  const zone = zoneAt(desk, name);
  const typed = typedIn(form);
  const { records } = desk.playground.world.copy(zone);
  const record = readForm(panelOf(desk.playground, zone), zone, typed, records);
  if ("message" in record)
    return { status: 422, page: zonePage(desk.playground, zone, typed, record) };
  desk.playground.addRecord(zone, record);
  return { to: `/zones/${zone}` };
};

const changeRecord: Handler = (desk, [, name, , id = ""], form) => {
  const zone = zoneAt(desk, name);
  const old = recordAt(desk, zone, id);
  const isOld = (record: Parameters<typeof idOf>[0]) => idOf(record) === id;
  if (form.get("intent") === "delete") {
    desk.playground.deleteRecord(zone, isOld);
    return { to: `/zones/${zone}` };
  }
  const typed = typedIn(form);
  const others = desk.playground.world.copy(zone).records.filter((record) => record !== old);
  const record = readForm(panelOf(desk.playground, zone), zone, typed, others);
  if ("message" in record)
    return { status: 422, page: recordPage(desk.playground, zone, id, typed, record) };
  desk.playground.replaceRecord(zone, isOld, record);
  return { to: `/zones/${zone}` };
};

const doAct: Handler = async (desk, [, code, act = ""], form) => {
  const situation = situationAt(desk, code);
  const { progress } = desk.stage.state(situation);
  const here = { to: `/situations/${situation.code}` };
  if (act === "set-up") {
    await desk.stage.setUp(situation);
    return here;
  }
  if (progress === "absent") throw new Refusal(409, "Set this situation up first.");
  // Pressing a button twice has no further effect.
  if (progress !== (act === "go-wrong" ? "ready" : "wrong")) return here;
  const isValueNeeded = act === "put-right" || situation.asks !== null;
  const value = isValueNeeded ? (form.get("value") ?? "").trim() : "";
  if (isValueNeeded && (value === "" || value.length > MAX_VALUE_LENGTH)) {
    const rejected = { act, value, message: `Paste 1 to ${MAX_VALUE_LENGTH} characters.` };
    return { status: 422, page: situationPage(desk.stage, situation, desk.serviceUrl, rejected) };
  }
  if (act === "go-wrong") await desk.stage.goWrong(situation, value);
  else desk.stage.putRight(situation, value);
  return here;
};

/** Makes the mistake on a domain in the visitor's own account, and opens the service there. */
const play: Handler = async (desk, [, code], _form, cookie) => {
  const { stage, playground, serviceUrl } = desk;
  const situation = situationAt(desk, code);
  const visitor = new Visitor(desk, cookie);
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
    (desk, [, zone]) => show(zonePage(desk.playground, zoneAt(desk, zone), EMPTY_FORM, null)),
  ],
  [
    "GET",
    /^\/zones\/[^/]+\/records\/[^/]+$/,
    (desk, [, name, , id = ""]) => {
      const zone = zoneAt(desk, name);
      const typed = fillForm(panelOf(desk.playground, zone), zone, recordAt(desk, zone, id));
      return show(recordPage(desk.playground, zone, id, typed, null));
    },
  ],
  ["GET", /^\/situations$/, ({ stage }) => show(situationsPage(stage))],
  [
    "GET",
    /^\/situations\/[^/]+$/,
    (desk, [, code]) =>
      show(situationPage(desk.stage, situationAt(desk, code), desk.serviceUrl, null)),
  ],
  [
    "GET",
    /^\/mail$/,
    async ({ outbox, serviceUrl }) => show(await mailboxPage(outbox, serviceUrl)),
  ],
  ["POST", /^\/situations\/[^/]+\/play$/, play],
  ["POST", /^\/zones\/[^/]+\/records$/, addRecord],
  ["POST", /^\/zones\/[^/]+\/records\/[^/]+$/, changeRecord],
  ["POST", /^\/situations\/[^/]+\/(set-up|go-wrong|put-right)$/, doAct],
];
