/* What a tool takes, what its author has confirmed of it, and what it is called: see tool.h. What
 * harm it can do is worked out in harm.c. */
#include <stdlib.h>

#include "base/content_hash.h"
#include "base/encode.h"
#include "import/harm.h"
#include "import/quote.h"

/* ---- arguments --------------------------------------------------------------------------------
 */

static struct str text_member(const struct json *v, const char *name)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == JSON_STRING ? m->string : STR_LIT("");
}

static bool is_required(const struct json *schema, struct str name)
{
    const struct json *list = mgi_json_get(schema, "required");
    for (uint32_t i = 0; list && list->type == JSON_ARRAY && i < list->count; i++)
        if (list->items[i].type == JSON_STRING && str_eq(list->items[i].string, name))
            return true;
    return false;
}

static const char *type_of(const struct json *schema)
{
    static const char *const types[] = { "string", "integer", "number", "boolean",
                                         "object", "array",   "null",   NULL };
    struct str type = text_member(schema, "type");
    for (size_t i = 0; types[i]; i++)
        if (str_is(type, types[i]))
            return types[i];
    return mgi_json_get(schema, "enum") ? "string" : "any";
}

/* What kind of thing an argument names, by the last word that says one: path, repoPath, page_id. */
static struct str resource_of(struct arena *arena, struct str name)
{
    static const char *const kinds[][2] = {
        { "path", "path" },         { "file", "path" },
        { "filename", "path" },     { "filepath", "path" },
        { "dir", "path" },          { "directory", "path" },
        { "folder", "path" },       { "cwd", "path" },
        { "repo", "repository" },   { "repository", "repository" },
        { "owner", "owner" },       { "org", "owner" },
        { "branch", "branch" },     { "ref", "branch" },
        { "remote", "remote" },     { "commit", "commit" },
        { "sha", "commit" },        { "url", "url" },
        { "uri", "url" },           { "href", "url" },
        { "issue", "issue" },       { "pull", "pull_request" },
        { "pr", "pull_request" },   { "page", "page" },
        { "tab", "page" },          { "block", "block" },
        { "database", "database" }, { "table", "table" },
        { "query", "query" },       { "q", "query" },
        { "user", "user" },         { "username", "user" },
        { "email", "email" },       { "channel", "channel" },
        { "project", "project" },   { "process", "process" },
        { "pid", "process" },       { "session", "session" },
        { "element", "element" },   { "uid", "element" },
        { "selector", "element" },  { "tag", "tag" },
        { "comment", "comment" },   { "message", "message" },
        { "command", "command" },   { "code", "code" },
        { "customer", "customer" }, { "order", "order" },
        { "library", "library" },   { "entity", "entity" },
        { "entities", "entity" },
    };
    struct str words[IMPORT_WORDS], found = STR_LIT("");
    size_t count = mgi_import_split(arena, name, words, IMPORT_WORDS);
    for (size_t i = 0; i < count; i++) {
        struct str word = words[i];
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            bool plural = word.len > 2 && word.ptr[word.len - 1] == 's' &&
                          str_is((struct str){ word.ptr, word.len - 1 }, kinds[k][0]);
            if (plural || str_is(word, kinds[k][0]))
                found = str_of(kinds[k][1]);
        }
    }
    return found;
}

/* What a macro-tool can call it, and sources of steps can name. */
static struct str argument_id(struct arena *arena, struct str name)
{
    char *id = mgi_arena_alloc(arena, name.len + 2);
    size_t len = 0;
    if (!id)
        return (struct str){ NULL, 0 };
    if (name.len == 0 || (name.ptr[0] >= '0' && name.ptr[0] <= '9'))
        id[len++] = '_';
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        id[len++] = plain ? c : '_';
    }
    id[len] = '\0';
    return (struct str){ id, len };
}

static bool is_taken(const struct import_tool *t, struct str id)
{
    for (size_t i = 0; i < t->argument_count; i++)
        if (str_eq(t->arguments[i].id, id))
            return true;
    return false;
}

static bool add_argument(struct arena *arena, struct import_tool *t, const struct json_member *m)
{
    struct import_argument *a = &t->arguments[t->argument_count];
    struct str id = argument_id(arena, m->name);
    for (int n = 2; id.ptr && is_taken(t, id); n++)
        id = str_of(mgi_arena_printf(arena, "%.*s_%d", STR_ARG(argument_id(arena, m->name)), n));
    if (!id.ptr)
        return false;
    *a = (struct import_argument){ .name = m->name,
                                   .id = id,
                                   .type = type_of(&m->value),
                                   .required = is_required(t->schema, m->name),
                                   .resource = resource_of(arena, m->name) };
    t->argument_count++;
    return true;
}

static bool read_arguments(struct arena *arena, struct import_tool *t)
{
    const struct json *properties = mgi_json_get(t->schema, "properties");
    uint32_t count = properties && properties->type == JSON_OBJECT ? properties->count : 0;
    t->argument_count = 0;
    t->arguments = mgi_arena_calloc(arena, count + (size_t)1, sizeof *t->arguments);
    if (!t->arguments)
        return false;
    if (count > IMPORT_ARGUMENTS) {
        t->left_out = "it has more than 256 arguments";
        return true;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (properties->members[i].name.len > IMPORT_KEY_BYTES)
            t->left_out = "an argument has a name of more than 128 bytes";
        else if (!add_argument(arena, t, &properties->members[i]))
            return false;
    }
    return true;
}

/* ---- the main line ---------------------------------------------------------------------------
 */

bool mgi_import_study(struct arena *arena, struct import_tool *t)
{
    if (!mgi_import_words(arena, t->server, t->name, t->description, &t->words) ||
        !read_arguments(arena, t))
        return false;
    mgi_import_judge(arena, t);
    return !arena->oom;
}

