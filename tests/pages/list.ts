/** Where a block is typed, as it stands on its page: a test. Or why it is not, and the nearest thing that is run. */
export type Where = string | { not: string; nearest: string };

const README = "tests/pages/readme.test.ts";
const OPERATE = "tests/pages/operate.test.ts";
const CLUSTER = "tests/pages/cluster.test.ts";
const KEY = "tests/service/stolen-key.test.ts";

const EXAMPLE = {
  not: "it is a file of an example, not typed",
  nearest: "tests/docs/recipes.test.ts",
};
const PRINTED = {
  not: "it is what Deed prints, not typed",
  nearest: "tests/service/commands.test.ts",
};
const CLIENTS = {
  not: "it needs Go or Java, and their registries: minutes and a gigabyte",
  nearest: "tests/clients/generators.test.ts",
};
const MODULES = {
  not: "it fetches the modules of Go: the same versions are built before the test loses the network",
  nearest: "tests/cluster/build.ts",
};
const PLAIN = {
  not: "it is typed from its page, or its program started, on this machine and in no Debian of its own",
  nearest: "tests/examples/plain.test.ts",
};
const REGISTRY = {
  not: "it installs packages of the registry of npm: its program is started with those of its lock file",
  nearest: "tests/examples/installed.test.ts",
};
const CHECKOUT = {
  not: "it needs a checkout and the registry of npm",
  nearest: "tests/service/demo.test.ts",
};
const ENGINE = {
  not: "it needs a container engine",
  nearest: "tests/packed/container.test.ts",
};

