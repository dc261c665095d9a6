/* Asking the page in front for what it does not tell by itself, into the trace: the bodies of what
 * has been answered, source around the places of errors, counters, storage, what is shown. What is
 * asked for is bounded here, and what fails is left out: a page that goes away meanwhile is no
 * failure of an observation. */
#include <stdio.h>
#include <time.h>

#include "live_int.h"

#define ASK_MS        3000 /* each; a busy page is no reason to wait for all of them */
#define ALL_MS        6000
#define BODY_SHOWN    200000 /* bytes kept of a body */
#define BODIES_MOST   128    /* of an observation */
#define LINES_AROUND  3
#define LINE_SHOWN    300
#define SAMPLE_GAP_MS 600
#define STATE_MS      4000

struct gathering {
    struct job *job;
    struct live *l;
    int64_t until_ms;
    double t_ms;
};

/* ---- asking --------------------------------------------------------------------------------- */

/* As mgi_live_ask(), but what fails fails quietly. */
static bool ask_softly(const struct gathering *g, struct str session, const char *method,
                       struct str params, struct json *result)
{
    int64_t left = g->until_ms - mgi_talk_now_ms();
    struct buf none;
    struct buf *said = g->job->error;
    if (left <= 0)
        return false;
    mgi_buf_init(&none);
    g->job->error = &none;
    bool good =
        mgi_live_ask(g->job, session, method, params, left < ASK_MS ? left : ASK_MS, result);
    g->job->error = said;
    mgi_buf_fini(&none);
    return good && result->type == JSON_OBJECT;
}

static void note(const struct gathering *g, const char *target, const char *method,
                 const struct json *params)
{
    mgi_trace_add(g->l->trace, g->t_ms, str_of(target), str_of(method), params);
}

/* The object that was written into `text`, as an event. `text` is freed. */
static void note_text(const struct gathering *g, const char *target, const char *method,
                      struct buf *text)
{
    struct json v;
    if (mgi_json_take(g->job->arena, text, &v))
        note(g, target, method, &v);
}

/* ---- bodies --------------------------------------------------------------------------------- */

static bool take_answered(struct live *l, size_t at, struct live_answered *out)
{
    pthread_mutex_lock(&l->lock);
    bool there = at < l->answered_count;
    if (there)
        *out = l->answered[at];
    pthread_mutex_unlock(&l->lock);
    return there;
}

static void gather_body(const struct gathering *g, const struct live_answered *a)
{
    struct json reply;
    struct buf text;
    struct json_writer w;
    struct arena_mark mark = mgi_arena_mark(g->job->arena);
    struct str params = mgi_live_params(g->job, "{\"requestId\":%.*s}",
                                        STR_ARG(mgi_live_quoted(g->job, str_of(a->id))));
    if (ask_softly(g, str_of(a->session), "Network.getResponseBody", params, &reply)) {
        const struct json *encoded = mgi_json_get(&reply, "base64Encoded");
        bool base64 = encoded && encoded->type == JSON_BOOL && encoded->boolean;
        struct str body = mgi_member_string(&reply, "body");
        struct str kept = mgi_utf8_prefix(body, BODY_SHOWN);
        mgi_buf_init(&text);
        mgi_json_writer_init(&w, &text, 0);
        mgi_jw_begin_object(&w);
        mgi_jw_member_cstr(&w, "requestId", a->id);
        mgi_jw_member_str(&w, base64 ? "base64" : "text", kept);
        mgi_jw_member_int(&w, "length", (int64_t)body.len);
        if (kept.len < body.len)
            mgi_jw_member_bool(&w, "cut", true);
        mgi_jw_end_object(&w);
        note_text(g, a->name, "Machina.body", &text);
    }
    mgi_arena_rewind(g->job->arena, mark);
}

/* Each body is asked for once. */
static void gather_bodies(const struct gathering *g)
{
    struct live_answered one;
    size_t done = 0;
    while (done < BODIES_MOST && mgi_talk_now_ms() < g->until_ms && take_answered(g->l, done, &one))
        gather_body(g, &one), done++;
    pthread_mutex_lock(&g->l->lock);
    size_t left = g->l->answered_count - done;
    memmove(g->l->answered, g->l->answered + done, left * sizeof g->l->answered[0]);
    g->l->answered_count = left;
    pthread_mutex_unlock(&g->l->lock);
}

/* ---- source at errors ----------------------------------------------------------------------- */

