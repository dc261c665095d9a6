// Waiting with an end: nothing here waits longer than it was told to, or after it was aborted.

const MAX_TIMER_MS = 2 ** 31 - 1; // a longer one fires at once

/** Wait, or throw the signal's reason. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** A signal that aborts with `reason()` after `ms`, or with its parents. `clear` it when done. */
export class Deadline {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #parents: readonly AbortSignal[];
  #late = false;

  constructor(ms: number, reason: () => Error, parents: readonly (AbortSignal | undefined)[] = []) {
    this.signal = this.#controller.signal;
    this.#parents = parents.filter((p): p is AbortSignal => p !== undefined);
    this.#timer = setTimeout(
      () => {
        this.#late = true;
        this.#controller.abort(reason());
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    for (const parent of this.#parents) {
      if (parent.aborted) this.#controller.abort(parent.reason);
      else parent.addEventListener("abort", this.#follow);
    }
  }

  /** Whether time ran out, and not a parent. */
  get late(): boolean {
    return this.#late;
  }

  readonly #follow = (event: Event): void => {
    this.#controller.abort((event.target as AbortSignal).reason);
  };

  clear(): void {
    clearTimeout(this.#timer);
    for (const parent of this.#parents) parent.removeEventListener("abort", this.#follow);
  }
}

/** A promise with its handles outside. */
export class Settable<T> {
  resolve!: (value: T) => void;
  reject!: (error: unknown) => void;
  readonly promise: Promise<T>;

  constructor() {
    this.promise = new Promise<T>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.promise.catch(() => undefined); // whoever waits for it hears it; nobody else has to
  }
}

/** The promise, or the signal's reason if that comes first. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
