// What came of an intent, and of an invocation.

import type {
  DryRunPlan,
  Fact,
  IntentResponse,
  InvokeResponse,
  MacroTool,
  ProofHints,
  Skill,
  StateDelta,
  SuggestedIntent,
  Warning,
  WhyNot,
} from "./core/types.js";
import type { JsonObject, JsonObjectInput } from "./core/values.js";

/** What came of an intent: the tools that are proven fit for it, now. */
export class Evaluation {
  readonly tools: readonly MacroTool[];
  readonly evalTimeUsed: string;
  readonly skills: readonly Skill[];
  /** With `proofs`: why each tool is there. */
  readonly proofHints: ProofHints | undefined;
  readonly diagnostics: JsonObject | undefined;

  constructor(
    readonly intent: string,
    readonly params: JsonObjectInput,
    readonly response: IntentResponse,
    /** Facts that were not sent, because the manifest does not say that the intent needs them. */
    readonly withheld: readonly Fact[],
    /** How often it was asked for. */
    readonly attempts: number,
    /** With `whyNot`: why those tools are absent, and what would bring them. Undefined: nobody asked,
     * or the server does not know of it. */
    readonly whyNot?: readonly WhyNot[],
  ) {
    this.tools = response.macro_tools;
    this.evalTimeUsed = response.eval_time_used;
    this.skills = response.required_skills;
    this.proofHints = response.proof_hints;
    this.diagnostics = response.diagnostics;
  }

  /** The tool of that name or id. */
  tool(name: string): MacroTool | undefined {
    return this.tools.find((tool) => tool.name === name) ?? this.tools.find((tool) => tool.macro_id === name);
  }
}

/** What came of an invocation. */
export class Outcome {
  readonly result: JsonObject;
  readonly delta: StateDelta;
  readonly suggestions: readonly SuggestedIntent[];
  readonly continuationFacts: readonly Fact[];
  readonly summary: string;
  readonly warnings: readonly Warning[];
  /** False: the server could not work out everything that changed, so the delta may lack something.
   * The warnings say what. */
  readonly effectsComplete: boolean;

  constructor(
    readonly tool: MacroTool,
    readonly response: InvokeResponse,
    readonly idempotencyKey: string,
    /** Whether this is the kept answer of an earlier invocation with the same key. */
    readonly replayed: boolean,
    /** What became of the working facts; undefined if the delta was not applied. */
    readonly applied: { readonly retracted: readonly Fact[]; readonly asserted: readonly Fact[] } | undefined,
    warnings: readonly Warning[],
    /** Of a dry run: what would be done. Undefined: it was none. */
    readonly plan?: DryRunPlan,
  ) {
    this.result = response.result;
    this.delta = response.state_delta;
    this.suggestions = response.next.suggested_intents;
    this.continuationFacts = response.next.continuation_facts;
    this.summary = response.observability?.summary ?? "";
    this.effectsComplete = response.effects_complete;
    this.warnings = warnings;
  }

  /** The suggestion of that name. */
  suggestion(name: string): SuggestedIntent | undefined {
    return this.suggestions.find((suggestion) => suggestion.name === name);
  }
}
