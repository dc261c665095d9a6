/* Questions. In r5 a question is an answer, and the client comes back; before it is a request of
 * ours, and the call waits. The handler sees one form: it is called again. */
#include <stdio.h>

#include "mcp/server_int.h"

static const struct {
    const char *method;
} kinds[] = {
    [MCP_ASK_FORM] = { "elicitation/create" },
    [MCP_ASK_URL] = { "elicitation/create" },
    [MCP_ASK_SAMPLING] = { "sampling/createMessage" },
    [MCP_ASK_ROOTS] = { "roots/list" },
};

static bool declares(const struct mcp_call *c, enum mcp_question_kind kind)
{
    const struct mcp_features *f = mgi_mcp_features(c->revision);
    switch (kind) {
    case MCP_ASK_FORM:
        return c->can.form && f->elicitation;
    case MCP_ASK_URL:
        return c->can.url && f->elicitation_urls;
    case MCP_ASK_SAMPLING:
        return c->can.sampling;
    default:
        return c->can.roots;
    }
}

bool mgi_mcp_can_ask(const struct mcp_call *c, enum mcp_question_kind kind)
{
    if (!c->peer || !c->row || !c->row->may_ask || !declares(c, kind))
        return false;
    if (mgi_mcp_features(c->revision)->modern)
        return true;
    return !c->route.quiet && !c->gone && c->peer->asked_count < MCP_PEER_QUESTIONS;
}

/* ---- the question as text ------------------------------------------------------------------- */

static void write_params(struct json_writer *w, const struct mcp_call *c,
                         const struct mcp_question *q)
{
    enum mcp_revision r = c->revision;
    if (q->kind == MCP_ASK_SAMPLING) {
        mgi_mcp_put_json(w, q->params);
        return;
    }
    mgi_jw_begin_object(w);
    if (q->kind == MCP_ASK_FORM) {
        if (mgi_mcp_features(r)->elicitation_urls)
            mgi_jw_member_cstr(w, "mode", "form");
        mgi_jw_member_str(w, "message", q->message);
        mgi_jw_key(w, "requestedSchema");
        mgi_mcp_put_json(w, q->params);
    } else if (q->kind == MCP_ASK_URL) {
        mgi_jw_member_cstr(w, "mode", "url");
        mgi_jw_member_str(w, "message", q->message);
        mgi_jw_key(w, "url");
        mgi_mcp_put_json(w, q->params);
        if (!mgi_mcp_features(r)->modern)
            mgi_jw_member_cstr(w, "elicitationId", q->key);
    }
    mgi_jw_end_object(w);
}

/* ---- r5 ------------------------------------------------------------------------------------- */

static void answer_with_question(struct mcp_call *c, const struct mcp_question *questions,
                                 size_t count, struct str state)
{
    struct answer a;
    mgi_mcp_begin_answer(&a, c, "input_required");
    if (count > 0) {
        mgi_jw_key(&a.w, "inputRequests");
        mgi_jw_begin_object(&a.w);
        for (size_t i = 0; i < count; i++) {
            mgi_jw_key_str(&a.w, str_of(questions[i].key));
            mgi_jw_begin_object(&a.w);
            mgi_jw_member_cstr(&a.w, "method", kinds[questions[i].kind].method);
            mgi_jw_key(&a.w, "params");
            write_params(&a.w, c, &questions[i]);
            mgi_jw_end_object(&a.w);
        }
        mgi_jw_end_object(&a.w);
    }
    if (state.len > 0)
        mgi_jw_member_str(&a.w, "requestState", state);
    mgi_mcp_end_answer(&a, (struct str){ 0 });
}

bool mgi_mcp_read_again(struct mcp_call *c)
{
    const struct json *answers = mgi_json_get(c->params, "inputResponses");
    const struct json *state = mgi_json_get(c->params, "requestState");
    bool fine = !answers || answers->type == JSON_OBJECT;
    for (uint32_t i = 0; fine && answers && i < answers->count; i++)
        fine = answers->members[i].value.type == JSON_OBJECT;
    if (!fine) {
        mgi_mcp_fail_with(c, RPC_INVALID_PARAMS,
                          "inputResponses is no object of the results that were asked for");
        return false;
    }
    if (state && (state->type != JSON_STRING || state->string.len > MCP_STATE_BYTES)) {
        mgi_mcp_fail_with(c, RPC_INVALID_PARAMS, "requestState is not one that was given here");
        return false;
    }
    c->answers = answers;
    if (state)
        c->state = state->string;
    c->again = answers || state;
    return true;
}

