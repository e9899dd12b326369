import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { txt } from "@deed/playground/records.ts";
import { makeStampers, stampServer } from "@deed/receipt/testing/stamper.ts";
import { expect, type Page, test } from "@playwright/test";
import { type Deed, openClaim, poll, signIn, startDeed } from "../support/deed.ts";
import { lacksIn } from "../support/passed-over.ts";
import { listening, newFolder } from "../support/service.ts";
import { LARGE_BUDGETS } from "./gallery/services.ts";

/** All that a stranger has: a folder with the file, and the text of its first member. */
const folder = newFolder();
const FILE = join(folder, "receipt.json");
let about: string;
let deed: Deed;
let stampers: ReturnType<typeof makeStampers> | undefined;
let stamper: ReturnType<typeof stampServer> | undefined;

test.skip(lacksIn(import.meta.filename, ["openssl"]), "stamps are of openssl");

/** Somebody proves a domain, keeps the receipt, and revokes the link: only the file is left. */
test.beforeAll(async () => {
  test.setTimeout(120_000);
  stampers = makeStampers();
  stamper = stampServer(stampers.reply);
  const stamps = {
    TIMESTAMP_URL: await listening(stamper),
    TIMESTAMP_ROOTS: stampers.rootFile,
  };
  deed = await startDeed({ ...LARGE_BUDGETS, ...stamps });
  const client = await signIn(deed.service, "mara@holder.example");
  const claim = await openClaim(client, "acme.com");
  deed.playground.addRecord("acme.com", txt(claim.name, claim.token));
  await client.expect(200, "POST", `/api/verifications/${claim.verificationId}/runs`);
  const links = `/api/claims/${claim.id}/proof_links`;
  const { slug } = (await client.post(links)).body as { slug: string };
  const receipt = `/api/proofs/${slug}/receipt`;
  await poll(client, receipt, ({ stamp }) => Boolean(stamp));
  const text = (await client.get(receipt)).text;
  writeFileSync(FILE, text);
  about = /^\{"about":"([^"]+)"/.exec(text)?.[1] ?? "";
  await client.expect(200, "POST", `${links}/${slug}/revoke`);
});
test.afterAll(async () => {
  await deed?.stop();
  stamper?.close();
  stampers?.stop();
});

const addressIn = (words: RegExp) => {
  const address = about.match(/https?:\/\/\S+[^\s.,]/g)?.find((one) => words.test(one));
  if (!address) throw new Error(`no address ${words} in: ${about}`);
  return address;
};
const verdict = (page: Page) => page.locator("main .panel").first();
const choose = (page: Page) => page.getByLabel("Drop a receipt here").setInputFiles(FILE);
const compare = (page: Page) =>
  page.getByRole("button", { name: `Compare with the keys of ${new URL(deed.service.url).host}` });

const GOOD = "Good, according to this installation and three resolvers.";
const UNKNOWN = "Nothing in it was changed. Compare its key to see whether";

test("in a browser, the file leads to a verdict in two presses", async ({ page }) => {
  await page.goto(addressIn(/verify/));
  await choose(page);
  await expect(verdict(page)).toContainText(UNKNOWN);
  await compare(page).click();
  await expect(verdict(page)).toContainText(GOOD);
  await expect(compare(page)).toHaveCount(0);
  const facts = page.locator("[data-report] > .facts");
  for (const words of ["acme.com", "m•••@holder.example", deed.service.url, "lists it as current"])
    await expect(facts).toContainText(words);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the same page leads to the same verdict", async ({ page }) => {
    await page.goto(addressIn(/verify/));
    await choose(page);
    await page.getByRole("button", { name: "Check it" }).click();
    await expect(verdict(page)).toContainText(UNKNOWN);
    await choose(page);
    await compare(page).click();
    await expect(verdict(page)).toContainText(GOOD);
    await expect(page.locator("main")).toContainText("not your browser");
  });
});

test("the page that was saved says the same offline, with a thumbprint noted before", async ({
  page,
  context,
}) => {
  await page.goto(addressIn(/how-to-check/));
  const noted = await page.locator("main code", { hasText: /^[\w-]{43}$/ }).innerText();
  await page.getByRole("link", { name: "the page that checks receipts" }).click();
  const anchor = await page.getByLabel("Root keys of another DNS").inputValue();
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Save this page as one file" }).click();
  const saved = join(folder, (await saving).suggestedFilename());
  await (await saving).saveAs(saved);
  await context.setOffline(true);
  await page.goto(`file://${saved}`);
  await page.getByText("More options", { exact: true }).click();
  await page.getByLabel("The key you expect").fill(noted);
  await page.getByLabel("Root keys of another DNS").fill(anchor);
  await choose(page);
  await expect(verdict(page)).toContainText(GOOD);
  await expect(page.locator("[data-report]")).toContainText(
    "stamp of Test stamper cannot be checked",
  );
});

test("in a shell, the commands of the page lead to the verdict as they stand there", async ({
  page,
}) => {
  test.skip(lacksIn(import.meta.filename, ["curl"]), "the commands fetch with curl");
  await page.goto(addressIn(/how-to-check/));
  const block = page.locator("#in-a-shell pre").first();
  const commands = (await block.innerText()).match(/(?<=^\$ ).+/gm) ?? [];
  expect(commands).toHaveLength(3);
  // This installation uses a lab's DNS, and the page says what to add for it.
  await expect(page.locator("#in-a-shell")).toContainText("pass it with --anchor");
  await page.goto(addressIn(/verify/));
  const anchor = await page.getByLabel("Root keys of another DNS").inputValue();
  const inFolder = (command: string) =>
    spawnSync("bash", ["-c", command], { cwd: folder, encoding: "utf8", timeout: 60_000 });
  for (const command of commands.slice(0, 2)) expect(inFolder(command).status).toBe(0);
  const done = inFolder(`${commands[2]} --anchor "${anchor}"`);
  expect([done.status, done.stderr]).toEqual([0, ""]);
  expect(done.stdout.split("\n")[0]).toBe(GOOD);
  expect(done.stdout).toContain("Domain        acme.com\n");
  const text = readFileSync(FILE, "utf8").replace('"format":"deed-receipt/2"', '"format":"x"');
  writeFileSync(join(folder, "spoiled.json"), text);
  const spoiled = inFolder("node deed-verify.mjs spoiled.json --key jwks.json");
  expect([spoiled.status, ...spoiled.stdout.split("\n").slice(0, 2)]).toEqual([
    1,
    "Bad: do not rely on this receipt.",
    "The file is not a receipt of any version that this program knows: it differs at “format”.",
  ]);
  expect(inFolder("node deed-verify.mjs receipt.json | head -1").stderr).toBe("");
});
