/* Reading console.jsonl: one object a line, and the stacks in them.
 *
 * Errors are numbered in order of time, and that number is the id under which clients ask for them:
 * the order of a file that two processes wrote into is not something to rely on. */
#include "browser.h"

#include <math.h>
#include <stdlib.h>

/* Nothing was recorded before 1970 or after 2262: as nanoseconds it would not fit. */
#define LAST_MS INT64_C(9223372036854)

/* ---- stacks
 * --------------------------------------------------------------------------------------- */

static bool digits_back(struct str s, size_t *end, int64_t *value)
{
    size_t from = *end;
    while (from > 0 && s.ptr[from - 1] >= '0' && s.ptr[from - 1] <= '9' && *end - from < 9)
        from--;
    if (from == *end || from == 0 || s.ptr[from - 1] != ':')
        return false;
    *value = 0;
    for (size_t i = from; i < *end; i++)
        *value = *value * 10 + (s.ptr[i] - '0');
    *end = from - 1;
    return true;
}

/* "url:line:column", "url:line" or just the url. */
static void parse_place(struct str place, struct frame *out)
{
    int64_t last = 0, before = 0;
    size_t end = place.len;
    if (digits_back(place, &end, &last)) {
        out->line = last;
        if (digits_back(place, &end, &before)) {
            out->line = before;
            out->column = last;
        }
    }
    out->url = (struct str){ place.ptr, end };
}

static struct str without_prefix(struct str s, const char *prefix)
{
    struct str p = str_of(prefix);
    return mgi_str_starts(s, p) ? (struct str){ s.ptr + p.len, s.len - p.len } : s;
}

static struct str stripped(struct str s)
{
    while (s.len > 0 && (s.ptr[0] == ' ' || s.ptr[0] == '\t'))
        s = (struct str){ s.ptr + 1, s.len - 1 };
    while (s.len > 0 && strchr(" \t\r\n", s.ptr[s.len - 1]))
        s.len--;
    return s;
}

bool mgi_frame_parse(struct str line, struct frame *out)
{
    *out = (struct frame){ 0 };
    line = stripped(line);
    bool v8 = mgi_str_starts(line, STR_LIT("at "));
    line = without_prefix(without_prefix(without_prefix(line, "at "), "async "), "new ");
    size_t open = mgi_str_find(line, STR_LIT(" ("));
    size_t at = mgi_str_find(line, STR_LIT("@"));
    if (open != SIZE_MAX && mgi_str_ends(line, STR_LIT(")"))) {
        out->function = (struct str){ line.ptr, open };
        parse_place((struct str){ line.ptr + open + 2, line.len - open - 3 }, out);
    } else if (!v8 && at != SIZE_MAX) {
        out->function = (struct str){ line.ptr, at };
        parse_place((struct str){ line.ptr + at + 1, line.len - at - 1 }, out);
    } else {
        parse_place(line, out);
    }
    size_t alias = mgi_str_find(out->function, STR_LIT(" [as "));
    if (alias != SIZE_MAX)
        out->function.len = alias;
    if (str_is(out->function, "<anonymous>") || str_is(out->function, "(anonymous)"))
        out->function.len = 0;
    return out->url.len > 0;
}

static bool add_frame(struct job *job, struct message *m, struct str line)
{
    struct frame frame;
    if (m->frame_count >= STACK_FRAMES_MOST || !mgi_frame_parse(line, &frame))
        return true;
    if (!m->frames)
        m->frames = mgi_arena_calloc(job->arena, STACK_FRAMES_MOST, sizeof frame);
    if (!m->frames)
        return false;
    frame.url = mgi_mask_kept_url(job->arena, frame.url);
    ((struct frame *)(uintptr_t)m->frames)[m->frame_count++] = frame;
    return true;
}

/* Some recorders put the stack into the text, a frame a line, as the console shows it. */
static void frames_from_text(struct job *job, struct message *m, struct str text)
{
    for (size_t at = 0; at < text.len;) {
        const char *end = memchr(text.ptr + at, '\n', text.len - at);
        size_t len = end ? (size_t)(end - (text.ptr + at)) : text.len - at;
        struct str line = stripped((struct str){ text.ptr + at, len });
        if (mgi_str_starts(line, STR_LIT("at ")))
            add_frame(job, m, line);
        at += len + 1;
    }
}

static void read_stack(struct job *job, struct message *m, const struct json *stack)
{
    if (stack && stack->type == JSON_ARRAY)
        for (uint32_t i = 0; i < stack->count; i++)
            if (stack->items[i].type == JSON_STRING)
                add_frame(job, m, stack->items[i].string);
    if (stack && stack->type == JSON_STRING)
        frames_from_text(job, m, stack->string);
    if (m->frame_count == 0)
        frames_from_text(job, m, m->text);
}