/* ---- r1 to r4 ------------------------------------------------------------------------------- */

static bool write_request(struct mcp_call *c, const struct mcp_question *q, struct asked *a)
{
    struct buf out = { .limit = MCP_WRITE_BYTES };
    struct json_writer w;
    struct rpc_id id = { .kind = RPC_ID_INT, .number = a->id };
    if (q->kind == MCP_ASK_ROOTS) {
        mgi_rpc_bare(&out, &id, kinds[q->kind].method);
    } else {
        mgi_rpc_begin(&w, &out, &id, kinds[q->kind].method);
        write_params(&w, c, q);
        mgi_rpc_end(&w);
    }
    a->key = mgi_arena_str(&c->arena, str_of(q->key));
    if (!out.oom)
        a->text = mgi_arena_str(&c->arena, mgi_buf_view(&out));
    mgi_buf_fini(&out);
    return a->text.ptr && a->key.ptr;
}

static void send_questions(struct mcp_call *c)
{
    for (size_t i = 0; c->peer && i < c->asked_count; i++) {
        if (!c->asked[i].sent)
            mgi_mcp_send_related(c, c->asked[i].text);
        c->asked[i].sent = true;
    }
}

void mgi_mcp_ask_held_back(struct mcp_peer *p)
{
    for (struct mcp_call *c = p->calls; c; c = c->next)
        if (c->waiting)
            send_questions(c);
}

static bool prepare(struct mcp_call *c, const struct mcp_question *questions, size_t count,
                    struct str state)
{
    struct asked *asked = mgi_arena_calloc(&c->arena, count, sizeof *asked);
    struct str kept = mgi_arena_str(&c->arena, state);
    if (!asked || !kept.ptr)
        return false;
    for (size_t i = 0; i < count; i++) {
        asked[i].id = ++c->peer->last_id;
        if (!write_request(c, &questions[i], &asked[i]))
            return false;
    }
    c->state = kept;
    c->asked = asked;
    c->asked_count = count;
    c->peer->asked_count += count;
    return true;
}

static void ask_and_wait(struct mcp_call *c, const struct mcp_question *questions, size_t count,
                         struct str state)
{
    if (c->cancelled || c->gone || count == 0 ||
        c->peer->asked_count + count > MCP_PEER_QUESTIONS) {
        mgi_mcp_finish_error(c, RPC_INTERNAL, STR_LIT("the client cannot be asked now"),
                             (struct str){ 0 });
        return;
    }
    if (!prepare(c, questions, count, state)) {
        mgi_mcp_finish_error(c, RPC_INTERNAL, STR_LIT("memory is short"), (struct str){ 0 });
        return;
    }
    int64_t now_ms = c->peer->o.now_ms(c->peer->o.context);
    c->waiting = true;
    c->with_handler = false;
    c->deadline_ms = now_ms + MCP_ANSWER_MS;
    c->beat_ms = now_ms + MCP_BEAT_MS;
    if (c->peer->state == PEER_READY)
        send_questions(c);
}

void mgi_mcp_ask(struct mcp_call *c, const struct mcp_question *questions, size_t count,
                 struct str state)
{
    if (!c->peer || mgi_mcp_features(c->revision)->modern)
        answer_with_question(c, questions, count, state);
    else
        ask_and_wait(c, questions, count, state);
}

/* ---- what was answered ---------------------------------------------------------------------- */

/* All are answered, or nobody will: the handler goes on from the beginning. */
static void go_on(struct mcp_call *c)
{
    for (size_t i = 0; i < c->asked_count; i++)
        if (!c->asked[i].done)
            return;
    c->waiting = false;
    c->again = true;
    mgi_mcp_run(c);
}

static void settle(struct mcp_call *c, struct asked *a, enum mcp_answered how)
{
    a->done = true;
    a->how = how;
    c->peer->asked_count--;
}

