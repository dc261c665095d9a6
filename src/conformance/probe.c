/* A probe speaks: texts of cases become messages, and what comes back becomes JSON that was held
 * against docs/schemas (conformance_int.h). */
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/time.h"
#include "conformance/conformance_int.h"
#include "protocol/error.h"
#include "sys/clock.h"

#define EVERYTHING_BYTES ((size_t)8 * 1024 * 1024)

/* ---- texts ----------------------------------------------------------------------------------- */

char *mgi_probe_expand(struct probe *p, const char *text, size_t *len)
{
    struct buf out = { 0 };
    snprintf(p->id, sizeof p->id, "cf-%" PRIu64, ++p->next_id);
    for (const char *c = text; *c; c++)
        if (strncmp(c, "$ID", 3) == 0) {
            mgi_buf_puts(&out, p->id);
            c += 2;
        } else {
            mgi_buf_putc(&out, *c == '\'' ? '"' : *c == '`' ? '\'' : *c);
        }
    struct str kept = mgi_arena_str(&p->memory, mgi_buf_view(&out));
    *len = kept.len;
    mgi_buf_fini(&out);
    return (char *)kept.ptr;
}

/* ---- what came ------------------------------------------------------------------------------- */

static struct misfit_count *count_of(struct probe *p, struct str type)
{
    for (size_t i = 0; i < sizeof p->kinds / sizeof *p->kinds; i++)
        if (p->kinds[i].type && str_is(type, p->kinds[i].type))
            return &p->kinds[i];
    return NULL;
}

static void note_misfit(struct probe *p, struct misfit_count *kind, const struct schema_issues *why)
{
    const struct schema_issue none = { "", "", "is no message" };
    const struct schema_issue *i = why->count ? &why->items[0] : &none;
    if (kind && kind->misfits++ == 0)
        snprintf(kind->first, sizeof kind->first, "%s: %s: %s", i->path, i->keyword, i->message);
    mgi_probe_fail(p, "a message does not fit docs/schemas: at \"%s\": %s", i->path, i->message);
}

/* P-TOOL-1: what a schema cannot say. */
static void judge_ids_of_tools(struct probe *p, const struct json *message)
{
    const struct json *tools = mgi_at(message, "/payload/macro_tools");
    for (uint32_t i = 0; tools && tools->type == JSON_ARRAY && i < tools->count; i++)
        for (uint32_t k = 0; k < i; k++)
            mgi_probe_expect(p,
                             !str_eq(mgi_text_at(&tools->items[i], "/macro_id"),
                                     mgi_text_at(&tools->items[k], "/macro_id")),
                             "a macro_id is there twice");
}

static void judge_message(struct probe *p, const struct json *message)
{
    struct schema_issues issues;
    struct misfit_count *kind = count_of(p, mgi_text_at(message, "/type"));
    mgi_schema_issues_init(&issues, &p->memory, 3);
    if (kind)
        kind->seen++;
    else
        p->strangers++;
    if (!kind || !mgi_judge_message(p->judge, message, &issues))
        note_misfit(p, kind, &issues);
    judge_ids_of_tools(p, message);
}

const struct json *mgi_probe_take(struct probe *p, struct str text)
{
    struct json_error e;
    p->taken += text.len;
    if (!mgi_probe_expect(p, p->taken <= CASE_BYTES, "more than 64 MiB came in one case"))
        return NULL;
    const struct json_options deep = { .max_depth = JSON_MAX_DEPTH };
    struct json *message = mgi_arena_calloc(&p->memory, 1, sizeof *message);
    struct str kept = mgi_arena_str(&p->memory, text);
    if (!p->apart && p->everything.len + text.len < EVERYTHING_BYTES) {
        mgi_buf_str(&p->everything, text);
        mgi_buf_putc(&p->everything, '\n');
    }
    if (!message || !kept.ptr)
        return NULL;
    if (mgi_json_parse(&p->memory, kept, &deep, message, &e) != JSON_OK) {
        mgi_probe_fail(p, "no JSON (%s): %.*s", e.message, (int)(text.len < 200 ? text.len : 200),
                       text.ptr);
        return NULL;
    }
    judge_message(p, message);
    return message;
}

/* ---- sessions -------------------------------------------------------------------------------- */