/* The part of a long line in which column `column` stands; scripts may be one line in all. */
static struct str shown_part(struct str line, int64_t column, int64_t *from)
{
    size_t begin = 0;
    if (line.len > LINE_SHOWN && column > LINE_SHOWN / 2)
        begin = (size_t)column - LINE_SHOWN / 2;
    if (begin > line.len)
        begin = line.len;
    while (begin > 0 && begin < line.len && ((unsigned char)line.ptr[begin] & 0xc0) == 0x80)
        begin--;
    *from = (int64_t)begin;
    return mgi_utf8_prefix((struct str){ line.ptr + begin, line.len - begin }, LINE_SHOWN);
}

static void put_lines(struct json_writer *w, struct str source, const struct live_place *p)
{
    int64_t number = 0, from = 0, first = p->line > LINES_AROUND ? p->line - LINES_AROUND : 0;
    mgi_jw_member_int(w, "first", first);
    mgi_jw_key(w, "lines");
    mgi_jw_begin_array(w);
    for (size_t at = 0; at <= source.len && number <= p->line + LINES_AROUND; number++) {
        const char *end = memchr(source.ptr + at, '\n', source.len - at);
        size_t len = end ? (size_t)(end - source.ptr) - at : source.len - at;
        int64_t begin = 0;
        if (number >= first) {
            struct str line = { source.ptr + at, len };
            mgi_jw_string(w, shown_part(line, number == p->line ? p->column : 0, &begin));
            from = number == p->line ? begin : from;
        }
        at += len + 1;
    }
    mgi_jw_end_array(w);
    mgi_jw_member_int(w, "column_from", from);
}

static void gather_source(const struct gathering *g, const struct live_place *p)
{
    struct json reply;
    struct buf text;
    struct json_writer w;
    struct arena_mark mark = mgi_arena_mark(g->job->arena);
    struct str params = mgi_live_params(g->job, "{\"scriptId\":%.*s}",
                                        STR_ARG(mgi_live_quoted(g->job, str_of(p->script))));
    if (ask_softly(g, str_of(p->session), "Debugger.getScriptSource", params, &reply)) {
        mgi_buf_init(&text);
        mgi_json_writer_init(&w, &text, 0);
        mgi_jw_begin_object(&w);
        mgi_jw_member_cstr(&w, "scriptId", p->script);
        mgi_jw_member_cstr(&w, "url", p->url);
        mgi_jw_member_int(&w, "line", p->line);
        mgi_jw_member_int(&w, "column", p->column);
        put_lines(&w, mgi_member_string(&reply, "scriptSource"), p);
        mgi_jw_end_object(&w);
        note_text(g, p->name, "Machina.source", &text);
    }
    mgi_arena_rewind(g->job->arena, mark);
}

static void gather_sources(const struct gathering *g)
{
    for (size_t i = 0; i < LIVE_PLACES && mgi_talk_now_ms() < g->until_ms; i++) {
        pthread_mutex_lock(&g->l->lock);
        struct live_place place = g->l->places[i];
        bool due = i < g->l->place_count && !place.asked;
        g->l->places[i].asked |= due;
        pthread_mutex_unlock(&g->l->lock);
        if (due)
            gather_source(g, &place);
    }
}

/* ---- numbers -------------------------------------------------------------------------------- */

static double number_of(const struct json *v, const char *name)
{
    const struct json *n = mgi_json_get(v, name);
    return n && n->type == JSON_INT     ? (double)n->integer
           : n && n->type == JSON_FLOAT ? n->number
                                        : 0;
}

static int64_t whole_number(double n)
{
    return n > -1e15 && n < 1e15 ? (int64_t)n : 0;
}

static int64_t count_of(const struct json *v, const char *name)
{
    return whole_number(number_of(v, name));
}

/* The highest of what was measured; 0 of what cannot be asked. */
static double metric_of(const struct json *metrics, const char *name)
{
    const struct json *all = mgi_json_get(metrics, "metrics");
    for (uint32_t i = 0; all && all->type == JSON_ARRAY && i < all->count; i++)
        if (str_is(mgi_member_string(&all->items[i], "name"), name))
            return number_of(&all->items[i], "value");
    return 0;
}

/* Garbage is collected first: what only waits for that has not grown. */
static bool sample_counters(const struct gathering *g, struct live_counters *out)
{
    struct json done, counters, heap, metrics;
    if (!ask_softly(g, LIVE_SESSION(g->l), "HeapProfiler.collectGarbage", STR_LIT(""), &done) ||
        !ask_softly(g, LIVE_SESSION(g->l), "Memory.getDOMCounters", STR_LIT(""), &counters) ||
        !ask_softly(g, LIVE_SESSION(g->l), "Runtime.getHeapUsage", STR_LIT(""), &heap) ||
        !ask_softly(g, LIVE_SESSION(g->l), "Performance.getMetrics", STR_LIT(""), &metrics))
        return false;
    *out = (struct live_counters){
        .documents = count_of(&counters, "documents"),
        .nodes = count_of(&counters, "nodes"),
        .listeners = count_of(&counters, "jsEventListeners"),
        .heap = count_of(&heap, "usedSize"),
        .layouts = whole_number(metric_of(&metrics, "LayoutCount")),
    };
    pthread_mutex_lock(&g->l->lock);
    out->timers = g->l->timers;
    out->sockets = g->l->sockets;
    out->mutations = g->l->mutations;
    pthread_mutex_unlock(&g->l->lock);
    return true;
}

