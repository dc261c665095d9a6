/* Descriptions in one arena, sorted, handed to the core, which copies them. Texts come from whoever
 * wrote the domain, or from a server elsewhere: they are cleaned like those of MCP servers
 * (X-ACT-7). */
#include "bridge/direct.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/utf8.h"
#include "mcp/clean.h"
#include "sys/digest.h"

#define DIGEST_CHARS   8 /* behind a name that had to be changed */
#define HEADER_KEYWORD "\"x-mcp-header\""

const char mgi_direct_instructions[] =
    "Each tool runs a chain of actions on the server. What a tool changes is known to the others, "
    "and may bring other tools: read the list again when it is told to have changed.";

/* ---- names ----------------------------------------------------------------------------------- */

static bool may_stand(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
}

static void put_digest(struct buf *out, struct str text)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[SHA256_BYTES];
    if (!mgi_sha256(text.ptr, text.len, digest)) {
        out->oom = true;
        return;
    }
    mgi_buf_putc(out, '_');
    for (size_t i = 0; i < DIGEST_CHARS; i++)
        mgi_buf_putc(out, digits[digest[i / 2] >> (i % 2 ? 0 : 4) & 15]);
}

/* A number behind a name would say what else there is now; a digest does not change when that
 * does, so no list gives a name that a model has learnt to another tool. */
void mgi_direct_spell(struct buf *out, struct str name)
{
    size_t most = DIRECT_NAME_CHARS - DIGEST_CHARS - 1;
    bool same = name.len > 0 && name.len <= DIRECT_NAME_CHARS;
    for (size_t i = 0; i < name.len && same; i++)
        same = may_stand(name.ptr[i]);
    if (same) {
        mgi_buf_str(out, name);
        return;
    }
    for (size_t i = 0; i < name.len && i < most; i++)
        mgi_buf_putc(out, may_stand(name.ptr[i]) ? name.ptr[i] : '_');
    put_digest(out, name);
}

/* Two tools may have one name; then it says neither. */
static bool is_shared(const manglecp_tools *tools, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < manglecp_tools_count(tools); i++)
        count += strcmp(manglecp_tools_get(tools, i)->name, name) == 0;
    return count > 1;
}

static struct str keep_buf(struct arena *arena, struct buf *text)
{
    struct str kept = { 0 };
    if (text->oom)
        arena->oom = true;
    else
        kept = mgi_arena_str(arena, mgi_buf_view(text));
    mgi_buf_fini(text);
    return kept;
}

