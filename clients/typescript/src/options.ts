// What a caller may say, with its defaults.

import type { Token } from "./channel.js";
import type { ConsentRequest } from "./core/invocation.js";
import type { WireTime } from "./core/time.js";
import type { Constraints, DisclosurePreference, Fact, Manifest, Progress, Warning } from "./core/types.js";
import type { JsonObject, JsonObjectInput } from "./core/values.js";
import type { WorkingFacts } from "./facts.js";

export interface ClientOptions {
  /** The credential, or a function that gets it; it is asked again, with `true`, when the server does
   * not accept the last one. It goes to the origin of the manifest and nowhere else. */
  readonly token?: Token;
  /** Send the token unencrypted (http, ws) to other machines, too; else that is a UsageError. Default false. */
  readonly insecure?: boolean;
  /** How the token is called. Default `bearer`. */
  readonly scheme?: "bearer" | "oauth2" | "api_key";
  /** Ask the user. It is shown everything that consent is about, and nothing was sent before. Without
   * it, tools that need consent cannot be used. */
  readonly confirm?: (request: ConsentRequest, signal: AbortSignal | undefined) => boolean | Promise<boolean>;
  /** The host program's confirmation key (base64url, or its bytes): proves the user's consent to the
   * server. Keep it out of the reach of any model. */
  readonly confirmationKey?: string | Uint8Array;
  /** Without a key: get the challenge approved by a person out of band; true once that is done. */
  readonly approve?: (challenge: string, show: JsonObject | undefined) => boolean | Promise<boolean>;
  /** The working facts to begin with. A WorkingFacts is used itself, an array is copied. */
  readonly facts?: WorkingFacts | readonly Fact[];
  /** Apply what an answer says has changed to the working facts. Default true. */
  readonly applyDeltas?: boolean;
  /** How long one request may take. Default 60,000. */
  readonly timeoutMs?: number;
  /** How long connecting and the manifest may take. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** How long to wait for a server that is booting or draining. Default 30,000. */
  readonly readyTimeoutMs?: number;
  /** No single wait before asking again is longer. Default 60,000. */
  readonly maxRetryWaitMs?: number;
  /** Larger messages of the server are refused. Default 16 MiB, which no server exceeds. */
  readonly maxAnswerBytes?: number;
  /** Milliseconds since 1970: what the client takes for now. Default the machine's clock. */
  readonly clock?: () => number;
  /** Each manifest that arrives; the newest replaces all earlier ones. */
  readonly onManifest?: (manifest: Manifest) => void;
  readonly onProgress?: (progress: Progress) => void;
  /** What the server warns of in an answer, such as effects that are not complete. */
  readonly onWarning?: (warning: Warning) => void;
  /** What is odd but does no harm, for the log. */
  readonly onNotice?: (text: string) => void;
  /** Every message as it goes and comes, for debugging. Tokens are not in it, but facts and arguments are. */
  readonly trace?: (direction: "sent" | "received", text: string) => void;
}

/** Of every request. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** A W3C traceparent, for the server's log. */
  readonly traceparent?: string;
}

export interface EvaluateOptions extends RequestOptions {
  readonly params?: JsonObjectInput;
  /** Facts for this request only, beside the working facts. */
  readonly facts?: readonly Fact[];
  /** What `now` means to the rules. Default: the client's clock (P-TIME-12). */
  readonly evalTime?: WireTime;
  readonly constraints?: Constraints;
  readonly disclosure?: DisclosurePreference;
  /** Ask why each tool is there: `proofHints`. */
  readonly proofs?: boolean;
  /** Ask why these tools (at most 4) are not offered, and what would bring them: `whyNot` of the
   * evaluation. Takes the permission why_not. */
  readonly whyNot?: readonly string[];
  /** Ids of tools to be shown in full. */
  readonly upgrade?: readonly string[];
  /** Ask for an intent that the manifest does not list. Then only `facts` are sent: nothing says
   * what else it needs. */
  readonly allowUnlisted?: boolean;
}

export interface InvokeOptions extends RequestOptions {
  readonly evalTime?: WireTime;
  /** 1 to 128 of A-Z a-z 0-9 . _ : - ; default: a random one. The same key with the same tool and
   * arguments asks for the same invocation, not for another. */
  readonly idempotencyKey?: string;
  /** The challenge of an earlier ConsentError, which a person has approved out of band since then, or
   * a token that was made for it. It is sent along, and the user is not asked here. */
  readonly approved?: string;
  /** Tell what it would do, and do nothing: `plan` of the outcome. Nobody is asked for consent, and no
   * key is used. A UsageError, and nothing is sent, if the manifest does not say that the server knows
   * of this. */
  readonly dryRun?: boolean;
}
