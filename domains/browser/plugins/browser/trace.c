/* A trace in memory: messages as the lines that they are written as.
 *
 * What is kept is decided when a message comes: it is trimmed and masked (trace_trim.c) and becomes
 * a line of its own, so that writing is copying, and so that the bound counts what there is. A
 * console line that came before, with the same text from the same place, is counted instead of
 * kept, after the first few. When there is no room, every other line of the class that is worth
 * least goes, until a quarter is free: a sample stays of what was too much. */
#include "trace.h"

#include <pthread.h>
#include <stdio.h>

#include "base/alloc.h"
#include "trace_int.h"

#define REPEATS_KEPT 3
#define REPEAT_SLOTS 512 /* a power of two; the rest of the lines is not counted, but sampled */
#define TARGET_BYTES 8
#define KEY_BYTES    16

struct line {
    char *text; /* ends with a line feed */
    uint32_t len;
    enum worth worth;
};

/* Console lines of one text and place. */
struct repeat {
    uint64_t key; /* 0: free */
    int64_t count, per_second, in_second;
    double last_ms, second_ms;
};

struct trace {
    pthread_mutex_t lock;
    size_t most_bytes, bytes;
    struct line *lines;
    size_t count, cap;
    struct repeat repeats[REPEAT_SLOTS];
    size_t repeat_count;
    int64_t lost[WORTH_COUNT];
    double last_ms;
};

struct trace *mgi_trace_new(size_t most_bytes)
{
    struct trace *trace = mgi_calloc(1, sizeof *trace);
    if (!trace)
        return NULL;
    if (pthread_mutex_init(&trace->lock, NULL) != 0) {
        mgi_free(trace);
        return NULL;
    }
    trace->most_bytes = most_bytes;
    return trace;
}

static void forget_lines(struct trace *trace)
{
    for (size_t i = 0; i < trace->count; i++)
        mgi_free(trace->lines[i].text);
    trace->count = trace->bytes = 0;
}

void mgi_trace_free(struct trace *trace)
{
    if (!trace)
        return;
    forget_lines(trace);
    mgi_free(trace->lines);
    pthread_mutex_destroy(&trace->lock);
    mgi_free(trace);
}

void mgi_trace_clear(struct trace *trace)
{
    pthread_mutex_lock(&trace->lock);
    forget_lines(trace);
    memset(trace->repeats, 0, sizeof trace->repeats);
    memset(trace->lost, 0, sizeof trace->lost);
    trace->repeat_count = 0;
    pthread_mutex_unlock(&trace->lock);
}

/* ---- room ---------------------------------------------------------------------------------- */

/* The class worth least of which there is more than one line. */
static enum worth least_worth(const struct trace *trace)
{
    size_t counts[WORTH_COUNT] = { 0 };
    for (size_t i = 0; i < trace->count; i++)
        counts[trace->lines[i].worth]++;
    for (int worth = 0; worth < WORTH_COUNT; worth++)
        if (counts[worth] > 1)
            return (enum worth)worth;
    return WORTH_COUNT;
}

/* Every other line of the class goes; the first stays. */
static void thin_out(struct trace *trace, enum worth worth)
{
    size_t kept = 0, seen = 0;
    for (size_t i = 0; i < trace->count; i++) {
        struct line *line = &trace->lines[i];
        if (line->worth == worth && seen++ % 2 == 1) {
            trace->bytes -= line->len;
            trace->lost[worth]++;
            mgi_free(line->text);
            continue;
        }
        trace->lines[kept++] = *line;
    }
    trace->count = kept;
}

static void make_room(struct trace *trace, size_t more)
{
    if (trace->bytes + more <= trace->most_bytes)
        return;
    while (trace->bytes + more > trace->most_bytes - trace->most_bytes / 4) {
        enum worth worth = least_worth(trace);
        if (worth == WORTH_COUNT)
            return;
        thin_out(trace, worth);
    }
}

