// Preloaded into the service: shifts its wall clock by CLOCK_OFF_MS; time passes at the normal rate.
const off = Number(process.env.CLOCK_OFF_MS);
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
