/* Whole predicates into a column file, compressed as its name says. */
#include "cli/mangle_store.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/cli_files.h"
#include "cli/mangle_compress.h"

bool mgi_store_named(const char *path)
{
    struct str stem;
    mgi_compression_named(str_of(path), &stem);
    if (mgi_str_ends(stem, STR_LIT(".sc")))
        return true;
    mgi_cli_error("--out %s: the name does not end in .sc, .sc.gz or .sc.zst", path);
    return false;
}

struct chosen {
    mangle_pred *preds;
    size_t count;
    bool *taken; /* per predicate of the program */
};

static void choose(struct chosen *c, mangle_pred pred)
{
    if (!c->taken[pred])
        c->preds[c->count++] = pred;
    c->taken[pred] = true;
}

/* Every predicate of that name. */
static bool choose_named(struct chosen *c, const mangle_program *program, const char *name)
{
    size_t total = mangle_program_pred_count(program), found = 0;
    for (mangle_pred i = 0; i < total; i++) {
        if (strcmp(mangle_program_pred(program, i).name, name) != 0)
            continue;
        choose(c, i);
        found++;
    }
    if (found)
        return true;
    mgi_cli_error("there is no predicate \"%s\"", name);
    if (strchr(name, '('))
        mgi_cli_hint("A column file holds whole predicates: with --out, --query takes a name.");
    return false;
}

static bool choose_all(struct chosen *c, const mangle_program *program,
                       const struct cli_list *queries)
{
    bool good = true;
    for (size_t i = 0; i < queries->count; i++)
        good &= choose_named(c, program, queries->items[i]);
    size_t total = queries->count ? 0 : mangle_program_pred_count(program);
    for (mangle_pred i = 0; i < total; i++)
        if (mangle_program_pred(program, i).derived)
            choose(c, i);
    return good;
}

static int write_packed(const char *path, struct str text)
{
    struct buf packed = { 0 };
    enum compression how = mgi_compression_named(str_of(path), NULL);
    int result = EXIT_ANSWERED;
    if (!mgi_compress(how, text, &packed)) {
        mgi_cli_error("out of memory");
        result = EXIT_USAGE;
    } else if (!mgi_cli_write_file(path, mgi_buf_view(&packed))) {
        mgi_cli_error("cannot write %s: %s", path, strerror(errno));
        result = EXIT_USAGE;
    }
    mgi_buf_fini(&packed);
    return result;
}

static int write_chosen(mangle_overlay *overlay, const struct chosen *c, const char *path)
{
    struct mangle_error error = { 0 };
    char *text = NULL;
    size_t len;
    enum mangle_status st =
        mangle_overlay_columns(overlay, c->preds, c->count, &text, &len, &error);
    if (st) {
        mgi_cli_error("cannot write %s: %s", path,
                      error.message[0] ? error.message : mangle_status_text(st));
        return st == MANGLE_ERR_INPUT ? EXIT_WRONG : EXIT_USAGE;
    }
    int result = write_packed(path, (struct str){ text, len });
    mangle_free(text);
    return result;
}

int mgi_store_facts(mangle_overlay *overlay, const mangle_program *program,
                    const struct cli_list *queries, const char *path)
{
    size_t total = mangle_program_pred_count(program);
    struct chosen c = { .preds = mgi_calloc(total + 1, sizeof *c.preds),
                        .taken = mgi_calloc(total + 1, sizeof *c.taken) };
    int result = EXIT_USAGE;
    if (!c.preds || !c.taken)
        mgi_cli_error("out of memory");
    else if (!choose_all(&c, program, queries))
        result = EXIT_WRONG;
    else
        result = write_chosen(overlay, &c, path);
    mgi_free(c.preds);
    mgi_free(c.taken);
    return result;
}
