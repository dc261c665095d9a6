/* Settings and lists: see settings.h. */
#include "settings.h"

#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

static const char no_memory[] = "out of memory";

/* All that is wrong, in one text. Faults that do not fit any more are counted nowhere: a thousand
 * of them say no more than twenty. */
struct faults {
    struct arena *arena;
    struct buf text;
    unsigned count;
};

static void fault(struct faults *f, const char *where, const char *what)
{
    if (f->count++ < 20)
        mgi_buf_printf(&f->text, "%s%s: %s", f->count > 1 ? "; " : "", where,
                       what ? what : no_memory);
}

static bool faults_end(struct faults *f, const char **why)
{
    bool good = f->count == 0 && !f->text.oom;
    if (!good) {
        struct str kept = mgi_arena_str(f->arena, mgi_buf_view(&f->text));
        *why = f->text.oom || !kept.ptr ? no_memory : kept.ptr;
    }
    mgi_buf_fini(&f->text);
    return good;
}

/* A text that a C string can hold; NULL: told. */
static const char *text_of(struct faults *f, const struct json *v, const char *where)
{
    if (!v || v->type != JSON_STRING) {
        fault(f, where, "must be a text");
        return NULL;
    }
    if (memchr(v->string.ptr, '\0', v->string.len)) {
        fault(f, where, "holds a NUL");
        return NULL;
    }
    const char *z = mgi_arena_printf(f->arena, "%.*s", STR_ARG(v->string));
    if (!z)
        fault(f, where, no_memory);
    return z;
}

/* The texts of an array, with a NULL and `spare` more behind them; NULL: told. */
static char **texts_of(struct faults *f, const struct json *v, const char *where, size_t spare,
                       size_t *count)
{
    if (!v || v->type != JSON_ARRAY || v->count > RELAY_MAX_WORDS) {
        fault(f, where, "must be a list of texts");
        return NULL;
    }
    char **texts = mgi_arena_calloc(f->arena, v->count + 1 + spare, sizeof *texts);
    for (uint32_t i = 0; texts && i < v->count; i++) {
        const char *z = text_of(f, &v->items[i], where);
        texts[i] = (char *)(uintptr_t)z;
    }
    if (!texts)
        fault(f, where, no_memory);
    *count = v->count;
    return texts;
}

/* ---- settings ------------------------------------------------------------------------------ */

static void read_env(struct faults *f, const struct json *v, struct relay_settings *out)
{
    if (v && v->type != JSON_OBJECT) {
        fault(f, "env", "must be an object of texts");
        return;
    }
    out->env_count = v ? v->count : 0;
    out->env = mgi_arena_calloc(f->arena, out->env_count + 1, sizeof *out->env);
    if (!out->env) {
        fault(f, "env", no_memory);
        return;
    }
    for (size_t i = 0; i < out->env_count; i++) {
        const struct json_member *m = &v->members[i];
        bool good = m->name.len > 0 && !memchr(m->name.ptr, '=', m->name.len) &&
                    !memchr(m->name.ptr, '\0', m->name.len);
        const char *value = text_of(f, &m->value, "env");
        if (!good)
            fault(f, "env", "has a name that no variable can have");
        else if (value)
            out->env[i] = mgi_arena_printf(f->arena, "%.*s=%s", STR_ARG(m->name), value);
        if (good && value && !out->env[i])
            fault(f, "env", no_memory);
    }
}

static void read_settings(struct faults *f, const struct json *v, struct relay_settings *out)
{
    const struct json *tools = mgi_json_get(v, "tools");
    out->run = texts_of(f, mgi_json_get(v, "run"), "run", 1, &out->run_count);
    if (out->run && (out->run_count == 0 || (out->run[0] && out->run[0][0] == '\0')))
        fault(f, "run", "names no program");
    out->folder = text_of(f, mgi_json_get(v, "folder"), "folder");
    if (out->folder && out->folder[0] != '/')
        fault(f, "folder", "must be an absolute path");
    read_env(f, mgi_json_get(v, "env"), out);
    if (tools && tools->type != JSON_NULL && tools->type != JSON_ARRAY)
        fault(f, "tools", "must be a list");
    if (tools)
        out->tools = *tools;
}

static bool parse(struct faults *f, struct str text, const char *what, struct json *v)
{
    struct json_error error;
    struct str kept = mgi_arena_str(f->arena, text); /* the values point into it */
    if (!kept.ptr) {
        fault(f, what, no_memory);
        return false;
    }
    if (mgi_json_parse(f->arena, kept, NULL, v, &error) != JSON_OK)
        fault(f, what, error.message);
    else if (v->type != JSON_OBJECT)
        fault(f, what, "must be an object");
    return f->count == 0;
}

bool relay_settings_read(struct arena *arena, struct str text, struct relay_settings *out,
                         const char **why)
{
    struct faults f = { .arena = arena };
    struct json v;
    *out = (struct relay_settings){ .tools = { .type = JSON_NULL } };
    if (parse(&f, text, "settings", &v))
        read_settings(&f, &v, out);
    return faults_end(&f, why);
}

/* ---- lists --------------------------------------------------------------------------------- */

