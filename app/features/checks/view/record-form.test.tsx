import { expect, it } from "vitest";
import { htmlOf } from "#app/core/testing/html.tsx";
import { RecordForm } from "./record-form.tsx";

it.each(["name", "value"])("an error about the %s is at its field", (field) => {
  const typed = { name: "_x.example.com", type: "TXT", value: "" };
  const html = htmlOf(<RecordForm typed={typed} errors={{ [field]: "It is wrong." }} />);
  expect(html.match(/name="\w+"[^>]* aria-invalid/g)).toEqual([
    expect.stringContaining(`name="${field}"`),
  ]);
});
