import { afterAll, beforeAll, expect, it } from "vitest";
import type { RecordCheck } from "#app/features/checks/resources.ts";
import { deed } from "../support/command.ts";
import { Client, roomy } from "../support/deed.ts";
import { type Service, startService } from "../support/service.ts";
import { describeLab, type Lab, startLab } from "./lab.ts";
import { VENDOR_THREADS, type VendorThread } from "./threads/vendors.ts";

const MOST_UNNAMED = 1;
const FILE = "./anybodys.test.txt";

type Told = { code: string; words: string };
type Row = { thread: VendorThread; api: Told; page: Told; command: Told };
const rows: Row[] = [];

const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");

async function ask(url: string, { name, type, value }: VendorThread): Promise<Told> {
  const answer = await new Client(url).post("/api/checks", { name, type, value });
  const { outcome, code, wait, cause, fix } = answer.body as RecordCheck;
  return { code: code ?? wait?.reason ?? outcome, words: `${cause} ${fix}` };
}

async function look(url: string, { name, type, value }: VendorThread): Promise<Told> {
  const visitor = new Client(url);
  const pressed = await visitor.submit("/check", {
    name: `${name}. 300 IN ${type} "${value}"`,
    type,
  });
  const { text } = await visitor.get(pressed.headers.get("location") ?? "");
  const [, code = ""] = /data-code="(\w+)"/.exec(text) ?? [];
  return { code, words: plain(/<section class="card">.*?<\/section>/s.exec(text)?.[0] ?? "") };
}

function run(env: Record<string, string>, { name, type, value }: VendorThread): Told {
  const { stdout } = deed(["check", "--record", name, value, "--type", type, "--json"], {
    env,
  });
  const { outcome, record, wait, diagnosis } = JSON.parse(stdout);
  const { cause, fix } = record.code ? record : (wait ?? diagnosis ?? {});
  return { code: record.code ?? wait?.reason ?? outcome, words: `${cause} ${fix}` };
}

/** The page shows a comparison in place of the cause, and values in fields: its code and fix must name the problem. */
const isNamed = ({ thread, api, page, command }: Row) =>
  [api, command].every(
    ({ code, words }) =>
      thread.codes.includes(code) && thread.says.every((phrase) => phrase.test(words)),
  ) &&
  (page.code === api.code || (page.code === "" && page.words.includes("not everywhere yet")));

/** The API's words, one block per thread. */
const shown = () =>
  rows
    .map((row) => {
      const { source, was, name, type } = row.thread;
      const words = row.api.words
        .replace(/for \d+ minutes([.,])/g, "for … minutes$1") // jittered
        .replace(/\(key tag \d+\)/g, "(key tag …)");
      const head = `${isNamed(row) ? "exactly" : "NOT EXACTLY"}: ${type} ${name}`;
      return [head, source, was, `${row.api.code}: ${words}`, ""].join("\n");
    })
    .join("\n");

describeLab("records of others", () => {
  let lab: Lab | undefined;
  let service: Service | undefined;
  beforeAll(async () => {
    lab = await startLab(VENDOR_THREADS.flatMap(({ zones }) => zones));
    const later = VENDOR_THREADS.filter(({ added }) => added);
    await Promise.all(later.map(({ name }) => lab?.prime(name)));
    for (const { zones, added } of later) await lab.setZone(zones[0]?.name ?? "", added ?? []);
    service = await startService({ env: { ...lab.env, ...roomy("ZONES") } });
    const { url } = service;
    const { env } = lab;
    for (const thread of VENDOR_THREADS) {
      const command = run(env, thread);
      rows.push({ thread, api: await ask(url, thread), page: await look(url, thread), command });
    }
  }, 600_000);
  afterAll(async () => {
    await service?.stop();
    await lab?.stop();
  });

  it("are named exactly, on the page, by the API and by the command", () => {
    const unnamed = rows.filter((row) => !isNamed(row));
    const told = unnamed.map(({ thread, ...by }) => [thread.source, thread.codes, by]);
    expect(rows).toHaveLength(40);
    expect(unnamed.length, JSON.stringify(told, null, 1)).toBeLessThanOrEqual(MOST_UNNAMED);
  });

  it("are told in these words", async () => {
    await expect(shown()).toMatchFileSnapshot(FILE);
  });
});
