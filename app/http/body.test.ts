import { beforeEach, describe, expect, it } from "vitest";
import { testApp } from "#app/features/sign-in/testing.ts";
import { BODY_LIMIT, formOf, readJson, uploadOf } from "./body.server.ts";

const post = (body: BodyInit | null, type?: string, headers: Record<string, string> = {}) =>
  new Request("http://localhost:3000/x", {
    method: "POST",
    body,
    headers: { ...(type ? { "Content-Type": type } : {}), ...headers },
    duplex: "half",
  } as RequestInit);

const refuses = (read: Promise<unknown>, code: string) =>
  expect(read).rejects.toMatchObject({ code });

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

beforeEach(() => void testApp());

describe("readJson", () => {
  it("reads a value", async () => {
    expect(await readJson(post('{"a":1}', `${JSON_TYPE}; charset=utf-8`))).toEqual({ a: 1 });
  });

  it("takes no body for none, whatever its type", async () => {
    expect(await readJson(post(null))).toBeUndefined();
    expect(await readJson(post(new Uint8Array(), JSON_TYPE))).toBeUndefined();
  });

  it.each([
    ["a look-alike type", "{}", "application/jsonp", "unsupported_media_type"],
    ["no type", new TextEncoder().encode("{}"), undefined, "unsupported_media_type"],
    ["bytes that are not UTF-8", new Uint8Array([0x22, 0xff, 0x22]), JSON_TYPE, "invalid_request"],
  ])("refuses %s", (_, body, type, code) => refuses(readJson(post(body, type)), code));

  it("takes 16 KiB and refuses one byte more", async () => {
    const whole = `"${"a".repeat(BODY_LIMIT - 2)}"`;
    expect(await readJson(post(whole, JSON_TYPE))).toHaveLength(BODY_LIMIT - 2);
    await refuses(readJson(post(`${whole} `, JSON_TYPE)), "payload_too_large");
  });

  it("goes by Content-Length before it reads anything", async () => {
    const request = post("{}", JSON_TYPE, { "Content-Length": String(BODY_LIMIT + 1) });
    await refuses(readJson(request), "payload_too_large");
    expect(request.bodyUsed).toBe(false);
  });

  it("stops pulling a body that has no end", async () => {
    let pulled = 0;
    const pull = (controller: ReadableStreamDefaultController) =>
      controller.enqueue(new Uint8Array(++pulled && 4096));
    const endless = new ReadableStream({ pull });
    await refuses(readJson(post(endless, JSON_TYPE)), "payload_too_large");
    expect(pulled).toBeLessThan(10);
  });
});

describe("formOf", () => {
  it("reads the fields of urlencoded forms only", async () => {
    const form = await formOf(post("a=1&b=%C3%A9&a=2", FORM_TYPE));
    expect([...form].flat()).toEqual(["a", "1", "b", "é", "a", "2"]);
    await refuses(formOf(post("{}", JSON_TYPE)), "unsupported_media_type");
  });

  it("refuses another site's post before it reads it", async () => {
    const request = post("a=1", FORM_TYPE, { Origin: "https://evil.example" });
    await refuses(formOf(request), "cross_origin");
    expect(request.bodyUsed).toBe(false);
  });
});

it("uploadOf takes a file up to its limit, and no body far beyond it", async () => {
  const limit = 1_024;
  const upload = (size: number) =>
    post(
      `--x\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n${"a".repeat(size)}\r\n--x--\r\n`,
      "multipart/form-data; boundary=x",
    );
  expect((await uploadOf(upload(limit), limit)).get("a")).toMatchObject({ size: limit });
  await refuses(uploadOf(upload(limit + 8 * 1_024), limit), "payload_too_large");
});
