/* What becomes of a call:
 *
 *     tool ─> read ─> work ─> its turn ─> a worker ─> done: answer, the next turn
 *                                          │   ↑
 *                                 asks: parked, until the handler is called again with the answer
 *
 * A parked call has given its mcp_call back, and is found again by a random name that it gave the
 * core as state. In r5 that name travels through the client: it names what this process holds, for
 * the same request and owner, and once (X-MRTR-8, -10, -11). */
#include "bridge/bridge_int.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "bridge/consent_text.h"
#include "bridge/work.h"
#include "sys/clock.h"
#include "sys/random.h"

#define STATE_BYTES 16

#define KEY "consent"

static struct bridge_call *call_of(struct crew_job *job)
{
    return (struct bridge_call *)job;
}

static struct bridge_call *call_of_turn(struct work_turn *turn)
{
    return (struct bridge_call *)((char *)turn - offsetof(struct bridge_call, turn));
}

/* ---- answers ------------------------------------------------------------------------------- */

static void answer(struct bridge_call *c)
{
    struct mcp_call *mcp = c->mcp;
    c->mcp = NULL;
    if (!mcp)
        return;
    mgi_mcp_keep(mcp, NULL, NULL);
    if (c->parked) /* the core has it: the state that it will come with is none any more */
        return;
    if (mgi_mcp_is_cancelled(mcp)) {
        mgi_mcp_drop(mcp);
        return;
    }
    if (c->kind->answer && c->kind->answer(c, mcp))
        return;
    mgi_tell_send(&c->out.tell, mcp);
    if (c->out.too_large && !c->bridge->options.text_alone)
        mgi_buf_puts(&c->out.text, "(structuredContent is left out: it has more than 1 MiB)\n");
    if (c->out.text.oom || c->out.structured.oom) {
        mgi_mcp_fail(mcp, RPC_INTERNAL, STR_LIT("out of memory"), (struct str){ 0 });
        return;
    }
    struct mcp_block block = { .kind = MCP_TEXT, .text = mgi_buf_view(&c->out.text) };
    struct mcp_tool_result r = { .blocks = &block, .block_count = 1, .is_error = c->out.is_error };
    if (!c->bridge->options.text_alone)
        r.structured = mgi_buf_view(&c->out.structured);
    mgi_mcp_answer_tool(mcp, &r);
}

static void call_free(struct bridge_call *c)
{
    *c->place = c->next;
    if (c->next)
        c->next->place = c->place;
    c->bridge->count--;
    if (c->kind->fini)
        c->kind->fini(c);
    mgi_bridge_caller_unref(c->caller);
    mgi_performed_fini(&c->out);
    mgi_buf_fini(&c->job.question);
    mgi_arena_fini(&c->arena);
    mgi_free(c);
}

void mgi_bridge_call_refuse(struct bridge_call *c, const char *text)
{
    mgi_buf_puts(&c->out.text, text);
    c->out.is_error = true;
    answer(c);
    call_free(c);
}

/* ---- running ------------------------------------------------------------------------------- */

static void run(struct crew_job *job, manglecp_client *client, const char *why)
{
    struct bridge_call *c = call_of(job);
    if (atomic_load(&job->cancelled))
        mgi_perform_nothing("cancelled", &c->out);
    else if (!client)
        mgi_perform_nothing(why, &c->out);
    else
        c->kind->perform(c, client);
}

static void perform_ask(struct bridge_call *c, manglecp_client *client)
{
    mgi_perform(client, c->work, &c->ask, &c->arena, mgi_clock_real_ns(), &c->job, &c->out);
}

static const struct bridge_call_kind ask_call = { .size = sizeof(struct bridge_call),
                                                  .perform = perform_ask };

static void start(struct bridge_call *c);

/* Whoever is inside of the work leaves it. */
static void leave(struct bridge_work *work)
{
    struct work_turn *next = work ? mgi_works_leave(work, mgi_clock_mono_ns()) : NULL;
    if (next)
        start(call_of_turn(next));
}

static void done(struct crew_job *job)
{
    struct bridge_call *c = call_of(job);
    struct bridge_work *work = c->work;
    struct works *works = c->bridge->works;
    bool failed_to_begin = c->began && c->out.is_error;
    if (c->kind->done)
        c->kind->done(c);
    answer(c);
    call_free(c);
    if (failed_to_begin && work->waiting_count == 0)
        mgi_works_drop(works, work);
    else
        leave(work);
}