static struct asked *find_asked(struct mcp_peer *p, int64_t id, struct mcp_call **owner)
{
    for (struct mcp_call *c = p->calls; c; c = c->next) {
        for (size_t i = 0; c->waiting && i < c->asked_count; i++) {
            if (c->asked[i].id == id && c->asked[i].sent && !c->asked[i].done) {
                *owner = c;
                return &c->asked[i];
            }
        }
    }
    return NULL;
}

/* The answer lives as long as its call. False: memory. */
static bool keep_answer(struct mcp_call *c, const struct json *result, struct asked *a)
{
    struct json *v = mgi_arena_alloc(&c->arena, sizeof *v);
    struct str text = mgi_arena_str(&c->arena, result->text);
    if (!v || !text.ptr || mgi_json_parse(&c->arena, text, NULL, v, NULL) != JSON_OK)
        return false;
    a->answer = v;
    return true;
}

void mgi_mcp_take_answer(struct mcp_peer *p, const struct rpc_message *m)
{
    struct mcp_call *c = NULL;
    struct asked *a = m->id.kind == RPC_ID_INT ? find_asked(p, m->id.number, &c) : NULL;
    if (!a)
        return;
    bool answered = m->kind == RPC_RESULT && keep_answer(c, m->result, a);
    settle(c, a, answered ? MCP_ANSWERED : MCP_REFUSED);
    go_on(c);
}

static void send_cancelled(struct mcp_call *c, int64_t id)
{
    struct buf out = { 0 };
    struct json_writer w;
    mgi_rpc_begin(&w, &out, NULL, "notifications/cancelled");
    mgi_jw_begin_object(&w);
    mgi_jw_member_int(&w, "requestId", id);
    mgi_jw_end_object(&w);
    mgi_rpc_end(&w);
    if (!out.oom)
        mgi_mcp_send_related(c, mgi_buf_view(&out));
    mgi_buf_fini(&out);
}

void mgi_mcp_give_up(struct mcp_call *c)
{
    for (size_t i = 0; c->peer && i < c->asked_count; i++) {
        if (c->asked[i].done)
            continue;
        if (c->asked[i].sent)
            send_cancelled(c, c->asked[i].id);
        settle(c, &c->asked[i], MCP_REFUSED);
    }
}

void mgi_mcp_tick_questions(struct mcp_call *c, int64_t now_ms)
{
    if (!c->waiting)
        return;
    if (now_ms >= c->deadline_ms) {
        mgi_mcp_give_up(c);
        go_on(c);
        return;
    }
    if (now_ms >= c->beat_ms) {
        c->beat_ms = now_ms + MCP_BEAT_MS;
        mgi_mcp_beat(c);
    }
}

bool mgi_mcp_is_again(const struct mcp_call *c)
{
    return c->again;
}

struct str mgi_mcp_state(const struct mcp_call *c)
{
    return c->again ? c->state : (struct str){ "", 0 };
}

enum mcp_answered mgi_mcp_answer_of(const struct mcp_call *c, const char *key,
                                    const struct json **out)
{
    *out = NULL;
    if (c->answers) {
        *out = mgi_json_get(c->answers, key);
        return *out ? MCP_ANSWERED : MCP_UNANSWERED;
    }
    for (size_t i = 0; i < c->asked_count; i++) {
        if (!str_is(c->asked[i].key, key) || !c->asked[i].done)
            continue;
        *out = c->asked[i].answer;
        return c->asked[i].how;
    }
    return MCP_UNANSWERED;
}

enum mcp_action mgi_mcp_action(const struct json *answer, const struct json **content)
{
    const struct json *action = answer ? mgi_json_get(answer, "action") : NULL;
    const struct json *said = answer ? mgi_json_get(answer, "content") : NULL;
    *content = NULL;
    if (!action || action->type != JSON_STRING)
        return MCP_NO_ACTION;
    if (str_is(action->string, "decline"))
        return MCP_DECLINE;
    if (str_is(action->string, "cancel"))
        return MCP_CANCEL;
    if (!str_is(action->string, "accept"))
        return MCP_NO_ACTION;
    if (said && said->type == JSON_OBJECT)
        *content = said;
    return MCP_ACCEPT;
}

void mgi_mcp_write_bound(const struct mcp_call *c, struct buf *out)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_array(&w);
    mgi_jw_string(&w, c->method);
    mgi_jw_string(&w, c->name);
    mgi_jw_end_array(&w);
    mgi_json_canonical(out, c->arguments);
}
