/* A link whose other end is a test: it says what the test tells it to, and keeps what was sent.
 * Memory is the system's, so that a failing allocation is always the client's. */
#ifndef TEST_CLIENT_FAKE_LINK_H
#define TEST_CLIENT_FAKE_LINK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/link.h"

#define FAKE_MANIFEST_WITH(status, more)                                                           \
    "{\"type\":\"manifest\",\"id\":null,\"manglecp\":\"2026-02-draft\",\"payload\":{"              \
    "\"server_name\":\"fake\",\"server_version\":\"1\",\"status\":\"" status "\","                 \
    "\"endpoints\":{\"intent_eval\":\"/e\",\"macro_invoke\":\"/i\"},"                              \
    "\"intents\":[{\"name\":\"work\",\"description\":\"d\",\"optional_facts\":[\"noted\"]}],"      \
    "\"facts_profile\":{\"time_formats\":[\"rfc3339\"],\"predicates\":[{\"predicate\":\"noted\","  \
    "\"arity\":2,\"arg_types\":[\"string\",\"number\"],\"arg_names\":[\"what\",\"n\"]}]},"         \
    "\"capabilities\":{\"temporal\":true,\"named_args\":true},"                                    \
    "\"limits\":{\"max_message_bytes\":16777216,\"max_facts_per_request\":100000}," more "}}"
#define FAKE_MANIFEST FAKE_MANIFEST_WITH("ready", "\"auth\":{\"required\":false}")

#define FAKE_TOOL                                                                                  \
    "{\"macro_id\":\"mark-1\",\"name\":\"mark\",\"disclosure_level\":\"full\","                    \
    "\"description\":\"Marks.\",\"input_schema\":{\"type\":\"object\",\"properties\":"             \
    "{\"label\":{\"type\":\"string\"}},\"additionalProperties\":false},"                           \
    "\"context_injection\":{\"instructions\":\"Do.\",\"context_resources\":[{\"uri\":\"a/b.md\","  \
    "\"relevance\":\"r\",\"priority\":5}]},"                                                       \
    "\"safety\":{\"requires_user_confirmation\":false,\"side_effects\":[\"none\"]}}"
#define FAKE_TOOLS "{\"eval_time_used\":\"2026-01-01T00:00:00Z\",\"macro_tools\":[" FAKE_TOOL "]}"
#define FAKE_RESULT                                                                                \
    "{\"result\":{\"done\":true},\"state_delta\":{\"retract\":[{\"pred\":\"noted\",\"args\":"      \
    "[\"a\",null]}],\"assert\":[{\"pred\":\"noted\",\"args\":[\"b\",2],\"category\":\"server\"}]}" \
    ","                                                                                            \
    "\"observability\":{\"summary\":\"Done.\"},\"next\":{\"suggested_intents\":[{\"name\":"        \
    "\"work\",\"params\":{\"k\":\"v\"},\"description\":\"d\"}],\"continuation_facts\":"            \
    "[{\"pred\":\"noted\",\"args\":[\"c\",3]}]}}"

#define FAKE_MAX 4096

struct fake {
    struct link link;
    const char *manifest; /* what each opening begins with */
    void (*answer)(struct fake *f, const char *request);
    char *sent[FAKE_MAX];
    size_t sent_count, opened;
    char *waiting[FAKE_MAX];
    size_t first, end;
    bool refuse_open, gone; /* the connection is lost: nothing arrives any more */
    bool gone_before_sending;
    void *context;
    bool *closed;
};

/* Say something. "%s" stands for the id of the last request. */
static inline void fake_say(struct fake *f, const char *format)
{
    char id[64] = "";
    const char *at = f->sent_count ? strstr(f->sent[f->sent_count - 1], "\"id\":\"") : NULL;
    if (at)
        sscanf(at + 6, "%63[^\"]", id);
    size_t cap = strlen(format) + sizeof id;
    char *text = malloc(cap);
    const char *hole = strstr(format, "%s");
    if (hole)
        snprintf(text, cap, "%.*s%s%s", (int)(hole - format), format, id, hole + 2);
    else
        snprintf(text, cap, "%s", format);
    f->waiting[f->end++ % FAKE_MAX] = text;
}

