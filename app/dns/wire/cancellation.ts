/** Something that ends once, and who is told of it: an AbortSignal light enough for a listener a query. */
export class Cancellation {
  private readonly listeners = new Set<() => void>();
  private ended = false;

  get isOver(): boolean {
    return this.ended;
  }

  /** Has `listener` called at the end, unless it is taken back before. */
  tell(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Takes a listener back. */
  spare(listener: () => void): void {
    this.listeners.delete(listener);
  }

  /** Ends it, once. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    for (const listener of this.listeners) listener();
    this.listeners.clear();
  }
}