const struct json *mgi_probe_hear(struct probe *p, struct wire *w, int64_t wait_ms, enum heard *end)
{
    enum heard ignored;
    end = end ? end : &ignored;
    *end = w ? mgi_wire_hear(w, wait_ms, &p->text) : HEARD_END;
    if (w && *end == HEARD_END && mgi_wire_wrong(w))
        mgi_probe_fail(p, "%s", mgi_wire_wrong(w));
    return *end == HEARD_MESSAGE ? mgi_probe_take(p, mgi_buf_view(&p->text)) : NULL;
}

void mgi_probe_quiet(struct probe *p)
{
    const struct json *m;
    enum heard end;
    while (p->wire && !p->failed && (m = mgi_probe_hear(p, p->wire, 1, &end)))
        mgi_probe_expect(p, mgi_is_at(m, "/type", "manifest"),
                         "something came that nobody had asked for: %.*s",
                         (int)(m->text.len < 200 ? m->text.len : 200), m->text.ptr);
}

const struct json *mgi_probe_answer(struct probe *p, struct wire *w)
{
    int64_t until_ns = mgi_clock_mono_ns() + p->options->timeout_ms * NS_PER_MS;
    enum heard end = HEARD_NOTHING;
    for (int64_t left_ms; (left_ms = (until_ns - mgi_clock_mono_ns()) / NS_PER_MS) > 0;) {
        const struct json *m = mgi_probe_hear(p, w, left_ms, &end);
        if (!m)
            break;
        if (!mgi_is_at(m, "/type", "progress") && !mgi_is_at(m, "/type", "manifest")) {
            p->silences = 0;
            return m;
        }
    }
    p->silences++;
    mgi_probe_fail(p, end == HEARD_END ? "the server ended, or closed, without an answer"
                                       : "no answer in time");
    return NULL;
}

bool mgi_probe_say(struct probe *p, struct wire *w, const char *text)
{
    size_t len;
    const char *message = mgi_probe_expand(p, text, &len);
    bool good =
        w && message && mgi_wire_send(w, (struct str){ message, len }, p->options->timeout_ms);
    return mgi_probe_expect(p, good, "the server does not take a message");
}

bool mgi_probe_login(struct probe *p, struct wire *w, const char *token)
{
    const char *text = mgi_arena_printf(
        &p->memory, REQUEST("authenticate", "{'scheme':'bearer','token':'%s'}"), token);
    return text && mgi_probe_say(p, w, text) &&
           mgi_probe_is(p, mgi_probe_answer(p, w), "authenticate_response");
}

/* The manifest first; one that is booting is waited for. */
static bool greet(struct probe *p, struct wire *w)
{
    int64_t until_ns = mgi_clock_mono_ns() + p->options->timeout_ms * NS_PER_MS;
    const struct json *m = mgi_probe_hear(p, w, p->options->timeout_ms, NULL);
    if (!m || !mgi_probe_is(p, m, "manifest"))
        return false;
    while (m && mgi_is_at(m, "/payload/status", "booting") && mgi_clock_mono_ns() < until_ns)
        m = mgi_probe_hear(p, w, p->options->timeout_ms, NULL);
    return mgi_probe_expect(p, m && mgi_is_at(m, "/type", "manifest"), "no ready manifest came");
}

/* Past the manifest, and the login. */
static struct wire *welcome(struct probe *p, struct wire *w, const char *token, struct buf *why)
{
    mgi_probe_expect(p, w, "%s", why->ptr ? why->ptr : "no memory");
    mgi_buf_fini(why);
    if (w && greet(p, w) && (!token || mgi_probe_login(p, w, token)))
        return w;
    mgi_probe_fail(p, "no manifest came");
    mgi_wire_close(w);
    return NULL;
}

struct wire *mgi_probe_start(struct probe *p, const char *const *command, const char *token)
{
    struct buf why = { 0 };
    return welcome(p, command ? mgi_wire_spawn(command, &why) : NULL, token, &why);
}

struct wire *mgi_probe_fresh(struct probe *p, const char *token)
{
    struct buf why = { 0 };
    const struct conformance_options *o = p->options;
    if (p->carrier == OVER_STDIO)
        return mgi_probe_start(p, p->command, token);
    return welcome(p, mgi_wire_upgrade(p->websocket_url.url, o->ca_file, NULL, o->timeout_ms, &why),
                   token, &why);
}

struct wire *mgi_probe_wire(struct probe *p)
{
    if (!p->wire)
        p->wire = mgi_probe_fresh(p, p->options->token);
    return p->wire;
}

