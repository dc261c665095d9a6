/* When two facts are one, and what stays of them: counted by diagnostics.facts_evaluated. */
#include "conformance/conformance_int.h"

static int64_t count_facts(struct probe *p, const char *facts)
{
    const struct json *answer = mgi_probe_intent(p, "fx.rank", facts, "");
    mgi_probe_is(p, answer, "intent_response");
    return mgi_int_at(answer, "/payload/diagnostics/facts_evaluated");
}

/* How many facts these are, beside none. */
static void expect_count(struct probe *p, const char *what, const char *facts, int64_t wanted)
{
    int64_t none = count_facts(p, ""), with = count_facts(p, facts);
    if (none < 0 && !p->failed)
        mgi_probe_skip(p, "the server gives no diagnostics");
    else
        mgi_probe_expect(p, with - none == wanted, "%s count as %d facts, not %d", what,
                         (int)(with - none), (int)wanted);
}

#define ANY(x) "{'pred':'fx_basic','args':['tag',1,true," x "]}"

static void play_kinds(struct probe *p)
{
    expect_count(
        p, "1, 1.0, '1', true, [1] and {k:1}",
        ANY("1") "," ANY("1.0") "," ANY("'1'") "," ANY("true") "," ANY("[1]") "," ANY("{'k':1}"),
        6);
}

static void play_order_within(struct probe *p)
{
    expect_count(p, "maps in another order", ANY("{'a':1,'b':2}") "," ANY("{'b':2,'a':1}"), 1);
    expect_count(p, "lists in another order", ANY("[1,2]") "," ANY("[2,1]"), 2);
}

static void play_named(struct probe *p)
{
    expect_count(p, "one fact in both forms",
                 BASIC ",{'pred':'fx_basic','named_args':{'x':'x','on':true,'n':1,'tag':'tag'}}",
                 1);
}

static void play_named_same(struct probe *p)
{
    const struct json *a = mgi_probe_intent(p, "fx.echo", BASIC, "");
    const char *first = mgi_gist(p, a);
    const struct json *b = mgi_probe_intent(
        p, "fx.echo", "{'pred':'fx_basic','named_args':{'x':'x','on':true,'n':1,'tag':'tag'}}", "");
    (void)b;
    mgi_probe_expect(p,
                     mgi_tool_in(a, "fx_echo") && mgi_tool_in(b, "fx_echo") &&
                         str_eq(mgi_text_at(mgi_tool_in(a, "fx_echo"), "/macro_id"),
                                mgi_text_at(mgi_tool_in(b, "fx_echo"), "/macro_id")),
                     "another tool than for %s", first);
}

#define FROM(type) "{'pred':'fx_flag','args':[],'source':{'source_type':'" type "'}}"

static void play_sources(struct probe *p)
{
    expect_count(p, "facts that differ in their source",
                 FROM("server") "," FROM("client") "," FROM("scan"), 1);
}

#define FIXED ",'eval_time':'" NOON "'"

static void play_source_is_no_matter(struct probe *p)
{
    static const char *const facts[] = { FROM("server"),
                                         FROM("client"),
                                         FROM("x-plc"),
                                         "{'pred':'fx_flag','args':[]}",
                                         "{'pred':'fx_flag','args':[],'category':'session'}",
                                         "{'pred':'fx_flag','args':[],'category':null}",
                                         "{'pred':'fx_flag','args':[],'category':'derived'}" };
    const char *first = mgi_gist(p, mgi_probe_intent(p, "fx.rank", facts[0], FIXED));
    for (size_t i = 1; i < sizeof facts / sizeof *facts; i++)
        mgi_probe_expect(
            p, strcmp(first, mgi_gist(p, mgi_probe_intent(p, "fx.rank", facts[i], FIXED))) == 0,
            "%s is answered otherwise than %s", facts[i], facts[0]);
}

static void play_nothing_stays(struct probe *p)
{
    static const char event[] = "{'pred':'fx_event','args':['a','b']}";
    mgi_probe_expect(p, mgi_tool_in(mgi_probe_intent(p, "fx.recent", event, ""), "fx_recent"),
                     "no tool with the fact");
    mgi_probe_expect(p, !mgi_tool_in(mgi_probe_intent(p, "fx.recent", "", ""), "fx_recent"),
                     "the tool without the fact");
}

