// Numbers and texts keep what they are; times; the client's working facts.
import assert from "node:assert/strict";
import test from "node:test";
import { parseJson, writeJson, JsonError } from "../dist/core/json.js";
import { parseInstant, readTime } from "../dist/core/time.js";
import { canonical } from "../dist/core/values.js";
import { fact, Float, float, resourceUrl, UsageError, WorkingFacts } from "../dist/node.js";

const same = (text) => assert.equal(writeJson(parseJson(text)), text);

test("a round trip through the reader and the writer changes no value", () => {
  for (const text of [
    "0",
    "1",
    "-1",
    "1.5",
    "1.0",
    "-0.0",
    "9007199254740991",
    "-9007199254740991",
    "9007199254740993",
    "-9223372036854775808",
    "9223372036854775807",
    '"\\u0000é\u200f\uffff😀"',
    "[]",
    "{}",
    '{"a":[1,1.0,{"b":null}]}',
    "true",
    "1e+300",
    "5e-324",
  ])
    same(text); // P-ENV-13, P-ENV-15, P-FACT-17
});

test("integers are told from floats, and large ones lose no digit", () => {
  assert.equal(typeof parseJson("9007199254740993"), "bigint");
  assert.ok(parseJson("1.0") instanceof Float); // P-FACT-20
  assert.ok(parseJson("1e3") instanceof Float);
  assert.equal(parseJson("-0"), 0);
  assert.notEqual(canonical(parseJson("1")), canonical(parseJson("1.0")));
  assert.equal(canonical(parseJson("[1e3]")), canonical([new Float(1000)]));
  assert.ok(parseJson("99999999999999999999") instanceof Float); // fits no int64, but a double (D-7)
  assert.equal(float(2.5), 2.5);
  assert.equal(writeJson([float(2), 2n ** 60n, 1e21, 0.1]), "[2.0,1152921504606846976,1e+21,0.1]");
});

test("what is no JSON is refused, with its place", () => {
  for (const text of [
    "",
    "{",
    '{"a":1,}',
    "[1,]",
    "01",
    "+1",
    ".5",
    "1.",
    "NaN",
    "'a'",
    '{"a":1,"a":2}',
    '"\\ud83d"',
    '"\u0001"',
    "1 2",
    "/* */1",
    '{"__proto__":1,"__proto__":2}',
    "1e400",
    "[".repeat(65),
    "[".repeat(1_000_000),
    "\ufeff1",
    "tru",
    '"\\x"',
    '"abc',
  ])
    assert.throws(() => parseJson(text), JsonError, text.slice(0, 20)); // P-ENV-12, D-5, D-6
  assert.equal(writeJson(parseJson("[".repeat(64) + "]".repeat(64))).length, 128);
  assert.throws(() => parseJson('{"a":\n  tru}'), /at character 9/);
});

test("names of Object.prototype are names like any other", () => {
  const value = parseJson('{"__proto__":{"x":1},"constructor":2,"hasOwnProperty":3}');
  assert.deepEqual(Object.keys(value), ["__proto__", "constructor", "hasOwnProperty"]);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.equal(writeJson(value), '{"__proto__":{"x":1},"constructor":2,"hasOwnProperty":3}');
  assert.equal({}.x, undefined);
});

test("what is no JSON value is not written", () => {
  const circle = [];
  circle.push(circle);
  for (const value of [
    NaN,
    Infinity,
    () => 1,
    Symbol("x"),
    new Date(0),
    new Map(),
    circle,
    2n ** 63n,
    "\ud83d",
    { "\udc00": 1 },
    [undefined],
  ])
    assert.throws(() => writeJson(value), JsonError);
  assert.throws(() => writeJson({ a: { b: [1, NaN] } }), /NaN/);
  assert.equal(writeJson({ a: undefined, b: 1 }), '{"b":1}');
});

