/* What is offered beside the tools: a prompt by which a person begins, the intents as completions
 * of its argument, the manifest as a resource; and each skill as a prompt and a resource. What
 * needs the server goes to the crew. */
#include "bridge/bridge_int.h"

#include "base/alloc.h"
#include "base/json.h"

#define MANIFEST_TTL_MS 60000
#define SKILL_TTL_MS    60000

/* ---- the prompt ---------------------------------------------------------------------------- */

static struct str text_of(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? v->string : (struct str){ 0 };
}

static void write_intent_prompt(const struct json *arguments, struct buf *out)
{
    struct str goal = text_of(arguments, "goal");
    struct str facts = text_of(arguments, "facts");
    mgi_buf_printf(out, "Call the tool intent with the intent \"%.*s\"", STR_ARG(goal));
    if (facts.len > 0)
        mgi_buf_printf(out, " and these facts, in the predicates that it wants: %.*s\n",
                       STR_ARG(facts));
    else
        mgi_buf_puts(out, " and the facts that you know.\n");
    mgi_buf_puts(out, "Then run what fits, and follow what it suggests until it is done.");
}

static void write_skill_prompt(const struct skill_text *skill, struct buf *out)
{
    mgi_buf_printf(out, "%.*s: %.*s\n\n", STR_ARG(skill->name), STR_ARG(skill->description));
    mgi_buf_str(out, skill->content);
}

static void answer_prompt(struct mcp_call *call, struct str description, struct buf *text)
{
    struct mcp_prompt_message m = { .block = { .kind = MCP_TEXT, .text = mgi_buf_view(text) } };
    if (text->oom)
        mgi_mcp_fail(call, RPC_INTERNAL, STR_LIT("out of memory"), (struct str){ 0 });
    else
        mgi_mcp_answer_prompt(call, description, &m, 1);
    mgi_buf_fini(text);
}

/* The core has looked that it is listed. */
void mgi_offer_prompt(void *context, struct mcp_call *call)
{
    const struct catalogue *c = mgi_lists_of(context, call);
    struct str name = mgi_mcp_name(call);
    bool is_fixed = str_eq(name, mgi_fixed_prompts[0].name);
    const struct skill_text *skill = c && !is_fixed ? mgi_catalogue_skill(c, name) : NULL;
    struct buf text = { 0 };
    if (is_fixed) {
        write_intent_prompt(mgi_mcp_arguments(call), &text);
        answer_prompt(call, mgi_fixed_prompts[0].description, &text);
    } else if (skill) {
        write_skill_prompt(skill, &text);
        answer_prompt(call, skill->description, &text);
    } else {
        mgi_mcp_fail(call, RPC_INVALID_PARAMS, STR_LIT("no such prompt"), (struct str){ 0 });
    }
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

/* ---- skills -------------------------------------------------------------------------------- */

static void answer_skill(struct mcp_call *call, const struct skill_text *skill)
{
    struct buf text = { 0 };
    mgi_skill_write_file(skill, &text);
    struct mcp_block block = { .kind = MCP_EMBEDDED,
                               .uri = mgi_mcp_name(call),
                               .mime_type = skill->content_type.len > 0 ? skill->content_type
                                                                        : STR_LIT("text/markdown"),
                               .text = mgi_buf_view(&text) };
    if (text.oom)
        mgi_mcp_fail(call, RPC_INTERNAL, STR_LIT("out of memory"), (struct str){ 0 });
    else
        mgi_mcp_answer_resource(call, &block, 1, SKILL_TTL_MS, MCP_PRIVATE);
    mgi_buf_fini(&text);
}

/* One that nobody has, and one that is not for who calls, are the same. */
void mgi_offer_resource(void *context, struct mcp_call *call)
{
    const struct catalogue *c = mgi_lists_of(context, call);
    struct str uri = mgi_mcp_name(call);
    const struct skill_text *skill = c ? mgi_catalogue_file(c, uri) : NULL;
    if (str_is(uri, MANIFEST_URI))
        look_up(context, call, (struct str){ 0 }, false);
    else if (skill)
        answer_skill(call, skill);
    else
        mgi_mcp_fail_not_found(call);
}

/* ---- completions ---------------------------------------------------------------------------- */

static void complete_skill(struct mcp_call *call, const struct catalogue *c, struct str prefix)
{
    struct str values[MCP_COMPLETIONS_MOST];
    size_t count = 0, total = 0;
    for (size_t i = 0; c && i < c->skill_count; i++) {
        if (!mgi_str_starts(c->skills[i].id, prefix))
            continue;
        if (total++ < MCP_COMPLETIONS_MOST)
            values[count++] = c->skills[i].id;
    }
    mgi_mcp_answer_completion(call, values, count, (int64_t)total, total > count);
}

static void no_argument(struct mcp_call *call)
{
    mgi_mcp_fail(call, RPC_INVALID_PARAMS,
                 STR_LIT("there is nothing of that name, or it has no such argument"),
                 (struct str){ 0 });
}

/* The core has looked that a prompt has this argument. X-COMP-2: one without suggestions has none.
 */
void mgi_offer_completion(void *context, struct mcp_call *call)
{
    const struct bridge *b = context;
    struct mcp_completion c = mgi_mcp_completion(call);
    bool of_skill = !c.of_prompt && b->options.skills && str_is(c.ref, SKILL_TEMPLATE);
    if (of_skill && str_is(c.argument, "name"))
        complete_skill(call, mgi_lists_of(b, call), c.value);
    else if (!c.of_prompt || !str_eq(c.ref, mgi_fixed_prompts[0].name))
        no_argument(call);
    else if (str_is(c.argument, "goal"))
        look_up(context, call, c.value, true);
    else
        mgi_mcp_answer_completion(call, NULL, 0, 0, false);
}