static void play_three_faults(struct probe *p)
{
    const struct json *answer =
        mgi_probe_intent(p, "fx.echo",
                         BASIC ",{'pred':'fx_basic','args':[1]},{'pred':'zz_no','args':[]}," BASIC
                               ",{'pred':'fx_flag','args':[],'source':{}}",
                         "");
    static const char *const places[] = { "1", "2", "4" };
    mgi_probe_refused(p, answer, "invalid_facts");
    for (size_t i = 0; i < 3; i++) {
        const char *pointer =
            mgi_arena_printf(&p->memory, "/payload/details/violations/%d/fact_index", (int)i);
        mgi_probe_expect(p, pointer && mgi_is_at(answer, pointer, places[i]),
                         "violation %d is not of fact %s", (int)i, places[i]);
    }
    mgi_probe_expect(p, !mgi_at(answer, "/payload/details/violations/3"), "a fourth violation");
}

static void play_arity_told(struct probe *p)
{
    const struct json *answer =
        mgi_probe_intent(p, "fx.echo", "{'pred':'fx_basic','args':['a',1,true,'x',5]}", "");
    mgi_probe_refused(p, answer, "arity_mismatch");
    mgi_probe_expect(p,
                     mgi_int_at(answer, "/payload/details/violations/0/expected_arity") == 4 &&
                         mgi_int_at(answer, "/payload/details/violations/0/actual_arity") == 5,
                     "the arities are not told");
    answer = mgi_probe_intent(p, "fx.echo", "{'pred':'fx_basic','args':['a','1',true,'x']}", "");
    mgi_probe_expect(p, mgi_int_at(answer, "/payload/details/violations/0/argument_index") == 1,
                     "the argument is not told");
}

static void play_too_many(struct probe *p)
{
    int64_t max = mgi_int_at(&p->manifest, "/limits/max_facts_per_request");
    if (max < 1 || max > 100000) {
        mgi_probe_skip(p, "the server takes more than 100,000 facts");
        return;
    }
    const char *facts = mgi_repeat(p, "{'pred':'fx_seed','args':[%d]}", (int)max + 1);
    const struct json *answer = mgi_probe_intent(p, "fx.rank", facts, "");
    mgi_probe_refused(p, answer, "too_many_facts");
    mgi_probe_expect(p,
                     mgi_int_at(answer, "/payload/details/limit") == max &&
                         mgi_int_at(answer, "/payload/details/actual") == max + 1,
                     "limit and actual are not told");
    facts = mgi_repeat(p, "{'pred':'fx_seed','args':[%d]}", (int)max);
    mgi_probe_is(p, mgi_probe_intent(p, "fx.rank", facts, ""), "intent_response");
}

const struct test_case mgi_cases_facts[] = {
    { "P-FACT-20", "values of different kinds are different", OVER_ANY, 0, play_kinds },
    { "P-FACT-21", "order counts in lists and not in maps", OVER_ANY, 0, play_order_within },
    { "P-FACT-12", "a fact in both forms is one fact", OVER_ANY, 0, play_named },
    { "P-FACT-11 P-FACT-12 P-FACT-10", "both forms bring the same tool", OVER_ANY, 0,
      play_named_same },
    { "P-PROV-7", "facts that differ in their source alone are one", OVER_ANY, 0, play_sources },
    { "P-PROV-6 P-PROV-8 P-EVAL-4", "source and category change nothing", OVER_ANY, 0,
      play_source_is_no_matter },
    { "P-PROV-11 P-EVAL-2 P-MIN-11 P-DELTA-9", "no fact stays from one request to the next",
      OVER_ANY, 0, play_nothing_stays },
    { "P-FACT-24 P-ERR-6 P-ERR-7", "every fact that is wrong is told, in order", OVER_ANY, 0,
      play_three_faults },
    { "P-FACT-7 P-FACT-8 P-ERR-7", "it is told what was expected", OVER_ANY, 0, play_arity_told },
    { "P-BUDGET-10 P-MAN-25", "one fact more than the limit", OVER_ANY, 0, play_too_many },
    { 0 },
};
