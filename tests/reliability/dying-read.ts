/** `dying-read.ts <database> <verification> <now> <point>`: reads a verification and kills itself at `point`. */

import { foundAt } from "@deed/dns/testing/readings.ts";
import { rowsOfVerification } from "#app/features/claims/outcome.server.ts";
import { runVerification } from "#app/features/claims/verifications.server.ts";
import { watchTransactions } from "../support/transactions.ts";
import { serviceOn } from "./world.ts";

const POINTS = ["after the DNS read", "before the commit", "after the commit"];

const [path = "", verificationId = "", now = "", point = ""] = process.argv.slice(2);
const die = () => process.kill(process.pid, "SIGKILL");

if (path) {
  const service = serviceOn(path);
  service.now = Number(now);
  let isRead = false;
  service.see = (question, at) => {
    isRead = true;
    if (point === POINTS[0]) die();
    return foundAt(question, at);
  };
  watchTransactions(service.ctx.db, {
    beforeCommit: () => isRead && point === POINTS[1] && die(),
    afterCommit: () => isRead && point === POINTS[2] && die(),
  });
  const accountId = rowsOfVerification(service.ctx.db).get({ id: verificationId })?.claim.accountId;
  const stay = new AbortController().signal;
  await runVerification(service.ctx, accountId ?? "", verificationId, stay);
}
