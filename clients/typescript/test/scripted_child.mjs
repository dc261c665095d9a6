// A server on standard input and output that does what its first argument says, and writes every
// line that it gets into the file of its second, with the milliseconds since it began.
import { appendFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { done, envelope, failed, manifest, sleep, tool, tools } from "./support.mjs";

const [, , scenario, log] = process.argv;
const began = performance.now();
const write = (text) => process.stdout.write(text);
const say = (message) => write(`${JSON.stringify(message)}\n`);
const hello = (changes) => say(envelope("manifest", null, manifest(changes)));
const intents = (m) => m.type === "intent_request" && (say(envelope("intent_response", m.id, tools(tool()))), true);
const held = [];

const SCENARIOS = {
  plain: { start: () => hello(), on: (m) => intents(m) || say(envelope("invoke_response", m.id, done())) },
  late: {
    start: async () => {
      await sleep(700);
      hello();
    },
    on: intents,
  },
  silent: { start: () => {} },
  mute: { start: () => hello() },
  spaces: {
    start: () => {
      write("\n\r\n  \n");
      write(`${JSON.stringify(envelope("manifest", null, manifest()))}\r\n`);
    },
    on: intents,
  },
  pieces: {
    start: async () => {
      for (const byte of Buffer.from(
        `${JSON.stringify(envelope("manifest", null, manifest({ server_name: "é😀" })))}\n`,
      )) {
        process.stdout.write(Buffer.from([byte]));
        await new Promise(setImmediate);
      }
    },
    on: intents,
  },
  garbage: { start: () => hello(), on: (m) => intents(m) || write("what?\n") },
  bad_utf8: {
    start: () => hello(),
    on: (m) => intents(m) || process.stdout.write(Buffer.from([0x22, 0xff, 0x22, 0x0a])),
  },
  early: { start: () => say(envelope("progress", "c-1", { status: "started" })) },
  bad_manifest: { start: () => say(envelope("manifest", null, {})) },
  manifest_with_id: { start: () => say(envelope("manifest", "c-1", manifest())) },
  endless_line: {
    start: () => hello(),
    on: (m) => {
      if (!intents(m)) {
        const pour = () => {
          while (write("x".repeat(65536)));
        };
        process.stdout.on("drain", pour);
        pour();
      }
    },
  },
  dies: { start: () => hello(), on: (m) => intents(m) || process.exit(3) },
  booting: {
    start: async () => {
      hello({ status: "booting" });
      await sleep(600);
      hello();
    },
    on: intents,
  },
  drains: {
    start: () => hello(),
    on: (m) => {
      hello({ status: "draining" });
      intents(m);
    },
  },
  replaced: {
    start: () => {
      hello();
      hello({ intents: [{ name: "new", description: "New" }] });
    },
    on: intents,
  },
  progress: {
    start: () => hello(),
    on: async (m) => {
      if (intents(m)) return;
      for (const [id, status, percent] of [
        ["made-up", "running", 1],
        [m.id, "started", 0],
        [m.id, "running", 50.5],
        [m.id, "odd", 60],
        [m.id, "finalizing"],
      ])
        say(envelope("progress", id, { status, percent, detail: null }));
      say(envelope("nonsense", null, {}));
      say(envelope("invoke_response", m.id, done()));
      say(envelope("progress", m.id, { status: "running" }));
      say(envelope("invoke_response", m.id, done({ second: true })));
      say(envelope("error", null, failed("internal_error")));
    },
  },
  backwards: {
    start: () => hello(),
    on: (m) => {
      // answers in the opposite order
      held.push(m);
      if (held.length === 20)
        for (const h of held.reverse())
          say(envelope("intent_response", h.id, tools(tool({ macro_id: `for-${h.payload.intent.params.n}` }))));
    },
  },
  cancelled: {
    start: () => hello(),
    on: (m) =>
      intents(m) ||
      (m.type === "cancel" &&
        say(
          envelope(
            "error",
            m.payload.request_id,
            failed("cancelled", {
              details: { state_delta: { assert: [{ pred: "seen", args: ["half", 1], category: "server" }] } },
            }),
          ),
        )),
  },
  too_late: {
    start: () => hello(),
    on: (m) =>
      intents(m) ||
      (m.type === "cancel" && say(envelope("invoke_response", m.payload.request_id, done({ late: true })))),
  },
  deaf: { start: () => hello(), on: intents },
  refused_unread: { start: () => hello(), on: () => say(envelope("error", null, failed("malformed_message"))) },
  other_type: { start: () => hello(), on: (m) => say(envelope("invoke_response", m.id, done())) },
  login: {
    start: () => hello({ auth: { required: true, schemes: ["bearer"] } }),
    on: (m) => {
      if (m.type === "authenticate")
        say(
          m.payload.token === "good"
            ? envelope("authenticate_response", m.id, { status: "authenticated", identity: "ann", permissions: [] })
            : envelope("error", m.id, failed("auth_invalid")),
        );
      else intents(m);
    },
  },
  expires: {
    start: () => hello({ auth: { required: true, schemes: ["bearer"] } }),
    on: (m) => {
      // after one request each time
      const good = m.type === "authenticate" && m.payload.token.startsWith("good");
      if (good) held.push(m);
      if (m.type === "authenticate")
        say(
          good
            ? envelope("authenticate_response", m.id, { status: "authenticated", identity: "ann", permissions: [] })
            : envelope("error", m.id, failed("auth_invalid")),
        );
      else if (!held.pop()) say(envelope("error", m.id, failed("auth_invalid", { details: { reason: "expired" } })));
      else intents(m);
    },
  },
  forgets_the_login: {
    start: () => hello({ auth: { required: true, schemes: ["bearer"] } }),
    on: (m) => {
      // after one request each time
      if (m.type === "authenticate") {
        held.push(m);
        say(envelope("authenticate_response", m.id, { status: "authenticated", identity: "ann", permissions: [] }));
      } else if (!held.pop()) say(envelope("error", m.id, failed("auth_required")));
      else if (!intents(m)) say(envelope("invoke_response", m.id, done()));
    },
  },
  talks_without_end: {
    start: () => hello(),
    on: () => {
      const more = () => process.stdout.write("\n".repeat(65536), more); // empty lines, and never an answer
      more();
    },
  },
  leaves_a_child: {
    start: () => hello(),
    on: (m) => {
      if (intents(m)) return;
      spawn(process.execPath, ["-e", "setTimeout(() => {}, 6000)"], { stdio: "inherit", detached: true }).unref();
      process.exit(0);
    },
  },
  stuck: {
    start: () => {
      hello();
      setInterval(() => {}, 1000);
    },
  },
  stays: {
    start: () => {
      process.on("SIGTERM", () => {});
      setInterval(() => {}, 1000);
      hello();
    },
    on: intents,
  },
};

const { start, on } = SCENARIOS[scenario];
if (scenario !== "stuck")
  createInterface({ input: process.stdin }).on("line", (line) => {
    appendFileSync(log, `${Math.round(performance.now() - began)} ${line}\n`);
    on?.(JSON.parse(line));
  });
await start();
