// Plays conversation.json with the TypeScript client against the live server and prints TAP. What
// the words of the file mean stands at its head. Run by test_typescript.sh:
//
//   node typescript_conversation.mjs PACKAGE BUILD_DIR [NAME]     (NAME: only conversations with it)
import { spawn as spawnProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";

const [, , pkg, build, only = ""] = process.argv;
const { connect, spawn, CancelledError, ConsentError, ServerError, ToolGoneError, UsageError } = await import(
  pathToFileURL(join(pkg, "dist/node.js"))
);

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
/* 9007199254740993 would come out of JSON.parse as another number: the file writes "$large". */
const script = JSON.parse(readFileSync(join(here, "conversation.json"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "manglecp-ts-"));
const PATIENCE_MS = 60_000;
const COUNTED = ["intent_request", "invoke_request", "cancel"];


// ---- servers

const children = new Set();

function command(server, transport, port, journal) {
  const { token, identity, confirm_key, approver } = script.credentials;
  let domain = join(root, server.domain);
  if (server.bound) {
    cpSync(domain, join(folder, "bound"), { recursive: true });
    domain = join(folder, "bound");
    writeFileSync(join(domain, "rules/domain/90_bound.mg"), server.bound);
  }
  const words = [
    join(build, "bin/manglecp"),
    "serve",
    domain,
    "--toolhost",
    join(build, "bin/toolhost"),
    "--plugins",
    join(build, server.plugins === "test" ? "test-plugins" : "plugins"),
    ...(server.options ?? []),
  ];
  if (server.auth) {
    const file = join(folder, "tokens");
    const hex = (text) => createHash("sha256").update(text).digest("hex");
    const permissions = server.permissions ?? "intent:*";
    writeFileSync(
      file,
      `sha256:${hex(token)} ${identity} ${permissions} confirm_key=${confirm_key}\nsha256:${hex(approver)} ann confirm\n`,
    );
    words.push("--auth", file);
  }
  if (server.journal) words.push("--set", `journal=${journal}`);
  if (server.clock) words.push("--clock", server.clock);
  words.push(...(transport === "stdio" ? ["--stdio"] : ["--listen", `127.0.0.1:${port}`]));
  return words;
}

/** Starts a listening server; resolves to its address. */
async function listen(words) {
  const child = spawnProcess(words[0], words.slice(1), { stdio: ["ignore", "ignore", "pipe"] });
  children.add(child);
  const said = [];
  const url = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the server did not listen: ${said.join("\n")}`)), PATIENCE_MS);
    createInterface({ input: child.stderr }).on("line", (line) => {
      said.push(line);
      const found = /listening on (http:\/\/\S+)/.exec(line);
      if (found) {
        clearTimeout(timer);
        resolve(found[1]);
      }
    });
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${said.join("\n")}`)));
  });
  await ready(url);
  return { child, url };
}

/** The conversation counts what is sent, so it begins when the server is ready. */
async function ready(url) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    const manifest = await (await fetch(`${url}/.well-known/manglecp/manifest.json`)).json();
    if (manifest.payload.status === "ready") return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("the server does not become ready");
}

async function kill(child) {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  children.delete(child);
}

// ---- one conversation on one transport

class Play {
  sent = [];
  received = [];
  asked = 0;
  shown = undefined;
  consent = undefined;
  progress = [];
  kept = new Map();
  latest = undefined; // outcome or error of the latest invocation
  challenge = undefined; // of the latest confirmation_required

  constructor(conversation, transport) {
    this.conversation = conversation;
    this.transport = transport;
    this.server = script.servers[conversation.server];
    this.now = this.server.clock ? () => Date.parse(this.server.clock) : Date.now;
    this.journal = join(folder, `journal-${Math.random().toString(36).slice(2)}`);
  }

  async open() {
    const { token, confirm_key } = this.conversation.client;
    const options = {
      ...(token ? { token: script.credentials.token } : {}),
      ...(confirm_key ? { confirmationKey: script.credentials.confirm_key } : {}),
      applyDeltas: false, // so that the step `apply` is what does it
      clock: this.now,
      timeoutMs: PATIENCE_MS,
      connectTimeoutMs: PATIENCE_MS,
      onProgress: (progress) => this.progress.push(progress),
      trace: (direction, text) => this[direction].push(JSON.parse(text)),
    };
    /* "nobody is there to ask" is a client without the option: two clients would be two connections,
     * so the option is there or not as the step wants it. */
    const play = this;
    Object.defineProperty(options, "confirm", {
      enumerable: true,
      get: () => play.consent && ((request) => play.ask(request)),
    });
    writeFileSync(this.journal, "");
    if (this.transport === "stdio") {
      this.client = await spawn(
        command(this.server, "stdio", 0, this.journal),
        Object.defineProperty(options, "stderr", { value: "ignore", enumerable: true }),
      );
      return;
    }
    this.listener = await listen(command(this.server, "http", 0, this.journal));
    if (this.transport === "websocket") {
      const look = await connect(this.listener.url);
      const announced = look.manifest.extensions["x-websocket"];
      await look.close();
      if (announced === undefined) throw new Error("the server announces no WebSocket");
      Object.defineProperty(options, "websocket", { value: true, enumerable: true });
    }
    this.client = await connect(this.listener.url, options);
  }

