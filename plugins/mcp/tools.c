/* See tools.h. */
#include "tools.h"

#include <string.h>

#include "base/content_hash.h"
#include "base/encode.h"
#include "mcp/clean.h"
#include "mcp/deep.h"

static struct str text_of(const struct json *v, const char *name)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == JSON_STRING ? m->string : (struct str){ "", 0 };
}

bool tool_hash(const struct json *tool, char out[TOOL_HASH_TEXT])
{
    static const char *const members[] = { "name",        "title",        "description",
                                           "inputSchema", "outputSchema", "annotations" };
    struct buf text = { 0 };
    uint8_t hash[CONTENT_HASH_BYTES];
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const struct json *v = mgi_json_get(tool, members[i]);
        if (v && v->type != JSON_NULL)
            mgi_json_canonical(&text, v);
        mgi_buf_putc(&text, '\n');
    }
    mgi_content_hash(text.ptr, text.len, hash);
    mgi_hex(hash, sizeof hash, out);
    bool good = !text.oom;
    mgi_buf_fini(&text);
    return good;
}

/* ---- which are meant ------------------------------------------------------------------------- */

static bool lists(const struct json *list, struct str name)
{
    for (uint32_t i = 0; list->type == JSON_ARRAY && i < list->count; i++) {
        const struct json *v = &list->items[i];
        if (v->type == JSON_STRING && (str_eq(v->string, name) || str_is(v->string, "*")))
            return true;
    }
    return false;
}

static bool is_wanted(struct tool_choice choice, const struct json *tool)
{
    bool wanted = true;
    struct str name = text_of(tool, "name");
    for (uint32_t i = 0; choice.only && i < choice.only->count; i++)
        wanted = wanted && lists(&choice.only->items[i], name);
    for (uint32_t i = 0; choice.without && i < choice.without->count; i++)
        wanted = wanted && !lists(&choice.without->items[i], name);
    return wanted;
}

/* ---- against the lock ------------------------------------------------------------------------ */

static struct accepted_tool *accepted_of(struct accepted_tool *accepted, size_t count,
                                         struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (str_is(name, accepted[i].tool))
            return &accepted[i];
    return NULL;
}

/* A name that comes twice is what was accepted only if both are. */
size_t tools_compare(struct accepted_tool *accepted, size_t count, const struct mcp_client *client,
                     struct tool_choice choice)
{
    size_t unknown = 0;
    for (size_t i = 0; i < count; i++)
        accepted[i].standing = TOOL_GONE;
    for (size_t i = 0; i < client->tool_count; i++) {
        char hash[TOOL_HASH_TEXT];
        struct accepted_tool *a = accepted_of(accepted, count, text_of(&client->tools[i], "name"));
        if (!a) {
            unknown += is_wanted(choice, &client->tools[i]);
            continue;
        }
        bool same = tool_hash(&client->tools[i], hash) && strcmp(hash, a->sha256) == 0;
        if (!same)
            a->standing = TOOL_CHANGED;
        else if (a->standing == TOOL_GONE)
            a->standing = TOOL_ACCEPTED;
    }
    return unknown;
}

/* ---- for the lock ---------------------------------------------------------------------------- */

static void member_clean(struct json_writer *w, const char *key, struct str text, size_t max,
                         struct clean_counts *counts)
{
    struct buf clean = { 0 };
    mgi_clean(&clean, text, max, counts);
    mgi_jw_member_str(w, key, mgi_buf_view(&clean));
    w->out->oom |= clean.oom;
    mgi_buf_fini(&clean);
}

/* Of readOnlyHint and the like: 1 true, 0 false, -1 not said. */
static int hint(const struct json *tool, const char *name)
{
    const struct json *v = mgi_json_get(mgi_json_get(tool, "annotations"), name);
    return v && v->type == JSON_BOOL ? v->boolean : -1;
}

/* The first word of a name, in small letters: "get" of get_file, getFile and GET-file. */
static bool begins_with(struct str name, const char *const *words)
{
    char word[16];
    size_t len = 0;
    for (size_t i = 0; i < name.len && len < sizeof word; i++) {
        char c = name.ptr[i];
        bool upper = c >= 'A' && c <= 'Z';
        if (!(upper || (c >= 'a' && c <= 'z')) ||
            (upper && i > 0 && name.ptr[i - 1] >= 'a' && name.ptr[i - 1] <= 'z'))
            break;
        word[len++] = upper ? (char)(c - 'A' + 'a') : c;
    }
    for (; *words; words++)
        if (str_is((struct str){ word, len }, *words))
            return true;
    return false;
}

