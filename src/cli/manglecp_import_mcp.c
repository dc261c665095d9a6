/* `manglecp import mcp`: which servers, what they offer, and what that comes to; see
 * manglecp_import.h. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "actions/client_config.h"
#include "actions/kinds.h"
#include "base/strmap.h"
#include "base/url.h"
#include "cli/cli_stop.h"
#include "cli/manglecp_import.h"
#include "import/lock.h"
#include "sys/secrets.h"

#define LOCK_FILE "mcp.lock.json"

static struct str text_at(const struct json *v, const char *name)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == JSON_STRING ? m->string : STR_LIT("");
}

/* ---- which servers ----------------------------------------------------------------------------
 */

/* A name for what has none: the last words of an address or a command that say something. */
static char *guess_name(struct importing *im, struct str text)
{
    static const char *const dull[] = { "mcp",     "server", "npx",       "uvx",   "node", "python",
                                        "python3", "www",    "api",       "com",   "org",  "io",
                                        "net",     "dev",    "http",      "https", "js",   "py",
                                        "index",   "dist",   "localhost", NULL };
    struct str words[IMPORT_WORDS * 2], best = STR_LIT("");
    size_t count = mgi_import_split(&im->arena, text, words, IMPORT_WORDS * 2);
    for (size_t i = 0; i < count; i++) {
        bool says = words[i].len > 1 && !(words[i].ptr[0] >= '0' && words[i].ptr[0] <= '9');
        for (size_t k = 0; says && dull[k]; k++)
            says = !str_is(words[i], dull[k]);
        if (says)
            best = words[i];
    }
    return mgi_arena_printf(&im->arena, "%.*s", STR_ARG(best.len ? best : STR_LIT("server")));
}

/* Of a command the package or script: the first argument that is no flag; else the program. */
static char *command_name(struct importing *im, const struct cli_list *command)
{
    struct str word = str_of(command->items[0]);
    for (size_t i = 1; i < command->count; i++)
        if (command->items[i][0] != '-') {
            word = str_of(command->items[i]);
            break;
        }
    for (size_t i = word.len; i > 0; i--)
        if (word.ptr[i - 1] == '/' && i < word.len) {
            word = (struct str){ word.ptr + i, word.len - i };
            break;
        }
    const char *version = word.len > 1 ? memchr(word.ptr + 1, '@', word.len - 1) : NULL;
    if (version)
        word.len = (size_t)(version - word.ptr);
    return guess_name(im, word);
}

/* {NAME: {"url": …}}, {NAME: {"command": …, "args": […]}} */
static bool one_server(struct importing *im, const struct import_source *source, struct json *out)
{
    struct buf text = { 0 };
    struct json_writer w;
    struct url url;
    const char *name = source->server_name;
    if (!name && source->word)
        name = guess_name(im, mgi_url_read(str_of(source->word), &url) ? url.host
                                                                       : str_of(source->word));
    else if (!name)
        name = command_name(im, &source->command);
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key_str(&w, str_of(name));
    mgi_jw_begin_object(&w);
    if (source->word)
        mgi_jw_member_cstr(&w, "url", source->word);
    else
        mgi_jw_member_cstr(&w, "command", source->command.items[0]);
    if (!source->word) {
        mgi_jw_key(&w, "args");
        mgi_jw_begin_array(&w);
        for (size_t i = 1; i < source->command.count; i++)
            mgi_jw_cstring(&w, source->command.items[i]);
        mgi_jw_end_array(&w);
    }
    mgi_jw_end_object(&w);
    mgi_jw_end_object(&w);
    return mgi_json_take(&im->arena, &text, out);
}

/* What paths of a file count from: its folder, or the one above a client's own. */
static char *base_of(struct importing *im, const char *file)
{
    static const char *const own[] = { "/.cursor", "/.vscode", "/.gemini", "/.codex", "/.claude" };
    char real[PATH_MAX];
    char *slash = realpath(file, real) ? strrchr(real, '/') : NULL;
    if (!slash)
        return NULL;
    *slash = '\0';
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (mgi_str_ends(str_of(real), str_of(own[i])))
            real[strlen(real) - strlen(own[i])] = '\0';
    return mgi_arena_strdup(&im->arena, real[0] ? real : "/");
}

