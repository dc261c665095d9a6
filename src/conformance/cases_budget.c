/* Time and rules without end: limits that end an evaluation. */
#include "base/time.h"
#include "conformance/conformance_int.h"
#include "sys/clock.h"

static bool is_limit(const struct json *answer)
{
    return mgi_is_at(answer, "/payload/code", "interval_limit_exceeded") ||
           mgi_is_at(answer, "/payload/code", "derivation_limit_exceeded") ||
           mgi_is_at(answer, "/payload/code", "evaluation_timeout");
}

static void play_runaway(struct probe *p)
{
    for (int i = 0; i < 5 && !p->failed; i++) {
        const struct json *answer = mgi_probe_intent(p, "fx.runaway", "", "");
        mgi_probe_expect(p, is_limit(answer), "no limit ends it");
    }
    mgi_probe_is(p, mgi_probe_ask(p, GOOD), "intent_response");
}

static void play_runaway_watched(struct probe *p)
{
    int64_t begun_ns = mgi_clock_mono_ns();
    const struct json *answer =
        mgi_probe_intent(p, "fx.runaway", "",
                         ",'constraints':{'max_compute_ms':200,'max_intervals_per_atom':1000000}");
    mgi_probe_expect(p, is_limit(answer), "no limit ends it");
    mgi_probe_expect(p, mgi_clock_mono_ns() - begun_ns < 3000 * NS_PER_MS, "it took too long");
}

static void play_timeout(struct probe *p)
{
    int64_t begun_ns = mgi_clock_mono_ns();
    const struct json *answer =
        mgi_probe_intent(p, "fx.slow", "", ",'constraints':{'max_compute_ms':50}");
    mgi_probe_refused(p, answer, "evaluation_timeout");
    mgi_probe_expect(p, mgi_int_at(answer, "/payload/details/budget/limit") == 50, "limit");
    mgi_probe_expect(p, mgi_clock_mono_ns() - begun_ns < 2000 * NS_PER_MS, "it took too long");
}

static void play_many_intervals(struct probe *p)
{
    const char *apart = mgi_repeat(
        p, "{'pred':'fx_event','args':['a','b'],'t':{'at':'2026-07-04T12:0%d:00Z'}}", 10);
    const char *more = ",'constraints':{'max_intervals_per_atom':5}";
    const struct json *answer = mgi_probe_intent(p, "fx.recent", apart, more);
    mgi_probe_refused(p, answer, "interval_limit_exceeded");
    mgi_probe_expect(p, mgi_int_at(answer, "/payload/details/budget/limit") == 5, "limit");
}

static void play_hazard(struct probe *p)
{
    const struct json *answer = mgi_probe_intent(p, "fx.runaway", "", "");
    struct str message = mgi_text_at(answer, "/payload/message");
    struct str text = answer ? answer->text : (struct str){ NULL, 0 };
    mgi_probe_expect(p,
                     message.len > 0 && (mgi_str_find(text, STR_LIT("interval")) != SIZE_MAX ||
                                         mgi_str_find(text, STR_LIT("temporal")) != SIZE_MAX),
                     "the error does not speak of time: %.*s", STR_ARG(message));
}

const struct test_case mgi_cases_budget[] = {
    { "P-BUDGET-8 P-EVAL-8", "a rule that feeds itself is stopped, again and again", OVER_ANY, 0,
      play_runaway },
    { "P-BUDGET-4", "it is stopped in time", OVER_ANY, 0, play_runaway_watched },
    { "P-BUDGET-9", "an evaluation that takes too long is stopped", OVER_ANY, 0, play_timeout },
    { "P-BUDGET-7", "an atom of too many intervals", OVER_ANY, 0, play_many_intervals },
    { "P-ERR-10", "the hazard is named", OVER_ANY, 0, play_hazard },
    { 0 },
};