test("instants are read to the nanosecond and refused where there is none", () => {
  assert.equal(parseInstant("1970-01-01T00:00:00Z"), 0n);
  assert.equal(parseInstant("2026-07-04T05:30:00.123456789+05:30"), parseInstant("2026-07-04T00:00:00.123456789Z")); // P-TIME-2
  assert.equal(parseInstant("2026-07-04t00:00:00.1234567899z") % 1000n, 789n);
  assert.equal(parseInstant("1969-12-31T23:59:59.5Z"), -500_000_000n);
  assert.equal(parseInstant("2016-12-31T23:59:60Z"), parseInstant("2017-01-01T00:00:00Z"));
  assert.equal(parseInstant("2017-01-01T05:29:60+05:30"), parseInstant("2017-01-01T00:00:00Z"));
  for (const text of [
    "2026-02-30T00:00:00Z",
    "2026-01-01T25:00:00Z",
    "2026-01-01",
    "2026-01-01T00:00:00",
    "2026-01-01 00:00:00Z",
    "9999-12-31T00:00:00Z",
    "2026-01-01T12:00:60Z",
    "2026-13-01T00:00:00Z",
    "1600-01-01T00:00:00Z",
    "2026-00-10T00:00:00Z",
    "",
  ])
    assert.equal(parseInstant(text), undefined, text);
  assert.equal(readTime({ nanos: 5 }, ["rfc3339"]).issue, "unsupported_time_format"); // P-TIME-4
  assert.equal(readTime(5, ["rfc3339"]).issue, "unsupported_time_format"); // P-TIME-3
  assert.equal(readTime(5, ["rfc3339", "epoch_ms"]).ns, 5_000_000n);
  assert.equal(readTime({ nanos: { _type: "int64", value: "9223372036854775807" } }).ns, 2n ** 63n - 1n);
});

test("a bare path of a resource is one of file://", () => {
  assert.equal(resourceUrl("notes/a b.md", "file:///repo/").href, resourceUrl("file:///repo/notes/a%20b.md").href); // P-CTX-3
  assert.equal(resourceUrl("/etc/x#y?z").href, "file:///etc/x%23y%3Fz");
  assert.equal(resourceUrl("s3://gh-plans/zone-b.json").href, "s3://gh-plans/zone-b.json"); // P-CTX-2
  assert.equal(resourceUrl("C:\\notes\\a.md").href, "file:///C:/notes/a.md");
});

// ---- working facts

const list = (facts) => [...facts].map((f) => writeJson({ p: f.pred, a: f.args ?? f.named_args ?? null }));

test("equal facts are kept once, and 1 is not 1.0", () => {
  const facts = new WorkingFacts();
  facts.add(
    fact("p", 1),
    { pred: "p", args: [1], category: "server", source: { source_type: "server" } },
    fact("p", 1n),
  );
  assert.equal(facts.size, 1); // P-PROV-7, D-20
  assert.equal([...facts][0].category, undefined); // P-PROV-10
  facts.add(fact("p", float(1)), fact("p", "1"), fact("p", true), fact("p", [1]), fact("p", { k: 1 }));
  assert.equal(facts.size, 6); // P-FACT-20, D-48
  facts.add(fact("p", { a: 1, b: 2 }), fact("p", { b: 2, a: 1 }), fact("p", [1, 2]), fact("p", [2, 1]));
  assert.equal(facts.size, 9); // P-FACT-21
  facts.add(
    fact("p", 9007199254740993n),
    { pred: "p", args: [{ _type: "int64", value: "9007199254740993" }] },
    fact("p", 9007199254740992n),
  );
  assert.equal(facts.size, 11);
});

test("a signed fact takes the place of an equal one", () => {
  const signed = (signature) => ({ ...fact("p", 1), source: { source_type: "server", signature } });
  const facts = new WorkingFacts();
  facts.add(fact("p", 1), fact("q", 1));
  assert.deepEqual(facts.add(signed("v1.a")), []);
  assert.deepEqual([...facts], [signed("v1.a"), fact("q", 1)]);
  facts.add(fact("p", 1)); // what is unsigned takes no place
  facts.apply({ retract: [fact("q", null)], assert: [signed("v1.b"), signed("v1.c")] });
  assert.deepEqual([...facts], [signed("v1.c")]); // the newest signature counts longest
  assert.equal(facts.retract(fact("p", 1)).length, 1);
  assert.equal(facts.size, 0);
});

