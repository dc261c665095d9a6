/* The answer to an intent, as C structs. What a server leaves out is its default; what it must say
 * and does not is a broken protocol. */
#include "base/alloc.h"
#include "client/client_int.h"
#include "protocol/wire_time.h"

#define FORMATS (WIRE_TIME_RFC3339 | WIRE_TIME_EPOCH_MS | WIRE_TIME_EPOCH_NS)

void manglecp_tools_free(manglecp_tools *tools)
{
    if (!tools)
        return;
    mgi_arena_fini(&tools->arena);
    mgi_free(tools);
}

/* ---- members ------------------------------------------------------------------------------- */

/* A string member; `otherwise` if there is none. NULL only when memory is short. */
static const char *word(struct arena *a, const struct json *object, const char *name,
                        const char *otherwise)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? mgi_arena_str(a, v->string).ptr : otherwise;
}

static bool yes(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_BOOL && v->boolean;
}

static const char *json_text(struct arena *a, const struct json *v)
{
    return v && v->type == JSON_OBJECT ? mgi_arena_str(a, v->text).ptr : NULL;
}

static int64_t instant(const struct json *object, const char *name, int64_t otherwise)
{
    int64_t ns;
    const struct json *v = mgi_json_get(object, name);
    return v && mgi_wire_time(v, FORMATS, &ns, NULL) == WIRE_TIME_INSTANT ? ns : otherwise;
}

static void read_safety(struct arena *a, const struct json *safety, struct manglecp_tool *t)
{
    const struct json *effects = mgi_json_get(safety, "side_effects");
    uint32_t count = effects && effects->type == JSON_ARRAY ? effects->count : 0;
    const char **list = mgi_arena_calloc(a, (size_t)count + 1, sizeof *list);
    t->requires_confirmation = yes(safety, "requires_user_confirmation");
    t->reversible = yes(safety, "reversible");
    t->idempotent = yes(safety, "idempotent");
    for (uint32_t i = 0; list && i < count; i++)
        if (effects->items[i].type == JSON_STRING)
            list[t->side_effect_count++] = mgi_arena_str(a, effects->items[i].string).ptr;
    if (list && safety && t->side_effect_count == 0)
        list[t->side_effect_count++] = "none"; /* D-39 */
    t->side_effects = list;
}

static void read_context(struct arena *a, const struct json *context, struct manglecp_tool *t)
{
    const struct json *list = mgi_json_get(context, "context_resources");
    uint32_t count = list && list->type == JSON_ARRAY ? list->count : 0;
    struct manglecp_resource *out = mgi_arena_calloc(a, (size_t)count + 1, sizeof *out);
    t->instructions = word(a, context, "instructions", "");
    t->resources = out;
    for (uint32_t i = 0; out && i < count; i++) {
        const struct json *priority = mgi_json_get(&list->items[i], "priority");
        out[i].uri = word(a, &list->items[i], "uri", "");
        out[i].relevance = word(a, &list->items[i], "relevance", "");
        out[i].priority = !priority                      ? 0
                          : priority->type == JSON_INT   ? (double)priority->integer
                          : priority->type == JSON_FLOAT ? priority->number
                                                         : 0;
        t->resource_count++;
    }
}

static enum manglecp_level level_of(const struct json *v)
{
    const struct json *level = mgi_json_get(v, "disclosure_level");
    if (level && level->type == JSON_STRING && str_is(level->string, "minimal"))
        return MANGLECP_MINIMAL;
    if (level && level->type == JSON_STRING && str_is(level->string, "condensed"))
        return MANGLECP_CONDENSED;
    return mgi_json_get(v, "input_schema") ? MANGLECP_FULL : MANGLECP_CONDENSED;
}

/* False: it has no name or no macro_id. */
static bool read_tool(struct arena *a, const struct json *v, struct manglecp_tool *t)
{
    const struct json *validity = mgi_json_get(v, "validity");
    t->macro_id = word(a, v, "macro_id", "");
    t->name = word(a, v, "name", "");
    t->level = level_of(v);
    t->description = word(a, v, "description", "");
    t->input_schema = json_text(a, mgi_json_get(v, "input_schema"));
    t->output_schema = json_text(a, mgi_json_get(v, "output_schema"));
    read_context(a, mgi_json_get(v, "context_injection"), t);
    read_safety(a, mgi_json_get(v, "safety"), t);
    t->not_before_ns = instant(validity, "not_before", INT64_MIN);
    t->expires_at_ns = instant(validity, "expires_at", INT64_MAX);
    t->json = mgi_arena_str(a, v->text).ptr;
    return a->oom || (t->macro_id[0] && t->name[0]);
}

/* ---- the whole ----------------------------------------------------------------------------- */

