import { DeedError } from "#app/core/errors.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { consumeBudget } from "#app/http/limits.server.ts";
import { throwPage } from "#app/http/page-errors.server.ts";
import { type Session, sessionOf } from "./session.server.ts";

/** Whether the session's address is one of ADMIN. */
export const isAdmin = ({ email }: Session): boolean => getApp().settings.admins.includes(email);

/** For the pages under /admin: returns the session of an administrator; everybody else gets the 404 page. */
export async function requireAdmin(request: Request): Promise<Session> {
  const session = await sessionOf(request);
  if (!session || !isAdmin(session)) return throwPage(new DeedError("not_found"));
  await consumeBudget(getApp(), "api", session.accountId).catch(throwPage);
  return session;
}