static bool read_file(struct importing *im, const char *path, struct json *out)
{
    struct buf text = { 0 };
    const char *why;
    const struct yaml_context c = { .arena = &im->arena, .findings = im->findings };
    if (!mgi_cli_read_file(path, CLIENT_CONFIG_BYTES, &text, &why)) {
        mgi_cli_error("%s: %s", path, why);
        mgi_buf_fini(&text);
        return false;
    }
    struct str kept = mgi_arena_str(&im->arena, mgi_buf_view(&text));
    mgi_buf_wipe(&text);
    const struct yaml_node *map = kept.ptr ? mgi_client_config_read(&c, path, kept) : NULL;
    bool good = map && mgi_yaml_to_json(&im->arena, map, out);
    mgi_findings_forget(im->findings);
    if (!good)
        mgi_host_print_findings(im->findings);
    return good;
}

static bool is_address(const char *word)
{
    return strncmp(word, "http://", 7) == 0 || strncmp(word, "https://", 8) == 0;
}

/* Secrets that stood in the configuration, for the servers that are started now: the files that are
 * written have their names. */
static bool set_variables(struct importing *im)
{
    for (size_t i = 0; i < im->config.variable_count; i++) {
        const struct import_variable *v = &im->config.variables[i];
        const char *name = mgi_arena_printf(&im->arena, "%.*s", STR_ARG(v->name));
        if (v->value.ptr && (!name || (!mgi_secret(name) && !mgi_secrets_add(name, v->value))))
            return false;
    }
    return true;
}

static bool read_config(struct importing *im, const struct import_source *source)
{
    struct json servers;
    const char *why = NULL;
    bool file = source->word && !is_address(source->word);
    char here[PATH_MAX];
    if (!(file ? read_file(im, source->word, &servers) : one_server(im, source, &servers)))
        return false;
    const char *base = file ? base_of(im, source->word) : getcwd(here, sizeof here);
    const struct import_config_options options = { .base = str_of(base ? base : "/"),
                                                   .only = source->only,
                                                   .environment = mgi_secret,
                                                   .known = mgi_import_old_file(im, "mcp.json") };
    if (!mgi_import_config(&im->arena, &servers, &options, &im->config, &why)) {
        mgi_cli_error("%s: %s", source->word ? source->word : "the command",
                      why ? why : "out of memory");
        for (size_t i = 0; i < im->config.left_out_count; i++)
            mgi_cli_hint("%s", im->config.left_out[i]);
        return false;
    }
    return set_variables(im);
}

/* ---- what they offer --------------------------------------------------------------------------
 */

/* `actions:` of domain.yaml. */
static const char actions[] = "\n# Where the servers are stands in mcp.json, which an import "
                              "writes. What a server may do is yours "
                              "to say:\n"
                              "# servers: {files: {may: [file_read], read: [notes]}}\n"
                              "actions:\n"
                              "  mcp: {from: mcp.json, servers: {}}\n";

static bool ask_them(struct importing *im)
{
    static const char domain[] = "server: {name: import, version: 0.1.0}\n"
                                 "domain: {id: import, description: Servers that are asked}\n"
                                 "actions:\n  mcp: {from: mcp.json, servers: {}}\n";
    struct buf text = { 0 };
    struct findings *findings = mgi_findings_new();
    im->actions = actions;
    mgi_import_config_write(&text, &im->config);
    bool good = findings && !text.oom && mgi_import_put(im, "domain.yaml", str_of(domain)) &&
                mgi_import_put(im, "mcp.json", mgi_buf_view(&text)) &&
                mgi_ask_servers(&im->host, im->timeout_ms, &im->arena, findings, &im->asked);
    for (size_t i = 0; good && i < mgi_findings_count(findings); i++) {
        const struct finding *one = mgi_findings_get(findings, i);
        if (one->severity == MANGLE_ERROR && strcmp(one->code, "BAD_PLUGIN") != 0) {
            mgi_cli_error("%s", one->message);
            if (one->hint)
                mgi_cli_hint("%s", one->hint);
            im->asked.failed = true; /* a server that is not asked at all is one that failed */
        }
    }
    mgi_buf_fini(&text);
    mgi_findings_free(findings);
    return good;
}

/* One of the same server with the same name of an action. */
static bool has_twin(const struct importing *im, const struct import_tool *t)
{
    for (const struct import_tool *other = t; other > im->tools;) {
        other--;
        if (!str_eq(other->server, t->server))
            return false;
        if (!other->left_out && str_eq(other->aid, t->aid))
            return true;
    }
    return false;
}

/* What a worker can be told of the tools of one server (toolhost.md): their number, and the bytes
 * of their texts and schemas. */
struct room {
    size_t tools, bytes;
};
enum { MOST_TOOLS = 1024, MOST_BYTES = 3 << 20 };

static bool has_room(struct room *room, const struct json *tool)
{
    size_t bytes = tool->text.len + 256;
    if (room->tools >= MOST_TOOLS || room->bytes + bytes > MOST_BYTES)
        return false;
    room->tools++;
    room->bytes += bytes;
    return true;
}

