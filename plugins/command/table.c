/* Settings -> struct command_table: see table.h. */
#include "table.h"

#include <string.h>

#include "toolhost.h"

struct reader {
    struct arena *arena;
    const char *temporary;
    const char *why;
};

static bool reject(struct reader *r, const char *what, struct str of)
{
    if (!r->why) {
        r->why = mgi_arena_printf(r->arena, "bad settings: %s%s%.*s", what, of.len ? " of " : "",
                                  STR_ARG(of));
        if (!r->why)
            r->why = "out of memory";
    }
    return false;
}

static struct str member_text(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? v->string : (struct str){ "", 0 };
}

static struct str kept(struct reader *r, struct str s)
{
    struct str copy = mgi_arena_str(r->arena, s);
    if (!copy.ptr || memchr(copy.ptr, '\0', copy.len))
        reject(r, "memory, or a NUL in a text", STR_LIT(""));
    return copy.ptr ? copy : STR_LIT("");
}

static bool flag_of(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_BOOL && v->boolean;
}

static int64_t number_of(const struct json *object, const char *name, int64_t otherwise)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_INT ? v->integer : otherwise;
}

/* ---- words ---------------------------------------------------------------------------------- */

static bool read_parts(struct reader *r, const struct json *list, struct word *out)
{
    if (!list || list->type != JSON_ARRAY)
        return reject(r, "parts", STR_LIT(""));
    out->parts = mgi_arena_calloc(r->arena, list->count + 1u, sizeof *out->parts);
    if (!out->parts)
        return reject(r, "memory", STR_LIT(""));
    for (uint32_t i = 0; i < list->count; i++) {
        const struct json *v = &list->items[i];
        struct part *p = &out->parts[out->part_count++];
        if (v->type == JSON_STRING) {
            p->text = kept(r, v->string);
        } else {
            p->is_argument = true;
            p->text = kept(r, member_text(v, "arg"));
            p->may_be_option = flag_of(v, "option");
            if (p->text.len == 0)
                return reject(r, "a part without a name", STR_LIT(""));
        }
    }
    return !r->why;
}

static bool read_simple_word(struct reader *r, const struct json *v, struct word *out)
{
    *out = (struct word){ .kind = WORD_PARTS };
    if (v->type == JSON_ARRAY)
        return read_parts(r, v, out);
    out->kind = WORD_EACH;
    out->name = kept(r, member_text(v, "each"));
    return out->name.len > 0 ? read_parts(r, mgi_json_get(v, "parts"), out)
                             : reject(r, "a word", STR_LIT(""));
}

static bool read_word(struct reader *r, const struct json *v, struct word *out)
{
    const struct json *then = mgi_json_get(v, "then");
    if (!then)
        return read_simple_word(r, v, out);
    *out = (struct word){ .kind = WORD_IF, .name = kept(r, member_text(v, "if")) };
    if (then->type != JSON_ARRAY || out->name.len == 0)
        return reject(r, "a condition", STR_LIT(""));
    out->then = mgi_arena_calloc(r->arena, then->count + 1u, sizeof *out->then);
    if (!out->then)
        return reject(r, "memory", STR_LIT(""));
    for (uint32_t i = 0; i < then->count; i++)
        if (!read_simple_word(r, &then->items[i], &out->then[out->then_count++]))
            return false;
    return true;
}

static bool read_words(struct reader *r, const struct json *v, struct command *out)
{
    const struct json *run = mgi_json_get(v, "run");
    struct str program = member_text(v, "program");
    if (program.len == 0 || program.ptr[0] != '/')
        return reject(r, "program", out->aid);
    out->program = kept(r, program).ptr;
    if (!run || run->type != JSON_ARRAY || run->count == 0)
        return reject(r, "run", out->aid);
    out->words = mgi_arena_calloc(r->arena, run->count, sizeof *out->words);
    if (!out->words)
        return reject(r, "memory", STR_LIT(""));
    for (uint32_t i = 0; i < run->count; i++)
        if (!read_word(r, &run->items[i], &out->words[out->word_count++]))
            return false;
    return true;
}

/* ---- lists ---------------------------------------------------------------------------------- */

static struct str *read_strs(struct reader *r, const struct json *list, size_t *count)
{
    *count = 0;
    if (!list || list->type != JSON_ARRAY)
        return NULL;
    struct str *items = mgi_arena_calloc(r->arena, list->count + 1u, sizeof *items);
    for (uint32_t i = 0; items && i < list->count; i++)
        if (list->items[i].type == JSON_STRING)
            items[(*count)++] = kept(r, list->items[i].string);
    return items;
}