static void start(struct bridge_call *c)
{
    struct bridge_work *work = c->work;
    if (c->kind->is_settled && c->kind->is_settled(c)) {
        answer(c);
        call_free(c);
        leave(work);
        return;
    }
    c->handed = mgi_crew_hand(c->bridge->crew, &c->job);
    if (c->handed)
        return;
    mgi_bridge_call_refuse(c, "too much is under way: try again in a moment");
    leave(work);
}

/* As it happens; what came of all steps follows with the answer (tell.h). */
static void log_step(const struct bridge_call *c, const char *text)
{
    struct tell now = { 0 };
    mgi_tell_listen(&now, c->mcp);
    mgi_tell_one(&now, MCP_DEBUG, c->ask.tool, "progress", str_of(text));
    mgi_tell_send(&now, c->mcp);
    mgi_tell_fini(&now);
}

static void tell_progress(struct crew_job *job, double percent, const char *text)
{
    struct bridge_call *c = call_of(job);
    if (!c->mcp)
        return;
    if (percent >= 0)
        mgi_mcp_progress(c->mcp, percent, 100, str_of(text));
    else
        mgi_mcp_progress(c->mcp, ++c->steps, 0, str_of(text));
    log_step(c, text);
}

static const char *owner_of(const struct bridge_caller *who)
{
    return who ? who->owner : "";
}

/* ---- questions ----------------------------------------------------------------------------- */

/* What an answer has to belong to. */
static bool bind_call(const struct mcp_call *mcp, const struct bridge_caller *who,
                      uint8_t out[SHA256_BYTES])
{
    struct buf text = { 0 };
    mgi_buf_puts(&text, owner_of(who));
    mgi_buf_putc(&text, '\n');
    mgi_mcp_write_bound(mcp, &text);
    bool bound = !text.oom && mgi_sha256(text.ptr, text.len, out);
    mgi_buf_fini(&text);
    return bound;
}

static bool name_state(struct bridge_call *c)
{
    uint8_t bytes[STATE_BYTES];
    if (!mgi_random(bytes, sizeof bytes))
        return false;
    mgi_base64url_encode(bytes, sizeof bytes, c->state);
    return true;
}

/* Whoever is inside of the work waits for a person, who may take minutes, or for a client that may
 * never come back. */
static void tell_asking(struct bridge_call *c, bool modern)
{
    if (c->ask.direct)
        mgi_bridge_call_refuse(c, modern ? "the user is being asked about a tool: call that one "
                                           "again with the answer, and this one after it"
                                         : "the user is being asked about another tool: call "
                                           "again when that one is done");
    else
        mgi_bridge_call_refuse(
            c, modern ? "the user is being asked about a tool of this work: call that tool again "
                        "with the answer, or begin new work"
                      : "the user is being asked about a tool of this work: call again when that "
                        "tool is done, or begin new work");
}

/* Those that came before there was a question. */
static void tell_waiting(struct bridge_work *work, bool modern)
{
    struct work_turn *turn;
    while (work && (turn = work->waiting) != NULL && mgi_works_withdraw(work, turn))
        tell_asking(call_of_turn(turn), modern);
}

static void park(struct bridge_call *c, const char *question)
{
    static const char schema[] = "{\"type\":\"object\",\"properties\":{\"agree\":{\"type\":"
                                 "\"boolean\",\"title\":\"Run it\"}},"
                                 "\"required\":[\"agree\"]}";
    struct mcp_question q = {
        .key = KEY, .kind = MCP_ASK_FORM, .message = str_of(question), .params = STR_LIT(schema)
    };
    struct mcp_call *mcp = c->mcp;
    struct bridge_work *work = c->work;
    bool modern = c->modern;
    if (!mcp || !mgi_mcp_can_ask(mcp, MCP_ASK_FORM) || !bind_call(mcp, c->caller, c->bound) ||
        !name_state(c)) {
        mgi_crew_answer(c->bridge->crew, &c->job, CREW_NOBODY);
        return;
    }
    c->parked = true;
    if (c->modern) { /* this call is over; another one will come, or not */
        mgi_mcp_keep(mcp, NULL, NULL);
        c->mcp = NULL;
    }
    mgi_mcp_ask(mcp, &q, 1, str_of(c->state));
    tell_waiting(work, modern);
}

static void ask_person(struct crew_job *job, const char *question)
{
    park(call_of(job), question);
}

