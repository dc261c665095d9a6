// Whom Node believes over TLS, and who the client is: PEM files, and HTTP with them. fetch takes no
// certificates, so this is node:https, and each request has a connection of its own: it is written
// once, and no connection that was used before can lose it. Compression is not asked for.

import { readFileSync } from "node:fs";
import { request as httpRequest, type Response as Incoming } from "node:http";
import { request as httpsRequest } from "node:https";
import { createSecureContext } from "node:tls";
import { UsageError, type Problem } from "../errors.js";
import type { Fetch } from "./http.js";

/** Names of PEM files, which are read once, while connecting. */
export interface TlsOptions {
  /** Who may vouch for an https or wss server, instead of those whom Node trusts. A certificate that
   * vouches for itself is believed if it is given here. */
  readonly caFile?: string;
  /** The client's certificate with its chain: who the client is, with a token or instead of one. It is
   * shown to the origin of the manifest and nowhere else. */
  readonly certificate?: string;
  /** Its key. Default: it stands in the file of the certificate. */
  readonly certificateKey?: string;
}

/** What connections are made with: secure contexts of node:tls. */
export interface Tls {
  /** Where the client may say who it is, and elsewhere. */
  readonly known: object;
  readonly unknown: object;
  readonly certificate: boolean;
}

type FileOption = keyof TlsOptions;

function wrong(path: FileOption, file: string, error: unknown): UsageError {
  const message = `${file}: ${(error as Error).message}`;
  const problem: Problem = { path, message };
  return new UsageError("these options are wrong", [problem]);
}

function read(option: FileOption, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw wrong(option, file, error);
  }
}

/** `file` is named where OpenSSL does not take what was read. */
function context(
  option: FileOption,
  file: string | undefined,
  pem: Parameters<typeof createSecureContext>[0],
): object {
  try {
    return createSecureContext(pem);
  } catch (error) {
    throw wrong(option, file ?? "", error);
  }
}

/** Undefined where nothing was said about TLS. Throws UsageError. */
export function readTls(options: TlsOptions): Tls | undefined {
  const { caFile, certificate, certificateKey } = options;
  if (certificateKey !== undefined && certificate === undefined)
    throw new UsageError("these options are wrong", [{ path: "certificateKey", message: "wants a certificate, too" }]);
  if (caFile === undefined && certificate === undefined) return undefined;
  const ca = read("caFile", caFile),
    cert = read("certificate", certificate),
    key = read("certificateKey", certificateKey) ?? cert;
  if (ca !== undefined && !ca.includes("-----BEGIN"))
    throw wrong("caFile", caFile ?? "", new Error("there is no certificate in it"));
  const trust = ca === undefined ? {} : { ca };
  const unknown = context("caFile", caFile, trust);
  if (cert === undefined || key === undefined) return { known: unknown, unknown, certificate: false };
  context("certificate", certificate, { cert });
  const known = context(certificateKey === undefined ? "certificate" : "certificateKey", certificateKey ?? certificate, {
    ...trust,
    cert,
    key,
  });
  return { known, unknown, certificate: true };
}

/** As fetch would give it. */
function asResponse(incoming: Incoming): Response {
  const headers = new Headers();
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2)
    headers.append(incoming.rawHeaders[i] ?? "", incoming.rawHeaders[i + 1] ?? "");
  const init = { status: incoming.statusCode, headers };
  if ([204, 205, 304].includes(incoming.statusCode)) {
    incoming.resume();
    return new Response(null, init);
  }
  const pieces = incoming[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = await pieces.next();
      if (piece.done) controller.close();
      else controller.enqueue(piece.value);
    },
    cancel: () => incoming.destroy(),
  });
  return new Response(body, init);
}

/** HTTP with certificates. Redirects are answers like others here. */
export function fetchWith(tls: Tls): Fetch {
  return (url, init, trusted) =>
    new Promise((resolve, reject) => {
      const where = new URL(url);
      const request = (where.protocol === "https:" ? httpsRequest : httpRequest)(where, {
        agent: false,
        secureContext: trusted ? tls.known : tls.unknown,
        method: init.method ?? "GET",
        headers: init.headers as Record<string, string>,
        ...(init.signal ? { signal: init.signal } : {}),
      });
      const failed = (error: unknown): void => reject(new TypeError("the request failed", { cause: error }));
      request.on("error", failed);
      request.on("response", (incoming) => {
        incoming.on("error", () => undefined); // whoever reads is told
        try {
          resolve(asResponse(incoming));
        } catch (error) {
          incoming.destroy();
          failed(error);
        }
      });
      request.end(typeof init.body === "string" ? init.body : undefined);
    });
}
