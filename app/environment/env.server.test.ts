import { PUBLIC_RESOLVERS } from "@deed/dns/resolve/public-resolvers.ts";
import { describe, expect, it } from "vitest";
import { EnvironmentError, parseEnvironment } from "./env.server.ts";

// C19.8, C21.3; tests/service/bad-values shows how a bad value ends the start.
it.each([
  ["PORT", "abc", "70000"],
  ["BASE_URL", "deed.example.org", "https://deed.example.org/path"],
  ["SESSION_SECRET", "short"],
  ["SIGNING_KEY", "5".repeat(63)],
  ["SMTP_URL", "mail.example.org"],
  ["SIGN_UP", "*@example.org", "@*.example.org", "kim@example.org,*@example.com"],
  ["SIGN_UP", "opne", "open,kim@example.org", "kim", "@", "kim@,x", "kim@x.example;eve@x.example"],
  ["ADMIN", "*@example.org", "kim", "@example.org", "kim@example.org,@x.example"],
  ["OIDC_ISSUER", "http://login.example.org", "http://localhost.evil.example", "ftp://x"],
  ["DNS_RESOLVERS", "1.1.1.1", "quad9=https://dns.quad9.net/dns-query", "lab=https://9.9.9.9"],
  ["DNS_RESOLVERS", "lab=https://9.9.9.9/", "lab=https://dns.quad9.net/dns-query"],
  ["DNS_RESOLVERS", "lab=https://9.9.9/dns-query", "lab=https://2620:fe::fe/dns-query"],
  ["DNS_RESOLVERS", "lab=https://9.9.9.9/dns-query{?dns}", "lab=https://9.9.9.9:0/dns-query"],
  ["DNS_RESOLVERS", "lab=http://9.9.9.9/dns-query", "lab=quic://9.9.9.9"],
  ["DNS_RESOLVERS", "lab=tls://9.9.9.9/dns-query", "lab=tls://9.9.9.9:70000", "lab=host@9.9.9.9"],
  ["DNS_RESOLVERS", "lab=9.9.9.9/dns-query", "lab=[9.9.9.9]", "lab="],
  ["DNS_DENY_ADDRESSES", "168.63.129", "192.0.2.0/33"],
  ["DNS_ALLOW_ADDRESSES", "10.0.0.0/99"],
  ["DNS_ROOT_HINTS", "/does/not/exist"],
  ["TIMESTAMP_URL", "ftp://a.example", "http://a.example:81", "https://a.example:80"],
  ["TRUSTED_PROXIES", "everybody"],
  ["RATE_LIMIT_API", "many"],
  ["BACK_HOSTS", "https://app.example.com", "app.example.com:8443", "*.example.com"],
  ["BACK_HOSTS", "app.example.com,192.0.2.1", "0x7f.1", "bücher.example"],
  ["CHALLENGE_LABEL", "two.labels"],
  ["TOKEN_PREFIX", "With Space"],
  ["LOG_LEVEL", "loud"],
  ["METRICS", "yes", "localhost:9464", "127.0.0.1:0", "127.0.0.1:65536", "[127.0.0.1]:9464"],
  ["CLOCK_TRUSTED", "true"],
  ["LIMIT_OPEN_CLAIMS", "0", "-1", "1.5"],
  ["METRICS_TOKEN", "short"],
  ["CLUSTER_NODES", "10.0.0.1:3000"],
  ["CLUSTER_SECRET", "short"],
])("%s=%s, … is refused in one line that names it", (name, ...values) => {
  for (const value of values) {
    const parse = () => parseEnvironment({ [name]: value });
    expect(parse, value).toThrow(EnvironmentError);
    expect(parse, value).toThrow(new RegExp(`^${name} must be [^\\n]+(\\n\\w+ must be set .+)*$`));
  }
});

it("each list and count has its form", () => {
  const unset = { BACK_HOSTS: [], DNS_DENY_ADDRESSES: [], LIMIT_OPEN_CLAIMS: 200, METRICS: "off" };
  expect(parseEnvironment({})).toMatchObject(unset);
  expect(
    parseEnvironment({
      BACK_HOSTS: " App.Example.com, xn--bcher-kva.example,intranet",
      DNS_DENY_ADDRESSES: "192.0.2.0/24, 2001:db8::/32",
      TRUSTED_PROXIES: "127.0.0.1,::1,10.0.0.0/8",
      LIMIT_OPEN_CLAIMS: "5000",
      SIGN_UP: "@Bücher.example",
    }),
  ).toMatchObject({
    BACK_HOSTS: ["app.example.com", "xn--bcher-kva.example", "intranet"],
    DNS_DENY_ADDRESSES: ["192.0.2.0/24", "2001:db8::/32"],
    TRUSTED_PROXIES: ["127.0.0.1/32", "::1/128", "10.0.0.0/8"],
    LIMIT_OPEN_CLAIMS: 5_000,
    SIGN_UP: ["@xn--bcher-kva.example"],
  });
});