static enum crew_answer read_answer(const struct mcp_call *mcp, bool *again)
{
    const struct json *result, *content = NULL;
    *again = false;
    switch (mgi_mcp_answer_of(mcp, KEY, &result)) {
    case MCP_REFUSED:
        return CREW_UNANSWERED;
    case MCP_UNANSWERED:
        *again = true;
        return CREW_UNANSWERED;
    case MCP_ANSWERED:
        break;
    }
    enum mcp_action action = mgi_mcp_action(result, &content);
    const struct json *agree = mgi_json_get(content, "agree");
    switch (action) {
    case MCP_ACCEPT:
        *again = !agree || agree->type != JSON_BOOL;
        return agree && agree->type == JSON_BOOL && agree->boolean ? CREW_AGREED : CREW_REFUSED;
    case MCP_DECLINE:
        return CREW_REFUSED;
    case MCP_CANCEL:
        return CREW_UNANSWERED;
    case MCP_NO_ACTION:
        break;
    }
    *again = true;
    return CREW_UNANSWERED;
}

static struct bridge_call *find_parked(struct bridge *b, struct str state)
{
    for (struct bridge_call *c = b->calls; c; c = c->next)
        if (c->parked && state.len == STATE_CHARS &&
            mgi_equal_constant_time(state.ptr, c->state, STATE_CHARS))
            return c;
    return NULL;
}

static void call_gone(void *mine);

/* The handler is called again. */
void mgi_bridge_go_on(struct bridge *b, struct mcp_call *mcp)
{
    struct bridge_call *c = find_parked(b, mgi_mcp_state(mcp));
    uint8_t bound[SHA256_BYTES];
    /* A legacy call comes again as it was; its caller is the one that it began with. */
    const struct bridge_caller *who = c && c->modern ? mgi_mcp_caller(mcp) : c ? c->caller : NULL;
    if (!c || !bind_call(mcp, who, bound) ||
        !mgi_equal_constant_time(bound, c->bound, sizeof bound)) {
        mgi_mcp_fail(mcp, RPC_INVALID_PARAMS,
                     STR_LIT("requestState is none of this request, or its time is over"),
                     (struct str){ 0 });
        return;
    }
    bool again;
    enum crew_answer said = read_answer(mcp, &again);
    c->parked = false;
    c->state[0] = '\0'; /* it was good once */
    c->mcp = mcp;
    mgi_tell_listen(&c->out.tell, mcp);
    mgi_mcp_keep(mcp, c, call_gone);
    if (again && c->modern)
        park(c, c->job.question.ptr);
    else
        mgi_crew_answer(b->crew, &c->job, again ? CREW_UNANSWERED : said);
}

/* ---- a call comes, and is not wanted any more ---------------------------------------------- */

/* Nobody waits for it. One that waits for its turn goes; one that runs is told. */
static void abandon(struct bridge_call *c)
{
    if (c->handed) {
        mgi_crew_cancel(c->bridge->crew, &c->job);
        return;
    }
    if (c->work)
        (void)mgi_works_withdraw(c->work, &c->turn);
    answer(c);
    call_free(c);
}

void mgi_bridge_cancelled(void *context, struct mcp_call *mcp)
{
    (void)context;
    struct bridge_call *c = mgi_mcp_kept(mcp); /* of a tool; what is offered beside is short */
    if (c)
        abandon(c);
}

/* The core gave the call up, while its question was open. */
static void call_gone(void *mine)
{
    struct bridge_call *c = mine;
    c->mcp = NULL;
    c->parked = false;
    mgi_crew_cancel(c->bridge->crew, &c->job);
}

static uint64_t connection_of(const struct bridge_call *c)
{
    if (c->modern)
        return 0;
    return c->caller && c->caller->connection ? c->caller->connection : 1;
}

/* Handles are told to whoever is known to own them. */
static void tell_works(const struct bridge_call *c, struct buf *out)
{
    const char *name;
    if (c->caller && !c->caller->who) {
        mgi_buf_puts(out, "say which work: intent has named it");
        return;
    }
    mgi_buf_puts(out, "say which work:");
    for (size_t i = 0; i < WORK_DEFAULT_MAX; i++)
        if ((name = mgi_works_name(c->bridge->works, owner_of(c->caller), i)) != NULL)
            mgi_buf_printf(out, " %s", name);
}

static void tell_fault(const struct bridge_call *c, enum work_fault fault, struct buf *out)
{
    switch (fault) {
    case WORK_UNKNOWN:
        mgi_buf_puts(out, "there is no such work (any more): declare the intent again");
        break;
    case WORK_NONE:
        mgi_buf_puts(out, "there is no work yet: declare an intent first");
        break;
    case WORK_AMBIGUOUS:
        tell_works(c, out);
        break;
    case WORK_FULL:
        mgi_buf_puts(out, "too many works are under way: try again in a moment");
        break;
    default:
        mgi_buf_puts(out, "the bridge is short of memory");
    }
}

