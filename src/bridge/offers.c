/* What is offered beside the tools: a prompt by which a person begins, the intents as completions
 * of its argument, and the manifest as a resource. What needs the server goes to the crew. */
#include "bridge/bridge_int.h"

#include "base/alloc.h"
#include "base/json.h"

#define MANIFEST_URI    "manglecp://manifest"
#define MANIFEST_TTL_MS 60000

#define TEXT(lit)                                                                                  \
    {                                                                                              \
        (lit), sizeof(lit) - 1                                                                     \
    }

static const struct mcp_argument arguments[] = {
    { .name = TEXT("goal"),
      .description = TEXT("the intent, one of the server's"),
      .required = true },
    { .name = TEXT("facts"), .description = TEXT("what you know, in your words") },
};

const struct mcp_prompt mgi_offered_prompts[MGI_OFFERED_PROMPTS] = {
    { .name = TEXT("intent"),
      .description = TEXT("Begin work on an intent of this server"),
      .arguments = arguments,
      .argument_count = sizeof arguments / sizeof *arguments },
};

const struct mcp_resource mgi_offered_resources[MGI_OFFERED_RESOURCES] = {
    { .uri = TEXT(MANIFEST_URI),
      .name = TEXT("manifest"),
      .description = TEXT("What the server says of itself: intents, facts, limits"),
      .mime_type = TEXT("application/json"),
      .size = -1 },
};

/* ---- the prompt ---------------------------------------------------------------------------- */

static struct str text_of(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? v->string : (struct str){ 0 };
}

void mgi_offer_prompt(void *context, struct mcp_call *call)
{
    (void)context;
    struct str goal = text_of(mgi_mcp_arguments(call), "goal");
    struct str facts = text_of(mgi_mcp_arguments(call), "facts");
    struct buf text = { 0 };
    if (!str_eq(mgi_mcp_name(call), mgi_offered_prompts[0].name)) {
        mgi_mcp_fail(call, RPC_INVALID_PARAMS, STR_LIT("no such prompt"), (struct str){ 0 });
        return;
    }
    mgi_buf_printf(&text, "Call the tool intent with the intent \"%.*s\"", STR_ARG(goal));
    if (facts.len > 0)
        mgi_buf_printf(&text, " and these facts, in the predicates that it wants: %.*s\n",
                       STR_ARG(facts));
    else
        mgi_buf_puts(&text, " and the facts that you know.\n");
    mgi_buf_puts(&text, "Then run what fits, and follow what it suggests until it is done.");
    struct mcp_prompt_message m = { .block = { .kind = MCP_TEXT, .text = mgi_buf_view(&text) } };
    if (text.oom)
        mgi_mcp_fail(call, RPC_INTERNAL, STR_LIT("out of memory"), (struct str){ 0 });
    else
        mgi_mcp_answer_prompt(call, mgi_offered_prompts[0].description, &m, 1);
    mgi_buf_fini(&text);
}

/* ---- what the manifest has ----------------------------------------------------------------- */

struct look { /* into the manifest; a job of the crew */
    struct crew_job job;
    struct bridge *bridge;
    struct mcp_call *call;
    struct bridge_caller *caller;
    struct arena arena;
    const struct json *payload; /* of the manifest; NULL: `why`, or memory */
    struct str why;
    struct str prefix; /* of a completion */
    bool completes;
};

/* On a thread: a manifest may be long. */
static void take_manifest(struct crew_job *job, manglecp_client *client, const char *why)
{
    struct look *l = (struct look *)job;
    struct json *envelope = mgi_arena_alloc(&l->arena, sizeof *envelope);
    size_t len;
    if (!client) {
        l->why = mgi_arena_str(&l->arena, str_of(why[0] ? why : "cancelled"));
        return;
    }
    const char *text = manglecp_manifest(client, &len);
    struct str kept = mgi_arena_str(&l->arena, (struct str){ text, len });
    if (envelope && kept.ptr && mgi_json_parse(&l->arena, kept, NULL, envelope, NULL) == JSON_OK)
        l->payload = mgi_json_get(envelope, "payload");
}

