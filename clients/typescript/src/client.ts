// The client: one server, its manifest, the working facts. It does what core/ decides.
//
//   - nothing is sent before the manifest, nor while the server is booting or draining
//   - everything is looked at before it is sent; what is wrong is a UsageError with all problems
//   - a request is asked again when the server says rate_limited or server_not_ready
//   - an invocation goes out again only after an answer that says that nothing ran; if its answer is
//     lost, that is an IndeterminateError, and asking again is the caller's decision

import type { Ask, Channel } from "./channel.js";
import { readError, readIntentResponse, readInvokeResponse, readPlan, readWhyNot } from "./core/answers.js";
import { Deadline, orAborted, sleep } from "./core/async.js";
import {
  checkConstraints,
  checkEvalTime,
  checkFact,
  checkObject,
  UPGRADE,
  wantedPredicates,
  wireFact,
} from "./core/check.js";
import { isIdempotencyKey, newIdempotencyKey, readKey, signChallenge } from "./core/confirm.js";
import type { Message } from "./core/envelope.js";
import { asksWithin, InvocationFlow, MAX_QUESTIONS, type ConsentRequest } from "./core/invocation.js";
import { parseJson, writeJson } from "./core/json.js";
import { intentEntry, predicateSchema, takesRequests } from "./core/manifest.js";
import { Attempts, Pauses } from "./core/policy.js";
import { formatInstant } from "./core/time.js";
import type { ErrorPayload, Fact, MacroTool, Manifest, StateDelta, SuggestedIntent, Warning } from "./core/types.js";
import type { JsonInput, JsonObject, JsonObjectInput } from "./core/values.js";
import {
  AuthError,
  CancelledError,
  ConnectionError,
  ConsentError,
  IndeterminateError,
  MangleCPError,
  NotReadyError,
  ServerError,
  ToolGoneError,
  UsageError,
  type Problem,
} from "./errors.js";
import { WorkingFacts } from "./facts.js";
import type { ClientOptions, EvaluateOptions, InvokeOptions, RequestOptions } from "./options.js";
import { Evaluation, Outcome } from "./results.js";

const TIMEOUT_MS = 60_000,
  READY_MS = 30_000,
  RETRY_WAIT_MS = 60_000;
const MAX_OFFERS = 1024;
const MAX_STEPS = 16;
const MAX_FLOW_STEPS = MAX_STEPS + 3 * MAX_QUESTIONS; // each is asked, signed and sent
/** Refusals from before anything runs: after a lost answer they leave open what became of it. */
const GATES = [
  "auth_required",
  "auth_invalid",
  "auth_insufficient",
  "server_not_ready",
  "rate_limited",
  "macro_not_found",
  "macro_expired",
  "confirmation_required",
  "confirmation_invalid",
];

/** How a tool came to be offered: enough to ask again. */
interface Offer {
  readonly tool: MacroTool;
  readonly intent: string;
  readonly options: EvaluateOptions;
  readonly continuation: readonly Fact[];
}

interface Sending {
  readonly tool: MacroTool;
  readonly payload: JsonObjectInput;
  readonly key: string;
  readonly dryRun: boolean;
}

export class Client {
  readonly facts: WorkingFacts;
  readonly #channel: Channel;
  readonly #options: ClientOptions;
  readonly #offers = new Map<string, Offer>(); // by macro_id, least recently offered first

  /** For `connect` and `spawn`. */
  constructor(channel: Channel, options: ClientOptions) {
    if (options.confirmationKey !== undefined) readKey(options.confirmationKey);
    this.#channel = channel;
    this.#options = options;
    this.facts = options.facts instanceof WorkingFacts ? options.facts : new WorkingFacts();
    this.facts.useArgNames((pred) => {
      const manifest = channel.manifest;
      return manifest && predicateSchema(manifest, pred)?.arg_names;
    });
    if (options.facts && !(options.facts instanceof WorkingFacts)) this.facts.addAll(options.facts);
  }

