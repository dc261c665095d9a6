/* A bridge that shows the tools of one intent. Each owner has a shelf: one work, whose facts the
 * tools change, and the list that was made of it last.
 *
 *     nothing ──tools/list, a call, the start──> declared ──a call changed facts, or failed──>
 * declared │                              └──loaded again──> declared └─ it failed: the list is
 * answered with the reason, and tried again when asked
 *
 * Declaring, running and listing are calls of the shelf's work, so they go one after the other, and
 * whoever is inside may read the shelf's list. It becomes another one on the loop's thread, before
 * the call that brought it is answered: who has the answer has heard of it. */
#include "bridge/bridge_int.h"

#include <string.h>

#include "base/alloc.h"
#include "base/time.h"
#include "bridge/shelf.h"
#include "sys/clock.h"

#define LIST_WAIT_MS 30000 /* that tools/list waits; what is known later is told as a change */

struct direct_bridge {
    struct bridge bridge; /* first */
    const struct bridge_direct *direct;
    struct mcp_server *server; /* of all peers: no tools; lists are chosen */
    struct shelves shelves;
    bool refreshing;      /* a shelf that is wanted */
    uv_timer_t *patience; /* freed when the loop has closed it */
};

struct direct_call {
    struct bridge_call call; /* first */
    struct shelf *shelf;
    struct str shown;         /* the tool, as MCP has it; of a list: empty */
    struct direct_list *made; /* by this call, and not on the shelf yet */
    int64_t since_ns;         /* that somebody waits for a list */
    bool declared;            /* it was tried */
    unsigned loads;           /* of the shelf, when it entered */
    bool was_stale;           /* the list, likewise */
    bool refreshes, unknown;
};

static struct direct_bridge *direct_of(struct bridge *b)
{
    return (struct direct_bridge *)b;
}

static struct direct_call *direct_call_of(struct bridge_call *c)
{
    return (struct direct_call *)c;
}

static void complain(const struct direct_bridge *d, const char *what)
{
    if (d->direct->complain)
        d->direct->complain(d->direct->context, what);
}

/* NULL: memory, or too many. */
static struct shelf *shelf_of(struct direct_bridge *d, struct bridge_caller *caller)
{
    return mgi_shelf_of(&d->shelves, caller, d->bridge.works, d->direct->facts);
}

/* ---- declaring: on a worker's thread, inside of the work ------------------------------------- */

static struct mcp_description describe_face(struct direct_bridge *d);

/* What is offered now. */
static const struct direct_list *list_of(const struct direct_call *x)
{
    return x->made ? x->made : x->shelf->list;
}

/* What the client says of its last call, for a model. */
static void put_failure(struct buf *out, manglecp_client *client, enum manglecp_status status)
{
    char *text = NULL;
    size_t len;
    if (status == MANGLECP_ERR_NOMEM || manglecp_show_failure(client, NULL, &text, &len))
        out->oom = true;
    else
        mgi_buf_append(out, text, len);
    manglecp_free(text);
}

/* `why` gets a text where it fails; all is as before then. */
static bool declare(struct direct_call *x, manglecp_client *client, struct buf *why)
{
    struct direct_bridge *d = direct_of(x->call.bridge);
    struct bridge_work *work = x->call.work;
    struct manglecp_intent intent = *d->direct->intent;
    manglecp_tools *tools;
    intent.level = MANGLECP_FULL;          /* a list wants schemas and safety */
    intent.know_all = work->tools == NULL; /* what a tool has told since then may be anything */
    x->declared = true;
    if (x->was_stale) /* the server may have other intents by now */
        (void)manglecp_refresh(client);
    enum manglecp_status status = manglecp_evaluate(client, &intent, work->facts, &tools);
    if (status) {
        put_failure(why, client, status);
        return false;
    }
    struct mcp_description face = describe_face(d);
    struct direct_list *list = mgi_direct_list_new(tools, &face, why);
    if (!list) {
        if (why->len == 0)
            mgi_buf_puts(why, "out of memory");
        manglecp_tools_free(tools);
        return false;
    }
    mgi_direct_list_free(x->made);
    x->made = list;
    manglecp_tools_free(work->tools);
    work->tools = tools;
    return true;
}

static void perform_list(struct bridge_call *c, manglecp_client *client)
{
    c->out.is_error = !declare(direct_call_of(c), client, &c->out.text);
}

/* ---- running one: on a worker's thread, inside of the work ----------------------------------- */

