/* See manglecp_install.h; the way of a change is in manglecp_change.h. */
#include "cli/manglecp_install.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cli/cli_files.h"
#include "cli/manglecp_change.h"
#include "cli/manglecp_install_needs.h"

bool mgi_install_wanted(const struct install_options *o)
{
    return o->install || o->uninstall || o->undo;
}

/* ---- in ----------------------------------------------------------------------------------------
 */

static bool may_replace(struct change *c, struct str name)
{
    const struct json *old = mgi_json_get_str(mgi_json_get(&c->root, c->row->section), name);
    if (!old || c->options->force || mgi_client_entry_is_ours(old))
        return true;
    mgi_cli_error("%s has a server \"%.*s\" already, which is not of manglecp",
                  mgi_change_shown(c, c->path), STR_ARG(name));
    mgi_cli_hint("--name gives it another name; --force replaces it.");
    return false;
}

/* What a change of the text came to; EXIT_ANSWERED: c->after is what is to be written. */
static int splice_status(struct change *c, enum splice_status st, const struct splice_fault *fault)
{
    if (st == SPLICE_DONE)
        return EXIT_ANSWERED;
    if (st == SPLICE_NOMEM) {
        mgi_cli_error("out of memory");
        return EXIT_USAGE;
    }
    if (fault->line)
        mgi_cli_error("%s:%u:%u: %s", mgi_change_shown(c, c->path), fault->line, fault->column,
                      fault->message);
    else
        mgi_cli_error("%s: %s", mgi_change_shown(c, c->path), fault->message);
    return EXIT_WRONG;
}

static void tell_needs(const struct change *c, const struct target *t)
{
    if (t->word && !t->remembers) /* a folder */
        mgi_install_tell_needs(c, t->word);
}

static int add(struct change *c, const struct target *t, int argc, char **argv)
{
    struct json value;
    struct splice_fault fault;
    const char *name = mgi_change_name(c, t);
    const struct splice_place place = { str_of(c->row->section), str_of(name) };
    if (!mgi_change_is_open(c, t) || !mgi_change_name_is_good(name))
        return EXIT_USAGE;
    if (!mgi_change_entry(c, t, argc, argv, &value))
        return EXIT_USAGE;
    if (!may_replace(c, place.name))
        return EXIT_WRONG;
    int status = splice_status(c,
                               mgi_splice_put(c->row->form, mgi_buf_view(&c->before), &place,
                                              &value, &c->after, NULL, &fault),
                               &fault);
    if (status)
        return status;
    if (str_eq(mgi_buf_view(&c->before), mgi_buf_view(&c->after))) {
        printf("%s has it already.\n", mgi_change_shown(c, c->path));
        tell_needs(c, t);
        return EXIT_ANSWERED;
    }
    status = mgi_change_carry_out(c);
    if (!status && !c->options->dry_run)
        printf("%s sees it as \"%s\" when it is started next.\n", c->row->title, name);
    if (!status)
        tell_needs(c, t);
    return status;
}

int mgi_install_add(const struct install_options *o, const struct target *t, int argc, char **argv)
{
    struct change c;
    char manifest[PATH_MAX];
    if (t->word && !t->remembers) {
        snprintf(manifest, sizeof manifest, "%s/domain.yaml", t->word);
        if (access(manifest, F_OK) != 0) {
            mgi_cli_error("%s is no domain folder: it has no domain.yaml", t->word);
            return EXIT_USAGE;
        }
    }
    int status =
        mgi_change_open(&c, o, o->install) ? add(&c, t, argc, argv) : mgi_change_not_opened(&c);
    mgi_change_close(&c);
    return status;
}

/* ---- out again ------------------------------------------------------------------------------- */

/* The entry that is meant; NULL: told. */
static const char *which_entry(struct change *c)
{
    const struct json *section = mgi_json_get(&c->root, c->row->section);
    const char *found = NULL;
    struct buf names = { 0 };
    size_t count = 0;
    if (c->options->name) {
        const struct json *e = mgi_json_get(section, c->options->name);
        if (!e)
            mgi_cli_error("%s has no server \"%s\"", mgi_change_shown(c, c->path),
                          c->options->name);
        else if (!c->options->force && !mgi_client_entry_is_ours(e)) {
            mgi_cli_error("the server \"%s\" is not of manglecp", c->options->name);
            mgi_cli_hint("--force takes it out all the same.");
            e = NULL;
        }
        return e ? c->options->name : NULL;
    }
    for (uint32_t i = 0; section && section->type == JSON_OBJECT && i < section->count; i++) {
        if (!mgi_client_entry_is_ours(&section->members[i].value))
            continue;
        found = mgi_arena_printf(&c->arena, "%.*s", STR_ARG(section->members[i].name));
        mgi_buf_puts(&names, count++ ? ", " : "");
        mgi_utf8_show(&names, section->members[i].name);
    }
    if (count != 1) {
        mgi_cli_error("%s has %s", mgi_change_shown(c, c->path),
                      count ? "several servers of manglecp" : "no server of manglecp");
        if (count)
            mgi_cli_hint("Say which with --name: %s.", names.ptr ? names.ptr : "");
        found = NULL;
    }
    mgi_buf_fini(&names);
    return found;
}

