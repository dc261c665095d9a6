// A server as a child process: one message a line on its standard input and output. Node only.
//
// The child is never left behind: its input is closed, then it gets five seconds to end by itself
// (P-STDIO-5), then SIGTERM, and two seconds later SIGKILL.

import { spawn, type Child } from "node:child_process";
import { sleep } from "../core/async.js";
import { JsonError, decodeUtf8 } from "../core/json.js";
import { ConnectionError, ProtocolFaultError } from "../errors.js";
import { MAX_UNSENT_BYTES, type LinkEvents, type SessionLink } from "./link.js";

const END_MS = 5000,
  TERM_MS = 2000;
const EXIT_MS = 1000; // for what is still in the pipes when the child has ended
const NEWLINE = 0x0a;

export interface ProcessOptions {
  readonly cwd?: string;
  /** The child's whole environment; absent: that of this process. */
  readonly env?: { readonly [name: string]: string | undefined };
  /** What becomes of the child's messages to people: shown with ours (the default), dropped, or
   * given to a function in pieces as they come. */
  readonly stderr?: "inherit" | "ignore" | ((text: string) => void);
}

/** Lines out of bytes. Throws ProtocolFaultError for a line beyond the bound, or one not in UTF-8. */
export class Lines {
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(readonly maxBytes: number) {}

  read(bytes: Uint8Array, line: (text: string) => void): void {
    for (let from = 0; from < bytes.length;) {
      const end = bytes.indexOf(NEWLINE, from);
      const piece = bytes.subarray(from, end < 0 ? bytes.length : end);
      this.#bytes += piece.length;
      if (this.#bytes > this.maxBytes)
        throw new ProtocolFaultError(`the server sent a line of more than ${this.maxBytes} bytes`, { sent: true });
      this.#pieces.push(piece);
      if (end < 0) return;
      const text = this.#take();
      if (text.trim()) line(text); // blank lines are nothing, CR before LF neither (D-60)
      from = end + 1;
    }
  }

  #take(): string {
    const whole = new Uint8Array(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    this.#pieces = [];
    this.#bytes = 0;
    try {
      return decodeUtf8(whole);
    } catch (error) {
      if (error instanceof JsonError)
        throw new ProtocolFaultError("the server sent a line that is not UTF-8", { sent: true });
      throw error;
    }
  }
}

export class StdioLink implements SessionLink {
  readonly target: string;
  readonly trusted = true;
  readonly certified = false;
  #child: Child | undefined;
  #over = true;
  #gone: Promise<void> = Promise.resolve();

  constructor(
    readonly command: readonly string[],
    readonly options: ProcessOptions,
    readonly maxBytes: number,
  ) {
    this.target = command[0] ?? "";
  }

  open(events: LinkEvents, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const { cwd, env, stderr = "inherit" } = this.options;
      const child = spawn(this.target, this.command.slice(1), {
        stdio: ["pipe", "pipe", typeof stderr === "function" ? "pipe" : stderr],
        ...(cwd === undefined ? {} : { cwd }),
        ...(env === undefined ? {} : { env }),
      });
      this.#child = child;
      this.#over = false;
      const end = (error: Error | undefined): void => {
        if (this.#over) return;
        this.#over = true;
        events.closed(error);
      };
      this.#gone = new Promise((done) => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        child.on("exit", () => {
          timer = setTimeout(() => hangUp(child), EXIT_MS); // a grandchild may hold the pipes open for ever
        });
        child.on("close", (code, by) => {
          clearTimeout(timer);
          end(
            code === 0
              ? undefined
              : new ConnectionError(`${this.target} ended ${by ? `by ${by}` : `with status ${code}`}`, { sent: true }),
          );
          done();
        });
        child.on("error", (error) => {
          const failed = new ConnectionError(`${this.target} could not be started: ${error.message}`, {
            sent: false,
            cause: error,
          });
          reject(failed);
          end(failed);
          if (child.pid === undefined) done();
        });
      });
      child.on("spawn", () => resolve());
      child.stdin.on("error", (error) =>
        end(new ConnectionError(`${this.target} reads no more: ${error.message}`, { sent: true, cause: error })),
      );
      this.#read(child, events, end);
      if (typeof stderr === "function" && child.stderr) {
        child.stderr.on("error", () => undefined);
        const decoder = new TextDecoder();
        child.stderr.on("data", (bytes) => stderr(decoder.decode(bytes, { stream: true })));
      }
    });
  }

  #read(child: Child, events: LinkEvents, end: (error: Error | undefined) => void): void {
    const lines = new Lines(this.maxBytes);
    child.stdout.on("data", (bytes) => {
      if (this.#over) return;
      try {
        lines.read(bytes, (text) => {
          if (!this.#over) events.message(text);
        });
      } catch (error) {
        end(error as Error);
        void this.close();
      }
    });
    child.stdout.on("error", (error) =>
      end(new ConnectionError(`${this.target} could not be read: ${error.message}`, { sent: true, cause: error })),
    );
  }

  get writable(): boolean {
    return !this.#over && this.#child?.stdin.writable === true;
  }

  send(text: string): void {
    const child = this.#child;
    if (!child || !this.writable) throw new ConnectionError(`${this.target} has ended`, { sent: false });
    if (child.stdin.writableLength > MAX_UNSENT_BYTES)
      throw new ConnectionError(`${this.target} does not read what it is sent`, { sent: false });
    child.stdin.write(`${text}\n`);
  }

  async close(): Promise<void> {
    const child = this.#child;
    this.#over = true;
    if (!child) return;
    child.stdin.end();
    const within = async (ms: number): Promise<boolean> => {
      const late = new AbortController();
      const over = this.#gone.then(() => true);
      const first = await Promise.race([
        over,
        sleep(ms, late.signal).then(
          () => false,
          () => false,
        ),
      ]);
      late.abort(new Error("done"));
      return first;
    };
    if (await within(END_MS)) return;
    child.kill("SIGTERM");
    if (await within(TERM_MS)) return;
    child.kill("SIGKILL");
    await within(TERM_MS);
  }
}

function hangUp(child: Child): void {
  child.stdout.destroy();
  child.stderr?.destroy();
}
