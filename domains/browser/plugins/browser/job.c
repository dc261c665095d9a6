/* Arguments in, answers out: what every action does in the same way. */
#include "browser.h"

#include <math.h>
#include <stdarg.h>

/* A message or an address is cut here: what a client pays for is not up to a page's author. */
#define SHOWN_BYTES   600
#define LIMIT_DEFAULT 25
#define LIMIT_MOST    200
#define FRAMES_SHOWN  12

bool mgi_job_fail(struct job *job, const char *format, ...)
{
    if (job->error->len > 0)
        return false;
    va_list args;
    va_start(args, format);
    mgi_buf_vprintf(job->error, format, args);
    va_end(args);
    return false;
}

bool mgi_job_no_memory(struct job *job)
{
    job->no_memory = true;
    return mgi_job_fail(job, "out of memory");
}

static const char *type_name(enum json_type type)
{
    static const char *const names[] = { "null",     "a boolean", "an integer", "a number",
                                         "a number", "a string",  "an array",   "an object" };
    return names[type];
}

static const struct json *argument(const struct job *job, const char *name)
{
    const struct json *value = mgi_json_get(job->input, name);
    return value && value->type != JSON_NULL ? value : NULL;
}

bool mgi_job_has(const struct job *job, const char *name)
{
    return argument(job, name) != NULL;
}

bool mgi_job_string(struct job *job, const char *name, struct str *value)
{
    const struct json *given = argument(job, name);
    if (!given)
        return true;
    if (given->type != JSON_STRING)
        return mgi_job_fail(job, "%s is %s, a string is needed", name, type_name(given->type));
    *value = given->string;
    return true;
}

bool mgi_job_integer(struct job *job, const char *name, int64_t least, int64_t most, int64_t *value)
{
    const struct json *given = argument(job, name);
    if (!given)
        return true;
    if (given->type != JSON_INT)
        return mgi_job_fail(job, "%s is %s, an integer is needed", name, type_name(given->type));
    if (given->integer < least || given->integer > most)
        return mgi_job_fail(job, "%s is %lld, it may be %lld to %lld", name,
                            (long long)given->integer, (long long)least, (long long)most);
    *value = given->integer;
    return true;
}

bool mgi_job_boolean(struct job *job, const char *name, bool *value)
{
    const struct json *given = argument(job, name);
    if (!given)
        return true;
    if (given->type != JSON_BOOL)
        return mgi_job_fail(job, "%s is %s, true or false is needed", name, type_name(given->type));
    *value = given->boolean;
    return true;
}

bool mgi_job_limit(struct job *job, int64_t *limit)
{
    *limit = LIMIT_DEFAULT;
    return mgi_job_integer(job, "limit", 1, LIMIT_MOST, limit);
}

struct str mgi_member_string(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? v->string : (struct str){ "", 0 };
}

bool mgi_is_secret(struct str name)
{
    static const char *const parts[] = {
        "authorization", "cookie",     "token",     "secret",  "apikey",     "api-key",
        "api_key",       "passw",      "jwt",       "session", "credential", "csrf",
        "pwd",           "passphrase", "signature", "sessid",  NULL
    };
    /* Short ones are part of other words. */
    static const char *const words[] = { "auth", "otp", "sig", "cvc", "cvv", NULL };
    for (size_t i = 0; parts[i]; i++)
        if (mgi_contains(name, parts[i]))
            return true;
    for (size_t i = 0; words[i]; i++)
        if (mgi_has_word(name, str_of(words[i])))
            return true;
    return false;
}

void mgi_put_text(struct job *job, const char *name, struct str text)
{
    struct str shown = mgi_utf8_prefix(text, SHOWN_BYTES);
    if (shown.len == text.len) {
        mgi_jw_member_str(&job->out, name, text);
        return;
    }
    char *cut =
        mgi_arena_printf(job->arena, "%.*s... (%zu bytes in all)", STR_ARG(shown), text.len);
    mgi_jw_member_cstr(&job->out, name, cut ? cut : "");
}

int64_t mgi_whole_ms(int64_t ns)
{
    int64_t part = ns % NS_PER_MS;
    return ns - (part < 0 ? part + NS_PER_MS : part);
}

