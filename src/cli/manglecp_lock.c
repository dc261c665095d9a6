/* See manglecp_lock.h. A server that does not answer keeps the entry that it had. */
#include "cli/manglecp_lock.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_files.h"
#include "cli/cli_stop.h"
#include "cli/manglecp_servers.h"
#include "import/lock.h"

enum { LOCK_BYTES = 64 << 20, LOCK_DEPTH = 128 };

#define LOCK_FILE "mcp.lock.json"

struct locking {
    struct arena arena;
    const char *folder;
    struct json root; /* of the file; JSON_NULL: none */
    struct json old;  /* its member "servers"; JSON_NULL: none */
    struct asked_servers asked;
    bool differs, failed;
};

static struct str text_of(const struct json *v, const char *name)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == JSON_STRING ? m->string : STR_LIT("");
}

static const char *shown(struct locking *l, struct str text)
{
    return mgi_server_shown(&l->arena, text);
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* Only what is below `actions: mcp` is wanted: what else is wrong with the domain is for `check`.
 */
static bool tell_findings(struct findings *f)
{
    bool good = true;
    for (size_t i = 0; i < mgi_findings_count(f); i++) {
        const struct finding *one = mgi_findings_get(f, i);
        static const char *const codes[] = { "BAD_PLUGIN",     "BAD_VALUE",   "NO_VARIABLE",
                                             "NO_FILE",        "MISSING_KEY", "NO_PROGRAM",
                                             "NO_PLUGIN",      "YAML",        "DUPLICATE",
                                             "UNSAFE_PROGRAM", "NO_DOMAIN" };
        for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
            if (one->severity == MANGLE_ERROR && strcmp(one->code, codes[k]) == 0) {
                fprintf(stderr, "%s:%u: %s: %s\n", one->file, one->line, one->code, one->message);
                good = false;
            }
    }
    return good;
}

/* ---- the file -------------------------------------------------------------------------------- */

static bool read_old(struct locking *l, const char *path)
{
    const struct json_options options = { .max_depth = LOCK_DEPTH };
    struct buf text = { 0 };
    const char *why = NULL;
    l->root = l->old = (struct json){ .type = JSON_NULL };
    if (access(path, F_OK) != 0)
        return true;
    bool good = mgi_cli_read_file(path, LOCK_BYTES, &text, &why);
    struct str kept = mgi_arena_str(&l->arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    if (!good)
        mgi_cli_error("%s: %s", path, why);
    if (!good || !kept.ptr)
        return false;
    const struct json *servers =
        mgi_json_parse(&l->arena, kept, &options, &l->root, NULL) == JSON_OK
            ? mgi_json_get(&l->root, "servers")
            : NULL;
    if (servers && servers->type == JSON_OBJECT)
        l->old = *servers;
    else
        mgi_cli_error("%s is no lock file: everything counts as new", path);
    return true;
}

/* What a person has set in the file stays as long as the tool is what it was: side effects,
 * idempotent. */
static const struct json *kept_tool(const struct json *old_server, const struct json *tool)
{
    const struct json *tools = mgi_json_get(old_server, "tools");
    for (uint32_t i = 0; tools && tools->type == JSON_ARRAY && i < tools->count; i++)
        if (str_eq(text_of(&tools->items[i], "name"), text_of(tool, "name")))
            return &tools->items[i];
    return NULL;
}

static bool is_same(const struct json *before, const struct json *tool)
{
    return before && str_eq(text_of(before, "sha256"), text_of(tool, "sha256"));
}

static bool write_lock(struct locking *l, const char *path)
{
    struct buf text = { 0 };
    struct import_offer *offers = mgi_arena_calloc(&l->arena, l->asked.count + 1, sizeof *offers);
    for (size_t i = 0; offers && i < l->asked.count; i++) {
        const struct asked_server *s = &l->asked.items[i];
        offers[i] =
            (struct import_offer){ s->name, s->offer.type == JSON_OBJECT ? &s->offer : NULL };
    }
    if (!offers || !mgi_import_lock(&text, offers, l->asked.count, NULL, 0, &l->root))
        errno = ENOMEM;
    else if (mgi_cli_write_file(path, mgi_buf_view(&text))) {
        mgi_buf_fini(&text);
        return true;
    }
    mgi_cli_error("%s cannot be written: %s", path, strerror(errno));
    mgi_buf_fini(&text);
    return false;
}

/* ---- differences ----------------------------------------------------------------------------- */

static void tell(struct locking *l, const char *what, struct str server, const struct json *tool)
{
    const struct json *effects = mgi_json_get(tool, "side_effects");
    const struct json *hidden = mgi_json_get(tool, "hidden_characters");
    l->differs = true;
    printf("%-9s %s %s", what, shown(l, server), shown(l, text_of(tool, "name")));
    for (uint32_t i = 0; effects && effects->type == JSON_ARRAY && i < effects->count; i++)
        printf("%s%s", i ? ", " : "  effects: ", shown(l, effects->items[i].string));
    if (hidden && hidden->type == JSON_INT)
        printf("  (%lld hidden characters taken out of its description)",
               (long long)hidden->integer);
    printf("\n");
    struct str description = text_of(tool, "description");
    if (description.len > 0)
        printf("          %s\n", shown(l, description));
}

static void tell_server(struct locking *l, const struct asked_server *s)
{
    const struct json *old = mgi_json_get_str(&l->old, s->name);
    const struct json *tools = mgi_json_get(&s->offer, "tools");
    const struct json *before = mgi_json_get(old, "tools");
    const struct json *useless = mgi_json_get(&s->offer, "left_out");
    if (s->offer.type != JSON_OBJECT)
        return;
    if (s->hid)
        mgi_cli_error("%s tells of its tools what it was told as a secret: that is left out",
                      shown(l, s->name));
    if (old && !str_eq(text_of(old, "start"), text_of(&s->offer, "start"))) {
        l->differs = true;
        printf("%-9s %s: it is started in another way\n", "changed", shown(l, s->name));
    }
    for (uint32_t i = 0; tools && tools->type == JSON_ARRAY && i < tools->count; i++) {
        const struct json *was = kept_tool(old, &tools->items[i]);
        if (!is_same(was, &tools->items[i]))
            tell(l, was ? "changed" : "new", s->name, &tools->items[i]);
    }
    for (uint32_t i = 0; before && before->type == JSON_ARRAY && i < before->count; i++)
        if (!kept_tool(&s->offer, &before->items[i]))
            tell(l, "gone", s->name, &before->items[i]);
    for (uint32_t i = 0; useless && useless->type == JSON_ARRAY && i < useless->count; i++)
        printf("%-9s %s %s: %s\n", "left out", shown(l, s->name),
               shown(l, text_of(&useless->items[i], "name")),
               shown(l, text_of(&useless->items[i], "why")));
    struct str noise = text_of(&s->offer, "noise");
    if (noise.len > 0)
        printf("%-9s %s writes what is no message, such as: %s\n", "note", shown(l, s->name),
               shown(l, noise));
}

static void tell_forgotten(struct locking *l)
{
    for (uint32_t i = 0; l->old.type == JSON_OBJECT && i < l->old.count; i++) {
        bool known = false;
        for (size_t k = 0; k < l->asked.count; k++)
            known |= str_eq(l->asked.items[k].name, l->old.members[i].name);
        if (known)
            continue;
        l->differs = true;
        printf("%-9s %s: no server of the domain has that name\n", "gone",
               shown(l, l->old.members[i].name));
    }
}

/* ---- the command ----------------------------------------------------------------------------- */

static int report(struct locking *l, const char *path, bool accept)
{
    if (l->asked.count == 0) {
        mgi_cli_error("%s has no MCP servers", l->folder);
        mgi_cli_hint("They stand below actions: mcp: in domain.yaml.");
        return EXIT_WRONG;
    }
    for (size_t i = 0; i < l->asked.count; i++)
        tell_server(l, &l->asked.items[i]);
    tell_forgotten(l);
    if (!l->differs && !l->failed)
        printf("nothing differs from " LOCK_FILE "\n");
    if (!accept)
        return l->differs || l->failed ? EXIT_WRONG : EXIT_ANSWERED;
    if (!l->asked.answered)
        return EXIT_WRONG; /* the file stays as it is */
    if (!write_lock(l, path))
        return EXIT_USAGE;
    printf("%s says what was accepted\n", path);
    return l->failed ? EXIT_WRONG : EXIT_ANSWERED;
}

static int ask_all(struct locking *l, const struct host_options *host, bool accept)
{
    char path[PATH_MAX];
    struct findings *findings = mgi_findings_new();
    snprintf(path, sizeof path, "%s/" LOCK_FILE, l->folder);
    if (!findings || !read_old(l, path)) {
        mgi_findings_free(findings);
        return EXIT_USAGE;
    }
    bool memory = mgi_ask_servers(host, 0, &l->arena, findings, &l->asked);
    bool good = tell_findings(findings);
    l->failed = l->asked.failed || !good;
    mgi_findings_free(findings);
    if (!memory) {
        mgi_cli_error("out of memory");
        return EXIT_USAGE;
    }
    if (mgi_cli_was_stopped())
        return EXIT_WRONG;
    if (!good && l->asked.count == 0)
        return EXIT_WRONG;
    return report(l, path, accept);
}

int mgi_lock_servers(const struct host_options *host, bool accept)
{
    struct locking l = { .folder = host->domain };
    struct stop_watch watch;
    mgi_arena_init(&l.arena, 0);
    mgi_cli_watch_stop(&watch);
    int status = ask_all(&l, host, accept);
    mgi_arena_fini(&l.arena);
    mgi_cli_unwatch_stop(&watch);
    return status;
}
