// Preloaded into the service: its wall clock is off by CLOCK_OFF_MS, and CLOCK_STEP_MS further at each SIGUSR2. Time
// passes at the normal rate.
let off = Number(process.env.CLOCK_OFF_MS ?? 0);
const { now } = Date;
globalThis.Date = class extends Date {
  constructor(...given) {
    if (given.length === 0) super(now() + off);
    else super(...given);
  }
  static now() {
    return now() + off;
  }
};
// A machine that slept: a clock that was set would not be followed.
if (process.env.CLOCK_STEP_MS) {
  const os = require("node:os");
  const { uptime } = os;
  let slept = 0;
  os.uptime = () => uptime() + slept / 1000;
  require("node:module").syncBuiltinESMExports();
  process.on("SIGUSR2", () => {
    off += Number(process.env.CLOCK_STEP_MS);
    slept += Number(process.env.CLOCK_STEP_MS);
  });
}
