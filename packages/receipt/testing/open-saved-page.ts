import { chromium } from "@playwright/test";
import { findChromium } from "../../../tests/support/chromium.ts";

/** Opens the saved page from disk, checks a receipt there, and prints what it says: page, receipt, thumbprint, anchor. */
const [page = "", receipt = "", key = "", anchor = ""] = process.argv.slice(2);

const browser = await chromium.launch(findChromium() ?? {});
try {
  const tab = await browser.newPage({ viewport: { width: 1000, height: 1200 } });
  const faults: string[] = [];
  tab.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  tab.on("pageerror", (error) => faults.push(error.message));
  await tab.goto(`file://${page}`);
  await tab.getByText("More options").click();
  await tab.getByLabel("Thumbprint").fill(key);
  if (anchor) await tab.getByLabel("Other trust anchors").fill(anchor);
  await tab.locator("input[type=file]").setInputFiles(receipt);
  await tab.locator("[data-report] .label").waitFor();
  console.log(await tab.locator("[data-report]").innerText());
  for (const fault of faults) console.log(`FAULT ${fault}`);
} finally {
  await browser.close();
}
