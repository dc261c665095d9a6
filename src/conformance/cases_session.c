/* Several requests on one connection: order, progress, giving up. */
#include <stdio.h>

#include "base/time.h"
#include "conformance/conformance_int.h"
#include "sys/clock.h"

#define SLOW_SIZE "120" /* of fx_slow: some hundred milliseconds and more */

static void play_burst(struct probe *p)
{
    enum { COUNT = 20 };
    char ids[COUNT][48];
    bool heard[COUNT] = { false };
    struct wire *w = mgi_probe_wire(p);
    for (int i = 0; i < COUNT && w; i++) {
        (void)mgi_probe_say(p, w, GOOD);
        snprintf(ids[i], sizeof ids[i], "%s", p->id);
    }
    for (int i = 0; i < COUNT && w && !p->failed; i++) {
        const struct json *answer = mgi_probe_answer(p, w);
        bool known = false;
        for (int k = 0; k < COUNT; k++)
            if (mgi_is_at(answer, "/id", ids[k])) {
                mgi_probe_expect(p, !heard[k], "two answers to %s", ids[k]);
                heard[k] = known = true;
            }
        mgi_probe_expect(p, known, "an answer to nothing");
    }
}

static void play_mixed(struct probe *p)
{
    struct wire *w = mgi_probe_wire(p);
    const struct json *tool = mgi_probe_tool(p, "fx.echo", BASIC, "fx_echo");
    char id[160], label[16];
    snprintf(id, sizeof id, "%.*s", STR_ARG(mgi_text_at(tool, "/macro_id")));
    for (int i = 0; i < 10 && w; i++) {
        const char *invoke =
            mgi_arena_printf(&p->memory,
                             "{'type':'invoke_request','id':'mixed-%d','manglecp':'" VERSION_TEXT
                             "','payload':{'macro_id':'%s','args':{'label':'mixed-%d'}}}",
                             i, id, i);
        (void)(invoke && mgi_probe_say(p, w, invoke) && mgi_probe_say(p, w, GOOD));
    }
    for (int i = 0; i < 20 && w && !p->failed; i++) {
        const struct json *answer = mgi_probe_answer(p, w);
        if (!mgi_is_at(answer, "/type", "invoke_response"))
            continue;
        snprintf(label, sizeof label, "%.*s", STR_ARG(mgi_text_at(answer, "/id")));
        mgi_probe_expect(p, mgi_is_at(answer, "/payload/result/label", label),
                         "%s has the result of another one", label);
    }
}

static void play_same_id(struct probe *p)
{
    static const char twice[] = "{'type':'intent_request','id':'same','manglecp':'" VERSION_TEXT
                                "','payload':{'intent':{'name':'fx.slow','params':{'size':150}}}}";
    struct wire *w = mgi_probe_wire(p);
    if (!w || !mgi_probe_say(p, w, twice) || !mgi_probe_say(p, w, twice))
        return;
    const struct json *first = mgi_probe_answer(p, w), *id = mgi_at(first, "/id");
    mgi_probe_refused(p, first, "malformed_message");
    mgi_probe_expect(p, id && id->type == JSON_NULL, "its id is not null");
    mgi_probe_expect(p, mgi_is_at(first, "/payload/details/reason", "duplicate_id"), "reason");
    const struct json *second = mgi_probe_answer(p, w);
    mgi_probe_expect(p, mgi_is_at(second, "/id", "same"), "the first request has no answer");
}

/* fx_slow is under way under the id "slow" after this. */
static bool start_slow(struct probe *p, struct wire *w, const char *size)
{
    const struct json *tool = mgi_probe_tool(p, "fx.after", "", "fx_slow");
    const char *text =
        mgi_arena_printf(&p->memory,
                         "{'type':'invoke_request','id':'slow','manglecp':'" VERSION_TEXT
                         "','payload':{'macro_id':'%.*s','args':{'size':%s}}}",
                         STR_ARG(mgi_text_at(tool, "/macro_id")), size);
    return w && text && mgi_probe_say(p, w, text);
}

#define CANCEL_SLOW                                                                                \
    "{'type':'cancel','id':null,'manglecp':'" VERSION_TEXT "','payload':{'request_id':'slow'}}"

