// A host program without the library, and without manners, for Node: see host_program.py. What Node has no call for
// (ptrace, fork) is done by what it starts.
import {closeSync, openSync, readFileSync, writeSync, readSync} from "node:fs";
import {spawn, spawnSync} from "node:child_process";

const AIDS = ["AID.H.PLAY.v1", "AID.H.ECHO.v1"];
const schema = {type: "object", properties: {what: {type: "string"}, argument: {type: "string"}}};
const listed = () => ({ok: true, tools: AIDS.map(aid => ({
    aid, name: aid.split(".")[2].toLowerCase(), description: "d", version: 1, tier: 0, side_effects: ["none"], tags: [],
    deterministic: false, idempotent: false, reversible: false, input_schema: schema}))});

function write(data, fd = 1) {
    let bytes = Buffer.from(data);
    while (bytes.length > 0) {
        try {
            bytes = bytes.subarray(writeSync(fd, bytes));
        } catch (error) {
            if (error.code !== "EAGAIN") throw error;
            sleep(1);
        }
    }
}

const answer = (request, output, more = {}) => JSON.stringify({
    ok: true, status: "OK", output_json: JSON.stringify(output), error: "", request_id: request.request_id, ...more}) + "\n";
const sleep = ms => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const forever = () => { for (;;) sleep(3600000); };
const attempt = act => { try { return act() || "done"; } catch (error) { return error.code || String(error); } };
const by_python = (...words) => {
    const done = spawnSync("/usr/bin/python3", ["-c", words[0], ...words.slice(1)], {encoding: "utf8"});
    return done.signal || done.stdout.trim() || done.stderr.trim().split("\n").pop() || done.error?.code || "done";
};

function flood(fd, piece) {
    for (;;) write(piece, fd);
}

const held = [];
function leak() {
    try {
        for (;;) held.push(openSync("/dev/null", "r"));
    } catch (error) {
        return error.code;
    }
}

function deaf() {
    for (const name of ["SIGTERM", "SIGINT"]) process.on(name, () => {});
    forever();
}

const DETACHED = `
import os, signal, time
os.setsid()
signal.signal(signal.SIGTERM, signal.SIG_IGN)
time.sleep(3600)`;
const HOP = `
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
until = time.monotonic() + 20
for _ in range(4):
    if os.fork() == 0:
        os.setsid()
        while time.monotonic() < until:
            if os.fork() > 0:
                os._exit(0)
        os._exit(0)`;
const TRACE = `
import ctypes, errno, sys
libc = ctypes.CDLL(None, use_errno=True)
print("done" if libc.ptrace(16, int(sys.argv[1]), 0, 0) == 0 else errno.errorcode[ctypes.get_errno()])`;

const DO = {
    fine: () => "fine",
    read: path => attempt(() => readFileSync(path, "utf8")),
    trace: pid => by_python(TRACE, pid),
    signal: pid => attempt(() => { process.kill(Number(pid), "SIGTERM"); }),
    socket: () => by_python("import socket, errno\ntry:\n socket.socket(socket.AF_INET); print('done')\nexcept OSError as e: print(errno.errorcode[e.errno])"),
    hop: () => { spawn("/usr/bin/python3", ["-c", HOP], {detached: true, stdio: "ignore"}).unref(); sleep(300); return "started"; },
    detach: () => { spawn("/usr/bin/python3", ["-c", DETACHED], {detached: true, stdio: "ignore"}).unref(); return "started"; },
    leak,
    memory: () => { const blocks = []; for (;;) blocks.push(Buffer.alloc(64 << 20, 1)); },
    segv: () => { process.kill(process.pid, "SIGSEGV"); forever(); },
    abort: () => process.abort(),
    exit: () => process.exit(0),
    loop: forever,
    spin: () => { for (;;); },
    ignore: deaf,
    stop: () => { process.kill(process.pid, "SIGSTOP"); },
    close: () => { closeSync(0); closeSync(1); forever(); },
    flood_out: () => flood(1, "x".repeat(65536)),
    flood_lines: () => flood(1, '{"event":"x"}\n'.repeat(5000)),
    flood_err: () => flood(2, "line\n".repeat(13000)),
};
const SAY = {
    no_newline: r => { write(answer(r, {}).slice(0, -1)); process.exit(0); },
    half_line: r => { write(answer(r, {}).slice(0, 40)); process.exit(0); },
    bad_json: () => write('{"ok":true,\n'),
    bad_output: r => write(answer(r, {}, {output_json: '{"a":'})),
    bad_utf8: r => write(Buffer.from(answer(r, {}).replace('"error":""', '"error":"\u00ff"'), "latin1")),
    nul: r => write(answer(r, {}).replace('"error":""', '"error":"\0"')),
    nul_output: r => write(answer(r, {}, {output_json: '{"a":"\0"}'})),
    double: r => write(answer(r, {}).repeat(2)),
    foreign: () => write(answer({request_id: "another"}, {})),
    late: r => { process.on("SIGINT", () => {}); sleep(1500); write(answer(r, {})); },
    drip: r => { for (const c of answer(r, {})) { write(c); sleep(200); } },
};

function serve() {
    const chunk = Buffer.alloc(65536);
    let rest = "";
    for (;;) {
        const n = readSync(0, chunk);
        if (n === 0) return;
        rest += chunk.toString("utf8", 0, n);
        for (let end; (end = rest.indexOf("\n")) >= 0; rest = rest.slice(end + 1)) {
            const request = JSON.parse(rest.slice(0, end));
            const inputs = request.inputs || {}, what = inputs.what || "fine";
            if (request.aid.endsWith("ECHO.v1")) write(answer(request, inputs));
            else if (SAY[what]) SAY[what](request);
            else write(answer(request, {came: DO[what](inputs.argument)}));
        }
    }
}

if (process.argv[2] === "--list") console.log(JSON.stringify(listed()));
else serve();
