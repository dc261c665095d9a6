/* `manglecp doctor`: what servers offer, judged. */
#include <stdio.h>
#include <string.h>

#include "cli/manglecp_doctor.h"
#include "import/tool.h"
#include "manglecp.h"
#include "mcp/clean.h"
#include "protocol/schema.h"

enum {
    MANY_TOKENS = 5000, /* of one server's list */
    NAMED = 4,          /* tools that a finding names */
    LONG_BYTES = 4096   /* of a description: what `actions: mcp` keeps of it (X-ACT-7) */
};

/* Tools of one kind of fault: how many, and the names of the first ones. */
struct tally {
    size_t count;
    struct buf names;
    const char *detail; /* of the first one */
};

static void tally_tool(struct tally *t, struct str name, const char *detail)
{
    if (t->count < NAMED) {
        struct str cut = { name.ptr, name.len < 64 ? name.len : 64 };
        mgi_buf_puts(&t->names, t->count ? ", " : "");
        mgi_buf_str(&t->names, cut);
    }
    if (t->count++ == 0)
        t->detail = detail;
}

static void tally_end(struct examination *e, struct doctor_server *s, struct tally *t,
                      enum check check, const char *what)
{
    if (t->count > 0)
        mgi_doctor_add(e, &s->findings, check, "%zu tool%s %s: %.*s%s%s%s%s", t->count,
                       t->count == 1 ? "" : "s", what, STR_ARG(mgi_buf_view(&t->names)),
                       t->count > NAMED ? ", …" : "", t->detail ? " (" : "",
                       t->detail ? t->detail : "", t->detail ? ")" : "");
    mgi_buf_fini(&t->names);
}

static struct str member_text(const struct json *v, const char *name)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == JSON_STRING ? m->string : STR_LIT("");
}

/* ---- schemas --------------------------------------------------------------------------------- */

/* Of another dialect than 2020-12 words may be right that are not known here. */
static bool is_of_this_dialect(const struct json *schema)
{
    struct str dialect = member_text(schema, "$schema");
    return dialect.len == 0 || mgi_str_find(dialect, STR_LIT("2020-12")) != SIZE_MAX;
}

/* The first fault of a schema; NULL: none. *keyword: it is a schema, but for a word that nobody
 * knows. */
static const char *schema_fault(struct arena *arena, const struct json *schema, bool *keyword)
{
    struct schema_issues issues;
    struct schema *compiled;
    *keyword = false;
    for (int flags = SCHEMA_LENIENT; flags >= 0; flags -= SCHEMA_LENIENT) {
        if (flags == 0 && !is_of_this_dialect(schema))
            return NULL;
        mgi_schema_issues_init(&issues, arena, 1);
        compiled = mgi_schema_compile(schema, flags, &issues);
        mgi_schema_free(compiled);
        if (!compiled && issues.count > 0) {
            *keyword = flags == 0;
            return mgi_arena_printf(arena, "%.60s at \"%.80s\": %.120s", issues.items[0].keyword,
                                    issues.items[0].path, issues.items[0].message);
        }
    }
    return NULL;
}

/* "properties": {} says that there are no arguments; nothing at all says nothing. */
static bool is_empty_schema(const struct json *schema)
{
    static const char *const says[] = {
        "properties", "additionalProperties", "anyOf", "oneOf", "allOf", "$ref", NULL
    };
    for (size_t i = 0; says[i]; i++)
        if (mgi_json_get(schema, says[i]))
            return false;
    return true;
}

static bool lacks_argument_text(const struct json *schema)
{
    const struct json *properties = mgi_json_get(schema, "properties");
    for (uint32_t i = 0; properties && properties->type == JSON_OBJECT && i < properties->count;
         i++) {
        const struct json *p = &properties->members[i].value;
        if (p->type == JSON_OBJECT && member_text(p, "description").len == 0 &&
            !mgi_json_get(p, "$ref"))
            return true;
    }
    return false;
}