#define AMBIGUOUS UINT32_MAX

/* Name -> a tool of it, or AMBIGUOUS: which of two that have one name would answer a call, nobody
 * knows, so neither is what was looked at. */
static bool list_names(struct strmap *names, const struct json *tools)
{
    for (uint32_t k = 0; k < tools->count; k++) {
        struct str name = text_at(&tools->items[k], "name");
        uint32_t other = k;
        bool known = mgi_strmap_get(names, name, &other);
        bool same = other != AMBIGUOUS && str_eq(text_at(&tools->items[k], "sha256"),
                                                 text_at(&tools->items[other], "sha256"));
        if ((!known || !same) && !mgi_strmap_put(names, name, known ? AMBIGUOUS : k))
            return false;
    }
    return true;
}

static bool is_ambiguous(const struct strmap *names, struct str name)
{
    uint32_t of = 0;
    return mgi_strmap_get(names, name, &of) && of == AMBIGUOUS;
}

static bool take_tool(struct importing *im, struct str server, const struct strmap *names,
                      const struct json *tool, struct room *room)
{
    struct import_tool *t = &im->tools[im->tool_count];
    char *aid = mgi_mcp_aid(&im->arena, server, text_at(tool, "name"));
    *t = (struct import_tool){ .server = server,
                               .name = text_at(tool, "name"),
                               .description = text_at(tool, "description"),
                               .aid = str_of(aid),
                               .schema = mgi_json_get(tool, "input_schema"),
                               .hints = mgi_import_hints(tool) };
    im->tool_count++;
    if (!mgi_import_study(&im->arena, t))
        return false;
    if (!aid)
        t->left_out = "its name and its server's together are too long";
    else if (is_ambiguous(names, t->name))
        t->left_out = "its server lists two different tools of this name";
    else if (!t->left_out && has_twin(im, t))
        t->left_out = "another tool of its server would be the same action";
    else if (!t->left_out && !has_room(room, tool))
        t->left_out =
            "its server has more tools than one worker can take (1,024, or 3 MiB of them)";
    return true;
}

static size_t count_of(const struct json *offer, const char *list)
{
    const struct json *v = mgi_json_get(offer, list);
    return v && v->type == JSON_ARRAY ? v->count : 0;
}

/* What the server lists, and can be used by nobody: told, with the reason. */
static bool take_useless(struct importing *im, struct str server, const struct json *offer)
{
    const struct json *useless = mgi_json_get(offer, "left_out");
    for (size_t i = 0; i < count_of(offer, "left_out"); i++) {
        struct import_tool *t = &im->tools[im->tool_count++];
        struct str why = text_at(&useless->items[i], "why");
        *t = (struct import_tool){ .server = server,
                                   .name = text_at(&useless->items[i], "name"),
                                   .left_out = mgi_arena_printf(&im->arena, "%.*s", STR_ARG(why)) };
        if (!t->left_out)
            return false;
    }
    return true;
}

static bool take_tools(struct importing *im, struct str server, const struct json *tools)
{
    struct strmap names;
    struct room room = { 0 };
    if (!tools || tools->type != JSON_ARRAY)
        return true;
    mgi_strmap_init(&names);
    bool good = list_names(&names, tools);
    for (uint32_t k = 0; good && k < tools->count; k++)
        good = take_tool(im, server, &names, &tools->items[k], &room);
    mgi_strmap_fini(&names);
    return good;
}

static bool take_offers(struct importing *im)
{
    size_t most = 0;
    for (size_t i = 0; i < im->asked.count; i++)
        most += count_of(&im->asked.items[i].offer, "tools") +
                count_of(&im->asked.items[i].offer, "left_out");
    im->tools = mgi_arena_calloc(&im->arena, most + 1, sizeof *im->tools);
    im->servers = mgi_arena_calloc(&im->arena, im->asked.count + 1, sizeof *im->servers);
    if (!im->tools || !im->servers)
        return false;
    for (size_t i = 0; i < im->asked.count; i++) {
        const struct asked_server *s = &im->asked.items[i];
        size_t first = im->tool_count;
        if (s->offer.type != JSON_OBJECT)
            continue;
        im->servers[im->server_count++] = (struct import_server){ .name = s->name };
        if (!take_tools(im, s->name, mgi_json_get(&s->offer, "tools")) ||
            !mgi_import_hear_hints(&im->arena, &im->tools[first], im->tool_count - first) ||
            !take_useless(im, s->name, &s->offer))
            return false;
    }
    return true;
}

