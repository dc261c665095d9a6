/* What is known of the domain, and who waits for it.
 *
 *     nothing known ──a list is asked for──> a look at the domain ──> known ──loaded again──> a
 * look ↑                                     │    └─ LISTS_MS: whoever waits gets what there is
 *           └─────────── LISTS_AGAIN_MS ──── it failed
 *
 * A look is a job of the crew: it waits for the domain as every call does, reads its manifest, and
 * makes the lists. Two servers come of it, with the skills and without, since not everybody may see
 * them: who may use some intents alone would learn from them of the others. */
#include "bridge/bridge_int.h"

#include "base/alloc.h"
#include "base/time.h"
#include "sys/clock.h"

#define LIST_TTL_MS INT64_C(3600000) /* X-CACHE-3 */

struct known { /* of a domain as it was loaded */
    uint64_t loads;
    struct catalogue *catalogue;
    struct mcp_server *all, *fixed; /* with the skills, without */
};

struct look_job {
    struct crew_job job;
    struct lists *lists;
    struct known found; /* without a catalogue: it failed */
};

struct lists {
    struct bridge *bridge;
    struct mcp_handlers handlers;
    struct mcp_server *server, *meanwhile; /* the second is good for now alone */
    struct known known;
    struct look_job *looking; /* NULL: nobody looks */
    int64_t not_before_ns;    /* for the next look, after one that failed */
    uv_timer_t *patience;     /* freed when the loop has closed it */
    struct mcp_call *waiting[BRIDGE_CALLS];
    size_t waiting_count;
};

/* ---- servers --------------------------------------------------------------------------------- */

static struct mcp_server *describe(const struct lists *l, const struct catalogue *c, bool skills,
                                   int64_t ttl_ms)
{
    static const struct mcp_resource template = { .uri = { SKILL_TEMPLATE,
                                                           sizeof SKILL_TEMPLATE - 1 },
                                                  .name = { "skill", 5 },
                                                  .description = { "A skill of this domain", 22 },
                                                  .mime_type = { "text/markdown", 13 } };
    struct mcp_description d = {
        .self = { .name = STR_LIT("manglecp"), .version = STR_LIT(MANGLECP_VERSION) },
        .instructions = str_of(mgi_bridge_instructions),
        .tools = c ? c->tools : mgi_bridge_tools,
        .tool_count = ASK_KINDS,
        .resources = skills ? c->resources : mgi_fixed_resources,
        .resource_count = skills ? c->resource_count : MGI_FIXED_RESOURCES,
        .templates = &template,
        .template_count = l->bridge->options.skills != NULL,
        .prompts = skills ? c->prompts : mgi_fixed_prompts,
        .prompt_count = skills ? c->prompt_count : MGI_FIXED_PROMPTS,
        .handlers = l->handlers,
        .context = l->bridge,
        .logs = true,
        .list_ttl_ms = ttl_ms,
        .list_scope = skills && !l->bridge->options.one_user ? MCP_PRIVATE : MCP_PUBLIC,
    };
    return mgi_mcp_server_new(&d, NULL);
}

static void forget_known(struct known *k)
{
    mgi_mcp_server_unref(k->all);
    mgi_mcp_server_unref(k->fixed);
    mgi_catalogue_free(k->catalogue);
    *k = (struct known){ 0 };
}

/* ---- a look at the domain: on a worker's thread ---------------------------------------------- */

static const struct json *read_manifest(struct arena *arena, manglecp_client *client)
{
    size_t len;
    const char *text = manglecp_manifest(client, &len);
    struct json *envelope = mgi_arena_alloc(arena, sizeof *envelope);
    struct str kept = mgi_arena_str(arena, (struct str){ text, len });
    if (!envelope || !kept.ptr || mgi_json_parse(arena, kept, NULL, envelope, NULL) != JSON_OK)
        return NULL;
    return mgi_json_get(envelope, "payload");
}

static void look_closely(struct look_job *look, manglecp_client *client)
{
    const struct lists *l = look->lists;
    const struct bridge_options *o = &l->bridge->options;
    struct known *k = &look->found;
    struct buf skills = { 0 };
    struct arena arena;
    mgi_arena_init(&arena, 0);
    const struct json *manifest = read_manifest(&arena, client);
    k->loads = o->loads ? o->loads(o->domain) : 0;
    if (o->skills)
        o->skills(o->domain, &skills);
    if (manifest && !skills.oom)
        k->catalogue = mgi_catalogue_new(manifest, mgi_buf_view(&skills));
    k->all = k->catalogue ? describe(l, k->catalogue, true, LIST_TTL_MS) : NULL;
    k->fixed = k->all ? describe(l, k->catalogue, false, LIST_TTL_MS) : NULL;
    if (!k->fixed)
        forget_known(k);
    mgi_buf_fini(&skills);
    mgi_arena_fini(&arena);
}

