import type { Context } from "./context.server.ts";
import type { Domain, DomainList, ListedDomain } from "./resources.ts";

export type DomainQuery = {
  name?: string | undefined;
  status?: ListedDomain["status"] | undefined;
  archived?: boolean | undefined;
  /** 1 to 100. */
  limit?: number | undefined;
  cursor?: string | undefined;
};

/** Finds or creates. Throws invalid_domain. */
export async function addDomain(
  _ctx: Context,
  _accountId: string,
  _input: string,
): Promise<{ domain: Domain; created: boolean }> {
  throw new Error("unwritten");
}
/** Throws invalid_request on a cursor that is none. */
export async function listDomains(
  _ctx: Context,
  _accountId: string,
  _query: DomainQuery,
): Promise<DomainList> {
  throw new Error("unwritten");
}
/** Throws domain_not_found. */
export function readDomain(_ctx: Context, _accountId: string, _id: string): Domain {
  throw new Error("unwritten");
}
/** The domain as the list shows it, for screens. Throws domain_not_found. */
export async function readListedDomain(
  _ctx: Context,
  _accountId: string,
  _id: string,
): Promise<ListedDomain> {
  throw new Error("unwritten");
}
export async function archiveDomain(
  _ctx: Context,
  _accountId: string,
  _id: string,
): Promise<Domain> {
  throw new Error("unwritten");
}
export async function unarchiveDomain(
  _ctx: Context,
  _accountId: string,
  _id: string,
): Promise<Domain> {
  throw new Error("unwritten");
}
export async function deleteDomain(_ctx: Context, _accountId: string, _id: string): Promise<void> {
  throw new Error("unwritten");
}
/** What archiving or deleting would end, in counts, for the confirmation pages. */
export function domainHoldings(
  _ctx: Context,
  _accountId: string,
  _id: string,
): { claims: number; openClaims: number; liveLinks: number; notices: number } {
  throw new Error("unwritten");
}
