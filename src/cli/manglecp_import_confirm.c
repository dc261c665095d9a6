/* `manglecp import confirm`: what an author says of the harm of tools goes to facts/confirmed.mg,
 * and what that file says to mcp.lock.json, from which consent follows; see manglecp_import.h. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "actions/kinds.h"
#include "cli/cli_files.h"
#include "cli/manglecp_import.h"
#include "import/lock.h"
#include "mangle.h"

#define FILE_BYTES     ((size_t)64 << 20)
#define CONFIRMED_FILE "facts/confirmed.mg"
#define LOCK_FILE      "mcp.lock.json"

struct said {
    struct str tool;
    enum import_harm harm;
};

struct confirming {
    struct arena arena;
    const char *folder;
    struct snapshot *s;
    struct said *said; /* harm(T, Class), of the file and then of the command line */
    size_t count, cap;
};

static bool harm_of_word(struct str word, enum import_harm *harm)
{
    for (int h = HARM_NONE; h <= HARM_DESTRUCTIVE; h++)
        if (str_is(word, mgi_import_harm_name((enum import_harm)h))) {
            *harm = (enum import_harm)h;
            return true;
        }
    return false;
}

static const struct tool *tool_named(const struct snapshot *s, struct str name)
{
    for (size_t i = 0; i < s->tool_count; i++)
        if (str_eq(s->tools[i].name, name))
            return &s->tools[i];
    return NULL;
}

static bool say(struct confirming *c, struct str tool, enum import_harm harm)
{
    for (size_t i = 0; i < c->count; i++)
        if (str_eq(c->said[i].tool, tool)) {
            c->said[i].harm = harm;
            return true;
        }
    if (!mgi_arena_grow(&c->arena, &c->said, &c->cap, c->count + 1, sizeof *c->said))
        return false;
    c->said[c->count++] = (struct said){ mgi_arena_str(&c->arena, tool), harm };
    return true;
}

/* ---- what the files say -----------------------------------------------------------------------
 */

typedef bool fact_taker(struct confirming *c, struct str tool, struct str class);

/* Each fact PREDICATE(T, Class) of the domain's files. */
static bool each_fact(struct confirming *c, const char *predicate, fact_taker *take)
{
    mangle_pred pred = mangle_pred_find(c->s->program, predicate, 2);
    size_t preds = mangle_program_pred_count(c->s->program);
    bool *none = mgi_arena_calloc(&c->arena, preds + 1, sizeof *none);
    const struct mangle_limits limits = { 0 };
    const struct mangle_fact *facts;
    mangle_overlay *o = NULL;
    size_t count = 0;
    bool good = none && (pred == MANGLE_NO_PRED || mangle_overlay_new(c->s->base, &o) == MANGLE_OK);
    if (good && o) {
        mangle_overlay_focus(o, none);
        good = mangle_overlay_eval(o, 0, &limits, NULL, NULL) == MANGLE_OK &&
               mangle_overlay_facts(o, pred, &facts, &count) == MANGLE_OK;
    }
    for (size_t i = 0; good && i < count; i++) {
        const mangle_values *t = mangle_overlay_values(o);
        size_t tool_len, class_len;
        const char *tool = mangle_text_of(t, facts[i].args[0], &tool_len);
        const char *class = mangle_text_of(t, facts[i].args[1], &class_len);
        if (tool && class)
            good = take(c, (struct str){ tool, tool_len }, (struct str){ class, class_len });
    }
    if (o)
        mangle_overlay_free(o);
    return good;
}

static bool take_said(struct confirming *c, struct str tool, struct str class)
{
    enum import_harm harm;
    if (harm_of_word(class, &harm))
        return say(c, tool, harm);
    mgi_cli_error(CONFIRMED_FILE ": the class of %.*s is none, write or destructive",
                  STR_ARG(tool));
    return true;
}

/* ---- facts/confirmed.mg -----------------------------------------------------------------------
 */

