/* Files of an imported domain: see write.h. Every text of others is quoted (quote.h). */
#include <stdlib.h>

#include "import/quote.h"
#include "import/write.h"
#include "mcp/clean.h"
#include "render/call.h"

#define SUMMARY_BYTES     80
#define DESCRIPTION_BYTES 300
#define NOTE_BYTES        100 /* of an argument's description, in a schema */
#define SEARCHED_BYTES    2000

/* ---- texts ------------------------------------------------------------------------------------
 */

/* Cleaned, in one line, at most `max` bytes; where nothing is left, `otherwise`. */
static struct str line_of(struct arena *arena, struct str text, size_t max, const char *otherwise)
{
    struct buf clean = { 0 }, line = { 0 };
    mgi_clean(&clean, text, 4 * max, NULL);
    mgi_import_one_line(&line, mgi_buf_view(&clean), max);
    struct str kept = mgi_arena_str(arena, line.len ? mgi_buf_view(&line) : str_of(otherwise));
    arena->oom |= clean.oom || line.oom;
    mgi_buf_fini(&clean);
    mgi_buf_fini(&line);
    return kept;
}

/* The first sentence, if it ends in time. */
static struct str first_sentence(struct str line)
{
    size_t end = mgi_str_find(line, STR_LIT(". "));
    return end == SIZE_MAX ? line : (struct str){ line.ptr, end + 1 };
}

/* As many sentences as fit; of one that is longer its beginning. */
static struct str trimmed(struct arena *arena, struct str text, size_t max, const char *otherwise)
{
    struct str line = line_of(arena, text, max, otherwise);
    bool whole = line_of(arena, text, max + 8, otherwise).len == line.len;
    for (size_t i = line.len; !whole && i > 1; i--)
        if (line.ptr[i - 1] == ' ' && line.ptr[i - 2] == '.')
            return (struct str){ line.ptr, i - 1 };
    return line;
}

/* ---- a macro-tool -----------------------------------------------------------------------------
 */

static bool is_said(struct str key, const char *const *list)
{
    for (; *list; list++)
        if (str_is(key, *list))
            return true;
    return false;
}

/* A schema of others: explanations are cleaned and cut, what explains nothing here is dropped.
 * `values`: inside of a value (default, enum, const), where nothing is a keyword; `names`: of a map
 * whose keys are names. */
static void put_schema(struct arena *arena, struct buf *out, const struct json *v, bool values,
                       bool names)
{
    static const char *const dropped[] = { "$schema",  "title",   "examples",
                                           "$comment", "example", NULL };
    static const char *const literal[] = { "default", "enum", "const", NULL };
    static const char *const named[] = { "properties",  "patternProperties", "$defs",
                                         "definitions", "dependentSchemas",  NULL };
    bool first = true;
    if (values || (v->type != JSON_OBJECT && v->type != JSON_ARRAY)) {
        mgi_import_yaml_value(out, v);
        return;
    }
    mgi_buf_putc(out, v->type == JSON_ARRAY ? '[' : '{');
    for (uint32_t i = 0; i < v->count; i++) {
        const struct json *in = v->type == JSON_ARRAY ? &v->items[i] : &v->members[i].value;
        struct str key = v->type == JSON_ARRAY ? STR_LIT("") : v->members[i].name;
        bool keyword = v->type == JSON_OBJECT && !names;
        if (keyword && is_said(key, dropped))
            continue;
        mgi_buf_puts(out, first ? "" : ", ");
        first = false;
        if (v->type == JSON_OBJECT)
            mgi_import_yaml_flow_key(out, key);
        if (keyword && str_is(key, "description") && in->type == JSON_STRING)
            mgi_import_yaml_text(out, first_sentence(line_of(arena, in->string, NOTE_BYTES, "")));
        else
            put_schema(arena, out, in, keyword && is_said(key, literal),
                       keyword && is_said(key, named));
    }
    mgi_buf_putc(out, v->type == JSON_ARRAY ? ']' : '}');
}

/* At the root arguments have the names of the macro-tool, and there are no others: an argument that
 * no step passes on would be lost. */