/* ---- annotations ----------------------------------------------------------------------------- */

static int hint_of(const struct json *tool, const char *name)
{
    const struct json *v = mgi_json_get(mgi_json_get(tool, "annotations"), name);
    return v && v->type == JSON_BOOL ? v->boolean : -1;
}

/* The verb of the name, if it always changes something. The importer counts more of them, for it
 * errs on the safe side; here a tool is blamed. */
static const char *changing_verb(const struct import_tool *t)
{
    static const char *const always[] = { "add",  "create", "write",  "update", "edit",  "set",
                                          "move", "send",   "insert", "push",   "merge", "rename",
                                          "post", "commit", "upload", NULL };
    const struct import_verb *v = t->words.verb;
    for (size_t i = 0; v && !v->weak && always[i]; i++)
        if (strcmp(v->word, always[i]) == 0 && mgi_import_has_word(&t->words, v->word))
            return v->word;
    return NULL;
}

/* What does not fit together; NULL: nothing. What a tool does is read as the importer reads it,
 * from verb, objects and schema alone. */
static const char *contradiction(struct arena *arena, struct str server, const struct json *tool,
                                 struct str name)
{
    struct import_tool t = { .server = server,
                             .name = name,
                             .description = member_text(tool, "description"),
                             .schema = mgi_json_get(tool, "inputSchema"),
                             .hints = { -1, -1, -1, -1 } };
    bool reads = hint_of(tool, "readOnlyHint") == 1;
    bool tame = hint_of(tool, "destructiveHint") == 0;
    if (reads && hint_of(tool, "destructiveHint") == 1)
        return "readOnlyHint and destructiveHint are both true";
    if ((!reads && !tame) || !mgi_import_study(arena, &t))
        return NULL;
    if (t.harm == HARM_DESTRUCTIVE)
        return mgi_arena_printf(arena, "%s says that it %s nothing; %s",
                                reads ? "readOnlyHint" : "destructiveHint",
                                reads ? "changes" : "destroys", t.harm_why);
    const char *verb = reads ? changing_verb(&t) : NULL;
    return verb ? mgi_arena_printf(
                      arena, "readOnlyHint says that it changes nothing; its verb is \"%s\"", verb)
                : NULL;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static uint64_t hidden_in(struct str text)
{
    struct clean_counts counts = { 0 };
    struct buf out = { 0 };
    mgi_clean(&out, text, 0, &counts);
    mgi_buf_fini(&out);
    return mgi_clean_removed(&counts);
}

/* In all texts of a value, names of members, too; no deeper than its parser went. */
static uint64_t hidden_in_value(const struct json *v)
{
    uint64_t n = v->type == JSON_STRING ? hidden_in(v->string) : 0;
    for (uint32_t i = 0; v->type == JSON_ARRAY && i < v->count; i++)
        n += hidden_in_value(&v->items[i]);
    for (uint32_t i = 0; v->type == JSON_OBJECT && i < v->count; i++)
        n += hidden_in(v->members[i].name) + hidden_in_value(&v->members[i].value);
    return n;
}

static const char *name_fault(const struct json *tool, struct str name)
{
    const struct json *schema = mgi_json_get(tool, "inputSchema");
    if (tool->type != JSON_OBJECT || name.len == 0)
        return "no name";
    if (name.len > CLEAN_NAME_BYTES)
        return "its name is longer than 128 bytes";
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.ptr[i] <= ' ' || (unsigned char)name.ptr[i] >= 0x7f)
            return "its name has characters that are not plain";
    return schema && schema->type == JSON_OBJECT ? NULL : "it has no inputSchema";
}

/* ---- one server ------------------------------------------------------------------------------ */

struct tallies {
    struct tally bad, twice, invalid, keyword, empty, mute, mute_arguments, bare, contradict,
        hidden, longs;
};