/* Over HTTP a modern request belongs to nothing: one without a handle means no work (X-BRIDGE-2).
 */
static enum work_fault find_work(struct bridge_call *c, int64_t now_ns)
{
    struct works *works = c->bridge->works;
    const char *owner = owner_of(c->caller);
    if (c->work)
        return WORK_FINE;
    if (c->ask.kind == ASK_INTENT && c->ask.work.len == 0) {
        c->began = true;
        return mgi_works_begin(works, owner, connection_of(c), now_ns, &c->work);
    }
    if (c->caller && c->modern && c->ask.work.len == 0)
        return !c->caller->who || mgi_works_name(works, owner, 0) ? WORK_AMBIGUOUS : WORK_NONE;
    return mgi_works_find(works, owner, connection_of(c), c->ask.work, now_ns, &c->work);
}

/* The work that it is about. False: it was answered. */
static bool have_work(struct bridge_call *c)
{
    enum work_fault fault = find_work(c, mgi_clock_mono_ns());
    if (fault == WORK_FINE)
        return true;
    struct buf why = { 0 };
    tell_fault(c, fault, &why);
    mgi_bridge_call_refuse(c, why.ptr ? why.ptr : "out of memory");
    mgi_buf_fini(&why);
    return false;
}

static bool needs_work(const struct ask *ask)
{
    return ask->kind != ASK_INTENT || ask->intent;
}

void mgi_bridge_call_enter(struct bridge_call *c)
{
    if (!needs_work(&c->ask)) {
        start(c);
        return;
    }
    if (!have_work(c))
        return;
    switch (mgi_works_enter(c->work, &c->turn, mgi_clock_mono_ns())) {
    case WORK_ENTERED:
        start(c);
        break;
    case WORK_WAITS:
        if (call_of_turn(c->work->inside)->parked)
            tell_waiting(c->work, call_of_turn(c->work->inside)->modern);
        break;
    case WORK_CROWDED:
        mgi_bridge_call_refuse(c, "too many calls wait for this work: wait for their answers");
        break;
    }
}

static void drop(struct crew_job *job)
{
    struct bridge_call *c = call_of(job);
    answer(c);
    call_free(c);
}

/* Nobody is woken for what nobody hears. In r5 who answers a question comes back with another
 * request, which may want what the first one did not. */
static bool hears_progress(const struct bridge_call *c)
{
    return mgi_mcp_wants_progress(c->mcp) || mgi_mcp_logs_at(c->mcp, MCP_DEBUG) ||
           (c->modern && c->job.ask);
}

/* What of a call depends on who asks for it. */
static void take_asker(struct bridge_call *c, struct mcp_call *mcp)
{
    c->mcp = mcp;
    c->caller = mgi_bridge_caller_ref(mgi_mcp_caller(mcp));
    c->modern = mgi_mcp_call_revision(mcp) >= MCP_MODERN;
    c->job.who = c->caller ? c->caller->who : NULL;
    mgi_tell_listen(&c->out.tell, mcp);
    /* Who is a program by itself has nobody who could agree. */
    bool has_person = !c->job.who || !c->job.who->automated;
    c->job.ask = has_person && mgi_mcp_can_ask(mcp, MCP_ASK_FORM) ? ask_person : NULL;
    c->job.progress = hears_progress(c) ? tell_progress : NULL;
    mgi_mcp_keep(mcp, c, call_gone);
}

struct bridge_call *mgi_bridge_call_new(struct bridge *b, struct mcp_call *mcp,
                                        const struct bridge_call_kind *kind)
{
    struct bridge_call *c = b->count < BRIDGE_CALLS ? mgi_calloc(1, kind->size) : NULL;
    if (!c)
        return NULL;
    c->kind = kind;
    c->bridge = b;
    c->job.run = run;
    c->job.done = done;
    c->job.drop = drop;
    mgi_arena_init(&c->arena, 0);
    c->next = b->calls;
    c->place = &b->calls;
    if (c->next)
        c->next->place = &c->next;
    b->calls = c;
    b->count++;
    if (mcp)
        take_asker(c, mcp);
    return c;
}