static enum manglecp_status read_offer(manglecp_client *c, struct manglecp_tools *t,
                                       const struct json *payload)
{
    const struct json *list = mgi_json_get(payload, "macro_tools");
    if (!list || list->type != JSON_ARRAY)
        return mgi_fail(c, MANGLECP_ERR_PROTOCOL, "the answer lists no macro_tools");
    t->eval_time_ns = instant(payload, "eval_time_used", 0);
    t->items = mgi_arena_calloc(&t->arena, (size_t)list->count + 1, sizeof *t->items);
    for (uint32_t i = 0; t->items && i < list->count; i++) {
        if (!read_tool(&t->arena, &list->items[i], &t->items[i]))
            return mgi_fail(c, MANGLECP_ERR_PROTOCOL, "a tool has no macro_id or no name");
        t->count++;
    }
    return t->arena.oom ? MANGLECP_ERR_NOMEM : MANGLECP_OK;
}

/* False: memory. */
static bool read_why_not(struct manglecp_tools *t, const struct json *extensions)
{
    const struct json *v = mgi_json_get(extensions, "x-why-not");
    if (v && v->type == JSON_ARRAY)
        t->why_not = mgi_arena_str(&t->arena, v->text).ptr;
    return !t->arena.oom;
}

enum manglecp_status mgi_tools_read(manglecp_client *c, struct str text,
                                    struct manglecp_tools **out)
{
    struct json root;
    struct manglecp_tools *t = mgi_calloc(1, sizeof *t);
    *out = NULL;
    if (!t)
        return MANGLECP_ERR_NOMEM;
    mgi_arena_init(&t->arena, 0);
    t->text = mgi_arena_str(&t->arena, text);
    enum manglecp_status status = MANGLECP_ERR_NOMEM;
    if (t->text.ptr && mgi_json_parse(&t->arena, t->text, NULL, &root, NULL) == JSON_OK)
        status = read_offer(c, t, mgi_json_get(&root, "payload"));
    if (!status && !read_why_not(t, mgi_json_get(&root, "extensions")))
        status = MANGLECP_ERR_NOMEM;
    if (status)
        manglecp_tools_free(t);
    else
        *out = t;
    return status;
}

/* ---- asking for it --------------------------------------------------------------------------- */

size_t manglecp_tools_count(const manglecp_tools *tools)
{
    return tools->count;
}

const struct manglecp_tool *manglecp_tools_get(const manglecp_tools *tools, size_t i)
{
    return i < tools->count ? &tools->items[i] : NULL;
}

const struct manglecp_tool *manglecp_tools_find(const manglecp_tools *tools, const char *name)
{
    for (size_t i = 0; i < tools->count; i++)
        if (strcmp(tools->items[i].macro_id, name) == 0)
            return &tools->items[i];
    for (size_t i = 0; i < tools->count; i++)
        if (strcmp(tools->items[i].name, name) == 0)
            return &tools->items[i];
    return NULL;
}

const char *manglecp_tools_json(const manglecp_tools *tools, size_t *len)
{
    if (len)
        *len = tools->text.len;
    return tools->text.ptr;
}

const char *manglecp_tools_why_not(const manglecp_tools *tools)
{
    return tools->why_not;
}

int64_t manglecp_tools_eval_time_ns(const manglecp_tools *tools)
{
    return tools->eval_time_ns;
}

const char *manglecp_tools_facts(const manglecp_tools *tools)
{
    return tools->facts;
}

size_t manglecp_tools_left_out_count(const manglecp_tools *tools)
{
    return tools->left_out_count;
}

const char *manglecp_tools_left_out(const manglecp_tools *tools, size_t i)
{
    return i < tools->left_out_count ? tools->left_out[i] : NULL;
}

/* ---- resources ------------------------------------------------------------------------------- */

static int hex_digit(char ch)
{
    return ch >= '0' && ch <= '9'   ? ch - '0'
           : ch >= 'a' && ch <= 'f' ? ch - 'a' + 10
           : ch >= 'A' && ch <= 'F' ? ch - 'A' + 10
                                    : -1;
}

/* Percent escapes undone. A NUL in the path is no path. */
static bool unescape(const char *from, char *to, size_t cap)
{
    size_t len = 0;
    for (; *from; from++) {
        char ch = *from;
        if (ch == '%' && hex_digit(from[1]) >= 0 && hex_digit(from[2]) >= 0) {
            ch = (char)(hex_digit(from[1]) * 16 + hex_digit(from[2]));
            from += 2;
        }
        if (ch == '\0' || len + 1 >= cap)
            return false;
        to[len++] = ch;
    }
    to[len] = '\0';
    return len > 0;
}

/* Is there a scheme before the first slash? */
static bool has_scheme(const char *uri)
{
    size_t word_len =
        strspn(uri, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");
    return word_len > 1 && uri[word_len] == ':';
}

bool manglecp_resource_path(const char *uri, char *path, size_t cap)
{
    if (strncmp(uri, "file://localhost/", 17) == 0)
        return unescape(uri + 16, path, cap);
    if (strncmp(uri, "file://", 7) == 0) /* file:///a, and file://a as the drafts write a/b */
        return unescape(uri + 7, path, cap);
    if (strncmp(uri, "file:", 5) == 0)
        return unescape(uri + 5, path, cap);
    size_t len = strlen(uri);
    if (has_scheme(uri) || len == 0 || len >= cap)
        return false;
    memcpy(path, uri, len + 1); /* a bare path is taken as it is (P-CTX-3) */
    return true;
}
