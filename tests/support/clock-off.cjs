// Preloaded into the service: its wall clock is off by CLOCK_OFF_MS, and time passes at the normal rate.
const off = Number(process.env.CLOCK_OFF_MS ?? 0);
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