static const char *const reading[] = { "get",      "list",  "read", "search", "find", "fetch",
                                       "show",     "count", "view", "check",  "diff", "query",
                                       "describe", "stat",  "tree", "status", "info", "echo",
                                       "lookup",   "log",   NULL };
static const char *const adding[] = { "add",  "create", "append", "insert", "new",
                                      "make", "post",   "send",   "start",  NULL };

/* "git_" of git_status and git_log: a word that all names begin with is the server's, unless it is
 * a verb. How many bytes of a name it is. */
static size_t shared_prefix(const struct mcp_client *client)
{
    struct str first =
        client->tool_count > 1 ? text_of(&client->tools[0], "name") : (struct str){ "", 0 };
    size_t len = 0;
    while (len < first.len && !strchr("_-./", first.ptr[len]))
        len++;
    if (len == 0 || len == first.len || begins_with(first, reading) || begins_with(first, adding))
        return 0;
    const struct str prefix = { first.ptr, len + 1 };
    for (size_t i = 0; i < client->tool_count; i++) {
        struct str name = text_of(&client->tools[i], "name");
        if (name.len <= prefix.len || !mgi_str_starts(name, prefix))
            return 0;
    }
    return prefix.len;
}

/* The worst where nothing is said, and where name and hint do not agree (X-ACT-3): a hint alone
 * makes nothing better. */
static void write_effects(struct json_writer *w, const struct json *tool, size_t prefix)
{
    struct str name = text_of(tool, "name");
    struct str verb = { name.ptr + prefix, name.len - prefix };
    bool reads = hint(tool, "readOnlyHint") == 1 && begins_with(verb, reading);
    bool adds = hint(tool, "destructiveHint") == 0 && begins_with(verb, adding);
    bool open = hint(tool, "openWorldHint") != 0;
    mgi_jw_key(w, "side_effects");
    mgi_jw_begin_array(w);
    if (!reads)
        mgi_jw_cstring(w, adds ? "mcp_write" : "destructive");
    if (open)
        mgi_jw_cstring(w, "network");
    else if (reads)
        mgi_jw_cstring(w, "none");
    mgi_jw_end_array(w);
    mgi_jw_member_bool(w, "idempotent", reads || hint(tool, "idempotentHint") == 1);
}

/* What it says of itself: of no weight here, but for who has to judge it. */
static void write_hints(struct json_writer *w, const struct json *tool)
{
    static const char *const hints[] = { "readOnlyHint", "destructiveHint", "idempotentHint",
                                         "openWorldHint" };
    bool any = false;
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        int said = hint(tool, hints[i]);
        if (said < 0)
            continue;
        if (!any) {
            mgi_jw_key(w, "hints");
            mgi_jw_begin_object(w);
        }
        any = true;
        mgi_jw_key_str(w, str_of(hints[i]));
        mgi_jw_bool(w, said == 1);
    }
    if (any)
        mgi_jw_end_object(w);
}

/* X-HTTP-37; the reason is in `a`. */
static const char *wrong_headers(struct arena *a, const struct json *schema, bool *oom)
{
    struct header_rules rules;
    struct buf why = { 0 }, clean = { 0 };
    const char *kept = NULL;
    if (!mgi_mcp_header_rules(a, schema, &rules, &why)) {
        mgi_clean(&clean, mgi_buf_view(&why), 256, NULL);
        kept = clean.oom || clean.len == 0 ? NULL : mgi_arena_printf(a, "its %s", clean.ptr);
        if (!kept)
            kept = "its x-mcp-header is wrong";
    }
    *oom |= why.oom || clean.oom || a->oom;
    mgi_buf_fini(&clean);
    mgi_buf_fini(&why);
    return kept;
}

static const char *why_useless(const struct json *tool, struct tool_choice choice, struct arena *a,
                               bool *oom)
{
    const struct json *schema = mgi_json_get(tool, "inputSchema");
    struct str name = text_of(tool, "name");
    if (tool->type != JSON_OBJECT || name.len == 0)
        return "it has no name";
    if (name.len > CLEAN_NAME_BYTES)
        return "its name is longer than 128 bytes";
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.ptr[i] < ' ' || (unsigned char)name.ptr[i] >= 0x7f)
            return "its name has characters that are not plain";
    if (!schema || schema->type != JSON_OBJECT)
        return "it has no inputSchema";
    if (mgi_mcp_depth(tool->text) > MCP_TOOL_DEPTH)
        return "it is nested deeper than 56 levels";
    if (str_is(text_of(mgi_json_get(tool, "execution"), "taskSupport"), "required"))
        return "it can be called as a task only, which is not spoken here";
    return choice.over_http ? wrong_headers(a, schema, oom) : NULL;
}