static void judge_tool(struct examination *e, struct str server, const struct json *tools,
                       uint32_t i, struct tallies *t)
{
    const struct json *tool = &tools->items[i], *schema = mgi_json_get(tool, "inputSchema");
    const struct json *output = mgi_json_get(tool, "outputSchema");
    struct str name = member_text(tool, "name"), text = member_text(tool, "description");
    const char *fault = name_fault(tool, name);
    bool keyword;
    uint64_t hidden = hidden_in_value(tool);
    if (hidden > 0)
        tally_tool(
            &t->hidden, name,
            mgi_arena_printf(&e->arena, "%llu of them in the first", (unsigned long long)hidden));
    if (text.len > LONG_BYTES)
        tally_tool(&t->longs, name,
                   mgi_arena_printf(&e->arena, "%zu bytes in the first", text.len));
    if (fault) {
        tally_tool(&t->bad, name, fault);
        return;
    }
    for (uint32_t k = 0; k < i; k++)
        if (str_eq(member_text(&tools->items[k], "name"), name)) {
            tally_tool(&t->bad, name, "its name comes twice");
            break;
        }
    const char *wrong = schema_fault(&e->arena, schema, &keyword);
    if (!wrong && output)
        wrong = schema_fault(&e->arena, output, &keyword);
    if (wrong)
        tally_tool(keyword ? &t->keyword : &t->invalid, name, wrong);
    else if (is_empty_schema(schema))
        tally_tool(&t->empty, name, NULL);
    if (text.len == 0)
        tally_tool(&t->mute, name, NULL);
    if (lacks_argument_text(schema))
        tally_tool(&t->mute_arguments, name, NULL);
    const struct json *annotations = mgi_json_get(tool, "annotations");
    const char *against = contradiction(&e->arena, server, tool, name);
    if (!annotations || annotations->type != JSON_OBJECT ||
        (hint_of(tool, "readOnlyHint") < 0 && hint_of(tool, "destructiveHint") < 0))
        tally_tool(&t->bare, name, NULL);
    if (against)
        tally_tool(&t->contradict, name, against);
}

static void tell_tallies(struct examination *e, struct doctor_server *s, struct tallies *t)
{
    tally_end(e, s, &t->hidden, CHECK_HIDDEN_TEXT, "with characters that nobody sees");
    tally_end(e, s, &t->bad, CHECK_BAD_TOOL, "cannot be used");
    tally_end(e, s, &t->invalid, CHECK_SCHEMA_INVALID, "with what is no JSON Schema");
    tally_end(e, s, &t->keyword, CHECK_SCHEMA_KEYWORD, "with a schema that is not understood");
    tally_end(e, s, &t->contradict, CHECK_CONTRADICTION, "whose annotations contradict");
    tally_end(e, s, &t->mute, CHECK_NO_DESCRIPTION, "without a description");
    tally_end(e, s, &t->bare, CHECK_NO_ANNOTATIONS, "that say not whether they change anything");
    tally_end(e, s, &t->longs, CHECK_LONG_TEXT, "with a description of more than 4 KiB");
    tally_end(e, s, &t->empty, CHECK_SCHEMA_EMPTY, "whose schema takes anything");
    tally_end(e, s, &t->mute_arguments, CHECK_NO_ARGUMENT_DESCRIPTION,
              "with arguments that are not described");
}

static int64_t member_int(const struct json *v, const char *name)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == JSON_INT ? m->integer : 0;
}