it.each(["smtp://deed:pa/ss@", "smtp://deed:12/3@", "smtps://deed:1?2@", "smtp://de#ed:x@"])(
  "SMTP_URL=%smail.example.org says what to percent-encode",
  (start) => {
    const given = { SMTP_URL: `${start}mail.example.org:587`, MAIL_FROM: "deed@example.org" };
    expect(() => parseEnvironment(given)).toThrow(
      "SMTP_URL must be a URL with user and password percent-encoded, / as %2F, ? as %3F and # as %23",
    );
    const [scheme = "", rest = ""] = start.slice(0, -1).split("://");
    const SMTP_URL = `${scheme}://${rest.split(":").map(encodeURIComponent).join(":")}@mail.example.org`;
    expect(parseEnvironment({ ...given, SMTP_URL }).SMTP_URL).toBe(SMTP_URL);
  },
);

describe("METRICS", () => {
  it("is at another port than the service's own", () => {
    for (const given of [{ METRICS: "127.0.0.1:3000" }, { METRICS: "[::1]:80", PORT: "80" }])
      expect(() => parseEnvironment(given)).toThrow(
        "METRICS must be on, to use the service's own port, or use another port",
      );
  });

  it.each([
    ["on", "on"],
    ["127.0.0.1:9464", { host: "127.0.0.1", port: 9464 }],
    ["[::1]:9464", { host: "::1", port: 9464 }],
  ])("is off, on, or an address of its own: %s", (METRICS, read) => {
    expect(parseEnvironment({ METRICS }).METRICS).toEqual(read);
  });

  it("may have a long token, which means nothing alone", () => {
    const METRICS_TOKEN = "t".repeat(32);
    expect(parseEnvironment({ METRICS: "on", METRICS_TOKEN }).METRICS_TOKEN).toBe(METRICS_TOKEN);
    expect(() => parseEnvironment({ METRICS_TOKEN })).toThrow(
      "METRICS must be set if METRICS_TOKEN is set",
    );
  });
});

describe("a node among several", () => {
  const whole = {
    LITEFS_URL: "http://10.0.0.1:20202",
    CLUSTER_SECRET: "c".repeat(32),
    SESSION_SECRET: "s".repeat(32),
    SIGNING_KEY: "5".repeat(64),
    BASE_URL: "https://deed.example.org",
    DATABASE_PATH: "/mnt/deed/deed.db",
  };

  it("is none unless LITEFS_URL says so", () => {
    expect(parseEnvironment({}).cluster).toBeNull();
    expect(parseEnvironment({ ...whole, LITEFS_URL: "" }).cluster).toBeNull();
  });

  it("knows its LiteFS and the secret of the cluster", () => {
    const [litefsUrl, secret] = [whole.LITEFS_URL, whole.CLUSTER_SECRET];
    const cluster = { litefsUrl, secret, address: "10.0.0.1", nodes: [] };
    expect(parseEnvironment(whole).cluster).toEqual(cluster);
    const ipv6 = { LITEFS_URL: "http://[fd00::1]:20202", CLUSTER_NODES: "fd00::1, fd00::2" };
    const read = { address: "fd00::1", nodes: ["fd00::1", "fd00::2"] };
    expect(parseEnvironment({ ...whole, ...ipv6 }).cluster).toMatchObject(read);
  });

  it.each(["CLUSTER_SECRET", "SESSION_SECRET", "SIGNING_KEY", "BASE_URL", "DATABASE_PATH"])(
    "must be told %s, which no node may make up",
    (name) => {
      expect(() => parseEnvironment({ ...whole, [name]: "" })).toThrow(
        `${name} must be set if LITEFS_URL is set`,
      );
    },
  );
});

describe("DNS_RESOLVERS", () => {
  const resolvers = (text?: string) => parseEnvironment({ DNS_RESOLVERS: text }).DNS_RESOLVERS;
  const https = (path: string, host: string | null = null) => ({ transport: "https", host, path });

  it("is three public resolvers over HTTPS, by address, and nobody where it is empty", () => {
    expect(resolvers()).toEqual(
      Object.entries({ cloudflare: "1.1.1.1", google: "8.8.8.8", quad9: "9.9.9.9" }).map(
        ([name, address]) => ({ name, address, port: 443, secure: https("/dns-query") }),
      ),
    );
    expect(PUBLIC_RESOLVERS).toEqual(resolvers());
    expect(resolvers("")).toEqual([]);
  });

  it.each([
    ["https://9.9.9.9/dns-query", "9.9.9.9", 443, https("/dns-query")],
    ["HTTPS://9.9.9.9:8443/a/b?c=d", "9.9.9.9", 8443, https("/a/b?c=d")],
    ["https://[2620:fe::fe]/dns-query", "2620:fe::fe", 443, https("/dns-query")],
    ["https://DNS.quad9.net@9.9.9.9/q", "9.9.9.9", 443, https("/q", "dns.quad9.net")],
    ["tls://9.9.9.9", "9.9.9.9", 853, { transport: "tls", host: null, path: "" }],
    ["tls://dns.lab@[::1]:53", "::1", 53, { transport: "tls", host: "dns.lab", path: "" }],
    ["9.9.9.9", "9.9.9.9", 53, undefined],
    ["127.0.0.1:5353", "127.0.0.1", 5353, undefined],
    ["::1", "::1", 53, undefined],
    ["[2620:fe::fe]:5353", "2620:fe::fe", 5353, undefined],
  ])("takes %s", (text, address, port, secure) => {
    const entry = { name: "lab", address, port, ...(secure ? { secure } : {}) };
    const other = { name: "other", address: "1.1.1.1", port: 53 };
    expect(resolvers(`lab=${text}, other=1.1.1.1`)).toEqual([entry, other]);
  });
});