static void tell_why_not(struct direct_call *x, manglecp_client *client, const char *tool)
{
    const char *names[] = { tool, NULL };
    struct bridge_call *c = &x->call;
    struct manglecp_intent intent = *direct_of(c->bridge)->direct->intent;
    manglecp_tools *tools = NULL;
    char *text = NULL;
    size_t len, json_len;
    intent.why_not = names;
    intent.know_all = false;
    mgi_buf_printf(&c->out.text,
                   "%.*s is not offered any more: it does not fit what is known now.\n",
                   STR_ARG(x->shown));
    c->out.is_error = true;
    /* The reason takes a permission of its own. */
    if (manglecp_evaluate(client, &intent, c->work->facts, &tools))
        return;
    const char *json = manglecp_tools_json(tools, &json_len);
    if (!manglecp_show_why(json, json_len, tool, NULL, &text, &len))
        mgi_buf_append(&c->out.text, text, len);
    manglecp_free(text);
    manglecp_tools_free(tools);
}

/* The macro-tool that is meant; NULL: it was answered. */
static const char *find_macro(struct direct_call *x, manglecp_client *client)
{
    struct performed *out = &x->call.out;
    const char *past = mgi_shelf_past(x->shelf, x->shown);
    const struct direct_name *name = mgi_direct_find(list_of(x), x->shown);
    bool may_be_offered = name ? x->was_stale : past || !list_of(x);
    if (may_be_offered) {
        out->is_error = !declare(x, client, &out->text);
        name = mgi_direct_find(list_of(x), x->shown);
    }
    if (name || out->is_error)
        return name && !out->is_error ? name->macro : NULL;
    x->unknown = !past;
    if (past)
        tell_why_not(x, client, past);
    return NULL;
}

static bool has_changed_facts(const struct bridge_work *work, const manglecp_result *before)
{
    return work->result != before && strcmp(manglecp_result_delta(work->result), "{}") != 0;
}

static void perform_run(struct bridge_call *c, manglecp_client *client)
{
    struct direct_call *x = direct_call_of(c);
    const manglecp_result *before = c->work->result;
    struct buf why = { 0 };
    c->ask.tool = find_macro(x, client);
    if (!c->ask.tool)
        return;
    mgi_perform(client, c->work, &c->ask, &c->arena, mgi_clock_real_ns(), &c->job, &c->out);
    /* What failed may have failed because the tool is not to be offered any more. */
    if (has_changed_facts(c->work, before) || c->out.is_error)
        (void)declare(x, client, &why);
    mgi_buf_fini(&why);
}

/* ---- a list is put on its shelf: on the loop's thread ---------------------------------------- */

static void put_list(struct direct_bridge *d, struct shelf *s, struct direct_list *list)
{
    const struct mcp_server *was = s->list ? s->list->server : d->server;
    struct bridge_change change = { .owner = mgi_shelf_owner(s), .was = was, .is = list->server };
    bool is_news = s->list || s->failed;
    struct direct_list *before = mgi_shelf_put(s, list);
    if (list->left_out > 0 && (!before || before->left_out != list->left_out))
        complain(d, "so many tools are relevant that some are left out of the list: --max-tools "
                    "has the best of them chosen");
    s->failed = false;
    if (is_news)
        mgi_bridge_tell(&d->bridge, &change);
    mgi_direct_list_free(before);
}

static void refresh_next(struct direct_bridge *d);

/* It went through the work: what it found out of the list holds. */
static void settle(struct bridge_call *c)
{
    struct direct_call *x = direct_call_of(c);
    struct shelf *s = x->shelf;
    struct direct_bridge *d = direct_of(c->bridge);
    if (x->made) {
        put_list(d, s, x->made);
        x->made = NULL;
        s->stale = s->wanted = x->loads != s->loads; /* it was loaded meanwhile */
    } else if (x->declared) {
        s->stale = true;
    }
    if (x->refreshes) {
        d->refreshing = false;
        s->wanted = x->loads != s->loads;
        if (c->out.is_error)
            complain(d, c->out.text.ptr ? c->out.text.ptr : "out of memory");
        else if (s->list->count == 0)
            complain(d, "rules prove no tool for it with what is known now");
    }
    refresh_next(d);
}

/* ---- kinds of calls -------------------------------------------------------------------------- */

/* The shelf is the loop's thread's. */
static bool look_at_shelf(struct bridge_call *c)
{
    struct direct_call *x = direct_call_of(c);
    x->was_stale = x->shelf->stale;
    x->loads = x->shelf->loads;
    return false;
}

static bool is_list_known(struct bridge_call *c)
{
    struct direct_call *x = direct_call_of(c);
    (void)look_at_shelf(c);
    return !x->refreshes && x->shelf->list && !x->was_stale;
}

