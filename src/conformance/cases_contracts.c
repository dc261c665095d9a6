/* Levels of disclosure and what goes with each; the contracts themselves are rows of
 * cases_choice.c. */
#include "conformance/conformance_int.h"

static const struct json *ranked(struct probe *p, const char *more)
{
    return mgi_probe_intent(p, "fx.rank", "", more);
}

static void all_at(struct probe *p, const char *level)
{
    const char *more =
        mgi_arena_printf(&p->memory, ",'options':{'disclosure_preference':'%s'}", level);
    const struct json *tools = more ? mgi_at(ranked(p, more), "/payload/macro_tools") : NULL;
    mgi_probe_expect(p, tools && tools->count == 10, "not all ten tools");
    for (uint32_t i = 0; tools && i < tools->count; i++)
        mgi_probe_expect(p, mgi_is_at(&tools->items[i], "/disclosure_level", level),
                         "a tool that is not %s", level);
}

static void play_preferences(struct probe *p)
{
    all_at(p, "full");
    all_at(p, "condensed");
    all_at(p, "minimal");
}

static void play_cut_offs(struct probe *p)
{
    static const struct {
        const char *tool, *level;
    } rows[] = { { "fx_rank_95", "full" },      { "fx_rank_75", "full" },
                 { "fx_rank_70", "full" },      { "fx_rank_69", "condensed" },
                 { "fx_rank_45", "condensed" }, { "fx_rank_40", "condensed" },
                 { "fx_rank_39", "minimal" },   { "fx_rank_25", "minimal" },
                 { "fx_rank_20", "minimal" } };
    const struct json *answer = ranked(p, "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        mgi_probe_expect(
            p, mgi_is_at(mgi_tool_in(answer, rows[i].tool), "/disclosure_level", rows[i].level),
            "%s is not %s", rows[i].tool, rows[i].level);
    mgi_probe_expect(p, !mgi_tool_in(answer, "fx_rank_19"), "a tool below the last cut-off");
}

#define AT_NOON ",'eval_time':'" NOON "'"

static void play_adaptive(struct probe *p)
{
    const char *plain = mgi_gist(p, ranked(p, AT_NOON));
    const char *told =
        mgi_gist(p, ranked(p, AT_NOON ",'options':{'disclosure_preference':'adaptive'}"));
    mgi_probe_expect(p, strcmp(plain, told) == 0, "adaptive is not the default");
}

static void play_scores(struct probe *p)
{
    const struct json *tools = mgi_at(ranked(p, ""), "/payload/macro_tools");
    int64_t last = 100;
    for (uint32_t i = 0; tools && i < tools->count; i++) {
        int64_t score = mgi_int_at(&tools->items[i], "/metadata/score");
        if (score < 0)
            continue;
        mgi_probe_expect(p, score <= last, "tools are not sorted by score");
        last = score;
    }
}

static void play_upgrade(struct probe *p)
{
    const struct json *plain = ranked(p, "");
    struct str id = mgi_text_at(mgi_tool_in(plain, "fx_rank_45"), "/macro_id");
    const char *fact =
        mgi_arena_printf(&p->memory, "{'pred':'disclosure_upgrade','args':['%.*s']}", STR_ARG(id));
    const struct json *more = fact ? mgi_probe_intent(p, "fx.rank", fact, "") : NULL;
    const struct json *raised = mgi_tool_in(more, "fx_rank_45");
    mgi_probe_expect(p, mgi_is_at(raised, "/disclosure_level", "full"), "it is not full");
    mgi_probe_expect(p, str_eq(id, mgi_text_at(raised, "/macro_id")), "another macro_id");
    mgi_probe_expect(p,
                     mgi_is_at(mgi_tool_in(more, "fx_rank_40"), "/disclosure_level", "condensed"),
                     "the level of another one changes");
}

static void play_no_constraints(struct probe *p)
{
    const char *none = mgi_gist(p, ranked(p, AT_NOON));
    const char *empty = mgi_gist(p, ranked(p, AT_NOON ",'constraints':{}"));
    const char *nulls = mgi_gist(
        p, ranked(p, AT_NOON ",'constraints':{'max_facts_created':null,'max_compute_ms':null,"
                             "'max_intervals_per_atom':null,'max_tools_returned':null,"
                             "'max_tokens_budget':null}"));
    mgi_probe_expect(p, strcmp(none, empty) == 0 && strcmp(none, nulls) == 0,
                     "no constraints are not the same as empty ones");
}

static void play_stricter(struct probe *p)
{
    const char *seeds = mgi_repeat(p, "{'pred':'fx_seed','args':[%d]}", 20);
    const struct json *answer =
        mgi_probe_intent(p, "fx.blowup", seeds, ",'constraints':{'max_facts_created':10}");
    mgi_probe_refused(p, answer, "derivation_limit_exceeded");
    mgi_probe_expect(p, mgi_int_at(answer, "/payload/details/budget/limit") == 10, "limit");
    mgi_probe_expect(p, mgi_int_at(answer, "/payload/details/budget/consumed") >= 10, "consumed");
    mgi_probe_expect(p, !mgi_at(answer, "/payload/macro_tools"), "tools beside an error");
}

/* Enough seeds to pass the server's own limit, whatever the client asks for. */
static void play_own_limit(struct probe *p)
{
    int64_t max = mgi_int_at(&p->manifest, "/limits/max_derived_facts");
    int seeds = 1;
    while ((int64_t)seeds * seeds <= max && seeds < 1500)
        seeds++;
    if ((int64_t)seeds * seeds <= max) {
        mgi_probe_skip(p, "the limit is larger than 2,250,000");
        return;
    }
    const char *facts = mgi_repeat(p, "{'pred':'fx_seed','args':[%d]}", seeds + 5);
    const char *more =
        mgi_arena_printf(&p->memory, ",'constraints':{'max_facts_created':%d}", (int)max * 10);
    const struct json *answer = mgi_probe_intent(p, "fx.blowup", facts, "");
    mgi_probe_refused(p, answer, "derivation_limit_exceeded");
    answer = more ? mgi_probe_intent(p, "fx.blowup", facts, more) : NULL;
    mgi_probe_refused(p, answer, "derivation_limit_exceeded");
    mgi_probe_expect(p, mgi_int_at(answer, "/payload/details/budget/limit") == max,
                     "the limit is not the server's");
}

const struct test_case mgi_cases_contracts[] = {
    { "P-DISC-LVL-5 P-DISC-LVL-3 P-DISC-LVL-4 P-DISC-LVL-1", "a preference puts all at its level",
      OVER_ANY, 0, play_preferences },
    { "P-DISC-LVL-7 P-DISC-LVL-1 P-MIN-7", "levels follow from the scores", OVER_ANY, 0,
      play_cut_offs },
    { "P-DISC-LVL-6", "adaptive is the default", OVER_ANY, 0, play_adaptive },
    { "P-TOOL-19 P-DET-3", "tools are sorted by their scores (D-30)", OVER_ANY, 0, play_scores },
    { "P-DISC-LVL-9 P-DISC-LVL-10", "one tool in full on request", OVER_ANY, 0, play_upgrade },
    { "P-BUDGET-3", "constraints that are not there are those of the server", OVER_ANY, 0,
      play_no_constraints },
    { "P-BUDGET-2 P-BUDGET-6 P-BUDGET-5 P-CONTRACT-12 P-ERR-9",
      "a limit is told with what was used", OVER_ANY, 0, play_stricter },
    { "P-BUDGET-12 P-BUDGET-2 P-BUDGET-1", "the server's own limit holds, too", OVER_ANY, 0,
      play_own_limit },
    { 0 },
};