/* ---- what the author says ---------------------------------------------------------------------
 */

/* The text between the next two quotes, which is taken from *rest. Empty: there is none. */
static struct str next_quoted(struct str *rest)
{
    const char *open = rest->len ? memchr(rest->ptr, '"', rest->len) : NULL;
    size_t left = open ? rest->len - (size_t)(open - rest->ptr) - 1 : 0;
    const char *close = left ? memchr(open + 1, '"', left) : NULL;
    if (!close)
        return STR_LIT("");
    struct str text = { open + 1, (size_t)(close - open) - 1 };
    *rest = (struct str){ close + 1, left - text.len - 1 };
    return text;
}

static void take_line(struct import_tool *tools, size_t count, struct str line)
{
    struct str id, class;
    line = mgi_str_trim(line, " \t\r");
    if (!mgi_str_starts(line, STR_LIT("harm(")))
        return;
    id = next_quoted(&line);
    class = next_quoted(&line);
    for (size_t i = 0; i < count; i++)
        for (int h = HARM_NONE; h <= HARM_DESTRUCTIVE; h++)
            if (tools[i].id && str_is(id, tools[i].id) &&
                str_is(class, mgi_import_harm_name((enum import_harm)h))) {
                tools[i].confirmed = true;
                tools[i].said = (enum import_harm)h;
            }
}

void mgi_import_take_confirmed(struct import_tool *tools, size_t count, struct str text)
{
    while (text.len > 0) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end ? (size_t)(end - text.ptr) : text.len;
        take_line(tools, count, (struct str){ text.ptr, len });
        len += end != NULL;
        text = (struct str){ text.ptr + len, text.len - len };
    }
}

/* ---- names ------------------------------------------------------------------------------------
 */

/* Not too long, and not what another one is: the end is a digest of all of it. */
static char *with_digest(struct arena *arena, const char *snake, struct str server, struct str name)
{
    uint8_t hash[CONTENT_HASH_BYTES];
    char hex[2 * CONTENT_HASH_BYTES + 1];
    char *whole = mgi_arena_printf(arena, "%.*s\n%.*s", STR_ARG(server), STR_ARG(name));
    if (!whole)
        return NULL;
    mgi_content_hash(whole, strlen(whole), hash);
    mgi_hex(hash, sizeof hash, hex);
    return mgi_arena_printf(arena, "%.*s_%.8s", IMPORT_ID_BYTES - 9, snake, hex);
}

/* Of any length, for what is cut later. */
static char *snake_of(struct arena *arena, struct str name)
{
    struct buf out = { 0 };
    struct str words[IMPORT_WORDS * 2];
    size_t count = mgi_import_split(arena, name, words, IMPORT_WORDS * 2);
    for (size_t i = 0; i < count; i++) {
        bool letter = words[i].ptr[0] >= 'a' && words[i].ptr[0] <= 'z';
        mgi_buf_puts(&out, i ? "_" : letter ? "" : "t");
        mgi_buf_str(&out, words[i]);
    }
    if (count == 0)
        mgi_buf_puts(&out, "tool");
    char *kept = out.oom ? NULL : mgi_arena_printf(arena, "%s", out.ptr);
    arena->oom |= out.oom;
    mgi_buf_fini(&out);
    return kept;
}

char *mgi_import_snake(struct arena *arena, struct str name)
{
    char *snake = snake_of(arena, name);
    if (snake && strlen(snake) > IMPORT_ID_BYTES)
        snake[IMPORT_ID_BYTES] = '\0';
    return snake;
}

struct named {
    const char *id;
    struct import_tool *tool;
};

static int compare_named(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = strcmp(x->id, y->id);
    if (!order)
        order = mgi_str_compare(x->tool->server, y->tool->server);
    return order ? order : mgi_str_compare(x->tool->name, y->tool->name);
}

/* Marks those whose id another one has, by sorting. Returns how many. */
static size_t mark_twins(struct named *all, size_t count, bool *twin)
{
    size_t twins = 0;
    if (count > 1)
        qsort(all, count, sizeof *all, compare_named);
    for (size_t i = 0; i < count; i++) {
        twin[i] = (i > 0 && strcmp(all[i - 1].id, all[i].id) == 0) ||
                  (i + 1 < count && strcmp(all[i + 1].id, all[i].id) == 0);
        twins += twin[i];
    }
    return twins;
}

bool mgi_import_name_tools(struct arena *arena, struct import_tool *tools, size_t count)
{
    struct named *all = mgi_arena_calloc(arena, count + 1, sizeof *all);
    bool *twin = mgi_arena_calloc(arena, count + 1, sizeof *twin);
    size_t n = 0;
    if (!all || !twin)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (tools[i].left_out)
            continue;
        all[n] = (struct named){ snake_of(arena, tools[i].name), &tools[i] };
        if (!all[n++].id)
            return false;
    }
    mark_twins(all, n, twin);
    for (size_t i = 0; i < n; i++) {
        all[i].tool->clashed = twin[i];
        if (twin[i])
            all[i].id =
                mgi_arena_printf(arena, "%s_%s", snake_of(arena, all[i].tool->server), all[i].id);
        if (!all[i].id)
            return false;
    }
    mark_twins(all, n, twin);
    for (size_t i = 0; i < n; i++) {
        if (twin[i] || strlen(all[i].id) > IMPORT_ID_BYTES)
            all[i].id = with_digest(arena, all[i].id, all[i].tool->server, all[i].tool->name);
        if (!all[i].id)
            return false;
        all[i].tool->id = all[i].id;
    }
    return !arena->oom;
}