/* The JSON of the call is the call's, which may be given back before the job is over. */
static bool read_ask(struct bridge_call *c, enum ask_kind kind, struct buf *faults)
{
    struct str text = mgi_arena_str(&c->arena, mgi_mcp_tool_text(c->mcp));
    struct json arguments;
    if (!text.ptr || mgi_json_parse(&c->arena, text, NULL, &arguments, NULL) != JSON_OK)
        return false;
    return mgi_ask_read(&c->arena, kind, &arguments, &c->ask, faults);
}

static void tool(void *context, struct mcp_call *mcp)
{
    struct bridge *b = context;
    if (mgi_mcp_is_again(mcp)) {
        mgi_bridge_go_on(b, mcp);
        return;
    }
    enum ask_kind kind = mgi_ask_kind(mgi_mcp_name(mcp));
    struct bridge_call *c = kind < ASK_KINDS ? mgi_bridge_call_new(b, mcp, &ask_call) : NULL;
    if (!c) {
        mgi_mcp_fail(mcp, kind < ASK_KINDS ? RPC_INTERNAL : RPC_INVALID_PARAMS,
                     kind < ASK_KINDS ? STR_LIT("too much is under way") : STR_LIT("no such tool"),
                     (struct str){ 0 });
        return;
    }
    struct buf faults = { 0 };
    if (read_ask(c, kind, &faults))
        mgi_bridge_call_enter(c);
    else
        mgi_bridge_call_refuse(c, faults.len > 0 ? faults.ptr : "out of memory");
    mgi_buf_fini(&faults);
}

/* ---- the whole ----------------------------------------------------------------------------- */

static const struct mcp_handlers handlers = { .tool = tool,
                                              .prompt = mgi_offer_prompt,
                                              .resource = mgi_offer_resource,
                                              .complete = mgi_offer_completion,
                                              .cancelled = mgi_bridge_cancelled,
                                              .choose = mgi_lists_choose };

static bool open_three(struct bridge *b, const void *context)
{
    (void)context;
    b->lists = mgi_lists_new(b, &handlers);
    return b->lists != NULL;
}

static struct mcp_server *server_of_three(struct bridge *b)
{
    return mgi_lists_server(b->lists);
}

static void three_loaded(struct bridge *b)
{
    mgi_lists_again(b->lists);
}

static void end_three(struct bridge *b)
{
    mgi_lists_end(b->lists);
}

static void close_three(struct bridge *b)
{
    mgi_lists_free(b->lists);
}

static const struct bridge_face three_tools = { .size = sizeof(struct bridge),
                                                .open = open_three,
                                                .server = server_of_three,
                                                .loaded = three_loaded,
                                                .end = end_three,
                                                .close = close_three };

struct bridge *mgi_bridge_new(const struct bridge_options *options)
{
    return mgi_bridge_make(options, &three_tools, NULL);
}

struct bridge *mgi_bridge_make(const struct bridge_options *options, const struct bridge_face *face,
                               const void *context)
{
    struct bridge *b = mgi_calloc(1, face->size);
    if (!b)
        return NULL;
    struct works_options works = { .countable = options->one_user, .idle_ns = face->works_idle_ns };
    struct crew_options crew = { .loop = options->loop,
                                 .threads = options->threads,
                                 .question_ms = options->question_ms,
                                 .compose = mgi_consent_text,
                                 .connect = options->connect,
                                 .context = options->context };
    b->face = face;
    b->options = *options;
    b->works = mgi_works_new(&works);
    b->crew = b->works && face->open(b, context) ? mgi_crew_new(&crew) : NULL;
    if (b->crew)
        return b;
    face->close(b);
    mgi_works_free(b->works);
    mgi_free(b);
    return NULL;
}

struct mcp_server *mgi_bridge_server(struct bridge *b)
{
    return b->face->server(b);
}

void mgi_bridge_listen(struct bridge *b,
                       void (*changed)(void *context, const struct bridge_change *change),
                       void *context)
{
    b->changed = changed;
    b->changed_context = context;
}

void mgi_bridge_loaded(struct bridge *b)
{
    b->face->loaded(b);
}

size_t mgi_bridge_busy(const struct bridge *b)
{
    return b->count;
}

void mgi_bridge_cancel(struct bridge *b)
{
    for (struct bridge_call *c = b->calls, *next; c; c = next) {
        next = c->next;
        abandon(c);
    }
    b->face->end(b);
}

void mgi_bridge_free(struct bridge *b)
{
    if (!b)
        return;
    mgi_crew_free(b->crew);
    while (b->calls) { /* those that wait for their turn */
        answer(b->calls);
        call_free(b->calls);
    }
    mgi_works_free(b->works);
    b->face->close(b);
    mgi_free(b);
}
