import { createCookie, redirect } from "@remix-run/node";
import * as z from "zod";
import type { App } from "#app/http/app.server.ts";
import { problemOf } from "#app/http/page-errors.server.ts";
import { newSecret } from "./secrets.server.ts";
import { cookieOptions } from "./session-cookie.server.ts";

/** How long a trip to a DNS provider and back may take, in seconds. */
const LIFETIME_S = 3_600;

/** One trip of a browser: what the provider must give back, and the path of the page that it began on. */
const Trip = z.object({ state: z.string(), from: z.string() });

const tripCookie = ({ env, secrets }: App) =>
  createCookie(cookieOptions(env, "connect").name, {
    ...cookieOptions(env, "connect"),
    secrets: [...secrets],
    maxAge: LIFETIME_S,
  });

/** Where a provider sends the browser back to, and with what. */
export type WayBack = { returnTo: string; state: string };

/** The path of the page that a trip begins and ends on, from that of either end. */
const pageOf = (request: Request): string =>
  new URL(request.url).pathname.replace(/\/connect(?:ed)?\/*$/, "");

const NOT_STORED = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow" };

/**
 * For `<page>/connect`: sends the browser to a DNS provider, which ends any other trip of this browser. Back to the page
 * if `urlOf` has no way there.
 */
export async function setOut(
  app: App,
  request: Request,
  urlOf: (back: WayBack) => Promise<string | null>,
): Promise<Response> {
  const from = pageOf(request);
  const state = newSecret();
  const url = await urlOf({ state, returnTo: `${app.settings.baseUrl}${from}/connected` }).catch(
    (thrown) => problemOf(thrown) && null,
  );
  if (url === null)
    return redirect(`${from}?set-up=not-possible`, { status: 303, headers: NOT_STORED });
  return redirect(url, {
    status: 303,
    headers: {
      ...NOT_STORED,
      "Referrer-Policy": "no-referrer",
      "Set-Cookie": await tripCookie(app).serialize({ state, from }),
    },
  });
}

/**
 * For `<page>/connected`: ends a trip, on the page. Reads DNS at once with `read` if this browser went there from this
 * page and was not refused; anyone else's link reads nothing. What a budget refuses is left to the schedule.
 */
export async function comeBack(
  app: App,
  request: Request,
  read: () => Promise<unknown>,
): Promise<Response> {
  const from = pageOf(request);
  const query = new URL(request.url).searchParams;
  const cookie = tripCookie(app);
  const { data } = Trip.safeParse(await cookie.parse(request.headers.get("Cookie")));
  const isOwn = data !== undefined && data.state === query.get("state") && data.from === from;
  const isRefused = query.has("error");
  if (isOwn && !isRefused) await read().catch(problemOf);
  return redirect(isOwn && isRefused ? `${from}?set-up=refused` : from, {
    status: 303,
    // A stranger's link does not end the trip that this browser is on.
    headers: {
      ...NOT_STORED,
      ...(isOwn && { "Set-Cookie": await cookie.serialize("", { maxAge: 0 }) }),
    },
  });
}
