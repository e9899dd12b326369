/** A one-time end signal with listeners, like AbortSignal but light enough for one listener per query. */
export class Cancellation {
  private readonly listeners = new Set<() => void>();
  private cancelled = false;

  get isCancelled(): boolean {
    return this.cancelled;
  }

  /** Registers `listener`, to be called at the end. */
  add(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Removes a listener. */
  remove(listener: () => void): void {
    this.listeners.delete(listener);
  }

  /** Ends once; later calls do nothing. */
  cancel(): void {
    if (this.cancelled) return;
    this.cancelled = true;
    for (const listener of this.listeners) listener();
    this.listeners.clear();
  }
}
