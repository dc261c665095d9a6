// The wire's objects, under the names that they have on the wire (protocol.md part 2). What the
// client makes of them (Evaluation, Outcome) is in client.ts, in camel case.

import type { Float, Json, JsonInput, JsonObject, JsonObjectInput } from "./values.js";
import type { WireTime } from "./time.js";

export const PROTOCOL_VERSION = "2026-02-draft";

// ---- facts

/** An argument of a fact. An integer beyond ±(2^53 - 1) is a bigint, a float that is a whole number
 * a Float: see values.ts. */
export type FactValue =
  string | number | bigint | boolean | Float | readonly FactValue[] | { readonly [key: string]: FactValue };

/** When a fact holds: both ends inclusive, `"_"` for no bound; or one instant. */
export type Window = { readonly start: WireTime; readonly end: WireTime } | { readonly at: WireTime };

export interface Source {
  readonly source_type: string;
  readonly source_id?: string | null;
  readonly asserted_at?: WireTime | null;
  /** The server's own, of a fact that it will know again. */
  readonly signature?: string | null;
}

export interface Fact {
  readonly pred: string;
  readonly args?: readonly FactValue[];
  readonly named_args?: { readonly [name: string]: FactValue };
  readonly t?: Window | null;
  readonly source?: Source | null;
  readonly category?: "server" | "session" | "derived" | null;
}

/** What a delta takes away: `null` leaves a position open. */
export interface FactPattern {
  readonly pred: string;
  readonly args: readonly (FactValue | null)[];
  readonly t?: Window | null;
}

export interface StateDelta {
  readonly assert: readonly Fact[];
  readonly retract: readonly FactPattern[];
}

// ---- manifest

export interface PredicateSchema {
  readonly predicate: string;
  readonly arity: number;
  readonly arg_types?: readonly ("string" | "number" | "boolean" | "any")[];
  readonly arg_names?: readonly string[];
  readonly temporal?: boolean;
  readonly description?: string;
  readonly direction?: "input" | "output" | "both";
}

export interface IntentEntry {
  readonly name: string;
  readonly description: string;
  readonly required_facts?: readonly string[];
  readonly optional_facts?: readonly string[];
}

export interface Manifest {
  readonly server_name: string;
  readonly server_version: string;
  readonly protocol: {
    readonly manglecp: string;
    readonly supported_versions?: readonly string[];
    readonly conformance_level: number;
  };
  readonly status: "ready" | "booting" | "degraded" | "draining";
  readonly domain: {
    readonly id: string;
    readonly description: string;
    readonly categories?: readonly string[];
    readonly affinities?: { readonly [name: string]: number };
  };
  readonly endpoints?: { readonly intent_eval: string; readonly macro_invoke: string };
  readonly intents: readonly IntentEntry[];
  readonly facts_profile: {
    readonly time_formats: readonly string[];
    readonly predicates?: readonly PredicateSchema[];
    readonly schema_uri?: string | null;
  };
  readonly capabilities: {
    readonly temporal: boolean;
    readonly aggregation?: boolean;
    readonly named_args?: boolean;
    readonly external_predicates?: readonly {
      readonly predicate: string;
      readonly arity: number;
      readonly description: string;
      readonly deterministic?: boolean;
    }[];
  };
  readonly limits: {
    readonly max_message_bytes: number;
    readonly max_facts_per_request: number;
    readonly max_derived_facts: number;
    readonly max_intervals_per_atom?: number;
    readonly max_compute_ms?: number;
  };
  readonly auth: {
    readonly required: boolean;
    readonly schemes: readonly string[];
    readonly token_url?: string | null;
  };
  readonly extensions: { readonly [name: string]: Json };
}

// ---- intent

export interface Constraints {
  readonly max_facts_created?: number;
  readonly max_intervals_per_atom?: number;
  readonly max_compute_ms?: number;
  readonly max_tools_returned?: number;
  readonly max_tokens_budget?: number;
}

export type DisclosurePreference = "full" | "condensed" | "minimal" | "adaptive";

export interface Safety {
  readonly requires_user_confirmation: boolean;
  readonly side_effects: readonly string[];
  readonly reversible: boolean;
  readonly idempotent: boolean;
}

export interface SkillReference {
  readonly skill_id: string;
  readonly inline: boolean;
  readonly content?: string;
  readonly description?: string;
}

export interface ContextInjection {
  readonly instructions?: string;
  readonly skills?: readonly SkillReference[];
  readonly context_resources?: readonly {
    readonly uri: string;
    readonly relevance?: string;
    readonly priority?: number;
  }[];
}

export interface MacroTool {
  readonly macro_id: string;
  readonly name: string;
  readonly disclosure_level: "full" | "condensed" | "minimal";
  readonly description?: string;
  readonly input_schema?: JsonObject;
  readonly output_schema?: JsonObject;
  readonly context_injection?: ContextInjection;
  readonly safety?: Safety;
  readonly validity?: { readonly not_before?: string; readonly expires_at?: string };
  readonly metadata?: JsonObject;
}