/* ---- console lines that come again ---------------------------------------------------------- */

static uint64_t hash_more(uint64_t key, struct str s, bool fold)
{
    for (size_t i = 0; i < s.len; i++) {
        bool digit = s.ptr[i] >= '0' && s.ptr[i] <= '9';
        bool again = digit && i > 0 && s.ptr[i - 1] >= '0' && s.ptr[i - 1] <= '9';
        if (!fold || !again)
            key = (key ^ (unsigned char)(fold && digit ? '#' : s.ptr[i])) * UINT64_C(1099511628211);
    }
    return key;
}

static uint64_t hash_place(uint64_t key, const struct json *stack)
{
    const struct json *frames = mgi_json_get(stack, "callFrames");
    if (!frames || frames->type != JSON_ARRAY || frames->count == 0)
        return key;
    const struct json *f = &frames->items[0];
    key = hash_more(key, mgi_member_string(f, "url"), false);
    key ^= (uint64_t)mgi_member_whole(f, "lineNumber", 0) * 4099;
    return (key ^ (uint64_t)mgi_member_whole(f, "columnNumber", 0)) * UINT64_C(1099511628211);
}

/* The same for console lines that say the same from the same place, but for numbers in what is no
 * error. 0: it is no console line, or is about one request only. */
static uint64_t console_key(struct str method, const struct json *params)
{
    uint64_t key = UINT64_C(14695981039346656037);
    if (str_is(method, "Runtime.consoleAPICalled")) {
        const struct json *args = mgi_json_get(params, "args");
        struct str type = mgi_member_string(params, "type");
        bool fold = !str_is(type, "error") && !str_is(type, "assert");
        key = hash_more(key, type, false);
        for (size_t i = 0; args && args->type == JSON_ARRAY && i < args->count; i++) {
            const struct json *value = mgi_json_get(&args->items[i], "value");
            struct str said = mgi_member_string(&args->items[i], "description");
            if (value)
                said = value->type == JSON_STRING ? value->string : value->text;
            key = hash_more(key, mgi_utf8_prefix(said, 1000), fold);
        }
        return hash_place(key, mgi_json_get(params, "stackTrace")) | 1;
    }
    if (str_is(method, "Runtime.exceptionThrown")) {
        const struct json *about = mgi_json_get(params, "exceptionDetails");
        const struct json *exception = mgi_json_get(about, "exception");
        key = hash_more(key, mgi_member_string(about, "text"), false);
        key = hash_more(key, mgi_utf8_prefix(mgi_member_string(exception, "description"), 1000),
                        false);
        key ^= (uint64_t)mgi_member_whole(about, "lineNumber", 0) * 4099;
        return hash_place(hash_more(key, mgi_member_string(about, "url"), false),
                          mgi_json_get(about, "stackTrace")) |
               1;
    }
    const struct json *entry = mgi_json_get(params, "entry");
    if (!str_is(method, "Log.entryAdded") || mgi_member_string(entry, "networkRequestId").len > 0)
        return 0;
    key = hash_more(key, mgi_utf8_prefix(mgi_member_string(entry, "text"), 1000), false);
    return hash_more(key, mgi_member_string(entry, "url"), false) | 1;
}

/* The slot of a key; NULL: there is no more. */
static struct repeat *repeat_of(struct trace *trace, uint64_t key)
{
    for (size_t i = 0; i < REPEAT_SLOTS; i++) {
        struct repeat *slot = &trace->repeats[(key + i) % REPEAT_SLOTS];
        if (slot->key == key)
            return slot;
        if (slot->key == 0) {
            if (trace->repeat_count >= REPEAT_SLOTS / 4 * 3)
                return NULL;
            trace->repeat_count++;
            slot->key = key;
            return slot;
        }
    }
    return NULL;
}