void mgi_probe_drop(struct probe *p)
{
    mgi_wire_close(p->wire);
    p->wire = NULL;
}

/* ---- HTTP ------------------------------------------------------------------------------------ */

/* The status that belongs to the code (part 4); 200 for what is no error (P-HTTP-10). */
static void judge_status(struct probe *p, const struct json *m)
{
    const struct wire_code_row *row = mgi_wire_code_by_name(mgi_text_at(m, "/payload/code"));
    bool error = mgi_is_at(m, "/type", "error");
    int wanted = !error ? 200 : row ? row->http_status : p->reply.status;
    mgi_probe_expect(p, !m || p->reply.status == wanted, "status %d, not %d", p->reply.status,
                     wanted);
}

const struct json *mgi_probe_exchange(struct probe *p, const struct http_call *given)
{
    struct http_call call = *given;
    struct buf why = { 0 };
    size_t n = 0;
    while (call.headers[n])
        n++;
    if (p->token)
        call.headers[n] = mgi_arena_printf(&p->memory, "Authorization: Bearer %s", p->token);
    call.ca_file = p->options->ca_file;
    call.wait_ms = p->options->timeout_ms;
    mgi_wire_reply_fini(&p->reply);
    bool good = mgi_wire_exchange(&call, &p->reply, &why);
    p->silences = good ? 0 : p->silences + 1;
    mgi_probe_expect(p, good, "%s", why.ptr ? why.ptr : "no memory");
    mgi_buf_fini(&why);
    const struct json *m =
        good && p->reply.body.len > 0 ? mgi_probe_take(p, mgi_buf_view(&p->reply.body)) : NULL;
    judge_status(p, m);
    return m;
}

static bool is_invocation(struct str text)
{
    return mgi_str_find(text, STR_LIT("\"invoke_request\"")) != SIZE_MAX;
}

const struct json *mgi_probe_post(struct probe *p, const char *url, const char *text,
                                  const char *header)
{
    size_t len;
    const char *body = mgi_probe_expand(p, text, &len);
    struct str message = { body, len };
    if (!url)
        url = is_invocation(message) ? p->invoke_url.url : p->intent_url.url;
    struct http_call call = { .method = "POST",
                              .url = url,
                              .body = message,
                              .headers = { "Content-Type: application/json",
                                           "Accept: application/json", header } };
    return mgi_probe_exchange(p, &call);
}

/* ---- asking ---------------------------------------------------------------------------------- */

static const struct json *ask(struct probe *p, const char *text)
{
    if (p->carrier == OVER_HTTP)
        return mgi_probe_post(p, NULL, text, NULL);
    struct wire *w = mgi_probe_wire(p);
    return w && mgi_probe_say(p, w, text) ? mgi_probe_answer(p, w) : NULL;
}

const struct json *mgi_probe_ask(struct probe *p, const char *text)
{
    const struct json *answer = ask(p, text), *id = mgi_at(answer, "/id");
    bool own = mgi_is_at(answer, "/id", p->id), none = id && id->type == JSON_NULL;
    if (answer && strstr(text, "'id':'$ID',"))
        mgi_probe_expect(p, own || (none && mgi_is_at(answer, "/type", "error")),
                         "the answer to another request than %s", p->id);
    return answer;
}

const struct json *mgi_probe_intent(struct probe *p, const char *name, const char *facts,
                                    const char *more)
{
    const char *text = mgi_arena_printf(
        &p->memory, REQUEST("intent_request", "{'intent':{'name':'%s'},'facts':[%s]%s}"), name,
        facts, more);
    return text ? mgi_probe_ask(p, text) : NULL;
}

const struct json *mgi_probe_invoke(struct probe *p, struct str macro_id, const char *args,
                                    const char *more)
{
    const char *text =
        mgi_arena_printf(&p->memory, REQUEST("invoke_request", "{'macro_id':'%.*s','args':%s%s}"),
                         STR_ARG(macro_id), args, more);
    return text ? mgi_probe_ask(p, text) : NULL;
}

const struct json *mgi_probe_tool(struct probe *p, const char *intent, const char *facts,
                                  const char *tool)
{
    const struct json *answer =
        mgi_probe_intent(p, intent, facts, ",'options':{'disclosure_preference':'full'}");
    const struct json *found = mgi_tool_in(answer, tool);
    mgi_probe_expect(p, found, "%s brings no %s", intent, tool);
    return found;
}
