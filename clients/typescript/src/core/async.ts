// Waiting with an end: nothing here waits longer than it was told to, or after it was aborted.

const MAX_TIMER_MS = 2 ** 31 - 1; // a longer one fires at once

const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Call `then` when the signal aborts, unless the function that is returned is called before. A signal has one
 * listener of ours however many wait: Node takes more than ten for a leak, and says so to the user. */
export function onAbort(signal: AbortSignal, then: () => void): () => void {
  const mine = (): void => then(); // `then` may be given twice
  let all = waiting.get(signal);
  if (!all) {
    const made = (all = new Set<() => void>());
    waiting.set(signal, made);
    signal.addEventListener("abort", () => made.forEach((call) => call()), { once: true });
  }
  all.add(mine);
  return () => void waiting.get(signal)?.delete(mine);
}

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
        forget?.();
        resolve();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    const forget = signal && onAbort(signal, stop);
  });
}

/** A signal that aborts with `reason()` after `ms`, or with its parents. `clear` it when done. */
export class Deadline {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #forget: (() => void)[] = [];
  #late = false;

  constructor(ms: number, reason: () => Error, parents: readonly (AbortSignal | undefined)[] = []) {
    this.signal = this.#controller.signal;
    this.#timer = setTimeout(
      () => {
        this.#late = true;
        this.#controller.abort(reason());
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    for (const parent of parents) {
      if (!parent) continue;
      if (parent.aborted) this.#controller.abort(parent.reason);
      else this.#forget.push(onAbort(parent, () => this.#controller.abort(parent.reason)));
    }
  }

  /** Whether time ran out, and not a parent. */
  get late(): boolean {
    return this.#late;
  }

  clear(): void {
    clearTimeout(this.#timer);
    for (const forget of this.#forget) forget();
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
    const forget = onAbort(signal, stop);
    promise.then(resolve, reject).finally(forget);
  });
}