/* ---- lines
 * ---------------------------------------------------------------------------------------- */

static bool read_level(const struct json *v, enum level *level)
{
    static const struct {
        const char *name;
        enum level is;
    } names[] = {
        { "error", LEVEL_ERROR },   { "warning", LEVEL_WARNING }, { "warn", LEVEL_WARNING },
        { "info", LEVEL_INFO },     { "log", LEVEL_LOG },         { "debug", LEVEL_DEBUG },
        { "verbose", LEVEL_DEBUG },
    };
    for (size_t i = 0; v && v->type == JSON_STRING && i < sizeof names / sizeof names[0]; i++)
        if (str_is(v->string, names[i].name)) {
            *level = names[i].is;
            return true;
        }
    return false;
}

/* Milliseconds since 1970; recorders write them with or without a fraction. */
static bool read_ts(const struct json *v, int64_t *ns)
{
    if (v && v->type == JSON_INT && v->integer >= 0 && v->integer <= LAST_MS) {
        *ns = v->integer * NS_PER_MS;
        return true;
    }
    if (v && v->type == JSON_FLOAT && v->number >= 0 && v->number < (double)LAST_MS) {
        *ns = (int64_t)(v->number * 1000) * NS_PER_US; /* a double knows no more than that */
        return true;
    }
    return false;
}

static struct str optional_string(struct problems *problems, size_t line, const struct json *object,
                                  const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    if (v && v->type == JSON_STRING)
        return v->string;
    if (v && v->type != JSON_NULL)
        mgi_problem(problems, "console.jsonl:%zu: %s is no string", line, name);
    return (struct str){ "", 0 };
}

static int64_t optional_count(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_INT && v->integer > 0 ? v->integer : 0;
}

static bool read_line(struct job *job, struct problems *problems, size_t line, struct str text,
                      struct message *m)
{
    struct json_error fault;
    struct json v;
    size_t before = problems->count;
    *m = (struct message){ 0 };
    if (mgi_json_parse(job->arena, text, NULL, &v, &fault)) {
        mgi_problem(problems, "console.jsonl:%zu:%u: %s", line, fault.column, fault.message);
        return false;
    }
    if (v.type != JSON_OBJECT) {
        mgi_problem(problems, "console.jsonl:%zu: the line holds no JSON object", line);
        return false;
    }
    if (!read_ts(mgi_json_get(&v, "ts"), &m->at_ns))
        mgi_problem(problems, "console.jsonl:%zu: ts is no time in milliseconds since 1970", line);
    if (!read_level(mgi_json_get(&v, "level"), &m->level))
        mgi_problem(problems,
                    "console.jsonl:%zu: level is none of error, warning, info, log, debug", line);
    const struct json *said = mgi_json_get(&v, "text");
    if (!said || said->type != JSON_STRING)
        mgi_problem(problems, "console.jsonl:%zu: text is missing or no string", line);
    else
        m->text = said->string;
    m->source = optional_string(problems, line, &v, "source");
    m->url = mgi_mask_kept_url(job->arena, optional_string(problems, line, &v, "url"));
    m->line = optional_count(&v, "line");
    m->column = optional_count(&v, "column");
    read_stack(job, m, mgi_json_get(&v, "stack"));
    m->text = mgi_mask_kept_text(job->arena, m->text);
    return problems->count == before;
}

static int by_time(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    if (x->at_ns != y->at_ns)
        return x->at_ns < y->at_ns ? -1 : 1;
    return x->error_number < y->error_number ? -1 : x->error_number > y->error_number;
}

/* error_number holds the line until here, so that equal times keep the file's order. */
static void number_errors(struct capture *c)
{
    if (c->message_count > 1)
        qsort(c->messages, c->message_count, sizeof *c->messages, by_time);
    size_t others = 0;
    for (size_t i = 0; i < c->message_count; i++) {
        bool error = c->messages[i].level == LEVEL_ERROR;
        c->messages[i].error_number = error ? ++c->error_count : 0;
        c->messages[i].message_number = error ? 0 : ++others;
    }
}

/* ---- failed requests that only the console tells of
 * ----------------------------------------------- */

/* "… responded with a status of 404 (Not Found)" */
static int64_t status_in(struct str text)
{
    size_t at = mgi_str_find(text, STR_LIT("status of "));
    int64_t status = 0;
    for (at = at == SIZE_MAX ? text.len : at + 10; at < text.len && status < 100; at++) {
        if (text.ptr[at] < '0' || text.ptr[at] > '9')
            break;
        status = status * 10 + (text.ptr[at] - '0');
    }
    return status >= 100 && status <= 999 ? status : 0;
}