/* As the plugin interface wants them. */
static const char **read_names(struct reader *r, const struct json *list)
{
    size_t count;
    struct str *items = read_strs(r, list, &count);
    const char **names = mgi_arena_calloc(r->arena, count + 1, sizeof *names);
    for (size_t i = 0; names && i < count; i++)
        names[i] = items[i].ptr;
    return names;
}

static bool has_variable(const struct json *env, const char *name)
{
    return mgi_json_get(env, name) != NULL;
}

/* The environment of the program: a few that every program expects, and what it was given. Nothing
 * of the server's own. */
static char **read_environment(struct reader *r, const struct json *env)
{
    const char *home = r->temporary ? r->temporary : "/nonexistent";
    const char *usual[][2] = { { "PATH", "/usr/local/bin:/usr/bin:/bin" },
                               { "LANG", "C.UTF-8" },
                               { "HOME", home },
                               { "TMPDIR", r->temporary } };
    size_t given = env && env->type == JSON_OBJECT ? env->count : 0, count = 0;
    char **out = mgi_arena_calloc(r->arena, given + 5, sizeof *out);
    for (size_t i = 0; out && i < 4; i++)
        if (usual[i][1] && !has_variable(env, usual[i][0]))
            out[count++] = mgi_arena_printf(r->arena, "%s=%s", usual[i][0], usual[i][1]);
    for (size_t i = 0; out && i < given; i++) {
        const struct json_member *m = &env->members[i];
        if (m->value.type == JSON_STRING)
            out[count++] = mgi_arena_printf(r->arena, "%.*s=%s", STR_ARG(m->name),
                                            kept(r, m->value.string).ptr);
    }
    return out;
}

/* ---- results -------------------------------------------------------------------------------- */

static bool read_output(struct reader *r, const struct json *v, struct command *out)
{
    static const char *const kinds[] = {
        [OUTPUT_TEXT] = "text",   [OUTPUT_LINES] = "lines", [OUTPUT_JSON] = "json",
        [OUTPUT_JSONL] = "jsonl", [OUTPUT_CSV] = "csv",     [OUTPUT_REGEX] = "regex",
        [OUTPUT_NONE] = "none"
    };
    const struct json *output = mgi_json_get(v, "output");
    struct str kind = member_text(output, "kind");
    size_t i = 0;
    while (i < sizeof kinds / sizeof *kinds && !str_is(kind, kinds[i]))
        i++;
    if (i == sizeof kinds / sizeof *kinds)
        return reject(r, "output", out->aid);
    out->output = (enum output_kind)i;
    out->regex = kept(r, member_text(output, "regex"));
    out->every_match = flag_of(output, "all");
    return true;
}

static bool read_endings(struct reader *r, const struct json *list, struct command *out)
{
    if (!list)
        return true;
    if (list->type != JSON_ARRAY)
        return reject(r, "exit", out->aid);
    out->endings = mgi_arena_calloc(r->arena, list->count + 1u, sizeof *out->endings);
    if (!out->endings)
        return reject(r, "memory", STR_LIT(""));
    for (uint32_t i = 0; i < list->count; i++) {
        const struct json *v = &list->items[i], *output = mgi_json_get(v, "output");
        out->endings[out->ending_count++] = (struct ending){
            .from = (int)number_of(v, "from", 0),
            .to = (int)number_of(v, "to", 0),
            .other = flag_of(v, "other"),
            .ok = flag_of(v, "ok"),
            .error = kept(r, member_text(v, "error")),
            .status = kept(r, member_text(v, "status")),
            .output = output ? kept(r, output->text) : STR_LIT(""),
        };
    }
    return true;
}

static bool read_stdin(struct reader *r, const struct json *v, struct command *out)
{
    const struct json *text = mgi_json_get(v, "text"), *json = mgi_json_get(v, "json");
    if (!v)
        return true;
    out->stdin_kind = text ? STDIN_TEXT : STDIN_JSON;
    if (text)
        return read_parts(r, text, &out->stdin_text);
    if (json && json->type == JSON_ARRAY)
        out->stdin_names = read_strs(r, json, &out->stdin_name_count);
    return json ? true : reject(r, "stdin", out->aid);
}

