/** A one-time end signal with listeners, like AbortSignal but light enough for one listener per query. */
export class Cancellation {
  private readonly listeners = new Set<() => void>();
  private ended = false;

  get isOver(): boolean {
    return this.ended;
  }

  /** Registers `listener`, to be called at the end. */
  tell(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Removes a listener. */
  spare(listener: () => void): void {
    this.listeners.delete(listener);
  }

  /** Ends once; later calls do nothing. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    for (const listener of this.listeners) listener();
    this.listeners.clear();
  }
}