static void note_counters(const struct gathering *g, const struct live_counters *c)
{
    const struct {
        const char *name;
        int64_t value;
    } all[] = { { "documents", c->documents },
                { "nodes", c->nodes },
                { "jsEventListeners", c->listeners },
                { "heap", c->heap },
                { "layouts", c->layouts },
                { "timers", c->timers },
                { "sockets", c->sockets },
                { "mutations", c->mutations } };
    struct buf text;
    struct json_writer w;
    mgi_buf_init(&text);
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_bool(&w, "collected", true);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mgi_jw_member_int(&w, all[i].name, all[i].value);
    mgi_jw_end_object(&w);
    note_text(g, "p", "Machina.counters", &text);
}

/* Layouts and changes count up in any page; that is for whoever compares rates. */
static bool rose(const struct live_counters *a, const struct live_counters *b)
{
    return b->documents > a->documents || b->nodes > a->nodes || b->listeners > a->listeners ||
           b->timers > a->timers || b->sockets > a->sockets || b->heap > a->heap + a->heap / 8;
}

static double now_wall_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1e6;
}

/* Enough more to look for who made it: caches fill, garbage is counted roughly. */
static bool rose_much(const struct live_counters *a, const struct live_counters *b)
{
    return b->heap > a->heap + 150000 || b->nodes > a->nodes + 20 ||
           b->listeners > a->listeners + 10;
}

/* A page that grew each time it was looked at has what it makes sampled from then on, until it
 * grows no more. */
static void gather_held(const struct gathering *g, bool more)
{
    struct live *l = g->l;
    struct json reply;
    bool sampled = l->sampling;
    l->rising = more ? l->rising + 1 : 0;
    if (!sampled && l->rising >= 2) {
        l->sampling = ask_softly(g, LIVE_SESSION(l), "HeapProfiler.startSampling",
                                 STR_LIT("{\"samplingInterval\":16384}"), &reply);
    } else if (sampled) {
        struct arena_mark mark = mgi_arena_mark(g->job->arena);
        const char *ask = more ? "HeapProfiler.getSamplingProfile" : "HeapProfiler.stopSampling";
        l->sampling = ask_softly(g, LIVE_SESSION(l), ask, STR_LIT(""), &reply) && more;
        if (l->sampling)
            mgi_live_note_held(l, g->job->arena, mgi_json_get(&reply, "profile"), g->t_ms);
        mgi_arena_rewind(g->job->arena, mark);
    }
}

/* A sample, and two more a moment later if it is above the one before: growth is what goes on. */
static void gather_counters(struct gathering *g)
{
    struct live_counters now, before = g->l->counters;
    bool counted = g->l->counted;
    for (int i = 0; i < 3 && sample_counters(g, &now); i++) {
        g->t_ms = now_wall_ms();
        note_counters(g, &now);
        bool more = g->l->counted && rose(&g->l->counters, &now);
        g->l->counters = now;
        g->l->counted = true;
        if (!more || i == 2)
            break;
        mgi_live_pause(g->job, SAMPLE_GAP_MS);
    }
    if (counted && g->l->counted)
        gather_held(g, rose_much(&before, &g->l->counters));
}

bool mgi_live_sample(struct job *job)
{
    struct live *l = &mgi_live;
    struct gathering g = { .job = job, .l = l, .t_ms = now_wall_ms() };
    struct live_counters now;
    g.until_ms = mgi_live_patience(job, ASK_MS).until_ms;
    if (!l->talk || !sample_counters(&g, &now))
        return false;
    note_counters(&g, &now);
    l->counters = now;
    l->counted = true;
    return true;
}

static void gather_metrics(const struct gathering *g)
{
    struct json reply;
    struct buf text;
    struct json_writer w;
    if (!ask_softly(g, LIVE_SESSION(g->l), "Performance.getMetrics", STR_LIT(""), &reply))
        return;
    const struct json *all = mgi_json_get(&reply, "metrics");
    mgi_buf_init(&text);
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    for (uint32_t i = 0; all && all->type == JSON_ARRAY && i < all->count; i++) {
        mgi_jw_key_str(&w, mgi_member_string(&all->items[i], "name"));
        mgi_jw_float(&w, number_of(&all->items[i], "value"));
    }
    mgi_jw_end_object(&w);
    note_text(g, "p", "Machina.metrics", &text);
}