  ask(request) {
    this.asked++;
    this.shown = {
      tool: request.tool.name,
      side_effects: request.sideEffects,
      reversible: request.reversible,
      args: request.args,
      bound: request.bound,
    };
    return this.consent === "yes";
  }

  async close() {
    await this.client?.close();
    if (this.listener) await kill(this.listener.child);
  }

  /** "$now-298s" and "$large", anywhere. */
  filled(value) {
    if (Array.isArray(value)) return value.map((v) => this.filled(v));
    if (value !== null && typeof value === "object")
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, this.filled(v)]));
    if (value === "$large") return 9007199254740993n;
    const found = typeof value === "string" ? /^\$now(?:([+-]\d+)s)?$/.exec(value) : null;
    return found ? new Date(this.now() + 1000 * Number(found[1] ?? 0)).toISOString() : value;
  }

  async step(raw) {
    const { expect = {}, ...step } = this.filled(raw);
    this.sent = [];
    this.received = [];
    this.asked = 0;
    this.shown = undefined;
    this.progress = [];
    this.consent = step.consent;
    let got, error;
    try {
      got = await this.act(step);
    } catch (thrown) {
      error = thrown;
      this.challenge = thrown.challenge ?? this.challenge;
    }
    if (!expect.raises && error) throw error;
    if (expect.raises && !error) throw new Error("it did not fail");
    for (const [name, want] of Object.entries(expect)) this.check(name, want, got, error);
    if (got && step.keep) this.kept.set(step.keep, got);
  }

  act(step) {
    const invocation = {
      ...(step.key === undefined ? {} : { idempotencyKey: step.key }),
      ...(step.dry_run ? { dryRun: true } : {}),
      ...(step.approved ? { approved: this.challenge } : {}),
    };
    switch (step.do) {
      case "know":
        return void this.client.facts.add(...step.facts);
      case "evaluate": {
        const { disclosure_preference, include_proof_hints } = step.options ?? {};
        return this.evaluate(step.intent, {
          ...(step.params ? { params: step.params } : {}),
          ...(step.facts ? { facts: step.facts } : {}),
          ...(step.eval_time ? { evalTime: step.eval_time } : {}),
          ...(step.constraints ? { constraints: step.constraints } : {}),
          ...(disclosure_preference ? { disclosure: disclosure_preference } : {}),
          ...(include_proof_hints === undefined && !step.proofs ? {} : { proofs: step.proofs ?? include_proof_hints }),
          ...(step.why_not ? { whyNot: step.why_not } : {}),
        });
      }
      case "invoke":
        return this.invoke(step, invocation);
      case "cancel":
        return this.invoke(step, { ...invocation, signal: AbortSignal.timeout(step.after_ms) });
      case "approve":
        return this.approve();
      case "apply":
        return void this.client.facts.apply(this.latest.delta);
      case "follow":
        return this.follow(this.latest.suggestion(step.suggestion));
      case "restart":
        return this.restart();
      case "pause":
        return new Promise((resolve) => setTimeout(resolve, step.ms));
      default:
        throw new Error(`this runner knows no step "${step.do}"`);
    }
  }

  async evaluate(intent, options) {
    return (this.evaluation = await this.client.evaluate(intent, options));
  }

  async follow(suggestion) {
    return (this.evaluation = await this.client.follow(suggestion, this.latest));
  }

  async invoke(step, options) {
    this.latest = await this.client.invoke(this.evaluation.tool(step.tool), step.args, options);
    return this.latest;
  }

  async approve() {
    const answer = await fetch(`${this.listener.url}/confirm`, {
      method: "POST",
      headers: { authorization: `Bearer ${script.credentials.approver}`, "content-type": "application/json" },
      body: JSON.stringify({ challenge: this.challenge, approve: true }),
    });
    same("state", (await answer.json()).state, "approved");
  }

  async restart() {
    const { port } = new URL(this.listener.url);
    await kill(this.listener.child);
    this.listener = await listen(command(this.server, "http", port, this.journal));
  }

  check(name, want, got, error) {
    const facts = (list) => list.map(({ pred, args }) => [pred, args]);
    switch (name) {
      case "tools":
        return same(
          name,
          got.tools.map((tool) => tool.name),
          want,
        );
      case "levels":
        return Object.entries(want).forEach(([tool, level]) =>
          same(`level of ${tool}`, got.tool(tool)?.disclosure_level, level),
        );
      case "sent":
        return COUNTED.forEach((type) =>
          same(`${type} sent`, this.sent.filter((m) => m.type === type).length, want[type] ?? 0),
        );
      case "sent_facts":
        return same(
          name,
          this.sent
            .filter((m) => m.type === "intent_request")
            .at(-1)
            .payload.facts.map((f) => f.pred)
            .sort(),
          want,
        );
      case "known":
        return sameSet(name, facts([...this.client.facts]), want);
      case "result":
        return contains(name, got.result, want);
      case "events":
        return same(
          name,
          got.response.observability.events.map((e) => [e.action, e.status]),
          want,
        );
      case "asserts":
        return sameSet(name, facts(got.delta.assert), want);
      case "retracts":
        return sameSet(name, facts(got.delta.retract), want);
      case "continues":
        return sameSet(name, facts(got.continuationFacts), want);
      case "suggests":
        return same(
          name,
          got.suggestions.map((s) => [s.name, s.params]),
          want,
        );
      case "asked":
        return same(name, this.asked, want);
      case "signed":
        return same(
          name,
          [...this.client.facts].filter((f) => f.source?.signature).map((f) => f.pred).sort(),
          want,
        );
      case "proved":
        return same(
          name,
          (got.proofHints?.derivations ?? []).map((d) => got.tool(d.macro_id).name).sort(),
          want,
        );
      case "why_not":
        return same(
          name,
          (got.whyNot ?? []).map((w) => [w.tool, w.selected, w.reasons.map((r) => r.phase), w.changes.length > 0]),
          want,
        );
      case "plan":
        return contains(name, got.plan, want);
      case "shown":
        return contains(name, this.shown, want);
      case "progress":
        return this.checkProgress();
      case "replayed":
        return same(name, got.replayed, want);
      case "same_as": {
        const kept = this.kept.get(want);
        return same(name, [got.result, got.delta, got.response.next], [kept.result, kept.delta, kept.response.next]);
      }
      case "effects_complete":
        if (!want && this.received.at(-1).payload.effects_complete !== false) throw new Error("the answer does not say so");
        same(name, got.effectsComplete, want);
        if (!want && !got.warnings.some((w) => w.message)) throw new Error("no warning says what is not complete");
        return;
      case "journal":
        return same(name, readFileSync(this.journal, "utf8").split("\n").filter(Boolean), want);
      case "raises":
        return this.checkError(want, error);
      default:
        throw new Error(`this runner knows no expectation "${name}"`);
    }
  }

  checkProgress() {
    if (this.transport === "http") return;
    const percents = this.progress.map((p) => p.percent).filter((p) => p !== undefined);
    if (!this.progress.length) throw new Error("no progress was seen");
    if (percents.at(-1) < percents[0]) throw new Error(`progress fell: ${percents}`);
  }

  checkError(want, error) {
    const [kind] = Object.keys(want);
    const is = (right) => {
      if (!right) throw new Error(`another error: ${error.name}: ${error.message}`, { cause: error });
    };
    switch (kind) {
      case "code": {
        const server = error instanceof ServerError ? error : error.cause;
        is(server instanceof ServerError && server.code === want.code);
        return contains("details", server.details, want.details ?? {});
      }
      case "faults": {
        is(error instanceof UsageError);
        const where = (path) => /^\/facts\/\d+/.exec(path)?.[0] ?? path;
        return sameSet(
          "faults",
          error.problems.map((p) => [where(p.path), p.issue]),
          want.faults,
        );
      }
      case "declined":
        return is(error instanceof ConsentError && error.reason === "declined");
      case "unasked":
        return is(error instanceof ConsentError && error.reason === "nobody");
      case "gone":
        return is(error instanceof ToolGoneError);
      case "cancelled":
        return is(error instanceof CancelledError);
      default:
        throw new Error(`this runner knows no failure "${kind}"`);
    }
  }
}

