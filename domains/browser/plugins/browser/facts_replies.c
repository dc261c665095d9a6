/* Messages by which a server refuses what a page said over its socket: { type: "error" }, { ok:
 * false }, an error of JSON-RPC, a reply of status error. What is only told of (a build failed) is
 * none of them: it has to come right after something that was sent, and to say no more than that,
 * or to name what was sent. */
#include "facts.h"
#include "source_int.h"

#define REPLIES_READ 600
#define REPLIES_TOLD 6
#define REPLY_NS     (2000 * NS_PER_MS)
#define NOTICED_NS   (250 * NS_PER_MS)
#define SAYS_BYTES   160
#define REPLY_DEPTH  3
#define MEMBERS_READ 24

static bool is_refusing_word(struct str word)
{
    static const char *const words[] = {
        "error",           "err",     "nack",      "nak",          "reject",    "rejected",
        "denied",          "refused", "forbidden", "unauthorized", "exception", "unauthorised",
        "unauthenticated", "invalid", "failure",   "failed",       "fail",      NULL
    };
    return mgi_str_is_any(word, words);
}

/* The parts of a name in small letters: subscribe_error, joinRejected, pusher:error. The last of
 * them refuses; `rest` is what stands before it. */
static bool refuses_by_name(struct fact_list *list, struct str name, struct str *rest)
{
    struct str small = mgi_fact_small(list, name);
    size_t from = small.len;
    if (name.len > 48 || small.len != name.len)
        return false;
    while (from > 0 && is_name_char(name.ptr[from - 1]) && name.ptr[from - 1] != '_') {
        from--;
        if (name.ptr[from] >= 'A' && name.ptr[from] <= 'Z' && from > 0)
            break;
    }
    *rest = (struct str){ small.ptr, from };
    while (rest->len > 0 && !is_name_char(rest->ptr[rest->len - 1]))
        rest->len--;
    while (rest->len > 0 && rest->ptr[rest->len - 1] == '_')
        rest->len--;
    return is_refusing_word((struct str){ small.ptr + from, small.len - from });
}

/* What was sent has this word, or one that begins like it: subscribe of subscription. */
static bool was_about(struct fact_list *list, struct str sent, struct str word)
{
    struct str small = mgi_fact_small(list, mgi_utf8_prefix(sent, 400));
    return word.len > 3 &&
           mgi_str_find(small, mgi_utf8_prefix(word, word.len > 6 ? 6 : word.len)) != SIZE_MAX;
}

static struct str text_in(const struct json *object)
{
    static const char *const names[] = { "message",     "detail", "reason", "error",
                                         "description", "msg",    "text",   NULL };
    for (size_t i = 0; names[i]; i++) {
        struct str text = mgi_member_string(object, names[i]);
        if (text.len > 0)
            return text;
    }
    return STR_LIT("");
}

/* What it says of why, in its own words. */
static struct str words_of(struct fact_list *list, const struct json *object, struct str kind)
{
    static const char *const within[] = { "error", "payload", "data", "response", "body", NULL };
    struct str text = text_in(object), code = mgi_member_string(object, "code");
    for (size_t i = 0; text.len == 0 && within[i]; i++) {
        const struct json *in = mgi_json_get(object, within[i]);
        if (in && in->type == JSON_OBJECT)
            text = text_in(in);
    }
    const struct json *all = mgi_json_get(object, "errors");
    if (text.len == 0 && all && all->type == JSON_ARRAY && all->count > 0)
        text = all->items[0].type == JSON_STRING ? all->items[0].string : text_in(&all->items[0]);
    if (text.len == 0 || code.len == 0)
        return text.len > 0 ? text : code.len > 0 ? code : kind;
    const char *both =
        mgi_arena_printf(list->job->arena, "%.*s: %.*s", STR_ARG(code), STR_ARG(text));
    return both ? str_of(both) : text;
}

/* It is told by the number of what was sent, or is called a reply. */
static bool is_reply(const struct json *object, const struct json *sent)
{
    static const char *const marks[] = { "id",    "ref",       "seq",        "req",
                                         "reqId", "requestId", "request_id", "nonce",
                                         "cid",   "msgId",     NULL };
    for (size_t i = 0; marks[i]; i++) {
        const struct json *a = mgi_json_get(object, marks[i]), *b = mgi_json_get(sent, marks[i]);
        if (a && b && a->type == b->type &&
            ((a->type == JSON_STRING && a->string.len > 0 && str_eq(a->string, b->string)) ||
             (a->type == JSON_INT && str_eq(a->text, b->text))))
            return true;
    }
    return false;
}

struct reply {
    struct fact_list *list;
    struct str sent_text;
    const struct json *sent;
    bool replies; /* an element around it says that it is one */
    struct str says;
};

static bool says_no(const struct json *object)
{
    static const char *const names[] = { "ok", "success", "accepted", NULL };
    for (size_t i = 0; names[i]; i++) {
        const struct json *v = mgi_json_get(object, names[i]);
        if (v && v->type == JSON_BOOL && !v->boolean)
            return true;
    }
    return false;
}

static bool has_error(const struct json *object)
{
    const struct json *one = mgi_json_get(object, "error"), *all = mgi_json_get(object, "errors");
    return (one &&
            (one->type == JSON_OBJECT || (one->type == JSON_STRING && one->string.len > 0))) ||
           (all && all->type == JSON_ARRAY && all->count > 0);
}