/* Of the whole origin as the browser counts, and of the two stores that it counts apart. */
static void gather_quota(const struct gathering *g, const struct json *state)
{
    struct json reply;
    struct buf text;
    struct json_writer w;
    struct str origin = mgi_url_origin(mgi_member_string(state, "url"));
    if (!mgi_str_starts(origin, STR_LIT("http")))
        return;
    struct str params =
        mgi_live_params(g->job, "{\"origin\":%.*s}", STR_ARG(mgi_live_quoted(g->job, origin)));
    if (!ask_softly(g, LIVE_SESSION(g->l), "Storage.getUsageAndQuota", params, &reply))
        return;
    const struct json *parts = mgi_json_get(&reply, "usageBreakdown");
    mgi_buf_init(&text);
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_int(&w, "usage", count_of(&reply, "usage"));
    mgi_jw_member_int(&w, "quota", count_of(&reply, "quota"));
    mgi_jw_member_int(&w, "local_storage", count_of(state, "local"));
    mgi_jw_member_int(&w, "session_storage", count_of(state, "session"));
    if (parts) {
        mgi_jw_key(&w, "usageBreakdown");
        mgi_jw_value(&w, parts);
    }
    mgi_jw_end_object(&w);
    note_text(g, "p", "Machina.quota", &text);
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* What is in front is the empty page in which another one was not opened. */
static void note_unreached(const struct gathering *g)
{
    struct buf text;
    struct json_writer w;
    mgi_buf_init(&text);
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "url", g->l->unreached);
    mgi_jw_member_cstr(&w, "title", "");
    mgi_jw_member_cstr(&w, "state", "failed");
    mgi_jw_end_object(&w);
    note_text(g, "p", "Machina.state", &text);
}

/* False: the page is too busy to say, or there is none; then there is the less to ask for. */
static bool gather_state(const struct gathering *g, struct json *state)
{
    struct buf none, *said = g->job->error;
    mgi_buf_init(&none);
    g->job->error = &none;
    bool good = mgi_live_run_within(g->job, mgi_live_state_script, STR_LIT(""), STATE_MS, state) &&
                state->type == JSON_OBJECT;
    g->job->error = said;
    mgi_buf_fini(&none);
    if (good && g->l->unreached[0] && str_is(mgi_member_string(state, "url"), "about:blank"))
        note_unreached(g);
    else if (good)
        note(g, "p", "Machina.state", state);
    return good;
}

/* What a script tells of the document; a page that does not say has nothing to say. */
static void gather_told(const struct gathering *g, const char *script, const char *event)
{
    struct json told;
    struct buf none, *said = g->job->error;
    mgi_buf_init(&none);
    g->job->error = &none;
    if (mgi_live_run_within(g->job, script, STR_LIT(""), STATE_MS, &told) &&
        told.type == JSON_OBJECT)
        note(g, "p", event, &told);
    g->job->error = said;
    mgi_buf_fini(&none);
}

/* What has no room, and what nobody sees. */
static void gather_room(const struct gathering *g)
{
    gather_told(g, mgi_live_room_script, "Machina.room");
    gather_told(g, mgi_live_veil_script, "Machina.veil");
}

bool mgi_live_gather(struct job *job)
{
    struct live *l = &mgi_live;
    struct json state;
    if (!l->talk || !l->trace)
        return mgi_job_fail(job, "there is no live page");
    if (!mgi_live_be_sure(job))
        return false;
    struct gathering g = { .job = job, .l = l, .t_ms = now_wall_ms() };
    g.until_ms = mgi_live_patience(job, ALL_MS).until_ms;
    if (gather_state(&g, &state)) {
        gather_room(&g);
        gather_counters(&g);
        gather_metrics(&g);
        gather_quota(&g, &state);
        gather_sources(&g); /* the page's own thread tells it; bodies are the browser's */
    }
    gather_bodies(&g);
    if (mgi_talk_has_ended(l->talk))
        return mgi_live_say_ended(job, &mgi_live);
    if (mgi_live_is_cancelled(job))
        return mgi_job_fail(job, "cancelled");
    return !job->arena->oom;
}

bool mgi_live_observe(struct job *job)
{
    if (!mgi_live_gather(job))
        return false;
    job->capture = (struct capture){ .dir = "" };
    if (!mgi_page_of_trace(job, mgi_live.trace))
        return false;
    job->capture.session = STR_LIT("live");
    job->capture.creator = STR_LIT("live page");
    job->capture.browser = STR_LIT("Chromium");
    mgi_seen_keep(job);
    return true;
}