static void put_root_schema(struct arena *arena, struct buf *out, const struct import_tool *t)
{
    static const char *const own[] = {
        "$schema",  "type",     "properties",           "required",    "title",
        "examples", "$comment", "additionalProperties", "description", NULL
    };
    const struct json *properties = mgi_json_get(t->schema, "properties");
    bool any = false;
    mgi_buf_puts(out, "input_schema:\n  type: object\n  additionalProperties: false\n");
    for (size_t i = 0; i < t->argument_count; i++) {
        if (!t->arguments[i].required)
            continue;
        mgi_buf_puts(out, any ? ", " : "  required: [");
        any = true;
        mgi_import_yaml_text(out, t->arguments[i].id);
    }
    mgi_buf_puts(out, any ? "]\n" : "");
    mgi_buf_puts(out, t->argument_count ? "  properties:\n" : "  properties: {}\n");
    for (size_t i = 0; i < t->argument_count; i++) {
        mgi_buf_puts(out, "    ");
        mgi_import_yaml_key(out, t->arguments[i].id);
        put_schema(arena, out, mgi_json_get_str(properties, t->arguments[i].name), false, false);
        mgi_buf_putc(out, '\n');
    }
    for (uint32_t i = 0; t->schema && i < t->schema->count; i++) {
        const struct json_member *m = &t->schema->members[i];
        if (is_said(m->name, own) || m->name.len > IMPORT_KEY_BYTES)
            continue;
        mgi_buf_puts(out, "  ");
        mgi_import_yaml_key(out, m->name);
        put_schema(arena, out, &m->value, false,
                   str_is(m->name, "$defs") || str_is(m->name, "definitions"));
        mgi_buf_putc(out, '\n');
    }
}

static void put_steps(struct buf *out, const struct import_tool *t)
{
    mgi_buf_puts(out, "steps:\n  - id: run\n    action: ");
    mgi_import_yaml_text(out, t->aid);
    mgi_buf_puts(out, t->argument_count ? "\n    inputs:\n" : "\n");
    for (size_t i = 0; i < t->argument_count; i++) {
        const struct import_argument *a = &t->arguments[i];
        mgi_buf_puts(out, "      ");
        mgi_import_yaml_key(out, a->name);
        mgi_buf_printf(out, "{from: \"args.%.*s\"%s}\n", STR_ARG(a->id),
                       a->required ? "" : ", optional: true");
    }
    mgi_buf_puts(out, "    failure_text: {from: action}\nresult: {from: steps.run.output}\n");
}

static void put_tags(struct buf *out, const struct import_tool *t)
{
    mgi_buf_puts(out, "tags: [");
    mgi_import_yaml_text(out, t->server);
    if (t->words.verb) {
        mgi_buf_puts(out, ", ");
        mgi_import_yaml_text(out, str_of(t->words.verb->canonical));
    }
    mgi_buf_puts(out, "]\n");
}

bool mgi_import_tool_file(struct arena *arena, struct buf *out, struct import_tool *t)
{
    struct str text = trimmed(arena, t->description, DESCRIPTION_BYTES, t->id);
    if (t->schema && mgi_import_json_depth(t->schema) > IMPORT_YAML_DEPTH) {
        t->left_out = "its schema is nested too deep";
        return false;
    }
    mgi_buf_puts(out,
                 "# Written by `manglecp import`, and written anew by the next one unless it was "
                 "changed.\ntool: ");
    mgi_buf_puts(out, t->id);
    mgi_buf_puts(out, "\nsummary: ");
    mgi_import_yaml_text(out, line_of(arena, first_sentence(text), SUMMARY_BYTES, t->id));
    mgi_buf_puts(out, "\ndescription: ");
    mgi_import_yaml_text(out, text);
    mgi_buf_putc(out, '\n');
    put_tags(out, t);
    put_root_schema(arena, out, t);
    put_steps(out, t);
    return !out->oom && !arena->oom;
}

/* ---- facts ------------------------------------------------------------------------------------
 */

/* predicate("a", "b", …). */
static void put_fact(struct buf *out, const char *predicate, const struct str *texts, size_t count)
{
    mgi_buf_printf(out, "%s(", predicate);
    for (size_t i = 0; i < count; i++) {
        mgi_buf_puts(out, i ? ", " : "");
        mgi_import_mangle_text(out, texts[i]);
    }
    mgi_buf_puts(out, ").\n");
}

/* The words of its name, what it does, and to what. */
static struct str words_of(struct arena *arena, const struct import_tool *t)
{
    struct buf text = { 0 };
    for (size_t i = 0; i < t->words.count; i++)
        mgi_buf_printf(&text, "%s%.*s", i ? " " : "", STR_ARG(t->words.words[i]));
    if (t->words.verb && !mgi_import_has_word(&t->words, t->words.verb->canonical))
        mgi_buf_printf(&text, " %s", t->words.verb->canonical);
    struct str kept = mgi_arena_str(arena, mgi_buf_view(&text));
    arena->oom |= text.oom;
    mgi_buf_fini(&text);
    return kept;
}