static bool answer_tools(struct bridge_call *c, struct mcp_call *mcp)
{
    struct shelf *s = direct_call_of(c)->shelf;
    struct str why = mgi_str_trim(mgi_buf_view(&c->out.text), "\n");
    if (s->list && (!s->stale || !c->handed)) { /* refused: a person is asked, who may take long */
        mgi_mcp_answer_as(mcp, s->list->server);
        return true;
    }
    s->failed = true;
    mgi_mcp_fail(mcp, RPC_INTERNAL, why.len > 0 ? why : STR_LIT("the bridge ends"),
                 (struct str){ 0 });
    return true;
}

static void fini_call(struct bridge_call *c)
{
    struct direct_call *x = direct_call_of(c);
    mgi_direct_list_free(x->made);
    if (x->refreshes)
        direct_of(c->bridge)->refreshing = false;
}

static const struct bridge_call_kind list_call = { .size = sizeof(struct direct_call),
                                                   .perform = perform_list,
                                                   .is_settled = is_list_known,
                                                   .done = settle,
                                                   .answer = answer_tools,
                                                   .fini = fini_call };

static bool answer_run(struct bridge_call *c, struct mcp_call *mcp)
{
    if (direct_call_of(c)->unknown)
        mgi_mcp_fail(mcp, RPC_INVALID_PARAMS, STR_LIT("no such tool"), (struct str){ 0 });
    return direct_call_of(c)->unknown;
}

static const struct bridge_call_kind run_call = { .size = sizeof(struct direct_call),
                                                  .perform = perform_run,
                                                  .is_settled = look_at_shelf,
                                                  .done = settle,
                                                  .answer = answer_run,
                                                  .fini = fini_call };

/* ---- requests -------------------------------------------------------------------------------- */

static struct direct_call *begin_call(struct direct_bridge *d, struct mcp_call *mcp,
                                      struct bridge_caller *caller,
                                      const struct bridge_call_kind *kind)
{
    struct shelf *s = shelf_of(d, caller);
    struct bridge_call *c = s ? mgi_bridge_call_new(&d->bridge, mcp, kind) : NULL;
    if (!c)
        return NULL;
    struct direct_call *x = direct_call_of(c);
    x->shelf = s;
    c->work = s->work;
    c->ask = (struct ask){ .kind = ASK_RUN, .direct = true };
    return x;
}

static void run_tool(void *context, struct mcp_call *mcp)
{
    struct bridge *b = context;
    if (mgi_mcp_is_again(mcp)) {
        mgi_bridge_go_on(b, mcp);
        return;
    }
    struct direct_call *x = begin_call(direct_of(b), mcp, mgi_mcp_caller(mcp), &run_call);
    if (!x) {
        mgi_mcp_fail(mcp, RPC_INTERNAL, STR_LIT("too much is under way"), (struct str){ 0 });
        return;
    }
    x->shown = mgi_arena_str(&x->call.arena, mgi_mcp_name(mcp));
    x->call.ask.args = mgi_arena_str(&x->call.arena, mgi_mcp_tool_text(mcp)).ptr;
    if (x->call.arena.oom)
        mgi_bridge_call_refuse(&x->call, "out of memory");
    else
        mgi_bridge_call_enter(&x->call);
}

/* ---- patience ---------------------------------------------------------------------------------
 */

static int64_t patience_ms(const struct direct_bridge *d)
{
    return d->bridge.options.lists_ms ? d->bridge.options.lists_ms : LIST_WAIT_MS;
}

/* Who waits so long gets the reason; the call goes on, and what comes of it is told as a change. */
static void give_up(struct direct_call *x)
{
    struct mcp_call *mcp = x->call.mcp;
    x->call.mcp = NULL;
    x->shelf->failed = true;
    mgi_mcp_keep(mcp, NULL, NULL);
    mgi_mcp_fail(mcp, RPC_INTERNAL,
                 STR_LIT("the server takes long to tell its tools: they will be told as a change"),
                 (struct str){ 0 });
}

/* The first list call, from `c` on, that somebody waits for. */
static struct direct_call *next_waiting(struct bridge_call *c)
{
    while (c && (c->kind != &list_call || !c->mcp))
        c = c->next;
    return c ? direct_call_of(c) : NULL;
}

static void give_up_late(uv_timer_t *timer)
{
    struct direct_bridge *d = timer->data;
    int64_t now_ns = mgi_clock_mono_ns(), first_ns = INT64_MAX, wait_ms = patience_ms(d);
    struct direct_call *x = next_waiting(d->bridge.calls), *next;
    for (; x; x = next) {
        next = next_waiting(x->call.next);
        if (now_ns - x->since_ns >= wait_ms * NS_PER_MS)
            give_up(x);
        else if (x->since_ns < first_ns)
            first_ns = x->since_ns;
    }
    if (first_ns < INT64_MAX)
        uv_timer_start(timer, give_up_late, (uint64_t)(wait_ms - (now_ns - first_ns) / NS_PER_MS),
                       0);
}