static bool refuses_as_object(struct reply *r, const struct json *object)
{
    static const char *const kinds[] = { "type",    "event",  "kind", "op",   "action", "cmd",
                                         "command", "method", "t",    "name", NULL };
    static const char *const states[] = { "status", "result", "state", NULL };
    struct str rest = STR_LIT("");
    bool replies = r->replies || is_reply(object, r->sent);
    for (size_t i = 0; kinds[i]; i++) {
        struct str kind = mgi_member_string(object, kinds[i]);
        if (kind.len > 0 && refuses_by_name(r->list, kind, &rest) &&
            (rest.len == 0 || replies || was_about(r->list, r->sent_text, rest))) {
            r->says = words_of(r->list, object, kind);
            return true;
        }
    }
    for (size_t i = 0; states[i]; i++) {
        struct str state = mgi_member_string(object, states[i]);
        if (replies && state.len > 0 && refuses_by_name(r->list, state, &rest)) {
            r->says = words_of(r->list, object, state);
            return true;
        }
    }
    if (!says_no(object) && !has_error(object))
        return false;
    r->says = words_of(r->list, object, STR_LIT("no"));
    return true;
}

/* Lists are of libraries: [null,"4","room:1","phx_reply",{"status":"error"}], ["exception",{}]. */
static bool refuses_as_list(struct reply *r, const struct json *array)
{
    struct str rest = STR_LIT(""), word = STR_LIT("");
    for (size_t i = 0; i < array->count && i < 6; i++) {
        const struct json *item = &array->items[i];
        if (item->type == JSON_STRING && refuses_by_name(r->list, item->string, &rest))
            word = item->string;
        if (item->type == JSON_STRING)
            r->replies = r->replies || mgi_str_ends(item->string, STR_LIT("reply"));
        if (item->type == JSON_OBJECT && word.len > 0) {
            r->says = words_of(r->list, item, word);
            return true;
        }
        if (item->type == JSON_OBJECT && refuses_as_object(r, item))
            return true;
    }
    r->says = word;
    return word.len > 0 && rest.len == 0;
}

static bool json_in(struct fact_list *list, struct str text, struct json *out)
{
    size_t from = 0;
    text = mgi_str_trim(text, " \t\r\n");
    while (from < text.len && text.ptr[from] >= '0' && text.ptr[from] <= '9')
        from++; /* 42["join",{}] */
    if (from == text.len || !strchr("{[", text.ptr[from]))
        return false;
    return mgi_json_parse(list->job->arena, (struct str){ text.ptr + from, text.len - from }, NULL,
                          out, NULL) == JSON_OK;
}

/* The last that was sent over the same socket, no longer ago than an answer takes. */
static size_t sent_before(const struct page_more *more, size_t at)
{
    const struct socket_frame *f = &more->frames.items[at];
    for (size_t i = at; i-- > 0;) {
        const struct socket_frame *s = &more->frames.items[i];
        if (s->at_ns + REPLY_NS < f->at_ns)
            return SIZE_MAX;
        if (s->what == FRAME_SENT && str_eq(s->request_id, f->request_id))
            return i;
    }
    return SIZE_MAX;
}

/* Also where only a text is another one now. The page says its changes in whole milliseconds: in
 * that of the message the one counts that was told first. */
static bool something_changed(const struct page_more *more, size_t at)
{
    int64_t at_ns = more->frames.items[at].at_ns;
    for (size_t i = 0; i < more->changes.count; i++) {
        const struct sample *s = &more->changes.items[i];
        bool later = s->at_ns >= at_ns || (s->at_ns + NS_PER_MS > at_ns && s->frames > at);
        if (later && s->at_ns <= at_ns + NOTICED_NS && (s->content > 0 || s->count > 0))
            return true;
    }
    return false;
}

static bool tell_reply(struct fact_list *list, size_t at)
{
    const struct page_more *more = &list->capture->more;
    const struct socket_frame *f = &more->frames.items[at];
    struct json value, sent = { 0 };
    size_t before = sent_before(more, at);
    const struct request *request =
        mgi_told_request(list, mgi_request_by_id(list->capture, f->request_id));
    if (!request || before == SIZE_MAX || !json_in(list, f->text, &value))
        return false;
    struct reply r = { .list = list, .sent_text = more->frames.items[before].text, .sent = &sent };
    if (!json_in(list, r.sent_text, &sent))
        sent = (struct json){ .type = JSON_NULL };
    if (value.type == JSON_ARRAY ? !refuses_as_list(&r, &value) : !refuses_as_object(&r, &value))
        return false;
    struct str id = mgi_fact_id(list, "r", request->number);
    mgi_fact(list, RANK_HIGH, "frame_refuses", f->at_ns, f->at_ns, "snns", id, (int64_t)at + 1,
             (int64_t)before + 1, mgi_utf8_prefix(r.says, SAYS_BYTES));
    if (more->watches_changes)
        mgi_fact(list, RANK_HIGH, "frame_noticed", NO_TIME, 0, "snz", id, (int64_t)at + 1,
                 something_changed(more, at) ? "true" : "false");
    return true;
}

void mgi_facts_replies(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    size_t told = 0;
    for (size_t i = 0; i < more->frames.count && i < REPLIES_READ && told < REPLIES_TOLD; i++)
        if (more->frames.items[i].what == FRAME_RECEIVED &&
            !mgi_is_past(list, more->frames.items[i].at_ns))
            told += tell_reply(list, i);
}
