// WebSocket frames as the client's end reads and writes them (RFC 6455).
import assert from "node:assert/strict";
import test from "node:test";
import { closeFrame, FrameReader, pingFrame, textFrame } from "../dist/core/frames.js";
import { clientFrames, serverFrame } from "./support.mjs";

const MAX = 100_000;
const read = (bytes, max = MAX) => new FrameReader(max).read(bytes);
const shown = (events) =>
  events.map((e) => `${e.kind} ${e.code ?? e.text ?? (e.data ? Buffer.from(e.data).toString() : "")}`.trim());

const session = Buffer.concat([
  serverFrame(1, "one"),
  serverFrame(9, "ping"),
  serverFrame(1, "sp", { fin: false }),
  serverFrame(10),
  serverFrame(0, "l", { fin: false }),
  serverFrame(9, "p2"),
  serverFrame(0, "it"),
  serverFrame(1, "é😀".repeat(40)),
  serverFrame(1, "x".repeat(70_000)),
  serverFrame(1, ""),
  serverFrame(8, Buffer.from([3, 232, 98, 121, 101])),
  serverFrame(1, "after"),
]);
const expected = [
  "text one",
  "ping ping",
  "pong",
  "ping p2",
  "text split",
  `text ${"é😀".repeat(40)}`,
  `text ${"x".repeat(70_000)}`,
  "text",
  "close 1000",
];

test("whole, byte by byte and cut at many places, the same comes out", () => {
  assert.deepEqual(shown(read(session)), expected);
  const reader = new FrameReader(MAX),
    events = [];
  for (const byte of session) events.push(...reader.read(Uint8Array.of(byte)));
  assert.deepEqual(shown(events), expected);
  for (let cut = 0; cut < session.length; cut += cut < 400 || cut > session.length - 400 ? 1 : 997) {
    const two = new FrameReader(MAX);
    assert.deepEqual(
      shown([...two.read(session.subarray(0, cut)), ...two.read(session.subarray(cut))]),
      expected,
      `cut at ${cut}`,
    );
  }
});

test("characters that are cut by frames are put together", () => {
  const bytes = Buffer.from("é😀");
  const frames = [...bytes].map((b, i) => serverFrame(i ? 0 : 1, Buffer.from([b]), { fin: i === bytes.length - 1 }));
  assert.deepEqual(shown(read(Buffer.concat(frames))), ["text é😀"]); // D-59
});

test("what the RFC calls a failure is one", () => {
  const bad = {
    "a masked frame": [serverFrame(1, "x", { mask: true }), 1002],
    "reserved bits": [serverFrame(1, "x", { rsv: 4 }), 1002],
    "opcode 3": [serverFrame(3), 1002],
    "opcode 11": [serverFrame(11), 1002],
    "a long ping": [serverFrame(9, "x".repeat(126)), 1002],
    "a ping in pieces": [serverFrame(9, "x", { fin: false }), 1002],
    "a continuation of nothing": [serverFrame(0, "x"), 1002],
    "a message in a message": [Buffer.concat([serverFrame(1, "x", { fin: false }), serverFrame(1, "y")]), 1002],
    "a length not in its shortest form": [Buffer.from([0x81, 126, 0, 1, 0x78]), 1002],
    "a long length not in its shortest form": [Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 0, 0xff, 0xff]), 1002],
    "a length with its highest bit": [Buffer.from([0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0]), 1002],
    "a close of one byte": [serverFrame(8, Buffer.from([3])), 1002],
    "bad UTF-8": [serverFrame(1, Buffer.from([0xff])), 1007],
    "overlong UTF-8": [serverFrame(1, Buffer.from([0xc0, 0xaf])), 1007],
    "a surrogate in UTF-8": [serverFrame(1, Buffer.from([0xed, 0xa0, 0x80])), 1007],
    "UTF-8 that ends too early": [serverFrame(1, Buffer.from([0xf0, 0x9f, 0x98])), 1007],
    "a reason that is not UTF-8": [serverFrame(8, Buffer.from([3, 232, 0xff])), 1007],
    "a frame too large": [Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 1, 0x86, 0xa1]), 1009],
    "pieces too large together": [
      Buffer.concat([serverFrame(1, "x".repeat(MAX), { fin: false }), serverFrame(0, "y")]),
      1009,
    ],
  };
  for (const code of [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000])
    bad[`close code ${code}`] = [serverFrame(8, Buffer.from([code >> 8, code & 255])), 1002];
  for (const [what, [bytes, code]] of Object.entries(bad)) {
    const reader = new FrameReader(MAX),
      events = reader.read(bytes);
    assert.deepEqual([events.at(-1).kind, events.at(-1).code], ["fail", code], what);
    assert.deepEqual(reader.read(serverFrame(1, "more")), [], `${what}: nothing is read after it`);
  }
  for (const code of [1000, 1001, 1011, 1014, 3000, 4999])
    assert.equal(read(serverFrame(8, Buffer.from([code >> 8, code & 255])))[0].code, code);
  assert.deepEqual(shown(read(serverFrame(8))), ["close 1005"]);
  assert.deepEqual(shown(read(serverFrame(2, "x"))), ["binary"]);
});

test("a message of exactly the bound passes, and pieces are counted", () => {
  assert.equal(read(serverFrame(1, "x".repeat(MAX)))[0].text.length, MAX);
  const tiny = Buffer.concat([
    serverFrame(1, "x", { fin: false }),
    ...Array.from({ length: 70_000 }, () => serverFrame(0, "x", { fin: false })),
  ]);
  assert.deepEqual(
    read(tiny).map((e) => e.code),
    [1009],
  );
});

test("random bytes end in a failure or wait for more, and never throw", () => {
  let seed = 12345;
  const random = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
  for (let i = 0; i < 3000; i++) {
    const bytes = Buffer.from(session);
    for (let k = 0; k < 1 + random() * 4; k++) bytes[Math.floor(random() * 300)] = Math.floor(random() * 256);
    const reader = new FrameReader(MAX);
    for (let at = 0; at < bytes.length;) {
      const step = 1 + Math.floor(random() * (i % 2 ? 50 : 5000));
      for (const event of reader.read(bytes.subarray(at, at + step))) assert.ok(event.kind);
      at += step;
    }
  }
});

test("what is written is one masked frame for each message", () => {
  for (const length of [0, 1, 125, 126, 65_535, 65_536]) {
    const text = "é".repeat(length >> 1) + "x".repeat(length & 1);
    const [frames, rest] = clientFrames(Buffer.from(textFrame(text, Uint8Array.of(9, 8, 7, 6))));
    assert.deepEqual(
      [
        frames.length,
        frames[0].masked,
        frames[0].fin,
        frames[0].opcode,
        frames[0].data.toString() === text,
        rest.length,
      ],
      [1, true, true, 1, true, 0],
    ); // P-WS-3 to -5
  }
  const [[close]] = clientFrames(Buffer.from(closeFrame(1002, "é".repeat(100), Uint8Array.of(1, 2, 3, 4))));
  assert.ok(close.data.length <= 125 && close.data.readUInt16BE(0) === 1002);
  const [[ping]] = clientFrames(Buffer.from(pingFrame(new Uint8Array(500), Uint8Array.of(1, 2, 3, 4))));
  assert.equal(ping.data.length, 125);
});