/* A server that does not answer, and was never accepted, is no part of the domain: it would not
 * load.
 */
static bool keep_locked(struct importing *im)
{
    struct json old;
    const struct json_options options = { .max_depth = 128 };
    struct str before = mgi_import_old_file(im, LOCK_FILE);
    bool has_old =
        before.len > 0 && mgi_json_parse(&im->arena, before, &options, &old, NULL) == JSON_OK;
    const struct json *known = has_old ? mgi_json_get(&old, "servers") : NULL;
    struct import_config *c = &im->config;
    struct buf text = { 0 };
    size_t kept = 0;
    for (size_t i = 0; i < c->count; i++) {
        bool answers = known && mgi_json_get_str(known, c->entries[i].name);
        for (size_t k = 0; k < im->asked.count; k++)
            answers |=
                !im->asked.items[k].why && str_eq(im->asked.items[k].name, c->entries[i].name);
        if (answers)
            c->entries[kept++] = c->entries[i];
    }
    c->count = kept;
    mgi_import_config_write(&text, c);
    bool good = !text.oom && mgi_import_put(im, "mcp.json", mgi_buf_view(&text)) &&
                mgi_import_files_take(&im->files, "mcp.json", &text, false);
    mgi_buf_fini(&text);
    return good;
}

/* ---- the lock, and what it leaves of them -----------------------------------------------------
 */

static bool put_lock(struct importing *im)
{
    struct import_offer *offers = mgi_arena_calloc(&im->arena, im->asked.count + 1, sizeof *offers);
    const struct json_options options = { .max_depth = 128 };
    struct json old;
    struct buf text = { 0 };
    struct str before = mgi_import_old_file(im, LOCK_FILE);
    bool has_old =
        before.len > 0 && mgi_json_parse(&im->arena, before, &options, &old, NULL) == JSON_OK;
    for (size_t i = 0; offers && i < im->asked.count; i++) {
        const struct asked_server *s = &im->asked.items[i];
        offers[i] =
            (struct import_offer){ s->name, s->offer.type == JSON_OBJECT ? &s->offer : NULL };
    }
    bool good = offers && mgi_import_lock(&text, offers, im->asked.count, im->tools, im->tool_count,
                                          has_old ? &old : NULL);
    if (good)
        good = mgi_import_put(im, LOCK_FILE, mgi_buf_view(&text)) &&
               mgi_import_files_take(&im->files, LOCK_FILE, &text, false);
    if (good)
        im->files.items[im->files.count - 1].merged = true;
    mgi_buf_fini(&text);
    return good;
}

/* What the domain cannot use, it says with a warning (MCP_TOOL), and has no action of. */
static bool find_usable(struct importing *im)
{
    struct findings *findings = mgi_findings_new();
    struct snapshot *s = findings ? mgi_host_check(&im->host, &im->arena, findings) : NULL;
    for (size_t i = 0; s && i < im->tool_count; i++) {
        struct import_tool *t = &im->tools[i];
        if (t->left_out || mgi_snapshot_action(s, t->aid))
            continue;
        char *named = mgi_arena_printf(&im->arena, "its tool %.*s is left out: ", STR_ARG(t->name));
        t->left_out = "the domain cannot use it";
        for (size_t k = 0; named && k < mgi_findings_count(findings); k++) {
            const char *found = strstr(mgi_findings_get(findings, k)->message, named);
            if (found)
                t->left_out = mgi_arena_strdup(&im->arena, found + strlen(named));
        }
    }
    if (findings && !s)
        mgi_host_print_findings(findings);
    mgi_snapshot_unref(s);
    mgi_findings_free(findings);
    return s != NULL;
}

int mgi_import_read_mcp(struct importing *im, const struct import_source *source)
{
    if (!read_config(im, source) || !mgi_import_stage(im) || !ask_them(im) || !mgi_import_hide(im))
        return EXIT_USAGE;
    if (mgi_cli_was_stopped())
        return EXIT_WRONG;
    if (!im->asked.answered) {
        for (size_t i = 0; i < im->asked.count; i++)
            mgi_cli_error("%s: %s", mgi_server_shown(&im->arena, im->asked.items[i].name),
                          mgi_server_shown(&im->arena, str_of(im->asked.items[i].why)));
        mgi_cli_error("no server answered: nothing was written");
        return EXIT_WRONG;
    }
    if (!keep_locked(im) || !take_offers(im) || !mgi_import_name(im) || !put_lock(im) ||
        !find_usable(im)) {
        mgi_cli_error("nothing was written");
        return EXIT_USAGE;
    }
    return EXIT_ANSWERED;
}