/* Names of arguments, and what is said of them. */
static struct str arguments_of(struct arena *arena, const struct import_tool *t)
{
    const struct json *properties = mgi_json_get(t->schema, "properties");
    struct buf text = { 0 };
    for (size_t i = 0; i < t->argument_count && text.len < SEARCHED_BYTES; i++) {
        const struct json *schema = mgi_json_get_str(properties, t->arguments[i].name);
        const struct json *note = schema ? mgi_json_get(schema, "description") : NULL;
        mgi_buf_printf(&text, "%s%.*s", i ? " " : "", STR_ARG(t->arguments[i].id));
        if (note && note->type == JSON_STRING) {
            mgi_buf_putc(&text, ' ');
            mgi_buf_str(&text, line_of(arena, note->string, 120, ""));
        }
    }
    struct str kept = mgi_arena_str(arena, mgi_buf_view(&text));
    arena->oom |= text.oom;
    mgi_buf_fini(&text);
    return kept;
}

static void put_tool_facts(struct arena *arena, struct buf *out, const struct import_tool *t)
{
    struct str id = str_of(t->id);
    put_fact(out, "imported", (struct str[]){ id, t->server, line_of(arena, t->name, 128, "") }, 3);
    put_fact(out, "tool_text",
             (struct str[]){ id, words_of(arena, t),
                             line_of(arena, t->description, IMPORT_TEXT_BYTES, ""),
                             arguments_of(arena, t) },
             4);
    if (t->words.verb)
        put_fact(out, "verb", (struct str[]){ id, str_of(t->words.verb->canonical) }, 2);
    for (size_t i = 0; i < t->words.object_count; i++)
        put_fact(out, "object", (struct str[]){ id, t->words.objects[i] }, 2);
    put_fact(out, "tag", (struct str[]){ id, t->server }, 2);
    put_fact(out, "effect", (struct str[]){ id, str_of(mgi_import_effect_name(t->effect)) }, 2);
    for (size_t i = 0; i < t->argument_count; i++) {
        const struct import_argument *a = &t->arguments[i];
        struct str required = a->required ? STR_LIT("yes") : STR_LIT("no");
        put_fact(out, "argument",
                 (struct str[]){ id, a->id, str_of(a->type), required, a->resource }, 5);
    }
    put_fact(out, "harm_guess", (struct str[]){ id, str_of(mgi_import_harm_name(t->harm)) }, 2);
}

struct counted {
    struct str word;
    size_t count;
};

static int compare_counted(const void *a, const void *b)
{
    const struct counted *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return mgi_str_compare(x->word, y->word);
}

static void count_word(struct counted *all, size_t *count, size_t cap, struct str word)
{
    size_t i = 0;
    while (i < *count && !str_eq(all[i].word, word))
        i++;
    if (i == *count && i < cap)
        all[(*count)++] = (struct counted){ word, 0 };
    if (i < cap)
        all[i].count++;
}

char *mgi_import_server_line(struct arena *arena, const struct import_server *server,
                             const struct import_tool *tools, size_t tool_count)
{
    enum { SEEN = 200, TOLD = 6 };
    struct counted all[SEEN];
    size_t count = 0;
    struct buf line = { 0 };
    for (size_t i = 0; i < tool_count; i++) {
        const struct import_words *w = &tools[i].words;
        if (tools[i].left_out || !str_eq(tools[i].server, server->name))
            continue;
        for (size_t k = 0; k < w->object_count; k++)
            if (!memchr(w->objects[k].ptr, '_', w->objects[k].len))
                count_word(all, &count, SEEN, w->objects[k]);
    }
    if (count > 1)
        qsort(all, count, sizeof *all, compare_counted);
    mgi_buf_printf(&line, "%zu tool%s", server->tools, server->tools == 1 ? "" : "s");
    for (size_t i = 0; i < count && i < TOLD; i++)
        mgi_buf_printf(&line, "%s%.*s", i ? ", " : ": ", STR_ARG(all[i].word));
    char *kept = line.oom ? NULL : mgi_arena_printf(arena, "%s", line.ptr);
    arena->oom |= line.oom;
    mgi_buf_fini(&line);
    return kept;
}

