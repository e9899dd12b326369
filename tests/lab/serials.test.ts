import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { TOKEN } from "./case.ts";
import { describeLab } from "./lab.ts";
import {
  AUTHORITY,
  atEnd,
  claimant,
  code,
  folder,
  freePort,
  NAME,
  NEGATIVE,
  serve,
  ZONE,
} from "./lag.ts";
import { findSoftware } from "./software.ts";

const { software } = findSoftware(["pdns_server"]);

/** Where Debian's pdns-backend-sqlite3 installs it. */
const SCHEMA = "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";

describeLab("PowerDNS, whose native zones are edited in the database", () => {
  /** A zone in a database. `edit` sets the text at the challenge name, and raises the serial if `counts`. */
  async function zone(counts: boolean) {
    const port = await freePort();
    const base = await folder();
    const path = join(base, "pdns.sqlite3");
    const db = new Database(path);
    atEnd(() => db.close());
    db.exec(await readFile(SCHEMA, "utf8"));
    db.prepare("insert into domains (id, name, type) values (1, ?, 'NATIVE')").run(ZONE);
    const add = db.prepare(
      "insert into records (domain_id, name, type, content, ttl, auth) values (1, ?, ?, ?, 60, 1)",
    );
    let serial = 7;
    const soa = () => `ns1.${ZONE} hostmaster.${ZONE} ${serial} 3600 900 86400 ${NEGATIVE}`;
    add.run(ZONE, "SOA", soa());
    add.run(ZONE, "NS", `ns1.${ZONE}`);
    add.run(`ns1.${ZONE}`, "A", AUTHORITY);
    const edit = (text: string | null) => {
      db.prepare("delete from records where type = 'TXT'").run();
      if (text) add.run(NAME, "TXT", `"${text}"`);
      if (counts) serial += 1;
      db.prepare("update records set content = ? where type = 'SOA'").run(soa());
    };
    const options = {
      daemon: "no",
      guardian: "no",
      "config-dir": base,
      "socket-dir": base,
      launch: "gsqlite3",
      "gsqlite3-database": path,
      "local-address": AUTHORITY,
      "local-port": port,
      "cache-ttl": 0,
      "query-cache-ttl": 0,
      "negquery-cache-ttl": 0,
      "zone-cache-refresh-interval": 0,
    };
    const args = Object.entries(options).map(([key, value]) => `--${key}=${value}`);
    await serve(software.pdns_server, args, AUTHORITY, port);
    return { ...(await claimant(port, [])), edit };
  }

  it("never calls a zone with a constant serial unchanged", async () => {
    const { read, edit } = await zone(false);
    expect([await read(), await read()].map(code)).toEqual(["record_absent", "record_absent"]);
    edit("v=spf1 -all");
    expect(code(await read())).toBe("no_matching_record");
    edit(null);
    expect([await read(), await read()].map(code)).toEqual(["record_absent", "record_absent"]);
    edit(TOKEN);
    expect(code(await read())).toBe("found");
  });

  it("learns that the serial moves with changes, then reports an unchanged one", async () => {
    const { read, startAnew, edit } = await zone(true);
    expect(code(await read())).toBe("record_absent");
    edit("v=spf1 -all");
    expect(code(await read())).toBe("no_matching_record");
    edit(null);
    expect(code(await read())).toBe("record_absent");
    startAnew();
    expect([await read(), await read()].map(code)).toEqual(["record_absent", "not_published"]);
    edit("v=spf1 -all");
    edit(null);
    expect(code(await read())).toBe("record_absent");
  });
}, ["pdns_server"]);
