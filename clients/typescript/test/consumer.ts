// Compiled against the published types, and never run: how the package looks from outside.
import {
  connect,
  fact,
  float,
  spawn,
  ServerError,
  validate,
  WorkingFacts,
  type Evaluation,
  type Fact,
  type Manifest,
  type Outcome,
} from "manglecp";
import { connect as connectInBrowsers } from "manglecp/browser";

export async function use(signal: AbortSignal): Promise<number> {
  const facts = new WorkingFacts({ maxFacts: 10 });
  facts.add(fact("seen", "x", 1n, float(2), [true, { k: 1 }]), {
    pred: "event",
    args: ["e"],
    t: { start: "_", end: "now" },
  });
  const client = await connect("https://127.0.0.1", {
    token: async (again) => (again ? "b" : "a"),
    facts,
    confirm: ({ tool }) => tool.name === "x",
    signal,
  });
  const manifest: Manifest = client.manifest;
  const evaluation: Evaluation = await client.evaluate(manifest.intents[0]?.name ?? "", {
    params: { a: [1, null] },
    constraints: { max_tools_returned: 3 },
    disclosure: "full",
    proofs: true,
    whyNot: ["other"],
  });
  const rules: readonly string[] | undefined = evaluation.proofHints?.derivations[0]?.rule_chain;
  const missing: readonly Fact[] | undefined = evaluation.whyNot?.[0]?.changes[0]?.add;
  const planned: Outcome = await client.invoke("x", {}, { dryRun: true, approved: "v1.challenge" });
  const first: string | undefined = planned.plan?.steps[0]?.action;
  if (first === undefined || rules === missing) throw new Error("nothing is planned");
  try {
    const outcome: Outcome = await client.invoke(evaluation.tools[0]!, { n: 1 }, { signal, idempotencyKey: "k" });
    const asserted: readonly Fact[] = outcome.delta.assert;
    return asserted.length + validate({ type: "object" }, outcome.result).length;
  } catch (error) {
    if (error instanceof ServerError) return error.retryAfterMs ?? 0;
    throw error;
  } finally {
    await client.close();
  }
}

export const others = [spawn(["x"], { stderr: "ignore", env: {} }), connectInBrowsers(new URL("http://x"))];

// @ts-expect-error a fact has values, not null
fact("p", null);
// @ts-expect-error there is no such option
void connect("http://x", { tokn: "x" });
