import { expect, it } from "vitest";
import { newEmail, targetService } from "../contract/kit.ts";
import { deed } from "../support/command.ts";
import { type Client, keyOf } from "../support/deed.ts";
import { inviteTo, joinTo } from "../support/invitation.ts";

const ROOT = "root@elsewhere.example";
const KIM = "kim@other.example";
const target = targetService({ SIGN_UP: "@acme.example", ADMIN: ROOT });

/** An address as pages write it, with the places where it may break. */
const broken = (email: string) => email.replace(/[@.]/g, "$&<wbr/>");

const isIn = async (client: Client) => (await client.get("/api/domains")).status === 200;

it("lets somebody invited in where sign-up is closed to them, and out again at once", async () => {
  const mara = await target().signIn();
  const { token } = await inviteTo(target(), mara, KIM);
  const kim = target().stranger();
  const path = `/sign-in/invitation?token=${token}`;
  for (const method of ["HEAD", "GET"])
    expect((await target().stranger().request(method, path)).status).toBe(200);
  const page = await kim.get(path);
  expect(page.text).toContain("You are invited");
  expect(page.headers.get("referrer-policy")).toBe("strict-origin");
  const accepted = await kim.submit("/sign-in/invitation", { token, intent: "accept" });
  expect([accepted.status, accepted.headers.get("location")]).toEqual([303, "/domains"]);
  expect((await target().stranger().get(path)).status).toBe(404);
  expect((await kim.get(path)).text).toContain("You are signed in. If you did not accept it, ask");
  expect(target().own.service.output()).not.toContain(token);
  // app/features/people/api.test.ts ends their sessions and streams.
  const people = await mara.get("/account/people");
  const [, id] =
    new RegExp(`${broken(KIM)}.*?/account/people/(per_\\w+)`, "s").exec(people.text) ?? [];
  const removed = await mara.submit(`/account/people/${id}`, { intent: "confirm" });
  expect(removed.headers.get("location")).toBe("/account/people");
  expect([await isIn(kim), await isIn(mara)]).toEqual([false, true]);
});

it("hands over what a person made, as whoever removes them chooses, and shows the new secrets once", async () => {
  const mara = await target().signIn();
  const { client: kim, id, email } = await joinTo(target(), mara);
  const made = async (path: string, json: object) =>
    (await kim.post(path, json)).body as { id: string; key: string; secret: string };
  const key = (name: string) => made("/api/keys", { name, scopes: ["domains:read"] });
  const hook = (path: string) =>
    made("/api/webhooks", { url: `https://hooks.invalid/${path}`, events: ["claim.proved"] });
  const [ci, old] = [await key("<CI>"), await key("Old")];
  const [ours, theirs] = [await hook("ours"), await hook("theirs")];

  const page = await mara.get(`/account/people/${id}`);
  for (const text of ["&lt;CI&gt;", "Old", "https://hooks.invalid/ours", ours.id, theirs.id])
    expect(page.text).toContain(text);
  expect((await kim.get(`/account/people/${id}`)).text).not.toContain('type="checkbox"');

  const remove = () =>
    mara.submit(`/account/people/${id}?removed`, [
      ["intent", "confirm"],
      ["keep", ci.id],
      ["keep", ours.id],
    ]);
  const removed = await remove();
  const newKey = /deed_key_\w{60,}/.exec(removed.text)?.[0] ?? "";
  const newSecret = /whsec_[\w+/]+=/.exec(removed.text)?.[0] ?? "";
  expect([removed.status, newKey.startsWith(`deed_${ci.id}_`)]).toEqual([200, true]);
  expect([ci.key, "", ours.secret]).not.toContain(newKey);
  expect(["", ours.secret, theirs.secret]).not.toContain(newSecret);

  const opens = (text: string) => isIn(target().program(text));
  expect([await opens(newKey), await opens(ci.key), await opens(old.key)]).toEqual([
    ...[true, false, false],
  ]);
  const because = async ({ id }: { id: string }) =>
    ((await mara.get(`/api/webhooks/${id}`)).body as { disabledBecause: string }).disabledBecause;
  expect([await because(ours), await because(theirs)]).toEqual([null, "person_left"]);
  await expect.poll(() => target().mails().at(-1)).toContain(`${email} is no longer`);
  const mail = target().mails().at(-1);
  expect(mail).toContain("https://hooks.invalid/theirs");
  for (const kept of ["CI", "hooks.invalid/ours"]) expect(mail).not.toContain(kept);

  const again = await remove();
  expect([again.status, again.text.includes("whsec_")]).toEqual([404, false]);
  expect(await opens(newKey)).toBe(true);
});

