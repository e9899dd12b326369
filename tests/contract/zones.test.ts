import { expect } from "vitest";
import { DelegationFrame, PublishingFrame } from "#app/features/zones/resources.ts";
import { frames } from "../support/stream.ts";
import { contract } from "./kit.ts";
import { says } from "./sentences.ts";

const { it } = contract();

it(says("C11.1", "C11.2", "C11.8"), async ({ stranger }) => {
  const answer = await stranger.get("/api/zones/acme.com");
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(answer.headers.get("cache-control")).toBe("no-cache, no-transform");
  const [delegation, publishing, ...more] = frames(answer.text);
  expect([delegation?.event, publishing?.event, more]).toEqual(["delegation", "publishing", []]);
  const nameservers = ["ns61.domaincontrol.com", "ns62.domaincontrol.com"];
  expect(DelegationFrame.parse(delegation?.data)).toMatchObject({ nameservers });
  const { negativeCacheTtlSeconds } = PublishingFrame.parse(publishing?.data);
  expect(negativeCacheTtlSeconds).toBe(60);
});
