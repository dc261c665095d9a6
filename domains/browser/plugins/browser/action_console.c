/* Questions about the console. */
#include "browser.h"

/* What a query asks for. */
struct console_filter {
    struct str contains, source;
    int64_t level; /* -1: any */
    int64_t limit;
};

static bool read_filter(struct job *job, struct console_filter *f)
{
    struct str level = { 0 };
    *f = (struct console_filter){ .level = -1 };
    if (!mgi_job_string(job, "contains", &f->contains) ||
        !mgi_job_string(job, "source", &f->source) || !mgi_job_string(job, "level", &level) ||
        !mgi_job_limit(job, &f->limit))
        return false;
    for (int64_t i = 0; i < LEVEL_COUNT; i++)
        if (str_is(level, mgi_level_name((enum level)i)))
            f->level = i;
    if (level.len > 0 && f->level < 0)
        return mgi_job_fail(job, "level is \"%.*s\", it may be error, warning, info, log or debug",
                            STR_ARG(mgi_utf8_prefix(level, 40)));
    return true;
}

static bool message_matches(struct job *job, const struct console_filter *f,
                            const struct message *m)
{
    const char *wanted = mgi_arena_printf(job->arena, "%.*s", STR_ARG(f->contains));
    return (f->level < 0 || (int64_t)m->level == f->level) &&
           (f->source.len == 0 || str_eq(f->source, m->source)) &&
           (f->contains.len == 0 || (wanted && mgi_contains(m->text, wanted)));
}

static bool put_matching(struct job *job, const struct console_filter *f, const char *name,
                         const char *what)
{
    const struct capture *c = &job->capture;
    int64_t total = 0;
    mgi_jw_key(&job->out, name);
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; i < c->message_count; i++) {
        struct arena_mark mark = mgi_arena_mark(job->arena);
        bool match = message_matches(job, f, &c->messages[i]);
        mgi_arena_rewind(job->arena, mark);
        if (match && total++ < f->limit)
            mgi_put_message(job, &c->messages[i]);
    }
    mgi_jw_end_array(&job->out);
    mgi_jw_member_int(&job->out, "total", total);
    mgi_jw_member_cstr(&job->out, "summary",
                       mgi_arena_printf(job->arena, "found %lld %s", (long long)total, what));
    return true;
}

static bool query_console(struct job *job)
{
    struct console_filter f;
    return read_filter(job, &f) && put_matching(job, &f, "messages", "console messages");
}

static void count_levels(const struct capture *c, int64_t counts[LEVEL_COUNT])
{
    memset(counts, 0, LEVEL_COUNT * sizeof counts[0]);
    for (size_t i = 0; i < c->message_count; i++)
        counts[c->messages[i].level]++;
}

static void put_levels(struct job *job, const char *name)
{
    int64_t counts[LEVEL_COUNT];
    count_levels(&job->capture, counts);
    mgi_jw_key(&job->out, name);
    mgi_jw_begin_object(&job->out);
    for (int i = 0; i < LEVEL_COUNT; i++)
        mgi_jw_member_int(&job->out, mgi_level_name((enum level)i), counts[i]);
    mgi_jw_end_object(&job->out);
}

static bool group_by_level(struct job *job)
{
    put_levels(job, "by_level");
    mgi_jw_member_int(&job->out, "total", (int64_t)job->capture.message_count);
    return true;
}

/* Groups of messages with the same source, or with the same text. Few in practice; a capture with
 * very many different ones is cut, and the answer says so. */
#define GROUPS_KEPT 64

struct group {
    const struct message *first;
    int64_t count;
};

static bool same_source(const struct message *a, const struct message *b)
{
    return str_eq(a->source, b->source);
}

static bool same_text(const struct message *a, const struct message *b)
{
    return a->level == b->level && str_eq(a->text, b->text) && str_eq(a->url, b->url);
}

/* Returns how many groups there are; *left_out counts messages that found no room. */
static size_t group(const struct capture *c,
                    bool (*same)(const struct message *, const struct message *),
                    struct group groups[GROUPS_KEPT], int64_t *left_out)
{
    size_t count = 0;
    *left_out = 0;
    for (size_t i = 0; i < c->message_count; i++) {
        const struct message *m = &c->messages[i];
        size_t g = 0;
        while (g < count && !same(groups[g].first, m))
            g++;
        if (g < count)
            groups[g].count++;
        else if (count < GROUPS_KEPT)
            groups[count++] = (struct group){ m, 1 };
        else
            ++*left_out;
    }
    return count;
}

static bool group_by_source(struct job *job)
{
    struct group groups[GROUPS_KEPT];
    int64_t left_out;
    size_t count = group(&job->capture, same_source, groups, &left_out);
    mgi_jw_key(&job->out, "by_source");
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; i < count; i++) {
        mgi_jw_begin_object(&job->out);
        mgi_put_text(job, "source", groups[i].first->source);
        mgi_jw_member_int(&job->out, "count", groups[i].count);
        mgi_jw_end_object(&job->out);
    }
    mgi_jw_end_array(&job->out);
    mgi_jw_member_int(&job->out, "left_out", left_out);
    return true;
}

