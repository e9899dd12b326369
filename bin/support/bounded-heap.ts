import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** V8's default is 128 MB, which it fills with what requests leave behind before it looks. */
const YOUNG_BYTES = 16 * 1024 * 1024;

const isYoungSmall = () =>
  getHeapSpaceStatistics().some(
    ({ space_name, space_size }) => space_name === "new_space" && space_size < YOUNG_BYTES,
  );

/**
 * Has V8 collect garbage earlier than it would on a machine with free memory: its young generation ends near 16 MB, and
 * the old one is collected once it has grown by half. Both flags may be set while V8 runs, unlike --max-semi-space-size.
 */
export function boundHeap(): void {
  setFlagsFromString("--heap-growing-percent=50");
  setFlagsFromString("--semi-space-growth-factor=1");
  // V8 also shrinks it, when the service is idle; then it may grow again.
  new PerformanceObserver(() =>
    setFlagsFromString(`--semi-space-growth-factor=${isYoungSmall() ? 2 : 1}`),
  ).observe({ type: "gc" });
}