static void play_cancel(struct probe *p)
{
    struct wire *w = mgi_probe_wire(p);
    enum heard end;
    if (!start_slow(p, w, "900"))
        return;
    (void)mgi_probe_hear(p, w, 300, &end); /* perhaps its progress */
    int64_t begun_ns = mgi_clock_mono_ns();
    (void)mgi_probe_say(p, w, CANCEL_SLOW);
    const struct json *answer = mgi_probe_answer(p, w);
    int64_t took_ms = (mgi_clock_mono_ns() - begun_ns) / NS_PER_MS;
    mgi_probe_refused(p, answer, "cancelled");
    mgi_probe_expect(p, mgi_is_at(answer, "/id", "slow"), "another id");
    mgi_probe_expect(p, took_ms < 5000, "it took %d ms", (int)took_ms);
    const struct json *after = mgi_probe_hear(p, w, 200, &end);
    mgi_probe_expect(p, !after, "something more came: %.*s",
                     after ? (int)(after->text.len < 200 ? after->text.len : 200) : 0,
                     after ? after->text.ptr : "");
    mgi_probe_is(p, mgi_probe_ask(p, GOOD), "intent_response");
}

static void play_cancel_late(struct probe *p)
{
    struct wire *w = mgi_probe_wire(p);
    if (!start_slow(p, w, "1"))
        return;
    (void)mgi_probe_say(p, w, CANCEL_SLOW);
    const struct json *answer = mgi_probe_answer(p, w);
    mgi_probe_expect(p, mgi_is_at(answer, "/id", "slow"), "another id");
    mgi_probe_is(p, mgi_probe_ask(p, GOOD), "intent_response");
}

static void play_cancel_nothing(struct probe *p)
{
    enum heard end;
    struct wire *w = mgi_probe_wire(p);
    if (w)
        (void)mgi_probe_say(p, w, CANCEL_SLOW);
    mgi_probe_expect(p, w && !mgi_probe_hear(p, w, 200, &end) && end == HEARD_NOTHING,
                     "it was answered");
    mgi_probe_is(p, mgi_probe_ask(p, GOOD), "intent_response");
}

static void play_progress(struct probe *p)
{
    struct wire *w = mgi_probe_wire(p);
    double percent = -1;
    enum heard end;
    const struct json *m = NULL;
    if (!start_slow(p, w, SLOW_SIZE))
        return;
    for (int n = 0; n < 1000; n++) {
        m = mgi_probe_hear(p, w, p->options->timeout_ms, &end);
        if (!m || !mgi_is_at(m, "/type", "progress"))
            break;
        int64_t now = mgi_int_at(m, "/payload/percent");
        mgi_probe_expect(p, mgi_is_at(m, "/id", "slow"), "progress of another id");
        mgi_probe_expect(p, n == 0 || !mgi_is_at(m, "/payload/status", "started"),
                         "it starts twice");
        mgi_probe_expect(p, now < 0 || (double)now >= percent, "percent falls");
        percent = now < 0 ? percent : (double)now;
    }
    mgi_probe_is(p, m, "invoke_response");
    mgi_probe_expect(p, !mgi_probe_hear(p, w, 100, &end), "something came after the end");
}

static void play_order_is_free(struct probe *p)
{
    struct wire *w = mgi_probe_wire(p);
    if (!start_slow(p, w, SLOW_SIZE) || !mgi_probe_say(p, w, GOOD))
        return;
    for (int i = 0; i < 2; i++)
        (void)mgi_probe_answer(p, w);
}

const struct test_case mgi_cases_session[] = {
    { "P-CONC-1 P-CONC-10 P-CONC-2", "each of twenty at once has its answer", OVER_SESSIONS, 0,
      play_burst },
    { "P-CONC-2 P-CONC-10", "answers of different kinds keep their ids", OVER_SESSIONS, 0,
      play_mixed },
    { "P-CONC-3", "a slow one and a fast one, in either order", OVER_SESSIONS, 0,
      play_order_is_free },
    { "P-ENV-2 P-CONC-10", "an id that is open is refused, and the first is unharmed",
      OVER_SESSIONS, 0, play_same_id },
    { "P-CONC-5 P-CONC-6 P-CONC-7", "a cancelled invocation ends as cancelled, soon, once",
      OVER_SESSIONS, 0, play_cancel },
    { "P-CONC-8", "a cancel that comes too late", OVER_SESSIONS, 0, play_cancel_late },
    { "P-CONC-5", "a cancel of nothing is let be", OVER_SESSIONS, 0, play_cancel_nothing },
    { "P-PROG-1 P-PROG-4 P-PROG-5 P-PROG-7 P-PROG-8", "progress belongs to its invocation and ends",
      OVER_SESSIONS, 0, play_progress },
    { 0 },
};