/* Counts it. True: it was seen often enough, and need not be kept. */
static bool count_repeat(struct repeat *slot, double t_ms)
{
    slot->count++;
    slot->last_ms = t_ms;
    if (slot->count == 1 || t_ms - slot->second_ms >= 1000) {
        slot->second_ms = t_ms;
        slot->in_second = 0;
    }
    slot->in_second++;
    if (slot->in_second > slot->per_second)
        slot->per_second = slot->in_second;
    return slot->count > REPEATS_KEPT;
}

/* A recording's line: what was counted when it was made. */
static void take_repeat(struct trace *trace, double t_ms, const struct json *params)
{
    unsigned long long key = 0;
    char text[KEY_BYTES + 1] = "";
    struct str said = mgi_member_string(params, "key");
    if (said.len != KEY_BYTES)
        return;
    memcpy(text, said.ptr, KEY_BYTES);
    if (sscanf(text, "%16llx", &key) != 1 || key == 0)
        return;
    struct repeat *slot = repeat_of(trace, key);
    if (!slot)
        return;
    double last = mgi_member_number(params, "last", 0);
    slot->count = mgi_member_whole(params, "count", 0);
    slot->per_second = mgi_member_whole(params, "per_second", 0);
    slot->last_ms = mgi_page_ns(last) > 0 ? last : t_ms;
}

/* What was lost of a page that somebody has left for another is nothing that is missing in this
 * one: the count begins anew with Machina.navigated.
 *
 * A document that begins says things for the first time. What was counted and not kept of the one
 * before is gone. */
static void forget_repeats(struct trace *trace)
{
    for (size_t i = 0; i < REPEAT_SLOTS; i++)
        if (trace->repeats[i].count > REPEATS_KEPT)
            trace->lost[WORTH_CHATTER] += trace->repeats[i].count - REPEATS_KEPT;
    memset(trace->repeats, 0, sizeof trace->repeats);
    trace->repeat_count = 0;
}

/* ---- adding -------------------------------------------------------------------------------- */

static const char *const lost_names[WORTH_COUNT] = { "console", "frames",   "changes", "bodies",
                                                     "errors",  "requests", "events" };

static void take_losses(struct trace *trace, const struct json *params)
{
    for (int i = 0; i < WORTH_COUNT; i++) {
        double count = mgi_member_number(params, lost_names[i], 0);
        if (count > 0 && count < 1e15)
            trace->lost[i] += (int64_t)count;
    }
}

static void begin_line(struct buf *out, double t_ms, struct str target, struct str method)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "t");
    mgi_jw_float(&w, t_ms);
    mgi_jw_member_str(&w, "m", method);
    if (target.len > 0)
        mgi_jw_member_str(&w, "s", mgi_utf8_prefix(target, TARGET_BYTES));
    mgi_buf_puts(out, ",\"p\":");
}

/* An error is worth more than chatter, and a socket's last word as much as its first. */
static enum worth worth_of(const struct trace_method *method, const struct json *params)
{
    struct str type = mgi_member_string(params, "type");
    if (method->worth == WORTH_CHATTER)
        return str_is(type, "error") || str_is(type, "assert") ? WORTH_ERRORS : WORTH_CHATTER;
    return method->worth;
}

static bool keep_line(struct trace *trace, struct buf *text, enum worth worth)
{
    size_t len = text->len;
    make_room(trace, len);
    if (text->oom || len > UINT32_MAX || trace->bytes + len > trace->most_bytes ||
        !mgi_grow(&trace->lines, &trace->cap, trace->count + 1, sizeof *trace->lines)) {
        trace->lost[worth]++;
        return !text->oom && trace->bytes + len > trace->most_bytes;
    }
    char *taken = mgi_buf_take(text, &len);
    if (!taken) {
        trace->lost[worth]++;
        return false;
    }
    trace->lines[trace->count++] =
        (struct line){ .text = taken, .len = (uint32_t)len, .worth = worth };
    trace->bytes += len;
    return true;
}

