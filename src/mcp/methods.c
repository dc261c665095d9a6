/* The methods of a client's requests: who has them, what their params are, what they do. */
#include "base/utf8.h"
#include "mcp/server_int.h"

static const struct mcp_description *description(const struct mcp_call *c)
{
    return &mgi_mcp_serving(c)->d;
}

/* A text in the params; false: the call was answered. */
static bool read_text(struct mcp_call *c, const char *name, size_t most, struct str *out)
{
    const struct json *v = c->params ? mgi_json_get(c->params, name) : NULL;
    if (!v || v->type != JSON_STRING || v->string.len > most) {
        mgi_mcp_fail_with(c, RPC_INVALID_PARAMS, "params.%s is no text of at most %zu bytes", name,
                          most);
        return false;
    }
    *out = v->string;
    return true;
}

/* ---- of the connection ---------------------------------------------------------------------- */

static void answer_nothing(struct mcp_call *c)
{
    mgi_mcp_answer_members(c, (struct str){ 0 }, -1, MCP_PUBLIC);
}

static void discover(struct mcp_call *c)
{
    const struct mcp_description *d = description(c);
    mgi_mcp_answer_object(c, c->peer->server->greeting[c->revision], d->list_ttl_ms, d->list_scope);
}

static void set_level(struct mcp_call *c)
{
    struct str name;
    if (!read_text(c, "level", 64, &name))
        return;
    enum mcp_level level = mgi_mcp_level(name);
    if (level == MCP_NO_LEVEL) {
        mgi_mcp_fail_with(c, RPC_INVALID_PARAMS, "params.level is no level");
        return;
    }
    c->peer->level = level;
    answer_nothing(c);
}

/* ---- lists ---------------------------------------------------------------------------------- */

static void answer_list(struct mcp_call *c, enum mcp_list kind)
{
    const struct mcp_description *d = description(c);
    const struct json *cursor = c->params ? mgi_json_get(c->params, "cursor") : NULL;
    struct str page = { 0 };
    if (!cursor)
        page = mgi_mcp_page(mgi_mcp_serving(c), c->revision, kind, (struct str){ 0 });
    else if (cursor->type == JSON_STRING && cursor->string.len > 0)
        page = mgi_mcp_page(mgi_mcp_serving(c), c->revision, kind, cursor->string);
    if (!page.ptr)
        mgi_mcp_fail_with(c, RPC_INVALID_PARAMS,
                          "params.cursor is not one of this list, or the list has changed");
    else
        mgi_mcp_answer_members(c, page, d->list_ttl_ms, d->list_scope);
}

static void list_tools(struct mcp_call *c)
{
    answer_list(c, LIST_TOOLS);
}

static void list_resources(struct mcp_call *c)
{
    answer_list(c, LIST_RESOURCES);
}

static void list_templates(struct mcp_call *c)
{
    answer_list(c, LIST_TEMPLATES);
}

static void list_prompts(struct mcp_call *c)
{
    answer_list(c, LIST_PROMPTS);
}

/* ---- calls ---------------------------------------------------------------------------------- */

static void hand_over(struct mcp_call *c, void (*handler)(void *context, struct mcp_call *call))
{
    if (mgi_mcp_features(c->revision)->modern && c->row && c->row->may_ask &&
        !mgi_mcp_read_again(c))
        return;
    c->handler = handler;
    mgi_mcp_run(c);
}

/* `arguments`, absent or an object. */
static bool read_arguments(struct mcp_call *c)
{
    const struct json *v = c->params ? mgi_json_get(c->params, "arguments") : NULL;
    if (v && v->type != JSON_OBJECT) {
        mgi_mcp_fail_with(c, RPC_INVALID_PARAMS, "params.arguments is no object");
        return false;
    }
    if (v)
        c->arguments = v;
    return true;
}

static void call_tool(struct mcp_call *c)
{
    if (!read_text(c, "name", MCP_URI_BYTES, &c->name) || !read_arguments(c))
        return;
    if (!mgi_mcp_rules_of(c->peer->server, c->name)) {
        struct str shown = mgi_utf8_prefix(c->name, 128);
        mgi_mcp_fail_with(c, RPC_INVALID_PARAMS, "no tool is called \"%.*s\"", STR_ARG(shown));
        return;
    }
    hand_over(c, description(c)->handlers.tool);
}

static const struct mcp_argument *find_argument(const struct mcp_prompt *p, struct str name)
{
    for (size_t i = 0; i < p->argument_count; i++)
        if (str_eq(p->arguments[i].name, name))
            return &p->arguments[i];
    return NULL;
}

static bool check_prompt(struct mcp_call *c, const struct mcp_prompt *p)
{
    for (uint32_t i = 0; i < c->arguments->count; i++) {
        if (c->arguments->members[i].value.type != JSON_STRING) {
            mgi_mcp_fail_with(c, RPC_INVALID_PARAMS, "the arguments of a prompt are texts");
            return false;
        }
    }
    for (size_t i = 0; i < p->argument_count; i++) {
        const struct mcp_argument *a = &p->arguments[i];
        if (a->required && !mgi_json_get_str(c->arguments, a->name)) {
            mgi_mcp_fail_with(c, RPC_INVALID_PARAMS, "the argument \"%.*s\" is missing",
                              STR_ARG(a->name));
            return false;
        }
    }
    return true;
}

static void get_prompt(struct mcp_call *c)
{
    if (!read_text(c, "name", MCP_URI_BYTES, &c->name) || !read_arguments(c))
        return;
    const struct mcp_prompt *p = mgi_mcp_prompt(mgi_mcp_serving(c), c->name);
    if (!p) {
        struct str shown = mgi_utf8_prefix(c->name, 128);
        mgi_mcp_fail_with(c, RPC_INVALID_PARAMS, "no prompt is called \"%.*s\"", STR_ARG(shown));
        return;
    }
    if (check_prompt(c, p))
        hand_over(c, description(c)->handlers.prompt);
}