/* Does a line say, or propose behind a '#', the harm of this tool? */
static bool is_about(struct str line, struct str tool)
{
    struct str rest = mgi_str_trim(line, "# \t");
    char begin[96];
    snprintf(begin, sizeof begin, "harm(\"%.*s\",", STR_ARG(tool));
    return mgi_str_starts(rest, str_of(begin));
}

static void put_line(struct buf *out, struct str tool, enum import_harm harm)
{
    mgi_buf_printf(out, "harm(\"%.*s\", \"%s\").\n", STR_ARG(tool), mgi_import_harm_name(harm));
}

static void rewrite(struct buf *out, struct str text, struct str tool, enum import_harm harm)
{
    bool done = false;
    while (text.len > 0) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end ? (size_t)(end - text.ptr) + 1 : text.len;
        struct str line = { text.ptr, len };
        if (!is_about(line, tool))
            mgi_buf_str(out, line);
        else if (!done)
            put_line(out, tool, harm);
        done |= is_about(line, tool);
        text = (struct str){ text.ptr + len, text.len - len };
    }
    if (!done && out->len > 0 && out->ptr[out->len - 1] != '\n')
        mgi_buf_putc(out, '\n');
    if (!done)
        put_line(out, tool, harm);
}

static char *path_of(struct confirming *c, const char *file)
{
    return mgi_arena_printf(&c->arena, "%s/%s", c->folder, file);
}

static bool read_text(struct confirming *c, const char *file, struct buf *out)
{
    const char *why, *path = path_of(c, file);
    if (path && access(path, F_OK) != 0)
        return true;
    if (path && mgi_cli_read_file(path, FILE_BYTES, out, &why))
        return true;
    mgi_cli_error("%s: %s", path ? path : file, path ? why : "out of memory");
    return false;
}

static bool write_text(struct confirming *c, const char *file, const struct buf *text)
{
    const char *path = path_of(c, file);
    if (path && !text->oom && mgi_cli_write_file(path, mgi_buf_view(text)))
        return true;
    mgi_cli_error("%s cannot be written", path ? path : file);
    return false;
}

/* TOOL=CLASS of the command line. False: told; nothing was written. */
static bool take_words(struct confirming *c, const struct cli_list *words, struct buf *text)
{
    bool good = true;
    for (size_t i = 0; i < words->count; i++) {
        const char *equals = strchr(words->items[i], '=');
        struct str tool = { words->items[i], equals ? (size_t)(equals - words->items[i]) : 0 };
        enum import_harm harm;
        if (!equals || !harm_of_word(str_of(equals + 1), &harm)) {
            mgi_cli_error("\"%s\" is not TOOL=none, TOOL=write or TOOL=destructive",
                          words->items[i]);
            good = false;
        } else if (!tool_named(c->s, tool)) {
            mgi_cli_error("%s has no tool \"%.*s\"", c->folder, STR_ARG(tool));
            good = false;
        } else {
            struct buf next = { 0 };
            rewrite(&next, mgi_buf_view(text), tool, harm);
            mgi_buf_fini(text);
            *text = next;
            good &= say(c, tool, harm);
        }
    }
    return good;
}

/* ---- mcp.lock.json ----------------------------------------------------------------------------
 */

/* The tool of the lock that a macro-tool runs, found by its action. */
static bool confirm_one(struct confirming *c, const struct json *servers, const struct said *said,
                        struct import_confirmation *out)
{
    const struct tool *tool = tool_named(c->s, said->tool);
    const struct action *action = tool && tool->step_count == 1 ? tool->steps[0].action : NULL;
    for (uint32_t i = 0; action && i < servers->count; i++) {
        struct str server = servers->members[i].name;
        const struct json *tools = mgi_json_get(&servers->members[i].value, "tools");
        for (uint32_t k = 0; tools && tools->type == JSON_ARRAY && k < tools->count; k++) {
            const struct json *name = mgi_json_get(&tools->items[k], "name");
            char *aid = name && name->type == JSON_STRING
                            ? mgi_mcp_aid(&c->arena, server, name->string)
                            : NULL;
            if (!aid || !str_is(action->aid, aid))
                continue;
            *out = (struct import_confirmation){ server, name->string, said->harm };
            return true;
        }
    }
    return false;
}