static struct direct_name name_tool(struct arena *arena, const manglecp_tools *tools,
                                    const struct manglecp_tool *t)
{
    struct buf text = { 0 };
    bool shared = is_shared(tools, t->name);
    mgi_direct_spell(&text, str_of(t->name));
    if (shared) {
        size_t most = DIRECT_NAME_CHARS - DIGEST_CHARS - 1;
        text.len = text.len < most ? text.len : most;
        put_digest(&text, str_of(t->macro_id));
    }
    return (struct direct_name){
        .shown = keep_buf(arena, &text),
        .macro = mgi_arena_str(arena, str_of(shared ? t->macro_id : t->name)).ptr
    };
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* What is left of a text that is too long ends with a sentence, or a word. */
static size_t end_of_part(struct str text)
{
    for (size_t n = text.len; n > text.len / 2; n--)
        if (text.ptr[n - 1] == '\n' || (text.ptr[n - 1] == '.' && text.ptr[n] == ' '))
            return n;
    for (size_t n = text.len; n > text.len / 2; n--)
        if (text.ptr[n - 1] == ' ')
            return n - 1;
    return text.len;
}

static void put_cleaned(struct buf *out, struct str text, size_t most)
{
    struct buf clean = { 0 };
    mgi_clean(&clean, text, 0, NULL);
    struct str whole = mgi_str_trim(mgi_buf_view(&clean), " \n\t");
    struct str part = mgi_utf8_prefix(whole, most);
    if (part.len < whole.len)
        part.len = end_of_part(part);
    mgi_buf_str(out, part);
    if (part.len < whole.len)
        mgi_buf_puts(out, " (cut)");
    out->oom |= clean.oom;
    mgi_buf_fini(&clean);
}

/* A client has no other way to its text than this one. */
static void put_skill(struct buf *out, manglecp_shown *skills, const char *name)
{
    static const struct manglecp_show how = { .max_tokens = DIRECT_SKILL_TOKENS, .again = true };
    char *text;
    size_t len;
    enum manglecp_status status = manglecp_show_skill(skills, name, &how, &text, &len);
    out->oom |= status == MANGLECP_ERR_NOMEM;
    if (status)
        return;
    mgi_buf_putc(out, '\n');
    mgi_buf_str(out, mgi_str_trim((struct str){ text, len }, "\n"));
    manglecp_free(text);
}

static void put_skills(struct arena *arena, struct buf *out, manglecp_shown *skills,
                       const struct manglecp_tool *t)
{
    struct json v;
    if (mgi_json_parse(arena, str_of(t->json), NULL, &v, NULL) != JSON_OK)
        return;
    const struct json *list = mgi_json_get(mgi_json_get(&v, "context_injection"), "skills");
    for (uint32_t i = 0; list && list->type == JSON_ARRAY && i < list->count; i++) {
        const struct json *id = mgi_json_get(&list->items[i], "skill_id");
        const char *name =
            id && id->type == JSON_STRING ? mgi_arena_str(arena, id->string).ptr : NULL;
        if (name)
            put_skill(out, skills, name);
    }
}

static bool has_effects(const struct manglecp_tool *t)
{
    return t->side_effect_count > 1 ||
           (t->side_effect_count == 1 && strcmp(t->side_effects[0], "none") != 0);
}

static struct str describe_tool(struct arena *arena, manglecp_shown *skills,
                                const struct manglecp_tool *t)
{
    struct buf text = { 0 };
    put_cleaned(&text, str_of(t->description), DIRECT_ABOUT_BYTES);
    if (t->instructions[0]) {
        mgi_buf_puts(&text, text.len > 0 ? "\n" : "");
        put_cleaned(&text, str_of(t->instructions), DIRECT_MANUAL_BYTES);
    }
    if (t->level == MANGLECP_FULL && t->requires_confirmation)
        mgi_buf_puts(&text, "\nThe user is asked first.");
    if (t->level == MANGLECP_FULL && has_effects(t) && !t->reversible)
        mgi_buf_puts(&text, "\nIt cannot be undone.");
    put_skills(arena, &text, skills, t);
    return keep_buf(arena, &text);
}

/* Is this the keyword, as the name of a member whose value is a text? */
static bool is_header_keyword(struct str text, size_t at)
{
    size_t end = at + sizeof HEADER_KEYWORD - 1;
    if (at > 0 && text.ptr[at - 1] == '\\')
        return false;
    while (end < text.len && strchr(" \t\r\n:", text.ptr[end]))
        end++;
    return end < text.len && text.ptr[end] == '"';
}

/* Headers are not asked for (X-HTTP-40), and a keyword that is wrong would cost the whole list: so
 * it gets a name that means nothing. */
static void put_schema(struct buf *out, struct str text)
{
    size_t at;
    while ((at = mgi_str_find(text, STR_LIT(HEADER_KEYWORD))) < text.len) {
        size_t end = at + sizeof HEADER_KEYWORD - 1;
        mgi_buf_append(out, text.ptr, at);
        mgi_buf_puts(out, is_header_keyword(text, at) ? "\"x-header\"" : HEADER_KEYWORD);
        text = (struct str){ text.ptr + end, text.len - end };
    }
    mgi_buf_str(out, text);
}

/* Of a tool that is not shown in full: any object. Its arguments are judged when it is called. */
static struct str schema_of(struct arena *arena, const struct manglecp_tool *t)
{
    struct buf out = { 0 };
    if (!t->input_schema)
        return STR_LIT("{\"type\":\"object\"}");
    put_schema(&out, str_of(t->input_schema));
    return keep_buf(arena, &out);
}

/* ---- annotations (X-BRIDGE-5) ---------------------------------------------------------------- */

static bool has_effect(const struct manglecp_tool *t, const char *effect)
{
    for (size_t i = 0; i < t->side_effect_count; i++)
        if (strcmp(t->side_effects[i], effect) == 0)
            return true;
    return false;
}

/* Effects that reach no further than this machine's files and databases; see domain/hints.c. */
static bool is_closed(const char *effect)
{
    static const char *const closed[] = { "none",       "x-filesystem-read", "x-database-read",
                                          "filesystem", "database",          "destructive" };
    for (size_t i = 0; i < sizeof closed / sizeof *closed; i++)
        if (strcmp(effect, closed[i]) == 0)
            return true;
    return false;
}

static bool is_read(const struct manglecp_tool *t, const char *effect)
{
    return strcmp(effect, "none") == 0 || strcmp(effect, "x-filesystem-read") == 0 ||
           strcmp(effect, "x-database-read") == 0 ||
           (strcmp(effect, "filesystem") == 0 && has_effect(t, "x-filesystem-read")) ||
           (strcmp(effect, "database") == 0 && has_effect(t, "x-database-read"));
}

/* What a server does not tell counts as the worst. */
static void annotate(struct mcp_tool *out, const struct manglecp_tool *t)
{
    bool known = t->level == MANGLECP_FULL && t->side_effect_count > 0, reads = known;
    out->has_annotations = true;
    out->open_world = !known;
    for (size_t i = 0; known && i < t->side_effect_count; i++) {
        reads = reads && is_read(t, t->side_effects[i]);
        out->open_world |= !is_closed(t->side_effects[i]);
    }
    bool grave = has_effect(t, "destructive") || has_effect(t, "payments") ||
                 has_effect(t, "authentication");
    out->read_only = reads;
    out->destructive = !reads && (!known || grave || !t->reversible);
    out->idempotent = reads || (known && t->idempotent);
}

/* ---- the list -------------------------------------------------------------------------------- */

struct making {
    struct arena scratch;
    struct direct_list *list;
    manglecp_shown *skills; /* that came with the tools */
    struct mcp_tool tools[DIRECT_TOOLS];
    struct direct_name names[DIRECT_TOOLS];
    size_t count, bytes;
};

static void add_tool(struct making *m, const manglecp_tools *tools, size_t i)
{
    const struct manglecp_tool *t = manglecp_tools_get(tools, i);
    struct direct_name name = name_tool(&m->list->arena, tools, t);
    struct mcp_tool tool = { .name = name.shown,
                             .description = describe_tool(&m->scratch, m->skills, t),
                             .input_schema = schema_of(&m->scratch, t) };
    size_t bytes = tool.name.len + tool.description.len + tool.input_schema.len;
    if (m->count == DIRECT_TOOLS || bytes > DIRECT_LIST_BYTES - m->bytes) {
        m->list->left_out++;
        return;
    }
    annotate(&tool, t);
    if (t->expires_at_ns < m->list->expires_at_ns)
        m->list->expires_at_ns = t->expires_at_ns;
    m->bytes += bytes;
    m->tools[m->count] = tool;
    m->names[m->count++] = name;
}

static int compare_tools(const void *a, const void *b)
{
    return mgi_str_compare(((const struct mcp_tool *)a)->name, ((const struct mcp_tool *)b)->name);
}

static int compare_names(const void *a, const void *b)
{
    return mgi_str_compare(((const struct direct_name *)a)->shown,
                           ((const struct direct_name *)b)->shown);
}

static void fill_list(struct making *m, const manglecp_tools *tools,
                      const struct mcp_description *face, struct buf *why)
{
    struct direct_list *l = m->list;
    size_t len;
    const char *json = manglecp_tools_json(tools, &len);
    l->expires_at_ns = INT64_MAX;
    if (!m->skills || manglecp_shown_skills(m->skills, json, len) == MANGLECP_ERR_NOMEM)
        return;
    for (size_t i = 0; i < manglecp_tools_count(tools); i++)
        add_tool(m, tools, i);
    qsort(m->tools, m->count, sizeof *m->tools, compare_tools);
    qsort(m->names, m->count, sizeof *m->names, compare_names);
    struct direct_name *names = mgi_arena_alloc(&l->arena, (m->count + 1) * sizeof *names);
    if (!names || l->arena.oom || m->scratch.oom)
        return;
    memcpy(names, m->names, m->count * sizeof *names);
    l->names = names;
    l->count = m->count;
    struct mcp_description d = *face;
    d.tools = m->tools;
    d.tool_count = m->count;
    l->server = mgi_mcp_server_new(&d, why);
}

struct direct_list *mgi_direct_list_new(const manglecp_tools *tools,
                                        const struct mcp_description *face, struct buf *why)
{
    struct making *m = mgi_calloc(1, sizeof *m);
    struct direct_list *l = m ? mgi_calloc(1, sizeof *l) : NULL;
    if (l) {
        m->list = l;
        m->skills = manglecp_shown_new();
        mgi_arena_init(&m->scratch, 0);
        mgi_arena_init(&l->arena, 0);
        fill_list(m, tools, face, why);
        manglecp_shown_free(m->skills);
        mgi_arena_fini(&m->scratch);
    }
    mgi_free(m);
    if (l && l->server)
        return l;
    mgi_direct_list_free(l);
    return NULL;
}

void mgi_direct_list_free(struct direct_list *l)
{
    if (!l)
        return;
    mgi_mcp_server_unref(l->server);
    mgi_arena_fini(&l->arena);
    mgi_free(l);
}

static int compare_wanted(const void *wanted, const void *name)
{
    return mgi_str_compare(*(const struct str *)wanted, ((const struct direct_name *)name)->shown);
}

const struct direct_name *mgi_direct_find(const struct direct_list *l, struct str shown)
{
    return l && l->count > 0 ? bsearch(&shown, l->names, l->count, sizeof *l->names, compare_wanted)
                             : NULL;
}