/* ---- a command ------------------------------------------------------------------------------ */

static uint32_t read_flags(const struct json *list)
{
    static const struct {
        const char *name;
        uint32_t flag;
    } names[] = { { "idempotent", TH_TOOL_IDEMPOTENT },
                  { "reversible", TH_TOOL_REVERSIBLE },
                  { "deterministic", TH_TOOL_DETERMINISTIC } };
    uint32_t flags = TH_TOOL_FAST_CANCEL;
    for (uint32_t i = 0; list && list->type == JSON_ARRAY && i < list->count; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (list->items[i].type == JSON_STRING && str_is(list->items[i].string, names[k].name))
                flags |= names[k].flag;
    return flags;
}

static struct str schema_text(struct reader *r, const struct json *v, const char *name)
{
    const struct json *schema = mgi_json_get(v, name);
    return schema && schema->type == JSON_OBJECT ? kept(r, schema->text) : STR_LIT("");
}

static bool read_command(struct reader *r, const struct json *v, struct command *out)
{
    const struct json *defaults = mgi_json_get(v, "defaults"), *folder = mgi_json_get(v, "folder");
    int64_t most = number_of(v, "max_output", COMMAND_MAX_OUTPUT);
    int64_t timeout = number_of(v, "timeout_ms", 0);
    out->aid = kept(r, member_text(v, "aid"));
    out->name = kept(r, member_text(v, "name"));
    out->description = kept(r, member_text(v, "description"));
    out->input_schema = schema_text(r, v, "input_schema");
    out->output_schema = schema_text(r, v, "output_schema");
    if (defaults && defaults->type == JSON_OBJECT)
        out->defaults = *defaults;
    if (most < 1 || most > COMMAND_MOST_OUTPUT || timeout < 0 || timeout > INT32_MAX)
        return reject(r, "a limit", out->aid);
    out->max_output = (size_t)most;
    out->timeout_ms = (uint32_t)timeout;
    out->flags = read_flags(mgi_json_get(v, "flags"));
    out->progress = flag_of(v, "progress");
    out->has_folder = folder != NULL;
    if ((folder && !read_parts(r, folder, &out->folder)) || !read_words(r, v, out) ||
        !read_stdin(r, mgi_json_get(v, "stdin"), out) || !read_output(r, v, out) ||
        !read_endings(r, mgi_json_get(v, "exit"), out))
        return false;
    out->env = read_environment(r, mgi_json_get(v, "env"));
    out->side_effects = read_names(r, mgi_json_get(v, "side_effects"));
    out->tags = read_names(r, mgi_json_get(v, "tags"));
    out->may = read_strs(r, mgi_json_get(v, "may"), &out->may_count);
    out->read = read_strs(r, mgi_json_get(v, "read"), &out->read_count);
    out->write = read_strs(r, mgi_json_get(v, "write"), &out->write_count);
    return !r->why && !r->arena->oom;
}

const char *mgi_command_table_read(struct arena *arena, struct str settings, const char *temporary,
                                   struct command_table *out)
{
    struct json root;
    struct reader r = { .arena = arena, .temporary = temporary };
    struct str text = mgi_arena_str(arena, settings); /* names and values point into it */
    *out = (struct command_table){ 0 };
    if (!text.ptr)
        return "out of memory";
    if (mgi_json_parse(arena, text, NULL, &root, NULL) != JSON_OK)
        return arena->oom ? "out of memory" : "bad settings: not JSON";
    const struct json *actions = mgi_json_get(&root, "actions");
    struct str folder = member_text(&root, "folder");
    if (!actions || actions->type != JSON_ARRAY || actions->count == 0 ||
        actions->count > COMMAND_MAX_COMMANDS || folder.len == 0 || folder.ptr[0] != '/')
        return "bad settings: \"folder\" (absolute) and \"actions\" (1 to 1024) are expected";
    out->folder = kept(&r, folder).ptr;
    struct str confine = member_text(&root, "confine");
    out->confined = str_is(confine, "on") || str_is(confine, "required");
    out->items = mgi_arena_calloc(arena, actions->count, sizeof *out->items);
    for (uint32_t i = 0; out->items && !r.why && i < actions->count; i++)
        read_command(&r, &actions->items[i], &out->items[out->count++]);
    return r.why ? r.why : arena->oom || !out->items ? "out of memory" : NULL;
}