bool mgi_trace_add(struct trace *trace, double t_ms, struct str target, struct str method,
                   const struct json *params)
{
    const struct trace_method *known = mgi_trace_method(method);
    char key_text[KEY_BYTES + 1] = "";
    struct buf text;
    if (!known)
        return true;
    bool lost = str_is(method, "Machina.lost"), repeated = str_is(method, "Machina.repeated");
    uint64_t key = console_key(method, params);
    bool again = false;
    pthread_mutex_lock(&trace->lock);
    if (mgi_page_ns(t_ms) <= 0) /* it has to be read again, and nothing goes before the first */
        t_ms = trace->last_ms > 0 ? trace->last_ms : 1;
    if (t_ms > trace->last_ms)
        trace->last_ms = t_ms;
    if (lost)
        take_losses(trace, params);
    if (repeated)
        take_repeat(trace, t_ms, params);
    if (str_is(method, "Page.frameNavigated") &&
        !mgi_json_get(mgi_json_get(params, "frame"), "parentId"))
        forget_repeats(trace);
    if (str_is(method, "Machina.navigated"))
        memset(trace->lost, 0, sizeof trace->lost);
    struct repeat *slot = key != 0 ? repeat_of(trace, key) : NULL;
    if (slot)
        again = count_repeat(slot, t_ms);
    pthread_mutex_unlock(&trace->lock);
    if (lost || repeated || again)
        return true;
    if (slot)
        snprintf(key_text, sizeof key_text, "%016llx", (unsigned long long)key);
    mgi_buf_init(&text);
    begin_line(&text, t_ms, target, method);
    mgi_trace_trim(&text, known, params, str_of(key_text));
    mgi_buf_puts(&text, "}\n");
    pthread_mutex_lock(&trace->lock);
    bool kept = keep_line(trace, &text, worth_of(known, params));
    pthread_mutex_unlock(&trace->lock);
    mgi_buf_fini(&text);
    return kept;
}

/* ---- writing ------------------------------------------------------------------------------- */

static void write_repeats(const struct trace *trace, struct buf *out)
{
    for (size_t i = 0; i < REPEAT_SLOTS; i++) {
        const struct repeat *slot = &trace->repeats[i];
        struct json_writer w;
        if (slot->key == 0 || slot->count <= REPEATS_KEPT)
            continue;
        char key[KEY_BYTES + 1];
        snprintf(key, sizeof key, "%016llx", (unsigned long long)slot->key);
        begin_line(out, slot->last_ms, STR_LIT(""), STR_LIT("Machina.repeated"));
        mgi_json_writer_init(&w, out, 0);
        mgi_jw_begin_object(&w);
        mgi_jw_member_cstr(&w, "key", key);
        mgi_jw_member_int(&w, "count", slot->count);
        mgi_jw_key(&w, "last");
        mgi_jw_float(&w, slot->last_ms);
        mgi_jw_member_int(&w, "per_second", slot->per_second);
        mgi_jw_end_object(&w);
        mgi_buf_puts(out, "}\n");
    }
}

static void write_losses(const struct trace *trace, struct buf *out)
{
    struct json_writer w;
    int64_t all = 0;
    for (int i = 0; i < WORTH_COUNT; i++)
        all += trace->lost[i];
    if (all == 0)
        return;
    begin_line(out, trace->last_ms, STR_LIT(""), STR_LIT("Machina.lost"));
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    for (int i = 0; i < WORTH_COUNT; i++)
        if (trace->lost[i] > 0)
            mgi_jw_member_int(&w, lost_names[i], trace->lost[i]);
    mgi_jw_end_object(&w);
    mgi_buf_puts(out, "}\n");
}

bool mgi_trace_write(struct trace *trace, struct buf *out)
{
    pthread_mutex_lock(&trace->lock);
    for (size_t i = 0; i < trace->count; i++)
        mgi_buf_append(out, trace->lines[i].text, trace->lines[i].len);
    write_repeats(trace, out);
    write_losses(trace, out);
    pthread_mutex_unlock(&trace->lock);
    return !out->oom;
}
