/* Where a page is that keeps its thread to itself. While a command waits for it, it is stopped now
 * and then, says with which stack, and is told to go on: a few times, further and further apart, so
 * that it costs a long task little and a quick one nothing.
 *
 * A page that is stopped does what stands in its queue, in the midst of its task: so only what
 * nothing stands behind is waited for in this way, and no sign of life. */
#include <time.h>

#include "live_int.h"

#define LONG_MS     350 /* a page that does not answer for so long is held up by itself */
#define STOPS_MOST  12  /* of one wait */
#define METRICS_MS  150
#define FRAMES_TOLD 8

/* The page's addresses are told with its scripts. */
static void put_frame(struct json_writer *w, const struct json *frame)
{
    const struct json *at = mgi_json_get(frame, "location");
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "script", mgi_member_string(at, "scriptId"));
    mgi_jw_member_str(w, "name", mgi_member_string(frame, "functionName"));
    mgi_jw_member_int(w, "line", mgi_member_whole(at, "lineNumber", -1));
    mgi_jw_member_int(w, "column", mgi_member_whole(at, "columnNumber", -1));
    mgi_jw_end_object(w);
}

/* An event that was written into `text`, which is freed. */
static void add_event(struct live *l, struct str name, const char *method, struct buf *text,
                      double t)
{
    struct arena arena;
    struct json told;
    mgi_arena_init(&arena, 1u << 20);
    if (mgi_json_take(&arena, text, &told))
        mgi_trace_add(l->trace, t, name, str_of(method), &told);
    mgi_arena_fini(&arena);
}

void mgi_live_keep_look(struct live *l, struct str name, const struct json *params, double t)
{
    const struct json *frames = mgi_json_get(params, "callFrames");
    struct buf text;
    struct json_writer w;
    if (!frames || frames->type != JSON_ARRAY || frames->count == 0)
        return;
    mgi_buf_init(&text);
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "k", "busy");
    mgi_jw_key(&w, "frames");
    mgi_jw_begin_array(&w);
    for (uint32_t i = 0; i < frames->count && i < FRAMES_TOLD; i++)
        put_frame(&w, &frames->items[i]);
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
    add_event(l, name, "Machina.busy", &text, t);
}

/* ---- what it is spent on ----------------------------------------------------------------------
 */

static double wall_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1e6;
}

static double metric(const struct json *all, const char *name)
{
    for (uint32_t i = 0; all && all->type == JSON_ARRAY && i < all->count; i++)
        if (str_is(mgi_member_string(&all->items[i], "name"), name))
            return mgi_member_number(&all->items[i], "value", 0);
    return 0;
}

/* Counted since the document began: two of them tell what was between. */
static void keep_spent(struct live *l, struct str reply)
{
    struct buf text;
    struct json_writer w;
    struct arena arena;
    struct json v;
    mgi_arena_init(&arena, 1u << 20);
    if (mgi_json_parse(&arena, reply, NULL, &v, NULL) == JSON_OK) {
        const struct json *all = mgi_json_get(mgi_json_get(&v, "result"), "metrics");
        double layout_s = metric(all, "LayoutDuration") + metric(all, "RecalcStyleDuration");
        mgi_buf_init(&text);
        mgi_json_writer_init(&w, &text, 0);
        mgi_jw_begin_object(&w);
        mgi_jw_member_cstr(&w, "k", "spent");
        mgi_jw_key(&w, "at");
        mgi_jw_float(&w, metric(all, "Timestamp") * 1000);
        mgi_jw_key(&w, "layout");
        mgi_jw_float(&w, layout_s * 1000);
        mgi_jw_key(&w, "layouts");
        mgi_jw_float(&w, metric(all, "LayoutCount"));
        mgi_jw_end_object(&w);
        add_event(l, STR_LIT("p"), "Machina.spent", &text, wall_now_ms());
    }
    mgi_arena_fini(&arena);
}

/* Both are answered in the midst of a task. */
static void look(struct live *l, const struct talk_patience *patience)
{
    struct talk_question q;
    struct talk_patience brief = *patience;
    struct buf reply;
    int64_t until_ms = mgi_talk_now_ms() + METRICS_MS;
    brief.until_ms = until_ms < brief.until_ms ? until_ms : brief.until_ms;
    mgi_buf_init(&reply);
    mgi_talk_send(l->talk, LIVE_SESSION(l), "Performance.getMetrics", STR_LIT(""), &reply, &q);
    if (mgi_talk_await(l->talk, &q, &brief) == TALK_ANSWERED)
        keep_spent(l, mgi_buf_view(&reply));
    mgi_talk_forget(l->talk, &q);
    mgi_buf_fini(&reply);
    pthread_mutex_lock(&l->lock);
    l->looks++;
    pthread_mutex_unlock(&l->lock);
    mgi_talk_tell(l->talk, LIVE_SESSION(l), "Debugger.pause", STR_LIT(""));
}

enum talk_answer mgi_live_await(struct live *l, struct talk_question *question,
                                const struct talk_patience *patience)
{
    int64_t begun = mgi_talk_now_ms(), wait = LONG_MS;
    for (int i = 0; i < STOPS_MOST; i++) {
        struct talk_patience brief = *patience;
        if (brief.until_ms > begun + wait)
            brief.until_ms = begun + wait;
        enum talk_answer answer = mgi_talk_await(l->talk, question, &brief);
        if (answer != TALK_LATE || brief.until_ms == patience->until_ms)
            return answer;
        look(l, patience);
        wait += wait / 3;
    }
    return mgi_talk_await(l->talk, question, patience);
}