/* Did the file have a section before we came? Told by the backup, if there is one. */
static bool had_section(struct change *c)
{
    struct buf text = { 0 };
    struct json root;
    struct splice_fault fault;
    const char *why;
    bool had = true;
    if (access(c->absent, F_OK) == 0)
        return false;
    if (access(c->backup, F_OK) == 0 && mgi_cli_read_file(c->backup, SPLICE_BYTES, &text, &why) &&
        !mgi_splice_read(c->row->form, mgi_buf_view(&text), &c->arena, &root, &fault))
        had = mgi_json_get(&root, c->row->section) != NULL;
    mgi_buf_wipe(&text);
    return had;
}

static int remove_entry(struct change *c)
{
    struct splice_fault fault;
    const char *name = which_entry(c);
    if (!name)
        return EXIT_WRONG;
    const struct splice_place place = { str_of(c->row->section), str_of(name) };
    int status = splice_status(c,
                               mgi_splice_take(c->row->form, mgi_buf_view(&c->before), &place,
                                               !had_section(c), &c->after, &fault),
                               &fault);
    return status ? status : mgi_change_carry_out(c);
}

int mgi_install_remove(const struct install_options *o)
{
    struct change c;
    int status =
        mgi_change_open(&c, o, o->uninstall) ? remove_entry(&c) : mgi_change_not_opened(&c);
    mgi_change_close(&c);
    return status;
}

/* ---- as it was ------------------------------------------------------------------------------- */

/* The text without any server of manglecp. */
static bool bare_text(struct change *c, struct str text, bool with_section, struct buf *out)
{
    struct json root;
    struct splice_fault fault;
    if (mgi_splice_read(c->row->form, text, &c->arena, &root, &fault))
        return false;
    const struct json *section = mgi_json_get(&root, c->row->section);
    mgi_buf_str(out, text);
    for (uint32_t i = 0; section && section->type == JSON_OBJECT && i < section->count; i++) {
        const struct splice_place place = { str_of(c->row->section), section->members[i].name };
        struct buf next = { 0 };
        if (!mgi_client_entry_is_ours(&section->members[i].value))
            continue;
        bool good =
            !mgi_splice_take(c->row->form, mgi_buf_view(out), &place, with_section, &next, &fault);
        mgi_buf_wipe(out);
        *out = next;
        if (!good)
            return false;
    }
    return !out->oom;
}

/* Beside our own servers, nothing has changed since. */
static bool only_ours_changed(struct change *c)
{
    struct buf now = { 0 }, then = { 0 };
    struct json root;
    struct splice_fault fault;
    bool made = mgi_splice_read(c->row->form, mgi_buf_view(&c->after), &c->arena, &root, &fault) ==
                    SPLICE_DONE &&
                !mgi_json_get(&root, c->row->section);
    bool same = bare_text(c, mgi_buf_view(&c->before), made, &now) &&
                bare_text(c, mgi_buf_view(&c->after), made, &then) &&
                str_eq(mgi_buf_view(&now), mgi_buf_view(&then));
    mgi_buf_wipe(&now);
    mgi_buf_wipe(&then);
    return same;
}

/* There was no file: it goes, if nobody else has put something into it. */
static bool only_ours_is_there(struct change *c)
{
    struct buf now = { 0 };
    struct json root = { .type = JSON_NULL };
    struct splice_fault fault;
    bool empty = bare_text(c, mgi_buf_view(&c->before), true, &now) &&
                 !mgi_splice_read(c->row->form, mgi_buf_view(&now), &c->arena, &root, &fault) &&
                 root.count == 0;
    mgi_buf_wipe(&now);
    return empty;
}

static int remove_file(struct change *c)
{
    if (unlink(c->real) != 0)
        return mgi_change_cannot_write(c, c->path);
    (void)unlink(c->absent);
    printf("%s was removed: it was not there before.\n", mgi_change_shown(c, c->path));
    return EXIT_ANSWERED;
}

static int put_back(struct change *c)
{
    if (!mgi_change_write(c))
        return mgi_change_cannot_write(c, c->path);
    (void)unlink(c->backup);
    printf("%s is as it was.\n", mgi_change_shown(c, c->path));
    return EXIT_ANSWERED;
}

static int undo(struct change *c)
{
    const char *why = NULL;
    struct stat s;
    bool absent = lstat(c->absent, &s) == 0;
    if (!absent && (lstat(c->backup, &s) != 0 || !S_ISREG(s.st_mode))) {
        mgi_cli_error("there is nothing to undo: %s is not there", mgi_change_shown(c, c->backup));
        return EXIT_WRONG;
    }
    if (!absent && !mgi_cli_read_file(c->backup, SPLICE_BYTES, &c->after, &why)) {
        mgi_cli_error("%s: %s", mgi_change_shown(c, c->backup), why);
        return EXIT_USAGE;
    }
    bool safe = c->options->force || (absent ? only_ours_is_there(c) : only_ours_changed(c));
    if (!safe) {
        mgi_cli_error("%s was changed since, beside the server of manglecp",
                      mgi_change_shown(c, c->path));
        mgi_cli_hint("--uninstall takes out the server alone; --force puts the old file back.");
        return EXIT_WRONG;
    }
    int status = mgi_change_prepare(c);
    if (status || c->options->dry_run)
        return status;
    return absent ? remove_file(c) : put_back(c);
}

int mgi_install_undo(const struct install_options *o)
{
    struct change c;
    int status = mgi_change_open(&c, o, o->undo) ? undo(&c) : mgi_change_not_opened(&c);
    mgi_change_close(&c);
    return status;
}