static void run_look(struct crew_job *job, manglecp_client *client, const char *why)
{
    (void)why; /* calls tell it */
    if (client)
        look_closely((struct look_job *)job, client);
}

/* ---- who waits --------------------------------------------------------------------------------
 */

/* Whoever may use every intent may see every skill; without credentials everybody is the user. */
static bool sees_skills(const struct mcp_call *call)
{
    const struct bridge_caller *caller = mgi_mcp_caller(call);
    return !caller || !caller->who || mgi_principal_may(caller->who, "intent:*");
}

static void answer_list_call(struct lists *l, struct mcp_call *call)
{
    if (!l->known.catalogue)
        mgi_mcp_answer_as(call, l->meanwhile);
    else
        mgi_mcp_answer_as(call, sees_skills(call) ? l->known.all : l->known.fixed);
}

/* What comes while they are answered waits anew. */
static void answer_all(struct lists *l)
{
    struct mcp_call *calls[BRIDGE_CALLS];
    size_t count = l->waiting_count;
    memcpy(calls, l->waiting, count * sizeof *calls);
    l->waiting_count = 0;
    uv_timer_stop(l->patience);
    for (size_t i = 0; i < count; i++)
        answer_list_call(l, calls[i]);
}

static void lose_patience(uv_timer_t *timer)
{
    answer_all(timer->data);
}

/* ---- a look begins, and ends ------------------------------------------------------------------
 */

static void end_look(struct look_job *look)
{
    struct lists *l = look->lists;
    l->looking = NULL;
    l->bridge->count--;
    if (look->found.catalogue) {
        forget_known(&l->known);
        l->known = look->found;
    } else {
        l->not_before_ns = mgi_clock_mono_ns() + LISTS_AGAIN_MS * NS_PER_MS;
    }
    mgi_free(look);
    answer_all(l);
}

static void end_look_job(struct crew_job *job)
{
    end_look((struct look_job *)job);
}

static bool begin_look(struct lists *l)
{
    struct look_job *look = mgi_calloc(1, sizeof *look);
    if (!look)
        return false;
    look->lists = l;
    look->job.run = run_look;
    look->job.done = look->job.drop = end_look_job;
    if (!mgi_crew_hand(l->bridge->crew, &look->job)) {
        mgi_free(look);
        return false;
    }
    l->looking = look;
    l->bridge->count++;
    return true;
}

static bool is_current(const struct lists *l)
{
    const struct bridge_options *o = &l->bridge->options;
    return l->known.catalogue && (!o->loads || o->loads(o->domain) == l->known.loads);
}

static bool looks(struct lists *l)
{
    return l->looking || (mgi_clock_mono_ns() >= l->not_before_ns && begin_look(l));
}

void mgi_lists_choose(void *context, struct mcp_call *call)
{
    struct bridge *b = context;
    struct lists *l = b->lists;
    int64_t wait_ms = b->options.lists_ms ? b->options.lists_ms : LISTS_MS;
    if (is_current(l) || l->waiting_count == BRIDGE_CALLS || !looks(l)) {
        answer_list_call(l, call);
        return;
    }
    if (l->waiting_count == 0)
        uv_timer_start(l->patience, lose_patience, (uint64_t)wait_ms, 0);
    l->waiting[l->waiting_count++] = call;
}

const struct catalogue *mgi_lists_of(const struct bridge *b, const struct mcp_call *call)
{
    return sees_skills(call) ? b->lists->known.catalogue : NULL;
}

struct mcp_server *mgi_lists_server(const struct lists *l)
{
    return l->server;
}

/* ---- beginning and end ------------------------------------------------------------------------
 */

static void free_timer(uv_handle_t *handle)
{
    mgi_free(handle);
}

struct lists *mgi_lists_new(struct bridge *b, const struct mcp_handlers *handlers)
{
    struct lists *l = mgi_calloc(1, sizeof *l);
    uv_timer_t *patience = l ? mgi_calloc(1, sizeof *patience) : NULL;
    if (!patience) {
        mgi_free(l);
        return NULL;
    }
    l->bridge = b;
    l->handlers = *handlers;
    l->patience = patience;
    (void)uv_timer_init(b->options.loop, patience);
    uv_unref((uv_handle_t *)patience);
    patience->data = l;
    l->server = describe(l, NULL, false, LIST_TTL_MS);
    l->meanwhile = l->server ? describe(l, NULL, false, 0) : NULL;
    if (l->meanwhile)
        return l;
    mgi_lists_free(l);
    return NULL;
}

void mgi_lists_end(struct lists *l)
{
    if (l->looking)
        mgi_crew_cancel(l->bridge->crew, &l->looking->job);
    answer_all(l);
}

void mgi_lists_free(struct lists *l)
{
    if (!l)
        return;
    answer_all(l);
    uv_close((uv_handle_t *)l->patience, free_timer);
    forget_known(&l->known);
    mgi_mcp_server_unref(l->server);
    mgi_mcp_server_unref(l->meanwhile);
    mgi_free(l);
}
