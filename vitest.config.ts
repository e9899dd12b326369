import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./tests/support/longest-first.ts";
import { THIS_FILE } from "./tests/support/run.ts";

/** `npm test` counts them before it starts. */
const IDLE_CORES = Number(process.env.IDLE_CORES ?? availableParallelism());

/** Packs the product, which tests start, once a run. */
const globalSetup = "tests/support/product.ts";

const node = {
  environment: "node" as const,
  // Ports and addresses are chosen by process id. Threads take a quarter more CPU.
  pool: "forks" as const,
  /** Bounds for what hangs, also where ten processes share a slow core: no test asserts how long something takes. */
  ...{ testTimeout: 1_800_000, hookTimeout: 1_800_000 },
  expect: { poll: { timeout: 120_000 } },
  setupFiles: [THIS_FILE],
  /** No test sees what another replaced, in whatever order they run. */
  ...{ restoreMocks: true, unstubEnvs: true },
};

/** Files in a worker share loaded modules, so a test must put back what it changes. */
const shared = {
  ...node,
  // The other projects bring packages from a registry.
  setupFiles: [THIS_FILE, "tests/support/fenced.ts"],
  isolate: false,
  // Many tests wait for timers and sockets.
  maxWorkers: 2 * IDLE_CORES,
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: [
            "{app,bin,db,worker,packages,scripts}/**/*.test.{ts,tsx}",
            "tests/architecture.test.ts",
            "tests/docs/**/*.test.ts",
          ],
        },
      },
      {
        test: {
          ...shared,
          name: "service",
          globalSetup,
          include: ["tests/**/*.test.ts"],
          exclude: [
            "tests/architecture.test.ts",
            "tests/docs/**",
            "tests/cluster/**",
            "tests/{packed,pages}/**",
            "tests/browsers/**",
            "tests/examples/{installed,library}.test.ts",
            "tests/clients/generators.test.ts",
          ],
        },
      },
      {
        test: {
          ...node,
          name: "browsers",
          globalSetup,
          include: ["tests/browsers/**/*.test.ts"],
        },
      },
      {
        test: {
          ...node,
          name: "examples",
          globalSetup,
          include: ["tests/examples/**/*.test.ts"],
        },
      },
      {
        test: {
          ...node,
          name: "clients",
          globalSetup,
          include: ["tests/clients/{clients,generators}.test.ts"],
        },
      },
      {
        test: {
          ...node,
          name: "cluster",
          globalSetup,
          include: ["tests/cluster/**/*.test.ts"],
          testTimeout: 3_600_000,
        },
      },
      {
        test: {
          ...node,
          name: "packed",
          include: ["tests/{packed,pages}/**/*.test.ts"],
        },
      },
    ],
  },
});
