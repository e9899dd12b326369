import { ReadableStream as Stream } from "node:stream/web";
import { setImmediate as turn } from "node:timers/promises";
import type { Context } from "#app/core/context.server.ts";
import { type DomainQuery, listDomains } from "./domains.server.ts";
import type { ListedDomain } from "./resources.ts";

const HEAD = ["name", "reference", "state", "proved at", "holds", "watch", "registration expires"];
const PAGE_SIZE = 100;

/** Quotes a cell (RFC 4180 section 2), and disarms it if spreadsheets would run it as a formula (OWASP, CSV injection). */
function cell(value: unknown): string {
  const text = String(value ?? "");
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const line = (values: unknown[]) => `${values.map(cell).join(",")}\r\n`;

const rowOf = ({ name, reference, archived, status, lastProvedAt, holds, watch }: ListedDomain) =>
  line([
    ...[name, reference, archived ? "archived" : status, lastProvedAt, holds],
    ...[watch?.state, watch?.registrationExpiresAt],
  ]);

async function* linesOf(ctx: Context, accountId: string, query: DomainQuery) {
  yield line(HEAD);
  for (let cursor = query.cursor; ; await turn()) {
    const pageQuery = { ...query, cursor, limit: PAGE_SIZE };
    const { domains, nextCursor } = await listDomains(ctx, accountId, pageQuery);
    yield domains.map(rowOf).join("");
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

/** Streams all domains that the query finds, page by page. Throws what `listDomains` throws, before the first line. */
export async function domainsCsv(ctx: Context, accountId: string, query: DomainQuery) {
  await listDomains(ctx, accountId, { ...query, limit: 1 });
  const lines = Stream.from(linesOf(ctx, accountId, query)) as ReadableStream<string>;
  return lines.pipeThrough(new TextEncoderStream());
}