static void read_resource(struct mcp_call *c)
{
    if (read_text(c, "uri", MCP_URI_BYTES, &c->name))
        hand_over(c, description(c)->handlers.resource);
}

static void subscribe(struct mcp_call *c)
{
    if (read_text(c, "uri", MCP_URI_BYTES, &c->name))
        mgi_mcp_watch(c);
}

static void unsubscribe(struct mcp_call *c)
{
    if (read_text(c, "uri", MCP_URI_BYTES, &c->name))
        mgi_mcp_unwatch(c);
}

/* ---- completion ----------------------------------------------------------------------------- */

static struct str text_in(const struct json *v, const char *name)
{
    const struct json *m = v ? mgi_json_get(v, name) : NULL;
    return m && m->type == JSON_STRING ? m->string : (struct str){ 0 };
}

struct mcp_completion mgi_mcp_completion(const struct mcp_call *c)
{
    const struct json *ref = c->params ? mgi_json_get(c->params, "ref") : NULL;
    const struct json *argument = c->params ? mgi_json_get(c->params, "argument") : NULL;
    const struct json *context = c->params ? mgi_json_get(c->params, "context") : NULL;
    const struct json *chosen = context ? mgi_json_get(context, "arguments") : NULL;
    bool of_prompt = str_is(text_in(ref, "type"), "ref/prompt");
    bool knows_context = c->revision >= MCP_R3;
    return (struct mcp_completion){
        .of_prompt = of_prompt,
        .ref = of_prompt                                      ? text_in(ref, "name")
               : str_is(text_in(ref, "type"), "ref/resource") ? text_in(ref, "uri")
                                                              : (struct str){ 0 },
        .argument = text_in(argument, "name"),
        .value = text_in(argument, "value"),
        .chosen = knows_context && chosen && chosen->type == JSON_OBJECT ? chosen : NULL,
    };
}

static void complete(struct mcp_call *c)
{
    struct mcp_completion q = mgi_mcp_completion(c);
    if (!q.ref.ptr || !q.argument.ptr || !q.value.ptr) {
        mgi_mcp_fail_with(c, RPC_INVALID_PARAMS,
                          "params needs ref (a prompt's name or a resource's uri) and argument "
                          "(name and value)");
        return;
    }
    const struct mcp_prompt *p = q.of_prompt ? mgi_mcp_prompt(mgi_mcp_serving(c), q.ref) : NULL;
    if (q.of_prompt && (!p || !find_argument(p, q.argument))) {
        mgi_mcp_fail_with(c, RPC_INVALID_PARAMS,
                          "there is no such prompt, or it has no such "
                          "argument");
        return;
    }
    c->name = q.ref;
    hand_over(c, description(c)->handlers.complete);
}

/* ---- the table ------------------------------------------------------------------------------ */

static bool always(const struct mcp_description *d)
{
    (void)d;
    return true;
}

static bool has_tools(const struct mcp_description *d)
{
    return d->handlers.tool != NULL;
}

static bool has_resources(const struct mcp_description *d)
{
    return d->handlers.resource != NULL;
}

static bool has_watching(const struct mcp_description *d)
{
    return d->handlers.resource && d->handlers.watchable;
}

static bool has_prompts(const struct mcp_description *d)
{
    return d->handlers.prompt != NULL;
}

static bool has_completions(const struct mcp_description *d)
{
    return d->handlers.complete != NULL;
}

static bool has_log(const struct mcp_description *d)
{
    return d->logs;
}

/* Tasks are not here (X-TASK-4), and `initialize` is peer.c's. */
static const struct row rows[] = {
    { "ping", MCP_R1, MCP_R4, always, answer_nothing, false, false },
    { "server/discover", MCP_R5, MCP_R5, always, discover, false, false },
    { "tools/list", MCP_R1, MCP_R5, has_tools, list_tools, false, true },
    { "tools/call", MCP_R1, MCP_R5, has_tools, call_tool, true, false },
    { "resources/list", MCP_R1, MCP_R5, has_resources, list_resources, false, true },
    { "resources/templates/list", MCP_R1, MCP_R5, has_resources, list_templates, false, true },
    { "resources/read", MCP_R1, MCP_R5, has_resources, read_resource, true, true },
    { "resources/subscribe", MCP_R1, MCP_R4, has_watching, subscribe, false, false },
    { "resources/unsubscribe", MCP_R1, MCP_R4, has_watching, unsubscribe, false, false },
    { "prompts/list", MCP_R1, MCP_R5, has_prompts, list_prompts, false, true },
    { "prompts/get", MCP_R1, MCP_R5, has_prompts, get_prompt, true, true },
    { "completion/complete", MCP_R1, MCP_R5, has_completions, complete, false, true },
    { "logging/setLevel", MCP_R1, MCP_R4, has_log, set_level, false, false },
    { "subscriptions/listen", MCP_R5, MCP_R5, always, mgi_mcp_listen, false, false },
};

const struct row *mgi_mcp_method(const struct mcp_server *s, enum mcp_revision r, struct str name,
                                 const struct mcp_method **extension)
{
    *extension = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_is(name, rows[i].name))
            return r >= rows[i].since && r <= rows[i].until && rows[i].offered(&s->d) ? &rows[i]
                                                                                      : NULL;
    const struct mcp_handlers *h = &s->d.handlers;
    for (size_t i = 0; i < h->method_count; i++)
        if (str_is(name, h->methods[i].name) && r >= h->methods[i].since)
            *extension = &h->methods[i];
    return NULL;
}