/* Each list but that of tools is empty, and stays so. While somebody is inside of the work, who may
 * wait for a person, the list that there is has to do. */
static void choose_list(void *context, struct mcp_call *mcp)
{
    struct direct_bridge *d = context;
    struct shelf *s = shelf_of(d, mgi_mcp_caller(mcp));
    if (s && s->list && mgi_clock_real_ns() >= s->list->expires_at_ns)
        s->stale = true;
    if (s && s->list && (!s->stale || s->work->inside)) {
        mgi_mcp_answer_as(mcp, s->list->server);
        return;
    }
    struct direct_call *x = begin_call(d, mcp, mgi_mcp_caller(mcp), &list_call);
    if (!x) {
        mgi_mcp_fail(mcp, RPC_INTERNAL, STR_LIT("too much is under way"), (struct str){ 0 });
        return;
    }
    x->since_ns = mgi_clock_mono_ns();
    if (!uv_is_active((uv_handle_t *)d->patience))
        uv_timer_start(d->patience, give_up_late, (uint64_t)patience_ms(d), 0);
    mgi_bridge_call_enter(&x->call);
}

static const struct mcp_handlers direct_handlers = { .tool = run_tool,
                                                     .cancelled = mgi_bridge_cancelled,
                                                     .choose = choose_list };

static struct mcp_description describe_face(struct direct_bridge *d)
{
    return (struct mcp_description){
        .self = { .name = STR_LIT("manglecp"), .version = STR_LIT(MANGLECP_VERSION) },
        .instructions = str_of(mgi_direct_instructions),
        .handlers = direct_handlers,
        .context = d,
        .logs = true,
        .tools_change = true,
        .any_tool = true,          /* one that was offered is told apart from one that never was */
        .list_scope = MCP_PRIVATE, /* and good for now alone */
    };
}

/* ---- what nobody asks for -------------------------------------------------------------------- */

/* One at a time, so that many shelves leave room for calls. One that finds no room is tried again
 * when some call is done. */
static void refresh_next(struct direct_bridge *d)
{
    struct shelf *s = d->shelves.first;
    while (s && !s->wanted)
        s = s->next;
    struct direct_call *x = s && !d->refreshing ? begin_call(d, NULL, s->caller, &list_call) : NULL;
    if (!x)
        return;
    x->refreshes = d->refreshing = true;
    x->call.caller = mgi_bridge_caller_ref(s->caller);
    x->call.job.who = s->caller ? s->caller->who : NULL;
    mgi_bridge_call_enter(&x->call);
}

static void direct_loaded(struct bridge *b)
{
    struct direct_bridge *d = direct_of(b);
    for (struct shelf *s = d->shelves.first; s; s = s->next) {
        s->loads++;
        s->stale = s->wanted = true;
    }
    refresh_next(d);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool open_direct(struct bridge *b, const void *context)
{
    struct direct_bridge *d = direct_of(b);
    d->direct = context;
    struct mcp_description face = describe_face(d);
    d->server = mgi_mcp_server_new(&face, NULL);
    d->patience = d->server ? mgi_calloc(1, sizeof *d->patience) : NULL;
    if (!d->patience)
        return false;
    (void)uv_timer_init(b->options.loop, d->patience);
    uv_unref((uv_handle_t *)d->patience);
    d->patience->data = d;
    return true;
}

static struct mcp_server *server_of_direct(struct bridge *b)
{
    return direct_of(b)->server;
}

static void end_direct(struct bridge *b)
{
    (void)b; /* its calls are all there is */
}

static void free_patience(uv_handle_t *handle)
{
    mgi_free(handle);
}

static void close_direct(struct bridge *b)
{
    struct direct_bridge *d = direct_of(b);
    mgi_shelves_free(&d->shelves);
    if (d->patience)
        uv_close((uv_handle_t *)d->patience, free_patience);
    mgi_mcp_server_unref(d->server);
}

static const struct bridge_face direct_face = { .size = sizeof(struct direct_bridge),
                                                .works_idle_ns = INT64_MAX,
                                                .open = open_direct,
                                                .server = server_of_direct,
                                                .loaded = direct_loaded,
                                                .end = end_direct,
                                                .close = close_direct };

/* Where there is one user, the list is made beside the handshake. */
struct bridge *mgi_bridge_direct_new(const struct bridge_options *options,
                                     const struct bridge_direct *direct)
{
    struct bridge *b = mgi_bridge_make(options, &direct_face, direct);
    if (!b || !options->one_user)
        return b;
    struct shelf *s = shelf_of(direct_of(b), NULL);
    if (!s) {
        mgi_bridge_free(b);
        return NULL;
    }
    s->wanted = true;
    refresh_next(direct_of(b));
    return b;
}
