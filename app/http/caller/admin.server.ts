import { DeedError } from "#app/core/errors.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { chargeAccount } from "#app/http/limits.server.ts";
import { throwPage } from "#app/http/page-errors.server.ts";
import { type Session, sessionOf } from "./session.server.ts";

export const isAdmin = ({ email }: Session): boolean => getApp().settings.admins.includes(email);

export async function requireAdmin(request: Request): Promise<Session> {
  const session = await sessionOf(request);
  if (!session || !isAdmin(session)) return throwPage(new DeedError("not_found"));
  await chargeAccount(getApp(), session.accountId).catch(throwPage);
  return session;
}