const users = (...args: string[]) =>
  deed(["users", ...args], { env: { DATA_DIR: target().own.service.dataDir } });

it("gives an account limits of its own by the operator's command, and takes one back", async () => {
  const email = newEmail();
  const client = await target().signIn(email);
  const own = users("limits", email, "--domains", "1", "--requests", "900/60");
  expect(own.stdout).toBe(`${email}: 1 domain, requests 900/60\n`);
  await client.expect(201, "POST", "/api/domains", { domain: "first.example" });
  await client.expect(409, "POST", "/api/domains", { domain: "second.example" });
  expect(users("limits", email, "--requests", "many")).toMatchObject({ status: 2 });
  expect(users("limits", email, "--domains", "default").stdout).not.toContain("domains");
  await client.expect(201, "POST", "/api/domains", { domain: "second.example" });
});

it("signs out one address, or everyone, by the operator's command: sessions and mailed links, not keys", async () => {
  const email = newEmail();
  const [kim, other] = [await target().signIn(email), await target().signIn()];
  const { key } = await keyOf(kim, ["domains:read"]);
  const token = new URL(users("link", email).stdout.trim()).searchParams.get("token");
  expect(users("sign-out", "nobody@acme.example")).toMatchObject({ status: 1, stdout: "" });
  expect(users("sign-out", email.toUpperCase())).toMatchObject({
    status: 0,
    stdout: `Signed out: ${email}\n`,
  });
  // app/api/subscribers.test.ts ends the streams of such a session.
  expect([await isIn(kim), await isIn(other)]).toEqual([false, true]);
  const late = await target().stranger().post("/api/auth/magic-link/verify", { token });
  expect(late.status).toBe(401);
  const again = await target().signIn(email);
  expect(users("sign-out", "--all")).toMatchObject({ status: 0, stdout: "Signed out: everyone\n" });
  expect([await isIn(again), await isIn(other)]).toEqual([false, false]);
  expect(await isIn(target().program(key))).toBe(true);
});

it("shows administrators the accounts, and nobody else that there is such a page", async () => {
  const email = newEmail();
  const mara = await target().signIn(email);
  const { id } = (await mara.get("/api/account")).body as { id: string };
  const pages = ["/admin", `/admin/accounts/${id}`];
  for (const client of [mara, target().stranger()]) {
    for (const page of pages) expect([page, (await client.get(page)).status]).toEqual([page, 404]);
    expect((await client.submit(pages[1] ?? "", { intent: "confirm" })).status).toBe(404);
  }
  expect(await isIn(mara)).toBe(true);
  expect((await mara.get("/domains")).text).not.toContain('href="/admin"');

  const root = await target().signIn(ROOT);
  expect((await root.get("/domains")).text).toContain('href="/admin"');
  expect((await root.get("/admin")).text).toMatch(
    new RegExp(`Last 24 hours.*${broken(email)}`, "s"),
  );
  const disabled = await root.submit(pages[1] ?? "", { intent: "confirm" });
  expect(disabled.headers.get("location")).toBe("/admin");
  expect(await isIn(mara)).toBe(false);
  await root.submit(pages[1] ?? "", { intent: "enable" });
  expect(await isIn(await target().signIn(email))).toBe(true);
});
