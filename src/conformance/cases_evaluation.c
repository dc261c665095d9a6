/* The same again: what an evaluation depends on, and what it does not. */
#include "base/time.h"
#include "conformance/conformance_int.h"
#include "sys/clock.h"

#define FIXED_TIME ",'eval_time':'" NOON "'"
#define REPEATS    100

static void play_repeats(struct probe *p)
{
    const char *facts = BASIC ",{'pred':'fx_event','args':['a','b'],'t':{'at':'" NOON "'}}";
    const char *first = mgi_gist(p, mgi_probe_intent(p, "fx.rank", facts, FIXED_TIME));
    for (int i = 1; i < REPEATS && !p->failed; i++) {
        const struct json *again = mgi_probe_intent(p, "fx.rank", facts, FIXED_TIME);
        mgi_probe_expect(p, strcmp(first, mgi_gist(p, again)) == 0,
                         "the answer to the same request differs the %dth time", i + 1);
    }
}

static void play_equal_scores(struct probe *p)
{
    static const char scores[] = "{'pred':'fx_score','args':['fx_pair_a',50]},"
                                 "{'pred':'fx_score','args':['fx_pair_b',50]}";
    const struct json *first = mgi_probe_intent(p, "fx.pair", scores, "");
    const char *winner = mgi_tool_names(p, first);
    mgi_probe_expect(p, !strchr(winner, ',') && winner[0], "not one of the two: %s", winner);
    for (int i = 1; i < REPEATS && !p->failed; i++)
        mgi_probe_expect(
            p, strcmp(winner, mgi_tool_names(p, mgi_probe_intent(p, "fx.pair", scores, ""))) == 0,
            "another winner");
}

static void play_random_scores(struct probe *p)
{
    uint32_t draw = 20260704; /* the same draws each time */
    for (int i = 0; i < REPEATS && !p->failed; i++) {
        draw = draw * 1664525u + 1013904223u;
        const char *facts = mgi_arena_printf(&p->memory,
                                             "{'pred':'fx_score','args':['fx_pair_a',%u]},{'pred':'"
                                             "fx_score','args':['fx_pair_b',%u]}",
                                             20 + (draw >> 8) % 80, 20 + (draw >> 20) % 80);
        const char *names =
            facts ? mgi_tool_names(p, mgi_probe_intent(p, "fx.pair", facts, "")) : "";
        mgi_probe_expect(p, names[0] && !strchr(names, ','), "%s bring %s", facts, names);
    }
}

static void play_orders(struct probe *p)
{
    static const char *const facts[] = { "{'pred':'fx_score','args':['fx_pair_a',70]}",
                                         "{'pred':'fx_flag','args':[]}",
                                         "{'args':['fx_pair_b',60],'pred':'fx_score'}", BASIC };
    static const uint8_t orders[][4] = { { 0, 1, 2, 3 }, { 3, 2, 1, 0 }, { 2, 0, 3, 1 },
                                         { 1, 3, 0, 2 }, { 2, 3, 0, 1 }, { 1, 0, 3, 2 } };
    const char *first = NULL;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        const uint8_t *o = orders[i];
        const char *list = mgi_arena_printf(&p->memory, "%s,%s,%s,%s", facts[o[0]], facts[o[1]],
                                            facts[o[2]], facts[o[3]]);
        const char *gist =
            list ? mgi_gist(p, mgi_probe_intent(p, "fx.pair", list, FIXED_TIME)) : "";
        first = first ? first : gist;
        mgi_probe_expect(p, strcmp(first, gist) == 0, "another order of facts, another answer");
    }
    const char *swapped = mgi_gist(
        p, mgi_probe_ask(
               p, "{'payload':{'eval_time':'" NOON
                  "','facts':[{'args':['tag',1,true,'x'],'pred':'fx_basic'},"
                  "{'pred':'fx_score','args':['fx_pair_b',60]},{'pred':'fx_flag','args':[]},"
                  "{'pred':'fx_score','args':['fx_pair_a',70]}],'intent':{'name':'fx.pair'}},"
                  "'manglecp':'" VERSION_TEXT "','id':'$ID','type':'intent_request'}"));
    mgi_probe_expect(p, strcmp(first, swapped) == 0, "another order of members, another answer");
}

static void play_counters(struct probe *p)
{
    const struct json *first = mgi_probe_intent(p, "fx.pair", BASIC, "");
    int64_t facts = mgi_int_at(first, "/payload/diagnostics/facts_evaluated");
    int64_t derived = mgi_int_at(first, "/payload/diagnostics/facts_derived");
    for (int i = 0; i < 3 * REPEATS && !p->failed; i++) {
        const struct json *again = mgi_probe_intent(p, "fx.pair", BASIC, "");
        mgi_probe_expect(p,
                         facts == mgi_int_at(again, "/payload/diagnostics/facts_evaluated") &&
                             derived == mgi_int_at(again, "/payload/diagnostics/facts_derived"),
                         "the counts grow");
        mgi_arena_reset(&p->memory);
    }
}