static inline void fake_answer(struct fake *f, const char *type, const char *payload)
{
    size_t cap = strlen(payload) + 200;
    char *text = malloc(cap);
    snprintf(text, cap,
             "{\"type\":\"%s\",\"id\":\"%%s\",\"manglecp\":\"2026-02-draft\",\"payload\":%s}", type,
             payload);
    fake_say(f, text);
    free(text);
}

static inline void fake_error(struct fake *f, const char *code, const char *more)
{
    char payload[1024];
    snprintf(payload, sizeof payload,
             "{\"code\":\"%s\",\"message\":\"It is %s.\",\"recoverable\":true%s}", code, code,
             more);
    fake_answer(f, "error", payload);
}

/* What a server that is well says. */
static inline void fake_default(struct fake *f, const char *request)
{
    if (strstr(request, "\"type\":\"intent_request\""))
        fake_answer(f, "intent_response", FAKE_TOOLS);
    else if (strstr(request, "\"type\":\"invoke_request\""))
        fake_answer(f, "invoke_response", FAKE_RESULT);
    else if (strstr(request, "\"type\":\"authenticate\""))
        fake_answer(f, "authenticate_response",
                    "{\"status\":\"authenticated\",\"identity\":\"a\",\"permissions\":[]}");
}

static inline enum manglecp_status fake_receive(struct link *link, struct incoming *in,
                                                int64_t deadline_ns, struct buf *why)
{
    struct fake *f = (struct fake *)link;
    (void)deadline_ns; /* nothing comes later: what is not there now times out at once */
    if (f->first == f->end) {
        mgi_buf_puts(why, f->gone ? "gone" : "nothing came");
        return f->gone ? MANGLECP_ERR_TRANSPORT : MANGLECP_ERR_TIMEOUT;
    }
    char *text = f->waiting[f->first++ % FAKE_MAX];
    mgi_buf_clear(&in->text);
    mgi_buf_puts(&in->text, text);
    in->http_status = 0;
    in->retry_after_ms = -1;
    free(text);
    return in->text.oom ? MANGLECP_ERR_NOMEM : MANGLECP_OK;
}

static inline enum manglecp_status fake_open(struct link *link, struct incoming *first,
                                             int64_t deadline_ns, struct buf *why)
{
    struct fake *f = (struct fake *)link;
    f->opened++;
    f->gone = f->refuse_open;
    if (!f->refuse_open)
        fake_say(f, f->manifest);
    return fake_receive(link, first, deadline_ns, why);
}

static inline enum manglecp_status fake_send(struct link *link, enum link_message what,
                                             struct str message, int64_t deadline_ns, bool *left,
                                             struct buf *why)
{
    struct fake *f = (struct fake *)link;
    (void)what, (void)deadline_ns;
    if (f->gone_before_sending) {
        f->gone_before_sending = false;
        f->gone = true;
        *left = false;
        mgi_buf_puts(why, "gone before it left");
        return MANGLECP_ERR_TRANSPORT;
    }
    char *text = malloc(message.len + 1);
    memcpy(text, message.ptr, message.len);
    text[message.len] = '\0';
    f->sent[f->sent_count++ % FAKE_MAX] = text;
    *left = true;
    f->answer(f, text);
    return MANGLECP_OK;
}

static inline void fake_forget(struct fake *f)
{
    while (f->sent_count > 0)
        free(f->sent[--f->sent_count]);
}

static inline void fake_close(struct link *link)
{
    struct fake *f = (struct fake *)link;
    while (f->first != f->end)
        free(f->waiting[f->first++ % FAKE_MAX]);
    f->gone = true;
    if (f->closed)
        *f->closed = true;
}

static const struct link_table fake_session __attribute__((unused)) = { .session = true,
                                                                        .renews = true,
                                                                        .open = fake_open,
                                                                        .send = fake_send,
                                                                        .receive = fake_receive,
                                                                        .close = fake_close };

/* A link in the caller's storage: closing it frees nothing of that. */
static inline void fake_init(struct fake *f)
{
    memset(f, 0, sizeof *f);
    f->link.table = &fake_session;
    f->manifest = FAKE_MANIFEST;
    f->answer = fake_default;
}

#endif