export interface Skill {
  readonly skill_id: string;
  readonly name: string;
  readonly description: string;
  readonly content: string;
  readonly content_type: string;
  readonly resources: readonly { readonly uri: string; readonly type?: string; readonly description?: string }[];
}

/** One step of a proof, and below it what it rests on. */
export interface ProofNode {
  readonly fact: string;
  readonly type: "server" | "session" | "derived";
  readonly children?: readonly ProofNode[];
}

/** Why tools are there (protocol.md 2.15). */
export interface ProofHints {
  readonly derivations: readonly {
    readonly macro_id: string;
    readonly selected_by: "skeleton" | "flesh" | "dependency";
    readonly score: number;
    readonly supporting_facts: readonly Fact[];
    readonly rule_chain: readonly string[];
    readonly tree?: ProofNode;
  }[];
  readonly excluded?: readonly { readonly candidate: string; readonly excluded_by: string; readonly reason: string }[];
  readonly unmatched_facts?: readonly { readonly pred: string; readonly reason: string }[];
  /** What was claimed of privileged predicates and was not believed. */
  readonly refused?: readonly JsonObject[];
}

/** Why a tool is absent, and what would bring it. */
export interface WhyNot {
  readonly tool: string;
  /** True: it is offered, and there is nothing to tell. */
  readonly selected: boolean;
  readonly reasons: readonly {
    readonly phase: string;
    readonly message: string;
    readonly by?: string;
    readonly rule?: { readonly name: string; readonly file: string; readonly line: number };
    readonly premise?: string;
    readonly facts: readonly Fact[];
  }[];
  /** The smallest sets of changes, each of which would have brought it. */
  readonly changes: readonly { readonly add: readonly Fact[]; readonly remove: readonly Fact[] }[];
  /** Not complete: a bound was hit, and there may be others. */
  readonly search: { readonly complete: boolean; readonly limit?: string };
}

export interface IntentResponse {
  readonly eval_time_used: string;
  readonly eval_duration_ms?: number;
  readonly macro_tools: readonly MacroTool[];
  readonly proof_hints?: ProofHints;
  readonly required_skills: readonly Skill[];
  readonly diagnostics?: JsonObject;
}

// ---- invocation

/** A parameter that rules of the server filled in. No value: the caller may not see it. */
export interface BoundValue {
  readonly name: string;
  readonly value?: Json;
}

/** What an invocation would do: the answer to a dry run. */
export interface DryRunPlan {
  readonly macro_id: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly bound: readonly BoundValue[];
  readonly steps: readonly {
    readonly id: string;
    readonly action: string;
    readonly runs: "always" | "never" | "depends";
    readonly depends_on: readonly string[];
    readonly side_effects: readonly string[];
    readonly reversible: boolean;
    readonly idempotent: boolean;
    readonly on_failure: "stop" | "skip" | "continue";
    readonly timeout_ms: number;
    /** With these arguments it would fail, and so. */
    readonly problem?: string;
  }[];
  readonly side_effects: readonly string[];
  readonly reversible: boolean;
  readonly idempotent: boolean;
  readonly confirmation: { readonly required: boolean; readonly given: boolean; readonly show?: JsonObject };
  readonly estimate: { readonly at_most_ms: number; readonly time_ms?: number; readonly tokens?: number };
}

export interface SuggestedIntent {
  readonly name: string;
  readonly params: JsonObject;
  readonly description?: string;
}

export interface ActionEvent {
  readonly action: string;
  readonly status: "success" | "failure" | "skipped";
  readonly duration_ms?: number;
  readonly detail?: string;
}

export interface Warning {
  readonly code: string;
  readonly message: string;
}

export interface Observability {
  readonly summary: string;
  readonly events: readonly ActionEvent[];
  readonly duration_ms?: number;
  readonly warnings: readonly Warning[];
}

export interface InvokeResponse {
  readonly result: JsonObject;
  readonly state_delta: StateDelta;
  readonly observability?: Observability;
  readonly next: {
    readonly suggested_intents: readonly SuggestedIntent[];
    readonly continuation_facts: readonly Fact[];
  };
  readonly effects_complete: boolean;
}

export interface Progress {
  readonly status: "started" | "running" | "finalizing";
  readonly detail?: string;
  readonly percent?: number;
}

export interface AuthenticateResponse {
  readonly status: "authenticated";
  readonly identity: string | null;
  readonly permissions: readonly string[];
}

export interface ErrorPayload {
  readonly code: string;
  readonly message: string;
  readonly recoverable: boolean;
  readonly details: JsonObject;
  readonly retry_after_ms?: number | null;
}

export type { Json, JsonInput, JsonObject, JsonObjectInput };