static bool add_reported(struct job *job, const struct message *m, size_t *cap)
{
    struct capture *c = &job->capture;
    if (!mgi_arena_grow(job->arena, &c->reported, cap, c->reported_count + 1, sizeof *c->reported))
        return false;
    int64_t status = status_in(m->text);
    struct request *r = &c->reported[c->reported_count++];
    *r = (struct request){ .url = m->url,
                           .status = status,
                           .method = STR_LIT("request for"),
                           .start_ns = m->at_ns,
                           .answer_ns = m->at_ns,
                           .end_ns = m->at_ns,
                           .fault = status >= 400 ? FAULT_STATUS : FAULT_LOST,
                           .resource =
                               mgi_contains(mgi_url_path(m->url), "/api/") ? RES_DATA : RES_OTHER };
    return true;
}

static bool collect_reported(struct job *job)
{
    const struct capture *c = &job->capture;
    size_t cap = 0;
    for (size_t i = 0; i < c->message_count; i++) {
        const struct message *m = &c->messages[i];
        if (mgi_is_report(m) && m->url.len > 0 && !add_reported(job, m, &cap))
            return false;
    }
    return true;
}

bool mgi_console_read(struct job *job, struct problems *problems, struct str text)
{
    struct capture *c = &job->capture;
    size_t cap = 0, line = 0;
    for (size_t at = 0; at < text.len;) {
        const char *end = memchr(text.ptr + at, '\n', text.len - at);
        size_t len = end ? (size_t)(end - (text.ptr + at)) : text.len - at;
        struct str one = stripped((struct str){ text.ptr + at, len });
        at += len + 1;
        line++;
        if (one.len == 0)
            continue;
        if (!mgi_arena_grow(job->arena, &c->messages, &cap, c->message_count + 1,
                            sizeof *c->messages))
            return false;
        struct message *m = &c->messages[c->message_count];
        if (read_line(job, problems, line, one, m)) {
            m->error_number = line;
            c->message_count++;
        }
    }
    number_errors(c);
    return collect_reported(job);
}

/* ---- finding an error
 * ------------------------------------------------------------------------------- */

static bool parse_count(struct str text, int64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9' || i > 15)
            return false;
        *value = *value * 10 + (text.ptr[i] - '0');
    }
    return text.len > 0;
}

/* Of errors at the same instant, one that code threw says more than the browser's report. */
static const struct message *error_at(const struct capture *c, int64_t ms)
{
    const struct message *found = NULL;
    for (size_t i = 0; i < c->message_count; i++) {
        const struct message *m = &c->messages[i];
        if (m->error_number > 0 && m->at_ns / NS_PER_MS == ms && (!found || mgi_is_report(found)))
            found = m;
    }
    return found;
}

const struct message *mgi_error_find(const struct capture *c, struct str id)
{
    struct str number = without_prefix(id, "console-error-");
    struct str ms = without_prefix(id, "error-");
    int64_t wanted;
    bool by_number = number.len < id.len && parse_count(number, &wanted);
    if (!by_number && ms.len < id.len && parse_count(ms, &wanted))
        return error_at(c, wanted);
    for (size_t i = 0; i < c->message_count; i++) {
        const struct message *m = &c->messages[i];
        if (m->error_number > 0 &&
            (by_number ? m->error_number == (size_t)wanted : str_eq(m->text, id)))
            return m;
    }
    return NULL;
}

/* Without a choice: the last error that code threw, else the last one. */
static const struct message *last_error(const struct capture *c)
{
    const struct message *last = NULL;
    for (size_t i = c->message_count; i-- > 0;) {
        const struct message *m = &c->messages[i];
        if (m->error_number == 0)
            continue;
        if (!mgi_is_report(m))
            return m;
        last = last ? last : m;
    }
    return last;
}

const struct message *mgi_job_error(struct job *job)
{
    const struct capture *c = &job->capture;
    struct str id = { 0 };
    if (!mgi_job_string(job, "error_id", &id))
        return NULL;
    const struct message *error = id.len > 0 ? mgi_error_find(c, id) : last_error(c);
    if (!error && c->error_count == 0)
        mgi_job_fail(job, "there is no error in this capture");
    else if (!error)
        mgi_job_fail(job, "there is no error \"%.*s\" in this capture; it has %s%zu",
                     STR_ARG(mgi_utf8_prefix(id, 100)),
                     c->error_count == 1 ? "console-error-" : "console-error-1 to console-error-",
                     c->error_count);
    return error;
}