static void judge_start(struct examination *e, struct doctor_server *s)
{
    struct str revision = member_text(&s->offer, "revision"),
               noise = member_text(&s->offer, "noise");
    uint64_t hidden = hidden_in(member_text(&s->offer, "instructions"));
    s->start_ms = member_int(&s->offer, "start_ms");
    if (s->start_ms >= e->slow_ms)
        mgi_doctor_add(e, &s->findings, CHECK_SLOW_START, "it takes %lld.%lld s to start",
                       (long long)s->start_ms / 1000, (long long)s->start_ms / 100 % 10);
    if (mgi_str_compare(revision, STR_LIT("2025-03-26")) < 0)
        mgi_doctor_add(e, &s->findings, CHECK_OLD_REVISION,
                       "it speaks %.*s, which has no annotations", STR_ARG(revision));
    if (noise.len > 0) /* its text may hold anything, secrets too */
        mgi_doctor_add(e, &s->findings, CHECK_NOISE, "it writes lines that are no messages");
    if (hidden > 0)
        mgi_doctor_add(e, &s->findings, CHECK_HIDDEN_TEXT,
                       "%llu characters of its instructions are not seen",
                       (unsigned long long)hidden);
}

void mgi_doctor_judge(struct examination *e, struct doctor_server *s)
{
    const struct json *tools = mgi_json_get(&s->offer, "tools");
    struct tallies t = { 0 };
    if (s->state != SERVER_STARTED || !tools || tools->type != JSON_ARRAY)
        return;
    judge_start(e, s);
    s->tool_count = tools->count;
    s->tokens = tools->count ? manglecp_tokens(tools->text.ptr, tools->text.len) : 0;
    if (tools->count == 0)
        mgi_doctor_add(e, &s->findings, CHECK_NO_TOOLS, "it offers no tools");
    for (uint32_t i = 0; i < tools->count && i < DOCTOR_TOOLS; i++)
        judge_tool(e, s->name, tools, i, &t);
    tell_tallies(e, s, &t);
    if (s->tokens > MANY_TOKENS)
        mgi_doctor_add(e, &s->findings, CHECK_MANY_TOKENS,
                       "its list costs a model about %zu tokens, in each conversation", s->tokens);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* A client that both are in; NULL: none. */
static const char *common_client(const struct doctor_server *a, const struct doctor_server *b)
{
    for (size_t i = 0; i < a->file_count; i++)
        for (size_t k = 0; k < b->file_count; k++) {
            const struct client_file *x = a->files[i]->row, *y = b->files[k]->row;
            if (a->files[i] == b->files[k] || (x && y && strcmp(x->client, y->client) == 0))
                return x ? x->title : a->files[i]->path;
        }
    return NULL;
}

static bool offers(const struct json *tools, struct str name)
{
    for (uint32_t i = 0; i < tools->count; i++)
        if (str_eq(member_text(&tools->items[i], "name"), name))
            return true;
    return false;
}

static void compare_two(struct examination *e, struct doctor_server *a, struct doctor_server *b)
{
    const char *client = common_client(a, b);
    const struct json *mine = mgi_json_get(&a->offer, "tools");
    const struct json *theirs = mgi_json_get(&b->offer, "tools");
    struct tally t = { 0 };
    if (!client)
        return;
    if (str_eq(a->name, b->name))
        mgi_doctor_add(e, &b->findings, CHECK_SAME_NAME,
                       "%s has another server of that name, started in another way", client);
    if (a->state != SERVER_STARTED || b->state != SERVER_STARTED || !mine || !theirs)
        return;
    for (uint32_t i = 0; i < mine->count && i < DOCTOR_TOOLS; i++)
        if (offers(theirs, member_text(&mine->items[i], "name")))
            tally_tool(&t, member_text(&mine->items[i], "name"), NULL);
    const char *what =
        mgi_arena_printf(&e->arena, "that %.*s offers to %s, too", STR_ARG(a->name), client);
    tally_end(e, b, &t, CHECK_NAME_CLASH, what ? what : "");
}

void mgi_doctor_compare(struct examination *e)
{
    for (size_t i = 0; i < e->server_count; i++)
        for (size_t k = i + 1; k < e->server_count; k++)
            if (e->servers[i]->state != SERVER_OFF && e->servers[k]->state != SERVER_OFF)
                compare_two(e, e->servers[i], e->servers[k]);
}
