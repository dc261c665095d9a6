/* The time of an evaluation, and how long a tool is valid. What one answer shows is in
 * cases_choice.c. */
#include "base/time.h"
#include "conformance/conformance_int.h"
#include "protocol/wire_time.h"
#include "sys/clock.h"

#define EVENT_NOON "{'pred':'fx_event','args':['door','open'],'t':{'at':'" NOON "'}}"

static void play_time_used(struct probe *p)
{
    const struct json *answer =
        mgi_probe_intent(p, "fx.rank", "", ",'eval_time':'2026-07-04T14:00:00+02:00'");
    mgi_probe_expect(p, mgi_is_at(answer, "/payload/eval_time_used", NOON),
                     "eval_time_used is another instant");
}

static bool read_instant(struct str text, int64_t *ns)
{
    const struct json v = { .type = JSON_STRING, .text = text, .string = text };
    return mgi_wire_time(&v, WIRE_TIME_RFC3339, ns, NULL) == WIRE_TIME_INSTANT;
}

static void play_own_clock(struct probe *p)
{
    static const char *const ways[] = { "", ",'eval_time':null", ",'eval_time':'now'" };
    for (size_t i = 0; i < 3; i++) {
        int64_t used_ns = 0, now_ns = mgi_clock_real_ns();
        const struct json *answer = mgi_probe_intent(p, "fx.rank", "", ways[i]);
        bool read = read_instant(mgi_text_at(answer, "/payload/eval_time_used"), &used_ns);
        int64_t off_ms = (used_ns - now_ns) / NS_PER_MS;
        mgi_probe_expect(p, read && off_ms > -60000 && off_ms < 60000,
                         "eval_time_used is %d s away from the time it was asked",
                         (int)(off_ms / 1000));
    }
}

static void play_window(struct probe *p)
{
    const struct json *tool = mgi_tool_in(
        mgi_probe_intent(p, "fx.recent", EVENT_NOON, ",'eval_time':'2026-07-04T12:01:00Z'"),
        "fx_recent");
    mgi_probe_expect(p, mgi_is_at(tool, "/validity/expires_at", "2026-07-04T12:05:00Z"),
                     "expires_at is not the moment its rule stops firing");
    mgi_probe_expect(p, mgi_is_at(tool, "/validity/not_before", "2026-07-04T12:01:00Z"),
                     "not_before is not the evaluation time");
}

static void play_no_window(struct probe *p)
{
    const struct json *tool = mgi_probe_tool(p, "fx.echo", BASIC, "fx_echo");
    mgi_probe_expect(p, tool && !mgi_at(tool, "/validity/expires_at"),
                     "a tool that rests on no time ends");
}

static void play_expired_tool(struct probe *p)
{
    const struct json *tool = mgi_tool_in(
        mgi_probe_intent(p, "fx.over", "{'pred':'fx_event','args':['a','b'],'t':{'at':'now'}}",
                         ",'eval_time':'2020-01-01T00:00:00Z'"),
        "fx_over");
    const struct json *answer = mgi_probe_invoke(p, mgi_text_at(tool, "/macro_id"), "{}",
                                                 ",'eval_time':'2020-01-01T00:00:01Z'");
    mgi_probe_refused(p, answer, "macro_expired");
    mgi_probe_expect(p, mgi_is_at(answer, "/payload/details/reason", "expired"), "reason");
}

static void play_early_tool(struct probe *p)
{
    const struct json *tool = mgi_tool_in(
        mgi_probe_intent(p, "fx.early", "{'pred':'fx_event','args':['a','b'],'t':{'at':'now'}}",
                         ",'eval_time':'2200-01-01T00:00:00Z'"),
        "fx_early");
    const struct json *answer = mgi_probe_invoke(p, mgi_text_at(tool, "/macro_id"), "{}", "");
    mgi_probe_refused(p, answer, "macro_expired");
    mgi_probe_expect(p, mgi_is_at(answer, "/payload/details/reason", "not_yet_valid"), "reason");
}

/* A temporal fact of a delta, sent back as it is. */
static void play_fed_back(struct probe *p)
{
    const struct json *tool = mgi_probe_tool(p, "fx.mark", "", "fx_mark");
    const struct json *answer =
        mgi_probe_invoke(p, mgi_text_at(tool, "/macro_id"), "{'label':'l'}", "");
    const struct json *asserted = mgi_at(answer, "/payload/state_delta/assert");
    mgi_probe_expect(p, asserted && asserted->count > 0, "nothing is asserted");
    for (uint32_t i = 0; asserted && i < asserted->count; i++) {
        const struct json *fact = &asserted->items[i];
        bool timed = mgi_at(fact, "/t/start") != NULL;
        const char *text = mgi_arena_printf(&p->memory, "%.*s", STR_ARG(fact->text));
        const struct json *next = text ? mgi_probe_intent(p, "fx.recent", text, "") : NULL;
        mgi_probe_is(p, next, "intent_response");
        mgi_probe_expect(p, !timed || mgi_tool_in(next, "fx_recent"),
                         "the temporal fact does not mean what it did");
    }
}

const struct test_case mgi_cases_time[] = {
    { "P-TIME-15", "the evaluation time that was used is told", OVER_ANY, 0, play_time_used },
    { "P-TIME-14 P-TIME-15", "without one it is the server's clock", OVER_ANY, 0, play_own_clock },
    { "P-TOOL-17 P-TOOL-16", "a tool is valid as long as its facts support it", OVER_ANY, 0,
      play_window },
    { "P-TOOL-16", "a tool that rests on no time does not end", OVER_ANY, 0, play_no_window },
    { "P-INV-3 P-HTTP-15 P-INV-7", "a tool is over by the server's clock", OVER_ANY, 0,
      play_expired_tool },
    { "P-INV-3", "a tool of the future is not valid yet", OVER_ANY, 0, play_early_tool },
    { "P-TIME-17 P-DELTA-10 P-DELTA-3", "facts of a delta can be sent back as they are", OVER_ANY,
      0, play_fed_back },
    { 0 },
};