/* "github_enterprise" is named by "github enterprise". */
static struct str server_words(struct arena *arena, struct str name)
{
    char *snake = mgi_import_snake(arena, name);
    for (char *c = snake; c && *c; c++)
        if (*c == '_')
            *c = ' ';
    return str_of(snake);
}

/* What tools are called after may be said of what they do: each word once. */
static void put_verbs(struct buf *out, const struct import_tool *tools, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        const struct import_verb *verb = tools[i].words.verb;
        bool known = !verb || tools[i].left_out || strcmp(verb->word, verb->canonical) == 0;
        for (size_t k = 0; k < i && !known; k++)
            known = !tools[k].left_out && tools[k].words.verb == verb;
        if (known)
            continue;
        mgi_buf_puts(out, any ? "" : "\n");
        any = true;
        put_fact(out, "verb_words", (struct str[]){ str_of(verb->canonical), str_of(verb->word) },
                 2);
    }
}

void mgi_import_facts_file(struct arena *arena, struct buf *out,
                           const struct import_server *servers, size_t server_count,
                           const struct import_tool *tools, size_t tool_count)
{
    mgi_buf_puts(
        out, "# Written by `manglecp import`, and written anew by the next one: what is known of "
             "servers and tools.\n# What is known better stands in confirmed.mg and in "
             "rules/.\n\n");
    for (size_t i = 0; i < server_count; i++) {
        char *line = mgi_import_server_line(arena, &servers[i], tools, tool_count);
        if (!line)
            continue;
        put_fact(out, "server", (struct str[]){ servers[i].name, str_of(line) }, 2);
        put_fact(out, "server_words",
                 (struct str[]){ servers[i].name, server_words(arena, servers[i].name) }, 2);
    }
    put_verbs(out, tools, tool_count);
    for (size_t i = 0; i < tool_count; i++) {
        if (tools[i].left_out)
            continue;
        mgi_buf_putc(out, '\n');
        put_tool_facts(arena, out, &tools[i]);
    }
    out->oom |= arena->oom;
}

void mgi_import_confirmed_file(struct buf *out, const struct import_tool *tools, size_t tool_count)
{
    mgi_buf_puts(
        out,
        "# Yours: no import writes over it. How much harm a tool can do: \"none\", \"write\" or "
        "\"destructive\".\n# What follows was guessed to be destructive. Take the # away from a "
        "line "
        "to confirm it, or correct its class;\n# `manglecp import confirm FOLDER` then tells the "
        "lock file, too. What nobody confirms needs consent.\n\n");
    for (size_t i = 0; i < tool_count; i++) {
        if (tools[i].left_out || tools[i].harm != HARM_DESTRUCTIVE)
            continue;
        mgi_buf_printf(out, "# harm(\"%s\", \"destructive\").  # %s\n", tools[i].id,
                       tools[i].harm_why ? tools[i].harm_why : "");
    }
}

/* ---- a ranking by meaning ---------------------------------------------------------------------
 */

void mgi_import_near_external(struct buf *out)
{
    mgi_buf_puts(out, "  tool_near:\n"
                      "    action: AID.NEAR.NEAR.v1\n"
                      "    keep: true              # the model is read once\n"
                      "    timeout: 3s\n"
                      "    deterministic: false    # it may be late\n"
                      "    otherwise: [{t: $why, rank: 0}]\n"
                      "    description: Tools whose texts mean something like a text\n");
}

void mgi_import_near_host(struct buf *out, const char *python)
{
    mgi_buf_puts(out, "  hosts:\n    - {name: near, run: [");
    mgi_import_yaml_text(out, str_of(python));
    mgi_buf_puts(out, ", near.py]}\n");
}

/* ---- the bill ---------------------------------------------------------------------------------
 */

void mgi_import_line(struct buf *out, const struct import_tool *t)
{
    mgi_call_put(out, str_of(t->id), t->schema);
    mgi_buf_putc(out, '\n');
}

void mgi_import_verbatim(struct buf *out, const struct import_tool *t)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "name", t->name);
    mgi_jw_member_str(&w, "description", t->description);
    mgi_jw_key(&w, "inputSchema");
    if (t->schema)
        mgi_jw_value(&w, t->schema);
    else
        mgi_jw_null(&w);
    mgi_jw_end_object(&w);
    mgi_buf_putc(out, '\n');
}