// ---- comparing

const shown = (value) => JSON.stringify(value, (_, v) => (typeof v === "bigint" ? `${v}n` : v));

function same(what, got, want) {
  if (!isDeepStrictEqual(got, want)) throw new Error(`${what}: got ${shown(got)}, expected ${shown(want)}`);
}

function sameSet(what, got, want) {
  const sorted = (list) => [...list].sort((a, b) => (shown(a) < shown(b) ? -1 : 1));
  same(what, sorted(got), sorted(want));
}

function contains(what, got, want) {
  for (const [name, value] of Object.entries(want)) same(`${what}.${name}`, got?.[name], value);
}

// ---- TAP

let count = 0,
  failures = 0;

function result(ok, name) {
  count++;
  if (!ok) failures++;
  console.log(`${ok ? "" : "not "}ok ${count} - ${name}`);
}

async function play(conversation, transport) {
  const name = `${conversation.name} (${transport})`;
  const it = new Play(conversation, transport);
  let at = "connecting";
  try {
    await it.open();
    for (const [i, step] of conversation.steps.entries()) {
      at = `step ${i + 1}, ${step.do}`;
      await it.step(step);
    }
    result(true, name);
  } catch (error) {
    result(false, name);
    console.log(`# ${at}: ${String(error.stack).replace(/\n/g, "\n# ")}`);
  } finally {
    await it.close();
  }
}

try {
  for (const conversation of script.conversations)
    if (conversation.name.includes(only))
      for (const transport of conversation.transports) await play(conversation, transport);
} finally {
  await Promise.all([...children].map(kill));
  rmSync(folder, { recursive: true, force: true });
}
console.log(`1..${count}`);
process.exitCode = failures ? 1 : 0;
