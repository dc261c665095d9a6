// The few things of Node that this package uses. Written here, so that building needs nothing but
// the compiler; none of it shows in the published types.

declare module "node:child_process" {
  interface Stream {
    on(event: "data", listener: (bytes: Uint8Array) => void): void;
    on(event: "end" | "close" | "drain", listener: () => void): void;
    on(event: "error", listener: (error: Error) => void): void;
    destroy(): void;
  }
  interface Writable extends Stream {
    readonly writableLength: number;
    readonly writable: boolean;
    write(text: string): boolean;
    end(): void;
  }
  export interface Child {
    readonly pid?: number;
    readonly stdin: Writable;
    readonly stdout: Stream;
    readonly stderr: Stream | null;
    readonly exitCode: number | null;
    readonly signalCode: string | null;
    kill(signal: string): boolean;
    on(event: "error", listener: (error: Error) => void): void;
    on(event: "spawn", listener: () => void): void;
    on(event: "exit" | "close", listener: (code: number | null, signal: string | null) => void): void;
  }
  export function spawn(
    command: string,
    args: readonly string[],
    options: {
      stdio: readonly ["pipe", "pipe", "pipe" | "inherit" | "ignore"];
      cwd?: string;
      env?: { readonly [name: string]: string | undefined };
    },
  ): Child;
}

declare module "node:http" {
  export interface Socket {
    readonly destroyed: boolean;
    readonly writableLength: number;
    on(event: "data", listener: (bytes: Uint8Array) => void): void;
    on(event: "end" | "close", listener: () => void): void;
    on(event: "error", listener: (error: Error) => void): void;
    write(bytes: Uint8Array): boolean;
    end(): void;
    destroy(): void;
    setNoDelay(on: boolean): void;
    setTimeout(ms: number): void;
  }
  export interface Response {
    readonly statusCode: number;
    readonly headers: { readonly [name: string]: string | string[] | undefined };
    readonly rawHeaders: readonly string[];
    [Symbol.asyncIterator](): AsyncIterator<Uint8Array>;
    on(event: "error", listener: (error: Error) => void): void;
    resume(): void;
    destroy(): void;
  }
  export interface Request {
    on(event: "response", listener: (response: Response) => void): void;
    on(event: "upgrade", listener: (response: Response, socket: Socket, head: Uint8Array) => void): void;
    on(event: "error", listener: (error: Error & { readonly code?: string }) => void): void;
    end(body?: string): void;
    destroy(error?: Error): void;
  }
  export interface RequestOptions {
    readonly headers: { readonly [name: string]: string };
    readonly agent: false;
    readonly method?: string;
    readonly signal?: AbortSignal;
    readonly secureContext?: object;
  }
  export function request(url: URL, options: RequestOptions): Request;
}

declare module "node:https" {
  export { request } from "node:http";
}

declare module "node:tls" {
  export function createSecureContext(options: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
  }): object;
}

declare module "node:fs" {
  export function readFileSync(path: string, encoding: "utf8"): string;
}