  /** The newest manifest. */
  get manifest(): Manifest {
    return this.#channel.manifest!;
  }

  get target(): string {
    return this.#channel.target;
  }

  /** Who the server says we are: over a session, once a request has logged in. */
  get identity(): string | undefined {
    return this.#channel.identity?.identity ?? undefined;
  }

  /** End the connection; open requests fail. Resolves when nothing is left running. */
  close(): Promise<void> {
    return this.#channel.close();
  }

  // ---- waiting for the server

  /** Wait until the server takes requests (P-READY-1, -3, -5, -8). */
  async ready(signal?: AbortSignal): Promise<Manifest> {
    const limit = this.#options.readyTimeoutMs ?? READY_MS;
    let last: Manifest | undefined;
    const late = (): Error =>
      last
        ? new NotReadyError(`the server is ${last.status}, and was so for ${limit} ms`, last.status)
        : new ConnectionError(`${this.target} could not be reached within ${limit} ms`, { sent: false });
    const deadline = new Deadline(limit, late, [signal]);
    const pauses = new Pauses();
    try {
      for (last = await this.#channel.connect(deadline.signal); !takesRequests(last);)
        last = await this.#channel.renew(last, deadline.signal, pauses);
      return last;
    } catch (error) {
      if (last && error instanceof ConnectionError && !takesRequests(last))
        throw new NotReadyError(`the server was ${last.status}, and is gone: ${error.message}`, last.status);
      throw error;
    } finally {
      deadline.clear();
    }
  }

  /** Ask once, as soon as the server takes requests; `prepare` sees the manifest that holds then. */
  async #ask(
    type: Ask["type"],
    options: RequestOptions,
    prepare: (manifest: Manifest) => { payload: JsonObjectInput; extensions?: JsonObjectInput },
  ): Promise<Message> {
    for (let n = 1; ; n++) {
      const manifest = await this.ready(options.signal);
      const { payload, extensions } = prepare(manifest);
      const all = {
        ...extensions,
        ...(options.traceparent === undefined ? {} : { "x-traceparent": options.traceparent }),
      };
      try {
        return await this.#channel.ask({
          type,
          payload,
          ...(Object.keys(all).length ? { extensions: all } : {}),
          timeoutMs: options.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS,
          signal: options.signal,
          onProgress: (progress) => this.#tell(() => (options.onProgress ?? this.#options.onProgress)?.(progress)),
        });
      } catch (error) {
        if (type === "intent_request" && options.signal?.aborted) throw options.signal.reason; // nothing hangs on it
        if (!(error instanceof NotReadyError) || n >= MAX_STEPS) throw error; // its status changed meanwhile
      }
    }
  }

  /** A caller's function must not break what is under way. */
  #tell(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#options.onNotice?.(`a callback failed: ${String(error)}`);
    }
  }

  #now(): number {
    return this.#options.clock?.() ?? Date.now();
  }

  // ---- intents

  /** Ask which tools are fit for an intent, on the working facts that it needs and those given. */
  evaluate(intent: string, options: EvaluateOptions = {}): Promise<Evaluation> {
    return this.#evaluate(intent, options, []);
  }

  /** Follow a suggestion of an outcome: its params, and the continuation facts with it (P-NEXT-5). */
  follow(suggestion: SuggestedIntent, outcome: Outcome, options: EvaluateOptions = {}): Promise<Evaluation> {
    return this.#evaluate(suggestion.name, { params: suggestion.params, ...options }, outcome.continuationFacts);
  }

  async #evaluate(intent: string, options: EvaluateOptions, continuation: readonly Fact[]): Promise<Evaluation> {
    const attempts = new Attempts(this.#options.maxRetryWaitMs ?? RETRY_WAIT_MS);
    let withheld: Fact[] = [],
      loggedInAgain = false;
    for (;;) {
      attempts.begin();
      const message = await this.#ask("intent_request", options, (manifest) => {
        const prepared = this.#prepareIntent(manifest, intent, options, continuation);
        withheld = prepared.withheld;
        return prepared;
      });
      if (message.type !== "error") {
        const response = readIntentResponse(message.payload);
        const whyNot = options.whyNot?.length ? readWhyNot(message.extensions) : undefined;
        this.#remember(response.macro_tools, intent, options, continuation);
        return new Evaluation(intent, options.params ?? {}, response, withheld, attempts.made, whyNot);
      }
      const error = readError(message.payload);
      const gap = attempts.gapAfter(error);
      if (gap !== undefined) {
        await sleep(gap, options.signal);
      } else if (!loggedInAgain && this.#canLogInAgain(error)) {
        loggedInAgain = true;
      } else {
        throw this.#failed(error, attempts.made);
      }
    }
  }

  /** The request, or a UsageError with everything that is wrong (P-SCHEMA-9, P-MAN-17, P-MAN-26). */
  #prepareIntent(
    manifest: Manifest,
    intent: string,
    options: EvaluateOptions,
    continuation: readonly Fact[],
  ): { payload: JsonObjectInput; extensions: JsonObjectInput; withheld: Fact[] } {
    const problems: Problem[] = [];
    const entry = intentEntry(manifest, intent);
    if (!entry && !(options.allowUnlisted && intent))
      problems.push({
        path: "/intent/name",
        issue: "unknown_intent",
        message: `the server lists no ${JSON.stringify(intent)}; it lists ${manifest.intents.map((i) => i.name).join(", ") || "none"}`,
      });
    problems.push(
      ...checkObject(options.params ?? {}, "/intent/params"),
      ...checkConstraints(options.constraints ?? {}),
    );
    if (options.evalTime !== undefined)
      problems.push(...checkEvalTime(options.evalTime as JsonInput, manifest.facts_profile.time_formats));
    const { whyNot } = options;
    if (whyNot !== undefined && !(Array.isArray(whyNot) && whyNot.every((name) => typeof name === "string")))
      problems.push({ path: "/extensions/x-why-not", issue: "type", message: "whyNot is a list of tools' names" });
    (options.facts ?? []).forEach((f, i) => problems.push(...checkFact(f, manifest, `/facts/${i}`)));
    const { facts, withheld, faults } = this.#chooseFacts(
      manifest,
      entry && wantedPredicates(entry),
      options,
      continuation,
    );
    problems.push(...faults);
    if (!problems.length) {
      const missing = (entry?.required_facts ?? []).filter((pred) => !facts.some((f) => f.pred === pred));
      if (missing.length)
        problems.push({
          path: "/facts",
          issue: "missing_facts",
          message: `${intent} needs facts of ${missing.join(", ")}`,
        });
      const most = manifest.limits.max_facts_per_request;
      if (facts.length > most)
        problems.push({
          path: "/facts",
          issue: "too_many_facts",
          message: `${facts.length} facts; the server takes ${most}`,
        });
    }
    if (problems.length) throw new UsageError("this intent cannot be sent", problems);
    return {
      withheld,
      extensions: whyNot?.length ? { "x-why-not": whyNot } : {},
      payload: {
        intent: { name: intent, params: options.params ?? {} },
        facts: facts.map(wireFact),
        eval_time: (options.evalTime ?? formatInstant(this.#now())) as JsonInput,
        constraints: options.constraints as JsonObjectInput | undefined,
        options:
          options.disclosure === undefined && options.proofs === undefined
            ? undefined
            : { disclosure_preference: options.disclosure, include_proof_hints: options.proofs },
      },
    };
  }

  /** Facts that go along: those that the intent wants, each once. Continuation facts go with what
   * suggested them, whatever the profile says (D-49). */
  #chooseFacts(
    manifest: Manifest,
    wanted: Set<string> | undefined,
    options: EvaluateOptions,
    continuation: readonly Fact[],
  ): { facts: Fact[]; withheld: Fact[]; faults: Problem[] } {
    const chosen = new WorkingFacts({ argNames: (pred) => predicateSchema(manifest, pred)?.arg_names });
    const given = options.facts ?? [];
    const sound = given.filter((f, i) => !checkFact(f, manifest, `/facts/${i}`).length);
    const withheld = [...this.facts, ...sound].filter((f) => !wanted?.has(f.pred) && f.pred !== UPGRADE);
    const faults: Problem[] = [];
    const working = wanted ? this.facts.select(wanted) : [];
    working.forEach((f) => faults.push(...checkFact(f, manifest, `/known/${f.pred}`)));
    continuation.forEach((f, i) => faults.push(...checkFact(f, manifest, `/continuation_facts/${i}`)));
    if (!faults.length) {
      const fitting = sound.filter((f) => (wanted ? wanted.has(f.pred) : true) || f.pred === UPGRADE);
      chosen.addAll([...working, ...fitting, ...continuation]);
      chosen.add(...(options.upgrade ?? []).map((id) => ({ pred: UPGRADE, args: [id] })));
    }
    return { facts: [...chosen], withheld: wanted ? withheld : [...this.facts], faults };
  }

  #remember(
    tools: readonly MacroTool[],
    intent: string,
    options: EvaluateOptions,
    continuation: readonly Fact[],
  ): void {
    const {
      signal: _signal,
      timeoutMs: _timeout,
      onProgress: _progress,
      traceparent: _trace,
      upgrade: _upgrade,
      whyNot: _whyNot,
      ...again
    } = options;
    for (const tool of tools) {
      this.#offers.delete(tool.macro_id);
      this.#offers.set(tool.macro_id, { tool, intent, options: again, continuation });
    }
    for (const id of this.#offers.keys()) {
      if (this.#offers.size <= MAX_OFFERS) break;
      this.#offers.delete(id);
    }
  }

  #failed(payload: ErrorPayload, attempts: number): ServerError {
    if (payload.code.startsWith("auth_")) return new AuthError(payload, attempts);
    return payload.code === "cancelled" ? new CancelledError(payload, attempts) : new ServerError(payload, attempts);
  }

  // ---- invocations

  /** Run a tool that was offered: by the object, its id, or its name in the latest evaluation. */
  async invoke(tool: MacroTool | string, args: JsonObjectInput = {}, options: InvokeOptions = {}): Promise<Outcome> {
    const offer = this.#offer(tool);
    const key = options.idempotencyKey ?? newIdempotencyKey();
    const problems = checkObject(args, "/args");
    if (!isIdempotencyKey(key))
      problems.push({
        path: "/extensions/x-idempotency-key",
        issue: "pattern",
        message: "a key has 1 to 128 of A-Z a-z 0-9 . _ : -",
      });
    if (options.evalTime !== undefined)
      problems.push(...checkEvalTime(options.evalTime as JsonInput, this.manifest.facts_profile.time_formats));
    const dryRun = options.dryRun === true;
    if (dryRun && (await this.ready(options.signal)).extensions["x-dry-run"] !== true)
      problems.push({
        path: "/extensions/x-dry-run",
        issue: "unsupported",
        message: "the server does not say that it knows of dry runs, so none was sent",
      });
    if (problems.length) throw new UsageError("this invocation cannot be sent", problems);
    const fixed = parseJson(writeJson(args)) as JsonObject; // what the user agrees to is what is sent
    const flow = new InvocationFlow(
      offer.tool,
      fixed,
      offer.intent !== "",
      options.approved,
      this.#options.maxRetryWaitMs ?? RETRY_WAIT_MS,
      dryRun,
    );
    let current = offer,
      step = flow.start(this.#now()),
      loggedInAgain = false;
    for (let n = 0; n < MAX_FLOW_STEPS; n++) {
      if (options.signal?.aborted && step.do !== "fail") throw options.signal.reason;
      switch (step.do) {
        case "evaluate": {
          const upgrade = step.upgrade ? { upgrade: [current.tool.macro_id] } : {};
          const evaluation: Evaluation = await this.#evaluate(
            current.intent,
            { ...current.options, ...upgrade, ...pick(options) },
            current.continuation,
          );
          current = this.#offers.get(current.tool.macro_id) ?? current;
          step = flow.onEvaluated(evaluation.tools);
          if (step.do === "gone")
            throw new ToolGoneError(offer.tool, evaluation, step.because && new ServerError(step.because, flow.sends));
          break;
        }
        case "ask":
          step = flow.onConsent(await this.#askUser(step.request, options.signal));
          break;
        case "sign":
          step = flow.onSigned(await this.#answerChallenge(step.challenge, step.show, options.signal));
          break;
        case "send": {
          const payload = {
            macro_id: step.tool.macro_id,
            args: fixed,
            eval_time: options.evalTime as JsonInput | undefined,
            confirmation_token: step.token,
          };
          const answer = await this.#send({ tool: step.tool, payload, key, dryRun }, options);
          if (answer instanceof Outcome) return answer;
          if (loggedInAgain || !this.#canLogInAgain(answer)) step = flow.onError(answer);
          else loggedInAgain = true; // it was refused at the door: once more, with other credentials
          break;
        }
        case "wait":
          await sleep(step.ms, options.signal);
          step = flow.onWaited();
          break;
        case "gone":
          throw new ServerError(step.because!, flow.sends);
        case "fail":
          throw this.#concluded(step.error);
      }
    }
    throw new Error("an invocation without end"); // the flow is bounded: core/invocation.ts
  }

  #offer(tool: MacroTool | string): Offer {
    const id = typeof tool === "string" ? tool : tool.macro_id;
    const known = this.#offers.get(id) ?? [...this.#offers.values()].reverse().find((offer) => offer.tool.name === id);
    if (typeof tool !== "string")
      return known ? { ...known, tool } : { tool, intent: "", options: {}, continuation: [] };
    if (!known) throw new UsageError(`no evaluation has offered ${JSON.stringify(tool)}; evaluate an intent first`);
    return known;
  }

  /** What a failed invocation had done all the same goes into the working facts. */
  #concluded(error: Error): Error {
    if (!(error instanceof ServerError)) return error;
    const told = this.#failed(error.payload, error.attempts);
    if (told.stateDelta && this.#options.applyDeltas !== false) this.#apply(told.stateDelta, []);
    return told;
  }

  async #askUser(request: ConsentRequest, signal: AbortSignal | undefined): Promise<boolean> {
    const confirm = this.#options.confirm;
    if (!confirm)
      throw new ConsentError(`${request.tool.name} needs the user's consent, and there is no confirm to ask for it`, {
        reason: "nobody",
      });
    const agreed = Promise.resolve(confirm(request, signal));
    return (await (signal ? orAborted(agreed, signal) : agreed)) === true;
  }

  async #answerChallenge(
    challenge: string,
    show: JsonObject | undefined,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    const { confirmationKey, approve } = this.#options;
    if (confirmationKey !== undefined) return signChallenge(challenge, confirmationKey);
    if (!approve) return undefined;
    const approved = Promise.resolve(approve(challenge, show));
    return (await (signal ? orAborted(approved, signal) : approved)) === true ? challenge : undefined;
  }

  /** The credentials were refused, and others can be had: then they are asked for now. Or a session
   * has forgotten who we are, and can be told again. */
  #canLogInAgain(error: ErrorPayload): boolean {
    const { renewable, given } = this.#channel.credentials;
    const forgotten = error.code === "auth_required" && given && this.#channel.logsIn;
    if (!forgotten && !(renewable && (error.code === "auth_invalid" || error.code === "auth_required"))) return false;
    this.#channel.logInAgain();
    return true;
  }

  /** Send once. An outcome, or an error that the server gave: everything else is thrown, and what
   * leaves open whether the tool ran is an IndeterminateError. */
  async #send(sending: Sending, options: RequestOptions, only = false): Promise<Outcome | ErrorPayload> {
    const lost = (message: string, cause: unknown, resumable = true): IndeterminateError =>
      new IndeterminateError(`${sending.tool.name}: nobody here knows whether it ran: ${message}`, {
        idempotencyKey: sending.key,
        cause,
        ...(resumable ? { resume: (again: RequestOptions = {}) => this.#resume(sending, again) } : {}),
      });
    let message: Message;
    try {
      message = await this.#ask("invoke_request", options, () => ({
        payload: sending.payload,
        extensions: sending.dryRun
          ? { "x-dry-run": true }
          : { "x-idempotency-key": sending.key, ...(only ? { "x-idempotency-only": true } : {}) },
      }));
    } catch (error) {
      if (error instanceof ConnectionError && error.sent && !sending.dryRun) throw lost(error.message, error);
      throw error;
    }
    if (sending.dryRun) return message.type === "error" ? readError(message.payload) : this.#planned(sending, message);
    try {
      if (message.type !== "error") return this.#outcome(sending, message);
      const error = readError(message.payload);
      if (error.details["indeterminate"] !== true) return error;
      throw lost(error.message, this.#failed(error, 1), false);
    } catch (error) {
      if (error instanceof ConnectionError) throw lost(error.message, error); // an answer that cannot be read
      throw error;
    }
  }

  /** Ask what came of it; that runs nothing. Only what says so for certain ends the uncertainty. */
  async #resume(sending: Sending, options: RequestOptions): Promise<Outcome> {
    const still = (cause: Error): IndeterminateError =>
      new IndeterminateError(`${sending.tool.name}: still nobody here knows whether it ran: ${cause.message}`, {
        idempotencyKey: sending.key,
        cause,
        resume: (again: RequestOptions = {}) => this.#resume(sending, again),
      });
    let answer: Outcome | ErrorPayload;
    try {
      if ((await this.ready(options.signal)).extensions["x-idempotency-only"] !== true)
        throw new UsageError("the server does not say that it tells outcomes without running anything, so it was not asked");
      answer = await this.#send(sending, options, true);
    } catch (error) {
      throw error instanceof MangleCPError && !(error instanceof IndeterminateError) ? still(error) : error;
    }
    if (answer instanceof Outcome) return answer;
    this.#canLogInAgain(answer); // for the next time
    const error = this.#concluded(new ServerError(answer));
    const asks = asksWithin(answer); // it runs, and waits for the user
    const unknown = (GATES.includes(answer.code) && !asks) || answer.details["reason"] === "key_unknown";
    throw unknown ? still(error) : error;
  }

  #outcome(sending: Sending, message: Message): Outcome {
    const response = readInvokeResponse(message.payload);
    const warnings: Warning[] = [...(response.observability?.warnings ?? [])];
    if (!response.effects_complete && !warnings.some((w) => w.code === "effects_incomplete"))
      warnings.push({ code: "effects_incomplete", message: "the server could not work out everything that changed" });
    const applied = this.#options.applyDeltas === false ? undefined : this.#apply(response.state_delta, warnings);
    for (const warning of warnings) this.#tell(() => this.#options.onWarning?.(warning));
    return new Outcome(
      sending.tool,
      response,
      sending.key,
      message.extensions["x-idempotent-replay"] === true,
      applied,
      warnings,
    );
  }

  /** Nothing has run, so nothing is learnt. */
  #planned(sending: Sending, message: Message): Outcome {
    const plan = readPlan(message.extensions);
    return new Outcome(sending.tool, readInvokeResponse(message.payload), "", false, undefined, [], plan);
  }

  /** The tool has run: that its delta finds no room is a warning, and no failure. */
  #apply(delta: StateDelta, warnings: Warning[]): Outcome["applied"] {
    try {
      return this.facts.apply(delta);
    } catch (error) {
      warnings.push({ code: "delta_not_applied", message: (error as Error).message });
      return undefined;
    }
  }
}

function pick(options: RequestOptions): RequestOptions {
  return {
    ...(options.signal ? { signal: options.signal } : {}),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ...(options.traceparent === undefined ? {} : { traceparent: options.traceparent }),
  };
}

export type { EvaluateOptions, InvokeOptions, RequestOptions } from "./options.js";