static void play_same_id_of_tool(struct probe *p)
{
    const struct json *plain = mgi_probe_tool(p, "fx.echo", BASIC, "fx_echo");
    struct str id = mgi_text_at(plain, "/macro_id");
    const struct json *more =
        mgi_probe_tool(p, "fx.echo", BASIC ",{'pred':'fx_flag','args':[]}", "fx_echo");
    mgi_probe_expect(p, str_eq(id, mgi_text_at(more, "/macro_id")),
                     "an irrelevant fact changes the macro_id");
    mgi_probe_drop(p); /* another session, or on stdio another process */
    const struct json *anew = mgi_probe_tool(p, "fx.echo", BASIC, "fx_echo");
    mgi_probe_expect(p, str_eq(id, mgi_text_at(anew, "/macro_id")), "another macro_id later");
}

static void play_other_composition(struct probe *p)
{
    const struct json *red =
        mgi_probe_tool(p, "fx.vary", "{'pred':'fx_choice','args':['red']}", "fx_vary");
    const struct json *blue =
        mgi_probe_tool(p, "fx.vary", "{'pred':'fx_choice','args':['blue']}", "fx_vary");
    mgi_probe_expect(p, !str_eq(mgi_text_at(red, "/macro_id"), mgi_text_at(blue, "/macro_id")),
                     "tools of different schemas share a macro_id");
    mgi_probe_expect(p, mgi_is_at(red, "/input_schema/properties/value/enum/0", "red"),
                     "the schema does not follow the facts");
}

static void play_bad_and_heavy(struct probe *p)
{
    int64_t begun_ns = mgi_clock_mono_ns();
    mgi_probe_refused(p, mgi_probe_intent(p, "fx.slow", "", ",'options':{'include_proof_hints':7}"),
                      "malformed_message");
    mgi_probe_expect(p, mgi_clock_mono_ns() - begun_ns < 1500 * NS_PER_MS,
                     "it was evaluated before it was judged");
}

static void play_duration(struct probe *p)
{
    int64_t begun_ns = mgi_clock_mono_ns();
    const struct json *answer = mgi_probe_intent(p, "fx.rank", "", "");
    int64_t took_ms = (mgi_clock_mono_ns() - begun_ns) / NS_PER_MS;
    int64_t told_ms = mgi_int_at(answer, "/payload/eval_duration_ms");
    mgi_probe_expect(p, told_ms >= 0 && told_ms <= took_ms + 1, "eval_duration_ms is %d",
                     (int)told_ms);
}

static void play_phases(struct probe *p)
{
    const struct json *answer = mgi_probe_intent(p, "fx.rank", "", "");
    int64_t phases = mgi_int_at(answer, "/payload/diagnostics/phases_completed");
    mgi_probe_expect(p, phases == -1 || phases == 6, "phases_completed is %d", (int)phases);
}

static void play_two_clients(struct probe *p)
{
    const struct json *tool = mgi_probe_tool(p, "fx.mark", "", "fx_mark");
    mgi_probe_is(p, mgi_probe_invoke(p, mgi_text_at(tool, "/macro_id"), "{'label':'l'}", ""),
                 "invoke_response");
    mgi_probe_expect(p, !mgi_tool_in(mgi_probe_intent(p, "fx.recent", "", ""), "fx_recent"),
                     "a delta is taken for applied");
}

const struct test_case mgi_cases_evaluation[] = {
    { "P-DET-1 P-DET-2 P-DET-3 P-CONTRACT-13 P-TOOL-2", "a hundred times the same", OVER_ANY, 0,
      play_repeats },
    { "P-CONTRACT-7 P-CONTRACT-6", "of two with equal scores always the same", OVER_ANY, 0,
      play_equal_scores },
    { "P-CONTRACT-5 P-CONTRACT-6", "a hundred pairs of scores, one of the two each time", OVER_ANY,
      0, play_random_scores },
    { "P-DET-6", "neither the order of facts nor that of members counts", OVER_ANY, 0,
      play_orders },
    { "P-EVAL-3 P-EVAL-2", "what was derived does not pile up", OVER_ANY, 0, play_counters },
    { "P-TOOL-2 P-TOOL-3", "a macro_id stands for what the tool is made of", OVER_ANY, 0,
      play_same_id_of_tool },
    { "P-TOOL-3 P-TOOL-21 P-ENUM-3", "another composition, another macro_id", OVER_ANY, 0,
      play_other_composition },
    { "P-EVAL-1 P-POLICY-3 P-POLICY-5", "what is badly shaped is not evaluated", OVER_ANY, 0,
      play_bad_and_heavy },
    { "P-EVAL-13", "the time it took is told", OVER_ANY, 0, play_duration },
    { "P-EVAL-18", "six phases, where they are told", OVER_ANY, 0, play_phases },
    { "P-DELTA-7 P-DELTA-8 P-DELTA-9 P-NEXT-6", "a delta that is not applied changes nothing",
      OVER_ANY, 0, play_two_clients },
    { 0 },
};
