import { createCookie } from "@remix-run/node";
import * as z from "zod";
import type { App } from "#app/http/app.server.ts";
import { newSecret } from "./secrets.server.ts";
import { cookieOptions } from "./session-cookie.server.ts";

/** How long a trip to a DNS provider and back may take, in seconds. */
const LIFETIME_S = 3_600;

/** One trip: what the provider must give back, and the page that it began on. */
const Trip = z.object({ state: z.string(), from: z.string() });

const tripCookie = ({ env, secrets }: App) =>
  createCookie(cookieOptions(env, "connect").name, {
    ...cookieOptions(env, "connect"),
    secrets: [...secrets],
    maxAge: LIFETIME_S,
  });

/** Begins a trip from the page at the path `from`, and ends any other of this browser. */
export async function beginTrip(
  app: App,
  from: string,
): Promise<{ state: string; cookie: string }> {
  const state = newSecret();
  return { state, cookie: await tripCookie(app).serialize({ state, from }) };
}

/** Whether this browser began a trip on `from` with this state; and the cookie that ends it. */
export async function endTrip(
  app: App,
  request: Request,
  { state, from }: { state: string | null; from: string },
): Promise<{ isOwn: boolean; cookie: string }> {
  const cookie = tripCookie(app);
  const { data } = Trip.safeParse(await cookie.parse(request.headers.get("Cookie")));
  return {
    isOwn: data !== undefined && data.state === state && data.from === from,
    cookie: await cookie.serialize("", { maxAge: 0 }),
  };
}
