/** `dying-read.ts <database> <verification> <now> <point>`: reads a verification and kills itself at `point`. */

import { foundAt } from "@deed/dns/testing/readings.ts";
import type { Statement } from "better-sqlite3";
import { rowsOfVerification } from "#app/features/claims/outcome.server.ts";
import { runVerification } from "#app/features/claims/verifications.server.ts";
import { serviceOn } from "./world.ts";

const [path = "", verificationId = "", now = "", point = ""] = process.argv.slice(2);
const service = serviceOn(path);
const { db } = service.ctx;
service.now = Number(now);
let isRead = false;
const dieAt = (here: string) => {
  if (isRead && here === point) process.kill(process.pid, "SIGKILL");
};
service.see = (question, at) => {
  isRead = true;
  dieAt("after the DNS read");
  return foundAt(question, at);
};
const statements: Statement = Object.getPrototypeOf(db.$client.prepare("select 1"));
const { run } = statements;
statements.run = function (this: Statement, ...values: unknown[]) {
  const isCommit = this.source.toLowerCase() === "commit";
  if (isCommit) dieAt("before the commit");
  const result = run.apply(this, values);
  if (isCommit) dieAt("after the commit");
  return result;
};
const accountId = rowsOfVerification(db).get({ id: verificationId })?.claim.accountId;
await runVerification(service.ctx, accountId ?? "", verificationId, new AbortController().signal);