/* The lock as it is to be. *changed: of how many tools the side effects are others then; 0: it
 * stays as it is. */
static bool relock(struct confirming *c, struct buf *text, size_t *changed)
{
    const struct json_options options = { .max_depth = 128 };
    struct buf old = { 0 };
    struct json root;
    struct import_confirmation *confirmed =
        mgi_arena_calloc(&c->arena, c->count + 1, sizeof *confirmed);
    size_t count = 0;
    *changed = 0;
    if (!confirmed || !read_text(c, LOCK_FILE, &old))
        return false;
    if (old.len == 0)
        return true; /* of an API: nothing is locked */
    bool good = mgi_json_parse(&c->arena, mgi_buf_view(&old), &options, &root, NULL) == JSON_OK;
    const struct json *servers = good ? mgi_json_get(&root, "servers") : NULL;
    if (!servers || servers->type != JSON_OBJECT) {
        mgi_cli_error("%s/" LOCK_FILE " is no lock file", c->folder);
        mgi_buf_fini(&old);
        return false;
    }
    for (size_t i = 0; i < c->count; i++)
        count += confirm_one(c, servers, &c->said[i], &confirmed[count]);
    good = mgi_import_relock(text, &root, confirmed, count, changed);
    mgi_buf_fini(&old);
    return good;
}

/* Both files, or none: where the lock cannot be written the author's file is as it was. NULL: that
 * one stays. */
static bool save(struct confirming *c, const struct buf *said, const struct buf *before,
                 const struct buf *lock)
{
    if (said && !write_text(c, CONFIRMED_FILE, said))
        return false;
    if (!lock || write_text(c, LOCK_FILE, lock))
        return true;
    if (said)
        (void)write_text(c, CONFIRMED_FILE, before);
    return false;
}

/* ---- what is left -----------------------------------------------------------------------------
 */

static bool tell_guess(struct confirming *c, struct str tool, struct str class)
{
    bool known = false;
    for (size_t i = 0; i < c->count; i++)
        known |= str_eq(c->said[i].tool, tool);
    if (!known && str_is(class, "destructive"))
        printf("unconfirmed  %.*s is destructive, by its verb, object or schema\n", STR_ARG(tool));
    return true;
}

static int confirm(struct confirming *c, const struct cli_list *words)
{
    struct buf text = { 0 }, before = { 0 }, lock = { 0 };
    size_t changed = 0;
    if (!each_fact(c, "harm", take_said) || !read_text(c, CONFIRMED_FILE, &text))
        return EXIT_USAGE;
    mgi_buf_str(&before, mgi_buf_view(&text));
    bool good = take_words(c, words, &text) && relock(c, &lock, &changed) && !before.oom &&
                save(c, words->count > 0 ? &text : NULL, &before, changed > 0 ? &lock : NULL);
    mgi_buf_fini(&text);
    mgi_buf_fini(&before);
    mgi_buf_fini(&lock);
    if (!good)
        return EXIT_USAGE;
    for (size_t i = 0; i < c->count; i++)
        printf("confirmed    %.*s is %s\n", STR_ARG(c->said[i].tool),
               c->said[i].harm == HARM_NONE ? "harmless" : mgi_import_harm_name(c->said[i].harm));
    each_fact(c, "harm_guess", tell_guess);
    printf("%s/" LOCK_FILE ": the side effects of %zu tool%s changed\n", c->folder, changed,
           changed == 1 ? "" : "s");
    return EXIT_ANSWERED;
}

int mgi_import_confirm(const struct host_options *host, const struct cli_list *words)
{
    struct confirming c = { .folder = host->domain };
    int status;
    mgi_arena_init(&c.arena, 0);
    c.s = mgi_host_load(host, &c.arena, &status);
    if (c.s)
        status = confirm(&c, words);
    mgi_snapshot_unref(c.s);
    mgi_arena_fini(&c.arena);
    return status;
}
