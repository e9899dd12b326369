import type { Command } from "commander";
import { accountWhere, addAccount, hasAccounts } from "#app/core/accounts/accounts.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { parseAddress } from "#app/core/names/address.ts";
import { BUDGET } from "#app/environment/formats.ts";
import {
  disableAccount,
  enableAccount,
  findAccounts,
  type ListedAccount,
  limitTexts,
  setLimits,
} from "#app/features/admin/accounts.server.ts";
import { HOME_PATH, issueLink } from "#app/features/sign-in/magic-link.server.ts";
import { newSecret } from "#app/http/caller/cookies.server.ts";
import { endAllSessions } from "#app/http/caller/session-end.server.ts";
import { people } from "#db/schema.ts";
import { runAsOperator } from "../support/operator.ts";
import { CommandError, printJson, printTable, UsageError } from "../support/output.ts";

export const HELP = `
Works on the configured database, even while the service runs. In a cluster, run it on the primary.

Examples:
  deed users list
  deed users add ops@example.org      even if SIGN_UP is closed
  deed users link ops@example.org     a sign-in link, for when email does not work
  deed users link --first             one for ADMIN, while there is no account
  deed users disable ops@example.org  ends its sessions and refuses sign-in; enable undoes it
  deed users limits saas@example.org --open-claims 20000 --runs 6000/3600
  deed users sign-out --all           ends every session; API keys keep working`;

export const register = (users: Command): void => {
  users.description("list, add, disable, enable and sign out accounts, and print sign-in links");
  users
    .command("list")
    .description("print the accounts, newest first")
    .option("--json", "print JSON")
    .action(list);
  users
    .command("add <address>")
    .description("open an account for an address, whatever SIGN_UP says")
    .action(add);
  users
    .command("disable <address>")
    .description("end the account's sessions and open claims, and refuse sign-in")
    .action((address) => setDisabled(address, true));
  users
    .command("enable <address>")
    .description("let a disabled account sign in again")
    .action((address) => setDisabled(address, false));
  const limits = users
    .command("limits <address>")
    .description('show the account\'s own limits, or set some; "default" removes one');
  for (const [name, { form }] of Object.entries(LIMITS)) limits.option(`--${name} <${form}>`);
  limits.action(changeLimits);
  users
    .command("link [address]")
    .description("print a sign-in link built from BASE_URL; it works once, for 15 minutes")
    .option("--first", "a link that opens the first account, for the address or else ADMIN")
    .action(link);
  users
    .command("sign-out [address]")
    .description("end every session of an address, or with --all of everyone")
    .option("--all")
    .action(signOut);
};

const COUNT = { form: "count", pattern: /^[1-9]\d{0,8}$/, read: Number };
const RATE = { form: "count/seconds", pattern: BUDGET, read: String };
const COUNTS = { "open-claims": COUNT, domains: COUNT };
const LIMITS = { ...COUNTS, runs: RATE, additions: RATE, requests: RATE };

function parseLimit(name: keyof typeof LIMITS, text: string): string | number | null {
  const { form, pattern, read } = LIMITS[name];
  if (text === "default") return null;
  if (!pattern.test(text)) throw new UsageError(`--${name} takes ${form}, or "default"`);
  return read(text);
}

async function changeLimits(address: string, options: Record<string, string>): Promise<void> {
  const email = requireAddress(address);
  const changes = Object.keys(LIMITS).flatMap((name) => {
    const member = name === "open-claims" ? "openClaims" : name;
    const text = options[member];
    return text === undefined ? [] : [[member, parseLimit(name as keyof typeof LIMITS, text)]];
  });
  await runAsOperator(async (ctx) => {
    const { id } = requireAccount(ctx, email);
    const texts = limitTexts(await setLimits(ctx, id, Object.fromEntries(changes)));
    console.log(`${email}: ${texts.join(", ") || "no limits of its own"}`);
  });
}

const dayOf = (time: string | null) => time?.slice(0, 10) ?? "";

function listAccounts(ctx: Context): ListedAccount[] {
  const allAccounts: ListedAccount[] = [];
  for (let page = 1; ; page++) {
    const { accounts, isMore } = findAccounts(ctx, "", "newest", page);
    allAccounts.push(...accounts);
    if (!isMore) return allAccounts;
  }
}

async function list({ json }: { json?: true }): Promise<void> {
  const accounts = await runAsOperator(listAccounts);
  const headings = ["ADDRESS", "PEOPLE", "NAMES", "CREATED", "LAST SEEN", "DISABLED"];
  const rows = accounts.map(({ email, people, names, ...account }) => {
    const { createdAt, lastSeenAt, disabledAt } = account;
    return [email, `${people}`, `${names}`, ...[createdAt, lastSeenAt, disabledAt].map(dayOf)];
  });
  if (json) printJson(accounts);
  else printTable([headings, ...rows]);
}

function requireAddress(address: string): string {
  const email = parseAddress(address);
  if (!email) throw new UsageError(`${JSON.stringify(address)} is not an email address`);
  return email;
}

function requireAccount(ctx: Context, email: string) {
  const account = accountWhere(ctx.db, { email });
  if (account) return account;
  throw new CommandError(`No account has the address ${email}. Run: deed users add ${email}`);
}

async function add(address: string): Promise<void> {
  const email = requireAddress(address);
  const { created } = await runAsOperator((ctx) => addAccount(ctx, email));
  console.log(created ? `${email} has an account now` : `${email} has an account already`);
}

async function setDisabled(address: string, isDisabled: boolean): Promise<void> {
  const email = requireAddress(address);
  await runAsOperator(async (ctx) => {
    const { id } = requireAccount(ctx, email);
    const isNew = await (isDisabled ? disableAccount : enableAccount)(ctx, id);
    const state = isDisabled ? "disabled" : "enabled";
    console.log(`The account of ${email} is ${isNew ? state : `${state} already`}`);
  });
}

async function signOut(address: string | undefined, { all }: { all?: true }): Promise<void> {
  if ((address === undefined) !== (all === true)) throw new UsageError("name an address, or --all");
  const email = address === undefined ? undefined : requireAddress(address);
  await runAsOperator(async (ctx) => {
    if (email) requireAccount(ctx, email);
    const columns = { accountId: people.accountId, personId: people.id, email: people.email };
    for (const person of ctx.db.select(columns).from(people).all())
      if (all || person.email === email) await endAllSessions(ctx, person);
  });
  console.log(`Signed out: ${email ?? "everyone"}`);
}

async function link(address: string | undefined, { first }: { first?: true }): Promise<void> {
  if (address === undefined && !first) throw new UsageError("name an address, or --first");
  const givenEmail = address === undefined ? undefined : requireAddress(address);
  await runAsOperator(async (ctx) => {
    const email = givenEmail ?? ctx.settings.admins[0];
    if (!email) throw new UsageError("name the address of the first account, or set ADMIN");
    if (first && hasAccounts(ctx.db))
      throw new CommandError("There is already an account. Run: deed users list");
    if (!first && requireAccount(ctx, email).disabledAt !== null)
      throw new CommandError(
        `The account of ${email} is disabled. Run: deed users enable ${email}`,
      );
    const { token } = await issueLink(
      // The code's hash uses a secret that is thrown away: nobody knows the code, so nobody can be tricked into telling it.
      { ...ctx, secrets: [newSecret()] },
      { email, callbackPath: HOME_PATH, browserHash: null },
    );
    if (first)
      console.error(
        `This link opens the first account, for ${email}. Nobody has confirmed this address.`,
      );
    console.log(`${ctx.settings.baseUrl}/sign-in/confirm?token=${token}`);
  });
}
