import { counted } from "@deed/dns/words/wording.ts";
import type { Command } from "commander";
import { parseAddress } from "#app/core/names/address.ts";
import { examine } from "#app/ops/checks/checks.ts";
import type { Finding } from "#app/ops/checks/finding.ts";
import { BESIDE_UNIT } from "#app/ops/first-link.server.ts";
import { loadDotEnv } from "../support/environment.ts";
import { EXIT, printJson, styled, UsageError } from "../support/output.ts";

export const HELP = `
Examines the configuration, the port, DNS from this machine over UDP and TCP, IPv6, the witnesses, the clock, the mail
server, the identity provider, the stamp server, the disk, the files, the database and LiteFS, and says what to do about
each problem. Takes a few seconds and changes no data; --mail sends an email. Run it as the user that runs Deed, with the same environment:

  ${BESIDE_UNIT} doctor

Exit codes:
  0  everything is ok, or there are warnings only
  1  something is broken
  2  wrong usage

Examples:
  deed doctor
  deed doctor --mail you@example.org
  deed doctor --json | jq '.findings[] | select(.status != "ok")'`;

export const register = (command: Command) =>
  command
    .description("check the configuration and everything it depends on")
    .option("--mail <address>", "also send a test email to this address")
    .option("--json", "print JSON")
    .action(doctor);

const COLORS = { ok: "green", warning: "yellow", broken: "red" } as const;
const STATUS_WIDTH = 9;
const SUBJECT_WIDTH = 16;

function linesOf({ status, subject, text, advice }: Finding): string[] {
  const head = `${styled(COLORS[status], status)}${" ".repeat(STATUS_WIDTH - status.length)}`;
  return [
    `${head}${subject.padEnd(SUBJECT_WIDTH)}${text}`,
    ...(advice === null ? [] : [`${" ".repeat(STATUS_WIDTH + SUBJECT_WIDTH)}→ ${advice}`]),
  ];
}

async function doctor({ mail, json }: { mail?: string; json?: true }): Promise<void> {
  const dotEnv = loadDotEnv();
  const mailTo = mail === undefined ? null : parseAddress(mail);
  if (mail !== undefined && mailTo === null)
    throw new UsageError("--mail needs one email address, such as you@example.org");
  const findings = await examine({ source: process.env, dotEnv, mailTo });
  const count = (status: Finding["status"]) =>
    findings.filter((finding) => finding.status === status).length;
  const [broken, warnings, ok] = [count("broken"), count("warning"), count("ok")];
  if (json) printJson({ broken, warnings, ok, findings });
  else {
    for (const finding of findings) console.log(linesOf(finding).join("\n"));
    console.log(`\n${broken} broken, ${counted(warnings, "warning")}, ${ok} ok.`);
  }
  process.exitCode = broken > 0 ? EXIT.failure : EXIT.ok;
}