test("annotations are compared as intervals, not as texts", () => {
  const facts = new WorkingFacts();
  facts.add(
    { pred: "e", args: [], t: { at: "2026-01-01T00:00:00Z" } },
    { pred: "e", args: [], t: { start: "2026-01-01T01:00:00+01:00", end: "2026-01-01T00:00:00.000Z" } }, // P-TIME-10
    { pred: "e", args: [], t: { start: "_", end: "_" } },
    { pred: "e", args: [] },
    { pred: "e", args: [], t: null },
  );
  assert.equal(facts.size, 2);
});

test("a pattern takes away what it matches and nothing near it", () => {
  const fill = () => {
    const facts = new WorkingFacts();
    facts.add(
      fact("p", "a", 1),
      fact("p", "a", float(1)),
      fact("p", "a", 2),
      fact("p", "b", 1),
      fact("p", "a"),
      fact("q", "a", 1),
      { pred: "p", args: ["a", 1], t: { at: "2026-01-01T00:00:00Z" } },
    );
    return facts;
  };
  let facts = fill();
  assert.equal(facts.retract({ pred: "p", args: ["a", 1] }).length, 2); // P-DELTA-4, D-48: whatever the annotation
  assert.equal(facts.size, 5);
  facts = fill();
  assert.equal(facts.retract({ pred: "p", args: ["a", 1], t: { at: "2026-01-01T00:00:00+00:00" } }).length, 1);
  facts = fill();
  assert.equal(facts.retract({ pred: "p", args: ["a", null] }).length, 4); // P-DELTA-5
  assert.deepEqual(list(facts), ['{"p":"p","a":["b",1]}', '{"p":"p","a":["a"]}', '{"p":"q","a":["a",1]}']);
  facts.add(fact("n", [1, "x"]));
  assert.equal(facts.retract({ pred: "n", args: [[1, null]] }).length, 0); // only at the top level
  assert.equal(facts.retract({ pred: "nobody", args: [null] }).length, 0);
});

test("a delta retracts before it asserts", () => {
  const facts = new WorkingFacts();
  facts.add(fact("at", "x", 1), fact("at", "y", 1));
  const { retracted, asserted } = facts.apply({
    retract: [{ pred: "at", args: ["x", null] }],
    assert: [{ pred: "at", args: ["x", 2], category: "server" }, fact("at", "y", 1)],
  });
  assert.deepEqual([retracted.length, asserted.length], [1, 1]); // P-DELTA-6
  assert.deepEqual(list(facts), ['{"p":"at","a":["y",1]}', '{"p":"at","a":["x",2]}']);
});

test("a fact by name is the fact by position, once the names are known", () => {
  const facts = new WorkingFacts();
  facts.add({ pred: "p", named_args: { b: 2, a: 1 } }, fact("p", 1, 2));
  assert.equal(facts.size, 2);
  facts.useArgNames(() => ["a", "b"]);
  assert.equal(facts.size, 1); // P-FACT-12
  assert.ok(facts.has({ pred: "p", named_args: { a: 1, b: 2 } }));
  assert.equal(facts.retract({ pred: "p", args: [1, null] }).length, 1);
});

test("what is no fact adds nothing, and there is an end to how many there may be", () => {
  const facts = new WorkingFacts({ maxFacts: 3 });
  assert.throws(
    () => facts.add(fact("p", 1), { pred: "q" }, 7),
    (e) => e instanceof UsageError && e.problems.length === 2,
  );
  assert.throws(() => facts.add(fact("p", null)), UsageError);
  assert.equal(facts.size, 0);
  facts.add(fact("p", 1), fact("p", 2), fact("p", 3), fact("p", 3));
  assert.throws(() => facts.add(fact("p", 4)), /3 at most/);
  assert.throws(
    () => facts.apply({ retract: [{ pred: "p", args: [1] }], assert: [fact("p", 4), fact("p", 5)] }),
    /3 at most/,
  );
  assert.equal(facts.size, 3); // as if it had not been tried
  assert.ok(facts.has(fact("p", 1)));
});

test("facts that are held cannot be changed from outside", () => {
  const facts = new WorkingFacts(),
    inner = { k: [1] };
  facts.add(fact("p", inner));
  inner.k.push(2);
  assert.deepEqual(list(facts), ['{"p":"p","a":[{"k":[1]}]}']);
  assert.throws(() => [...facts][0].args.push(1), TypeError);
});