static void look_free(struct look *l)
{
    l->bridge->count--;
    mgi_bridge_caller_unref(l->caller);
    mgi_arena_fini(&l->arena);
    mgi_free(l);
}

static void answer_intents(const struct look *l)
{
    const struct json *intents = mgi_json_get(l->payload, "intents");
    struct str values[MCP_COMPLETIONS_MOST];
    size_t count = 0, total = 0;
    for (uint32_t i = 0; intents && intents->type == JSON_ARRAY && i < intents->count; i++) {
        struct str name = text_of(&intents->items[i], "name");
        if (name.len == 0 || !mgi_str_starts(name, l->prefix))
            continue;
        if (total++ < MCP_COMPLETIONS_MOST)
            values[count++] = name;
    }
    mgi_mcp_answer_completion(l->call, values, count, (int64_t)total, total > count);
}

static void answer_manifest(const struct look *l)
{
    struct mcp_block block = { .kind = MCP_EMBEDDED,
                               .uri = STR_LIT(MANIFEST_URI),
                               .mime_type = STR_LIT("application/json"),
                               .text = l->payload->text };
    mgi_mcp_answer_resource(l->call, &block, 1, MANIFEST_TTL_MS, MCP_PRIVATE);
}

static void answer_look(const struct look *l)
{
    if (mgi_mcp_is_cancelled(l->call))
        mgi_mcp_drop(l->call);
    else if (!l->payload)
        mgi_mcp_fail(l->call, RPC_INTERNAL, l->why.len > 0 ? l->why : STR_LIT("out of memory"),
                     (struct str){ 0 });
    else if (l->completes)
        answer_intents(l);
    else
        answer_manifest(l);
}

static void looked(struct crew_job *job)
{
    struct look *l = (struct look *)job;
    answer_look(l);
    look_free(l);
}

static void drop_look(struct crew_job *job)
{
    struct look *l = (struct look *)job;
    mgi_mcp_fail(l->call, RPC_INTERNAL, STR_LIT("the bridge ends"), (struct str){ 0 });
    look_free(l);
}

static void look_up(struct bridge *b, struct mcp_call *call, struct str prefix, bool completes)
{
    struct look *l = b->count < BRIDGE_CALLS ? mgi_calloc(1, sizeof *l) : NULL;
    if (!l) {
        mgi_mcp_fail(call, RPC_INTERNAL, STR_LIT("too much is under way"), (struct str){ 0 });
        return;
    }
    l->bridge = b;
    l->call = call;
    l->caller = mgi_bridge_caller_ref(mgi_mcp_caller(call));
    l->job.who = l->caller ? l->caller->who : NULL;
    l->completes = completes;
    mgi_arena_init(&l->arena, 0);
    l->prefix = mgi_arena_str(&l->arena, prefix);
    l->job.run = take_manifest;
    l->job.done = looked;
    l->job.drop = drop_look;
    b->count++;
    if (!l->arena.oom && mgi_crew_hand(b->crew, &l->job))
        return;
    mgi_mcp_fail(call, RPC_INTERNAL, STR_LIT("too much is under way"), (struct str){ 0 });
    look_free(l);
}

void mgi_offer_resource(void *context, struct mcp_call *call)
{
    if (str_is(mgi_mcp_name(call), MANIFEST_URI))
        look_up(context, call, (struct str){ 0 }, false);
    else
        mgi_mcp_fail_not_found(call);
}

/* X-COMP-2: an argument without suggestions has none. */
void mgi_offer_completion(void *context, struct mcp_call *call)
{
    struct mcp_completion c = mgi_mcp_completion(call);
    if (!c.of_prompt || !str_eq(c.ref, mgi_offered_prompts[0].name))
        mgi_mcp_fail(call, RPC_INVALID_PARAMS, STR_LIT("no such prompt"), (struct str){ 0 });
    else if (str_is(c.argument, "goal"))
        look_up(context, call, c.value, true);
    else if (str_is(c.argument, "facts"))
        mgi_mcp_answer_completion(call, NULL, 0, 0, false);
    else
        mgi_mcp_fail(call, RPC_INVALID_PARAMS, STR_LIT("no such argument"), (struct str){ 0 });
}
