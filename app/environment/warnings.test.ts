import { expect, it } from "vitest";
import { parseEnvironment } from "./env.server.ts";
import { warningsOf } from "./warnings.ts";

const codesOf = (source: Record<string, string>) =>
  warningsOf(parseEnvironment(source)).map(({ code }) => code);

const whole = {
  BASE_URL: "https://deed.example.org",
  HOST: "127.0.0.1",
  TRUSTED_PROXIES: "127.0.0.1/32",
  SMTP_URL: "smtps://mail.example.org",
  MAIL_FROM: "deed@example.org",
  SIGN_UP: "@example.org",
  CHALLENGE_LABEL: "_example-challenge",
};

it("finds nothing to say about a whole environment, or about a try on loopback", () => {
  expect(codesOf(whole)).toEqual([]);
  expect(codesOf({ HOST: "127.0.0.1" })).toEqual([]);
  expect(codesOf({ BASE_URL: "http://localhost:3000" })).toEqual([]);
  expect(codesOf({ NODE_ENV: "development" })).toEqual([]);
});

const inCluster = {
  ...whole,
  LITEFS_URL: "http://10.0.0.1:20202",
  CLUSTER_SECRET: "b".repeat(32),
  CLUSTER_NODES: "10.0.0.1,10.0.0.2",
  SIGNING_KEY: "5".repeat(64),
  DATABASE_PATH: "/mnt/deed/deed.db",
};

it.each([
  ["no_base_url", {}],
  ["base_url_unencrypted", { ...whole, BASE_URL: "http://deed.example.org" }],
  ["no_mail", { ...whole, SMTP_URL: "", MAIL_FROM: "" }],
  ["open_sign_up", { ...whole, SIGN_UP: "open" }],
  ["open_sign_up", { ...whole, SIGN_UP: "open", BASE_URL: "https://localhost" }],
  ["no_trusted_proxies", { ...whole, TRUSTED_PROXIES: "" }],
  ["all_proxies_trusted", { ...whole, TRUSTED_PROXIES: "10.0.0.0/8, ::/0" }],
  ["no_dns_resolvers", { ...whole, DNS_RESOLVERS: "", CLOCK_TRUSTED: "on" }],
  ["plain_dns_resolvers", { ...whole, DNS_RESOLVERS: "a=10.0.0.1,b=9.9.9.9", CLOCK_TRUSTED: "on" }],
  ["no_time_source", { ...whole, DNS_RESOLVERS: "lab=10.0.0.1,quad9=tls://9.9.9.9" }],
  ["default_challenge_label", { ...whole, CHALLENGE_LABEL: "" }],
  ["default_challenge_label", { ...whole, CHALLENGE_LABEL: "_service-challenge" }],
  ["shared_secret", { ...inCluster, SESSION_SECRET: `${"a".repeat(32)},${"b".repeat(32)}` }],
  ["no_cluster_nodes", { ...inCluster, SESSION_SECRET: "a".repeat(32), CLUSTER_NODES: "" }],
])("%s", (code, source) => {
  expect(codesOf(source as Record<string, string>)).toEqual([code]);
});

it("names the variable in each message, and repeats no secret", () => {
  for (const { variable, message } of warningsOf(parseEnvironment({ DNS_RESOLVERS: "" })))
    expect(message).toContain(variable);
});