/** Every fenced block of the pages that people type from, in its order, by its first words. */
export const BLOCKS: Record<string, [name: string, where: Where][]> = {
  "README.md": [
    ["npm run demo    # the real service on an", CHECKOUT],
    ["npm run tarball", README],
    ["curl -N http://localhost:3000/api/zones/", README],
    ["export DEED_KEY=deed_key_…    # yours", README],
  ],
  "docs/cluster.md": [
    ["mkdir litefs-build && cd litefs-build", MODULES],
    ["# The same on every node. TRUSTED_PROXIE", CLUSTER],
    ["cp /opt/deed/litefs.yml /etc/", CLUSTER],
    ["(set -a; . /etc/deed.env; cd /", CLUSTER],
    ["systemd-run --pipe --wait -p DynamicUser", CLUSTER],
  ],
  "docs/integrate/badge.md": [
    ["DEED_URL=https://deed.example.org DEED_K", PLAIN],
    ["// An organisation's public page, with a", EXAMPLE],
  ],
  "docs/integrate/ci.md": [
    ["npm install --global ./deed-server-0.2.0", PLAIN],
    ["#!/bin/sh", EXAMPLE],
    ["# Copy to .github/workflows/domain.yml.", EXAMPLE],
  ],
  "docs/integrate/gate.md": [
    ["npm install", REGISTRY],
    ["curl -X POST -H 'X-Customer-Key: key-of-", REGISTRY],
    ["// A feature that a customer may use onl", EXAMPLE],
  ],
  "docs/integrate/go.md": [
    ["export DEED_URL=https://deed.example.org", CLIENTS],
    ["go mod init example.com/prove", CLIENTS],
    ["// Prints the record to add, then what i", CLIENTS],
    ["go mod tidy", CLIENTS],
  ],
  "docs/integrate/index.md": [
    ["export DEED_URL=https://deed.example.org", PLAIN],
    ['curl -sS -X PUT "$DEED_URL/api/domains/b', PLAIN],
    ['curl -sS "$DEED_URL/api/domains/by-name/', PLAIN],
  ],
  "docs/integrate/python.md": [
    ["export DEED_URL=https://deed.example.org", CLIENTS],
    ['curl -sS -o openapi.json "$DEED_URL/api/', CLIENTS],
    ['"""Prints the record to add, then what i', CLIENTS],
    [".venv/bin/python prove.py example.com", CLIENTS],
  ],
  "docs/integrate/set-up.md": [
    ["export DEED_URL=https://deed.example.org", PLAIN],
    ["set -eu", PLAIN],
    ['json -d "{\\"email\\": \\"$EMAIL\\"}" "$DEED', PLAIN],
    ['DEED_KEY=$(json -b cookies.txt "$DEED_UR', PLAIN],
    ['if ! by_key "$DEED_URL/api/webhooks" | g', PLAIN],
    ['by_key -X PUT -d \'{"reference": "custome', PLAIN],
  ],
  "docs/integrate/sso.md": [
    ["npm install", REGISTRY],
    ["// An application with better-auth: orga", EXAMPLE],
    ["// A plugin for better-auth, beside its", EXAMPLE],
  ],
  "docs/integrate/typescript.md": [
    ["export DEED_URL=https://deed.example.org", CLIENTS],
    ['echo \'{ "type": "module" }\' > package.js', CLIENTS],
    ["/** Prints the record to add, then what", CLIENTS],
    ["node client.ts example.com", CLIENTS],
    ['echo \'{ "type": "module" }\' > package.js', CLIENTS],
    ["/** Prints the record to add, then what", CLIENTS],
    ["npx tsc --noEmit --strict --target es202", CLIENTS],
  ],
  "docs/integrate/webhooks.md": [
    ["npm install", PLAIN],
    ["// Receives webhooks: verifies, stores,", EXAMPLE],
  ],
  "docs/operate/backup.md": [
    ["cp /opt/deed/docs/operate/systemd/deed-b", OPERATE],
    ["systemctl stop deed", OPERATE],
    ["systemctl show -P MainPID deed", OPERATE],
    ["# /etc/litestream.yml", OPERATE],
    ["install -d -m 700 /mnt/backups/deed", OPERATE],
    ["litestream restore -config /etc/litestre", OPERATE],
  ],
  "docs/operate/commands.md": [["deed users add kim@example.org", OPERATE]],
  "docs/operate/configuration.md": [["LoadCredential=smtp-url:/etc/deed/smtp-u", OPERATE]],
  "docs/operate/doctor.md": [
    ["deed doctor", OPERATE],
    ["ok       Configuration   every value is", PRINTED],
    ["deed check acme.com", OPERATE],
    ["acme.com", PRINTED],
  ],
  "docs/operate/install.md": [
    ["sha256sum --ignore-missing -c SHA256SUMS", OPERATE],
    ["sha256sum --ignore-missing -c SHA256SUMS", OPERATE],
    ["install -m 600 /opt/deed/.env.example /e", OPERATE],
    ["cp /opt/deed/docs/operate/systemd/deed.s", OPERATE],
    ["systemd-run --pipe --wait -p DynamicUser", OPERATE],
    ["install -m 600 .env.example /etc/deed.en", ENGINE],
    ["server {", OPERATE],
  ],
  "docs/operate/leaving-litefs.md": [
    ["systemd-run --pipe --wait -p DynamicUser", CLUSTER],
    ["mv /var/lib/private/deed /var/lib/deed-l", CLUSTER],
  ],
  "docs/operate/monitoring.md": [
    ["METRICS=127.0.0.1:9464     # a separate", OPERATE],
    ["scrape_configs:", OPERATE],
    ['{"level":40,"time":1795347578735,"reques', PRINTED],
    ["# /etc/fail2ban/filter.d/deed.conf", OPERATE],
    ["# /etc/fail2ban/jail.d/deed.conf", OPERATE],
  ],
  "docs/operate/people.md": [['{"level":40,"client":"192.0.2.7","by":"m', PRINTED]],
  "docs/operate/signing-key.md": [
    ["export STOLEN=00SqZ_v08jiy-WtjBFz8AR7SGx", OPERATE],
    ['deed keys revoke --since "$SINCE" -- "$S', OPERATE],
    ['curl -fsS -o jwks.json "$DEED_URL/.well-', KEY],
    ["deed keys rotate            # puts a new", OPERATE],
  ],
  "docs/operate/upgrade.md": [["systemctl stop deed", OPERATE]],
};
