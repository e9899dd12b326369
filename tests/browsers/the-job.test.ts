import { startPanel } from "@deed/playground/panel/server.ts";
import { afterAll, describe, it } from "vitest";
import { mailedToken, startDeed } from "../support/deed.ts";
import { lacks } from "../support/lacks.ts";
import { openFirefox } from "./firefox.ts";
import { openLynx } from "./lynx.ts";
import { openW3m } from "./w3m.ts";
import type { Walker } from "./walker.ts";

const deed = await startDeed({ FIRST_READ_SECONDS: "900" });
const { playground, service } = deed;
const panel = await startPanel({ playground, serviceUrl: service.url, outbox: "" });
afterAll(async () => {
  await panel.stop();
  await deed.stop();
});

/** From signing in to a stranger's view of the proof, following only the screen. */
async function proveDomain(browser: Walker, email: string, domain: string): Promise<void> {
  const { url } = deed.service;
  await browser.open(`${url}/sign-in`);
  await browser.fill(/Your e-?mail address/, email);
  await browser.press(/(Mail|Email) me a link/);
  await browser.see(/Check your email/);
  await browser.open(`${url}/sign-in/confirm?token=${mailedToken(deed.service, email)}`);
  await browser.press(new RegExp(`Sign in as ${email}`));

  await browser.see(/Domains/);
  await browser.fill(/(Your domain|Domain name)/, domain);
  await browser.press(/Add domain/);
  await browser.see(/Waiting for your record/);
  const value = await browser.see(/service_v1_[0-9a-f]{40}/);

  await browser.open(`${panel.url}/zones/${domain}`);
  await browser.see(/Add a record/);
  await browser.fill(/(Name|Host)(?: \[| _|$)/m, "_service-challenge");
  await browser.fill(/(Value|Content)(?: \[| _|$)/m, value);
  await browser.press(/Save record/);
  await browser.see(/Edit\s+TXT\s+_service-challenge/);

  await browser.open(`${url}/domains`);
  await browser.see(/Waiting for your record/);
  await browser.press(new RegExp(domain));
  await browser.press(/Check now/);
  await browser.see(/\bProved\b/);
  await browser.press(/Publish a (proof )?link/);
  await browser.press(/^Preview|Preview/);
  await browser.see(new RegExp(`control of the DNS of\\s+${domain}`));
}

describe.each([
  ["w3m", openW3m, "acme.com", ["tmux", "w3m"]],
  ["Lynx", openLynx, "globex.com", ["tmux", "lynx"]],
  ["Firefox", openFirefox, "hooli.com", ["firefox-esr"]],
] as const)("%s", (name, open, domain, programs) => {
  it.skipIf(lacks(...programs))(
    "proves a domain, from signing in to the open proof page",
    async () => {
      const browser = await open();
      try {
        await proveDomain(browser, `${name.toLowerCase()}@holder.example`, domain);
      } finally {
        await browser.close();
      }
    },
  );
});
