import { defineConfig } from "vitest/config";

const node = { environment: "node" as const, pool: "forks" as const, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...node,
          // Test files share threads and loaded modules, so a test must put back what it changes.
          pool: "threads" as const,
          isolate: false,
          // On two cores: many tests wait for timers and sockets.
          maxWorkers: 3,
          name: "unit",
          include: ["{app,db,worker,scripts}/**/*.test.{ts,tsx}", "tests/architecture.test.ts", "tests/docs/**/*.test.ts"],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          ...node,
          name: "service",
          include: ["tests/**/*.test.ts"],
          exclude: ["tests/architecture.test.ts", "tests/docs/**", "tests/cluster/**"],
          testTimeout: 90_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...node,
          name: "cluster",
          include: ["tests/cluster/**/*.test.ts"],
          testTimeout: 3_600_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