/* The different errors and warnings, each with how often it came. */
static void put_distinct(struct job *job, int64_t limit)
{
    struct group groups[GROUPS_KEPT];
    int64_t left_out, shown = 0;
    size_t count = group(&job->capture, same_text, groups, &left_out);
    mgi_jw_key(&job->out, "problems");
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; i < count; i++) {
        const struct message *m = groups[i].first;
        if (m->level > LEVEL_WARNING || shown++ >= limit)
            continue;
        mgi_jw_begin_object(&job->out);
        if (m->error_number > 0)
            mgi_put_error_id(job, "error_id", m);
        mgi_jw_member_cstr(&job->out, "level", mgi_level_name(m->level));
        mgi_put_text(job, "text", m->text);
        mgi_put_text(job, "file", mgi_url_shown(&job->capture, m->url));
        mgi_jw_member_int(&job->out, "count", groups[i].count);
        mgi_put_time(job, "first", m->at_ns);
        mgi_jw_end_object(&job->out);
    }
    mgi_jw_end_array(&job->out);
}

static bool summarize_console(struct job *job)
{
    int64_t limit, counts[LEVEL_COUNT];
    if (!mgi_job_limit(job, &limit))
        return false;
    count_levels(&job->capture, counts);
    put_levels(job, "by_level");
    put_distinct(job, limit);
    mgi_jw_member_int(&job->out, "total", (int64_t)job->capture.message_count);
    mgi_jw_member_cstr(
        &job->out, "summary",
        mgi_arena_printf(job->arena, "%lld errors and %lld warnings among %zu messages",
                         (long long)counts[LEVEL_ERROR], (long long)counts[LEVEL_WARNING],
                         job->capture.message_count));
    return true;
}

static bool stack_frames(struct job *job)
{
    const struct message *error = mgi_job_error(job);
    if (!error)
        return false;
    mgi_put_error_id(job, "error_id", error);
    mgi_put_frames(job, "stack", error->frames, error->frame_count);
    mgi_jw_member_int(&job->out, "total", (int64_t)error->frame_count);
    return true;
}

/* What the console said just before an error, because that is often its first half. */
#define BEFORE_SHOWN 5

static bool error_details(struct job *job)
{
    const struct message *error = mgi_job_error(job);
    bool script;
    if (!error)
        return false;
    struct str component = mgi_error_component(error, &script);
    size_t at = (size_t)(error - job->capture.messages);
    mgi_jw_key(&job->out, "error");
    mgi_put_message(job, error);
    mgi_put_text(job, script ? "script" : "component", component);
    mgi_put_frames(job, "stack", error->frames, error->frame_count);
    mgi_jw_key(&job->out, "before");
    mgi_jw_begin_array(&job->out);
    for (size_t i = at > BEFORE_SHOWN ? at - BEFORE_SHOWN : 0; i < at; i++)
        mgi_put_message(job, &job->capture.messages[i]);
    mgi_jw_end_array(&job->out);
    mgi_put_text(job, "summary", error->text);
    return true;
}

#define FILTER                                                                                     \
    "\"contains\":{\"type\":\"string\",\"description\":\"part of the text, in any case\"},"        \
    "\"source\":{\"type\":\"string\",\"description\":\"javascript, network, ...\"},"               \
    "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":200,\"default\":25}"
#define LEVEL                                                                                      \
    "\"level\":{\"type\":\"string\",\"enum\":[\"error\",\"warning\",\"info\",\"log\",\"debug\"]}"

static const struct browser_action console_actions[] = {
    { "AID.BROWSER.CONSOLE_QUERY.v1", "query_console",
      "Console messages by level, source and text.", "browser.console", "none", LEVEL "," FILTER,
      query_console },
    { "AID.BROWSER.CONSOLE_SUMMARY.v1", "summarize_console",
      "Counts by level, and each different error and warning once.", "browser.console", "none",
      INPUT_LIMIT, summarize_console },
    { "AID.BROWSER.CONSOLE_BY_LEVEL.v1", "group_console_by_level",
      "Console messages counted by level.", "browser.console", "none", "", group_by_level },
    { "AID.BROWSER.CONSOLE_BY_SOURCE.v1", "group_console_by_source",
      "Console messages counted by source.", "browser.console", "none", "", group_by_source },
    { "AID.BROWSER.CONSOLE_STACK.v1", "stack_frames", "The stack of one console error.",
      "browser.console", "none", INPUT_ERROR_ID, stack_frames },
    { "AID.BROWSER.ERROR_DETAILS.v1", "error_details",
      "One console error with its stack, and what the console said just before.", "browser.console",
      "none", INPUT_ERROR_ID, error_details },
};
const struct browser_actions mgi_console_actions = {
    console_actions, sizeof console_actions / sizeof console_actions[0]
};