static void describe(struct json_writer *w, const struct json *tool, size_t prefix)
{
    struct clean_counts counts = { 0 };
    char hash[TOOL_HASH_TEXT];
    const struct json *output = mgi_json_get(tool, "outputSchema");
    w->out->oom |= !tool_hash(tool, hash);
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "name", text_of(tool, "name"));
    mgi_jw_member_cstr(w, "sha256", hash);
    member_clean(w, "description", text_of(tool, "description"), CLEAN_DESCRIPTION_BYTES, &counts);
    if (mgi_clean_removed(&counts) > 0)
        mgi_jw_member_int(w, "hidden_characters", (int64_t)mgi_clean_removed(&counts));
    if (counts.cut > 0)
        mgi_jw_member_int(w, "cut_bytes", (int64_t)counts.cut);
    write_effects(w, tool, prefix);
    write_hints(w, tool);
    mgi_jw_key(w, "input_schema");
    mgi_jw_value(w, mgi_json_get(tool, "inputSchema"));
    if (output && output->type == JSON_OBJECT) {
        mgi_jw_key(w, "output_schema");
        mgi_jw_value(w, output);
    }
    mgi_jw_end_object(w);
}

static void describe_useless(struct json_writer *w, const struct json *tool, const char *why)
{
    mgi_jw_begin_object(w);
    member_clean(w, "name", text_of(tool, "name"), CLEAN_NAME_BYTES, NULL);
    mgi_jw_member_cstr(w, "why", why);
    mgi_jw_end_object(w);
}

/* The tools that are of use, or those that are not. */
static void describe_all(struct json_writer *w, const struct mcp_client *client,
                         struct tool_choice choice, bool useful)
{
    struct arena a;
    size_t prefix = shared_prefix(client);
    mgi_arena_init(&a, 0);
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < client->tool_count; i++) {
        const struct json *tool = &client->tools[i];
        if (!is_wanted(choice, tool))
            continue;
        mgi_arena_reset(&a);
        const char *why = why_useless(tool, choice, &a, &w->out->oom);
        if (useful && !why)
            describe(w, tool, prefix);
        if (!useful && why)
            describe_useless(w, tool, why);
    }
    mgi_jw_end_array(w);
    w->out->oom |= a.oom;
    mgi_arena_fini(&a);
}

void tools_describe(struct buf *out, const struct mcp_client *client, const char *start,
                    struct tool_choice choice)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "start", start);
    mgi_jw_member_cstr(&w, "era", mgi_mcp_era_name(client->era));
    mgi_jw_member_cstr(&w, "revision", mgi_mcp_features(client->revision)->date);
    mgi_jw_key(&w, "server");
    mgi_jw_begin_object(&w);
    member_clean(&w, "name", client->name, CLEAN_NAME_BYTES, NULL);
    member_clean(&w, "version", client->version, CLEAN_NAME_BYTES, NULL);
    mgi_jw_end_object(&w);
    if (client->noise_lines > 0)
        member_clean(&w, "noise", str_of(client->first_noise), 0, NULL);
    mgi_jw_key(&w, "tools");
    describe_all(&w, client, choice, true);
    mgi_jw_key(&w, "left_out");
    describe_all(&w, client, choice, false);
    mgi_jw_end_object(&w);
}

void tools_verbatim(struct buf *out, const struct mcp_client *client, int64_t start_ms,
                    int64_t list_ms)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "era", mgi_mcp_era_name(client->era));
    mgi_jw_member_cstr(&w, "revision", mgi_mcp_features(client->revision)->date);
    mgi_jw_key(&w, "server");
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "name", client->name);
    mgi_jw_member_str(&w, "version", client->version);
    mgi_jw_end_object(&w);
    mgi_jw_member_int(&w, "start_ms", start_ms);
    mgi_jw_member_int(&w, "list_ms", list_ms);
    mgi_jw_member_str(&w, "instructions", client->instructions);
    if (client->noise_lines > 0)
        mgi_jw_member_cstr(&w, "noise", client->first_noise);
    mgi_jw_key(&w, "tools");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < client->tool_count; i++)
        mgi_jw_value(&w, &client->tools[i]);
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
}