/* Does it look like one? Else it is what the program prints besides: the line is told. */
static bool is_a_list(struct faults *f, struct str text)
{
    struct buf shown = { 0 };
    const char *end = text.len ? memchr(text.ptr, '\n', text.len) : NULL;
    size_t len = end ? (size_t)(end - text.ptr) : text.len;
    if (text.len > 0 && (text.ptr[0] == '{' || text.ptr[0] == '['))
        return true;
    mgi_utf8_show(&shown, mgi_utf8_prefix((struct str){ text.ptr, len }, 80));
    if (text.len == 0)
        fault(f, "--list printed nothing", "does the program end with serve()?");
    else
        fault(f, "--list printed something else than the list (its output belongs to the protocol)",
              shown.ptr ? mgi_arena_printf(f->arena, "%s", shown.ptr) : NULL);
    mgi_buf_fini(&shown);
    return false;
}

bool relay_list_read(struct arena *arena, struct str text, struct json *tools, const char **why)
{
    struct faults f = { .arena = arena };
    struct json v;
    if (is_a_list(&f, mgi_str_trim(text, " \t\r\n")) && parse(&f, text, "the list", &v)) {
        const struct json *ok = mgi_json_get(&v, "ok"), *error = mgi_json_get(&v, "error");
        const struct json *found = mgi_json_get(&v, "tools");
        if (ok && ok->type == JSON_BOOL && !ok->boolean)
            fault(&f, "the list",
                  error && error->type == JSON_STRING && error->string.len < 4096
                      ? mgi_arena_printf(arena, "%.*s", STR_ARG(error->string))
                      : "is refused");
        else if (!found || found->type != JSON_ARRAY)
            fault(&f, "the list", "has no tools");
        else
            *tools = *found;
    }
    return faults_end(&f, why);
}

static uint32_t flag_of(struct faults *f, const struct json *entry, const char *name, uint32_t bit)
{
    const struct json *v = mgi_json_get(entry, name);
    if (!v || v->type == JSON_NULL)
        return 0;
    if (v->type != JSON_BOOL)
        fault(f, name, "must be true or false");
    return v->type == JSON_BOOL && v->boolean ? bit : 0;
}

static int64_t number_of(struct faults *f, const struct json *entry, const char *name, int64_t most,
                         int64_t absent)
{
    const struct json *v = mgi_json_get(entry, name);
    if (!v || v->type == JSON_NULL)
        return absent;
    if (v->type != JSON_INT || v->integer < 0 || v->integer > most) {
        fault(f, name, "is out of its range");
        return absent;
    }
    return v->integer;
}

static const char *const *words_of(struct faults *f, const struct json *entry, const char *name)
{
    const struct json *v = mgi_json_get(entry, name);
    size_t count;
    if (!v || v->type == JSON_NULL)
        return NULL;
    return (const char *const *)texts_of(f, v, name, 0, &count);
}

/* A schema goes on as the text that it came as. */
static const char *schema_of(struct faults *f, const struct json *entry, const char *name)
{
    const struct json *v = mgi_json_get(entry, name);
    if (!v || v->type == JSON_NULL)
        return NULL;
    if (v->type != JSON_OBJECT)
        fault(f, name, "must be an object");
    const char *z = mgi_arena_printf(f->arena, "%.*s", STR_ARG(v->text));
    if (!z)
        fault(f, name, no_memory);
    return z;
}

static void read_tool(struct faults *f, const struct json *entry, th_tool *t)
{
    const struct json *description = mgi_json_get(entry, "description");
    *t = (th_tool){ .struct_size = sizeof *t, .min_tier = -1 };
    t->aid = text_of(f, mgi_json_get(entry, "aid"), "aid");
    t->name = text_of(f, mgi_json_get(entry, "name"), "name");
    if (description && description->type != JSON_NULL)
        t->description = text_of(f, description, "description");
    t->flags = flag_of(f, entry, "deterministic", TH_TOOL_DETERMINISTIC) |
               flag_of(f, entry, "idempotent", TH_TOOL_IDEMPOTENT) |
               flag_of(f, entry, "reversible", TH_TOOL_REVERSIBLE);
    t->tags = words_of(f, entry, "tags");
    t->side_effects = words_of(f, entry, "side_effects");
    t->replay_inputs = words_of(f, entry, "replay_inputs");
    t->input_schema = schema_of(f, entry, "input_schema");
    t->output_schema = schema_of(f, entry, "output_schema");
    t->timeout_ms = (uint32_t)number_of(f, entry, "timeout_ms", 86400000, 0);
    t->min_tier = (int32_t)number_of(f, entry, "tier", 3, -1);
}

bool relay_tools_read(struct arena *arena, const struct json *tools, th_tool **out, size_t *count,
                      const char **why)
{
    struct faults f = { .arena = arena };
    *count = 0;
    *out = NULL;
    if (tools->count > RELAY_MAX_TOOLS)
        fault(&f, "tools", "are more than 1024");
    else
        *out = mgi_arena_calloc(arena, tools->count + (size_t)1, sizeof **out);
    if (f.count == 0 && !*out)
        fault(&f, "tools", no_memory);
    for (uint32_t i = 0; *out && i < tools->count; i++) {
        struct faults one = { .arena = arena };
        const char *what;
        if (tools->items[i].type == JSON_OBJECT)
            read_tool(&one, &tools->items[i], &(*out)[i]);
        else
            fault(&one, "an entry", "must be an object");
        char *where = mgi_arena_printf(arena, "tool %u", i);
        if (!faults_end(&one, &what))
            fault(&f, where ? where : "a tool", what);
    }
    *count = tools->count;
    return faults_end(&f, why);
}
