/** Which test types a block exactly as on its page; or why none does, and the closest thing that is run. */
export type Where = { typed: string } | { not: string; nearest: string };

const WHERE: Record<string, Where> = {
  readme: { typed: "tests/pages/readme.test.ts" },
  operate: { typed: "tests/pages/operate.test.ts" },
  cluster: { typed: "tests/pages/cluster.test.ts" },
  caddy: { typed: "tests/examples/caddy.test.ts" },
  reader: { typed: "tests/service/database-of-0.2.test.ts" },
  example: { not: "it is a file of an example, not typed", nearest: "tests/docs/recipes.test.ts" },
  printed: { not: "it is what Deed prints, not typed", nearest: "tests/service/commands.test.ts" },
  clients: {
    not: "it needs Go or Java, and their registries: minutes and a gigabyte",
    nearest: "tests/clients/generators.test.ts",
  },
  modules: {
    not: "it fetches the modules of Go: the same versions are built before the test loses the network",
    nearest: "tests/cluster/build.ts",
  },
  plain: {
    not: "it is typed from its page, or its program started, on this machine and in no Debian of its own",
    nearest: "tests/examples/plain.test.ts",
  },
  registry: {
    not: "it installs packages of the registry of npm: its program is started with those of its lock file",
    nearest: "tests/examples/installed.test.ts",
  },
  checkout: {
    not: "it needs a checkout and the registry of npm",
    nearest: "tests/service/demo.test.ts",
  },
  engine: { not: "it needs a container engine", nearest: "tests/packed/container.test.ts" },
};

/** Every fenced block, in order, of the pages that people type from. */
const TABLE = `
README.md: checkout readme readme readme
docs/cluster.md: modules cluster cluster cluster cluster
docs/integrate/badge.md: plain example
docs/integrate/caddy.md: caddy caddy caddy
docs/integrate/ci.md: plain example example
docs/integrate/gate.md: registry registry example
docs/integrate/go.md: clients clients clients clients
docs/integrate/index.md: plain plain plain
docs/integrate/python.md: clients clients clients clients
docs/integrate/set-up.md: plain plain plain plain plain plain
docs/integrate/sso.md: registry example example
docs/integrate/typescript.md: clients clients clients clients clients clients clients
docs/integrate/webhooks.md: plain example
docs/operate/backup.md: operate operate operate operate operate operate
docs/operate/commands.md: operate
docs/operate/configuration.md: operate
docs/operate/doctor.md: operate printed operate printed
docs/operate/install.md: operate operate operate operate operate engine operate
docs/operate/leaving-litefs.md: cluster cluster
docs/operate/monitoring.md: operate operate printed operate operate
docs/operate/people.md: printed
docs/operate/signing-key.md: operate operate reader operate
docs/operate/upgrade.md: operate`;

export const BLOCKS = new Map(
  TABLE.trim()
    .split("\n")
    .map((line) => {
      const [page = "", words = ""] = line.split(": ");
      return [page, words.split(" ").map((word) => WHERE[word] as Where)];
    }),
);