const char *mgi_time_text(struct job *job, int64_t ns)
{
    struct buf text;
    mgi_buf_init(&text);
    mgi_time_print(&text, mgi_whole_ms(ns));
    const char *kept = mgi_arena_printf(job->arena, "%.*s", STR_ARG(mgi_buf_view(&text)));
    job->arena->oom |= text.oom; /* or half a time would pass for a whole one */
    mgi_buf_fini(&text);
    return kept;
}

void mgi_put_time(struct job *job, const char *name, int64_t ns)
{
    mgi_jw_member_cstr(&job->out, name, mgi_time_text(job, ns));
}

void mgi_put_ms(struct job *job, const char *name, int64_t ns)
{
    mgi_jw_key(&job->out, name);
    mgi_jw_float(&job->out, round((double)ns / 1e5) / 10);
}

void mgi_put_error_id(struct job *job, const char *name, const struct message *error)
{
    char *id = mgi_arena_printf(job->arena, "console-error-%zu", error->error_number);
    mgi_jw_member_cstr(&job->out, name, id ? id : "");
}

void mgi_put_request_id(struct job *job, const char *name, const struct request *request)
{
    char *id = mgi_arena_printf(job->arena, "r%zu", request->number);
    mgi_jw_member_cstr(&job->out, name, request->number > 0 ? id : NULL);
}

void mgi_put_frames(struct job *job, const char *name, const struct frame *frames, size_t count)
{
    mgi_jw_key(&job->out, name);
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; i < count && i < FRAMES_SHOWN; i++) {
        mgi_jw_begin_object(&job->out);
        if (frames[i].function.len > 0)
            mgi_put_text(job, "function", frames[i].function);
        mgi_put_text(job, "file", mgi_url_shown(&job->capture, frames[i].url));
        mgi_jw_member_int(&job->out, "line", frames[i].line);
        mgi_jw_member_int(&job->out, "column", frames[i].column);
        mgi_jw_end_object(&job->out);
    }
    mgi_jw_end_array(&job->out);
}

void mgi_put_message(struct job *job, const struct message *message)
{
    mgi_jw_begin_object(&job->out);
    if (message->error_number > 0)
        mgi_put_error_id(job, "error_id", message);
    mgi_put_time(job, "timestamp", message->at_ns);
    mgi_jw_member_cstr(&job->out, "level", mgi_level_name(message->level));
    mgi_put_text(job, "text", message->text);
    mgi_put_text(job, "source", message->source);
    if (message->url.len > 0) {
        mgi_put_text(job, "file", mgi_url_shown(&job->capture, message->url));
        if (message->line > 0)
            mgi_jw_member_int(&job->out, "line", message->line);
    }
    mgi_jw_end_object(&job->out);
}

void mgi_put_request(struct job *job, const struct request *request)
{
    mgi_jw_begin_object(&job->out);
    mgi_put_request_id(job, "request_id", request);
    mgi_jw_member_str(&job->out, "method", request->method);
    mgi_put_text(job, "url", mgi_url_shown(&job->capture, request->url));
    mgi_jw_member_int(&job->out, "status", request->status);
    mgi_put_time(job, "started", request->start_ns);
    mgi_put_ms(job, "duration_ms", request->end_ns - request->start_ns);
    mgi_jw_member_cstr(&job->out, "kind", mgi_resource_name(request->resource));
    if (request->fault != FAULT_NONE)
        mgi_jw_member_cstr(&job->out, "fault", mgi_fault_name(request->fault));
    if (request->error.len > 0)
        mgi_put_text(job, "error", request->error);
    mgi_jw_end_object(&job->out);
}

const char *mgi_level_name(enum level level)
{
    static const char *const names[LEVEL_COUNT] = { "error", "warning", "info", "log", "debug" };
    return names[level];
}

const char *mgi_resource_name(enum resource resource)
{
    static const char *const names[] = { "data", "script", "asset", "document", "other" };
    return names[resource];
}

const char *mgi_fault_name(enum fault fault)
{
    static const char *const names[FAULT_COUNT] = { "none",  "status",   "no_answer",
                                                    "empty", "not_json", "error_in_body" };
    return names[fault];
}
