/**
 * Runs each lookup of a read once and shares its result. Lookups may depend on each other, but none ever waits for
 * itself, directly or through others.
 */
export class SingleFlight {
  private readonly results = new Map<string, Promise<string[]>>();
  private readonly waits = new Map<string, Set<string>>();
  /** Lookups refused a wait, or based on one that was. Their empty results are not kept: others may succeed later. */
  private readonly cut = new Set<string>();

  /**
   * The result of `work`, or of the lookup `key` already in flight. Empty if `asker`, the lookup that needs it, would
   * end up waiting for itself.
   */
  async get(key: string, asker: string | null, work: () => Promise<string[]>): Promise<string[]> {
    if (asker === null) return this.result(key, work);
    if (key === asker || this.leadsTo(key, asker)) {
      this.cut.add(asker);
      return [];
    }
    const waits = this.waits.get(asker) ?? new Set();
    this.waits.set(asker, waits.add(key));
    const found = await this.result(key, work);
    waits.delete(key);
    if (found.length === 0 && this.cut.has(key)) this.cut.add(asker);
    return found;
  }

  private result(key: string, work: () => Promise<string[]>): Promise<string[]> {
    const known = this.results.get(key);
    if (known) return known;
    const result = work().then((found) => {
      if (found.length === 0 && this.cut.has(key)) this.results.delete(key);
      return found;
    });
    this.results.set(key, result);
    return result;
  }

  private leadsTo(from: string, to: string, passed = new Set<string>()): boolean {
    if (passed.has(from)) return false;
    passed.add(from);
    for (const next of this.waits.get(from) ?? []) {
      if (next === to || this.leadsTo(next, to, passed)) return true;
    }
    return false;
  }
}
