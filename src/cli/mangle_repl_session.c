#include "cli/mangle_repl_session.h"
#include "cli/mangle_programs.h"

#include <string.h>

#include "base/alloc.h"
#include "base/time.h"
#include "cli/cli_options.h"
#include "sys/clock.h"

#define LOAD_MAX_BYTES ((size_t)1 << 30)

static bool fail(struct buf *why, const char *text)
{
    mgi_buf_puts(why, text);
    return false;
}

static bool out_of_memory(struct buf *why)
{
    return fail(why, "out of memory");
}

/* ---- compiling ------------------------------------------------------------------------------- */

/* What lies below is no host's here. */
static void put_diags(struct buf *out, const mangle_diags *diags)
{
    for (size_t i = 0; i < mangle_diags_count(diags); i++) {
        struct mangle_diag d = *mangle_diags_get(diags, i);
        if (strcmp(d.code, "PRED_REDEFINED") == 0) {
            d.message = "an earlier load defines this predicate";
            d.hint = "Give it another name, or undo that load with ::pop.";
        }
        char *text = mangle_diag_print(&d);
        mgi_buf_puts(out, text ? text : "out of memory\n");
        mangle_free(text);
    }
}

static mangle_program *compile(const struct repl_session *s, const struct mangle_source *sources,
                               size_t count, struct mangle_compile_options *options,
                               struct buf *why)
{
    mangle_program *program = NULL;
    mangle_diags *diags = mangle_diags_new();
    struct mangle_zone_source zones = mangle_zone_folder_source(s->zones);
    options->zones = &zones;
    options->allow_dangerous = s->allow_dangerous;
    enum mangle_status st =
        diags ? mangle_compile(sources, count, options, &program, diags) : MANGLE_ERR_NOMEM;
    if (diags)
        put_diags(why, diags);
    mangle_diags_free(diags);
    if (st == MANGLE_ERR_NOMEM)
        mgi_buf_puts(why, "out of memory");
    return program;
}

/* A Decl here of what lies below would open it to definitions. */
static bool declares_again(const struct repl_session *s, const mangle_program *alone,
                           struct buf *why)
{
    for (size_t i = 0; i < mangle_program_pred_count(s->below); i++) {
        struct mangle_pred_view below = mangle_program_pred(s->below, (mangle_pred)i);
        mangle_pred pred = mangle_pred_find(alone, below.name, below.arity);
        if (pred == MANGLE_NO_PRED || !mangle_program_pred(alone, pred).declared)
            continue;
        struct mangle_pred_view view = mangle_program_pred(alone, pred);
        mgi_buf_printf(why, "%s:%u: error: an earlier load defines \"%s\"\n", view.file, view.line,
                       view.name);
        return true;
    }
    return false;
}

/* A new layer by itself: what lies below is known, and may not be defined again (M-IO-18). */
static bool check_layer(const struct repl_session *s, const struct mangle_source *sources,
                        size_t count, size_t standard_count, struct buf *why)
{
    size_t below = s->below ? mangle_program_pred_count(s->below) : 0;
    struct mangle_host_pred *preds = mgi_calloc(below + 1, sizeof *preds);
    if (!preds)
        return out_of_memory(why);
    for (size_t i = 0; i < below; i++) {
        struct mangle_pred_view view = mangle_program_pred(s->below, (mangle_pred)i);
        preds[i] = (struct mangle_host_pred){ view.name, view.arity, view.temporal };
    }
    struct mangle_compile_options options = { .host_preds = preds,
                                              .host_pred_count = below,
                                              .host_source_count = standard_count };
    mangle_program *alone = compile(s, sources, count, &options, why);
    bool ok = alone && !(s->below && declares_again(s, alone, why));
    mgi_free(preds);
    mangle_program_unref(alone);
    return ok;
}

static struct mangle_source typed_source(struct str text)
{
    return (struct mangle_source){ REPL_SOURCE, text.ptr, text.len };
}

/* The layers, and `typed` above them if there is any. Only files must keep to their bounds, with
 * the types of what lies below as they are inferred there (M-IO-20). Warnings were told before. */
static mangle_program *compile_all(const struct repl_session *s, size_t layers, struct str typed,
                                   struct buf *why)
{
    size_t count = 0, n = 0;
    for (size_t i = 0; i < layers; i++)
        count += s->layers[i].count;
    struct mangle_source *sources = mgi_calloc(count + 1, sizeof *sources);
    if (!sources) {
        (void)out_of_memory(why);
        return NULL;
    }
    for (size_t i = 0; i < layers; i++)
        for (size_t k = 0; k < s->layers[i].count; k++)
            sources[n++] = s->layers[i].sources[k];
    sources[n++] = typed_source(typed);
    size_t standard_count = layers ? s->layers[0].standard_count : 0;
    struct mangle_compile_options options = { .check_bounds = typed.len == 0,
                                              .doubt_warns = standard_count > 0,
                                              .host_source_count = standard_count };
    struct buf said = { 0 };
    mangle_program *program = compile(s, sources, n, &options, &said);
    if (!program)
        mgi_buf_str(why, mgi_buf_view(&said));
    mgi_buf_fini(&said);
    mgi_free(sources);
    return program;
}

/* ---- evaluating ------------------------------------------------------------------------------ */

static void release_state(struct repl_state *state)
{
    mangle_overlay_free(state->overlay);
    if (state->base)
        mangle_base_unref(state->base);
    mangle_program_unref(state->program);
    *state = (struct repl_state){ 0 };
}

static bool say_status(enum mangle_status st, const struct mangle_error *error, struct buf *why)
{
    if (st)
        mgi_buf_puts(why, error->message[0] ? error->message : mangle_status_text(st));
    return st == MANGLE_OK;
}

static bool evaluate_overlay(struct repl_session *s, struct repl_state *state, struct buf *why)
{
    struct mangle_error error = { 0 };
    int64_t now = s->fixed ? s->fixed_ns : mgi_clock_real_ns();
    enum mangle_status st = mangle_overlay_new(state->base, &state->overlay);
    if (!st)
        st = mangle_overlay_eval(state->overlay, now, &s->limits, NULL, &error);
    if (!st)
        s->now_ns = now;
    return say_status(st, &error, why);
}

/* Takes over state->program, also when it fails. */
static bool evaluate_state(struct repl_session *s, struct repl_state *state, struct buf *why)
{
    struct mangle_error error = { 0 };
    enum mangle_status st = mangle_base_new(state->program, &state->base);
    if (!st)
        st = mangle_base_close(state->base, &s->limits, NULL, &error);
    if (say_status(st, &error, why) && evaluate_overlay(s, state, why))
        return true;
    release_state(state);
    return false;
}

/* Everything anew; the session's state changes only if it succeeds. */
static bool replace_state(struct repl_session *s, size_t layers, struct str typed, struct buf *why)
{
    struct repl_state state = { .program = compile_all(s, layers, typed, why) };
    if (!state.program || !evaluate_state(s, &state, why))
        return false;
    release_state(&s->state);
    s->state = state;
    return true;
}

/* The program of the first `layers` alone, for what is typed upon them. */
static bool replace_below(struct repl_session *s, size_t layers, struct buf *why)
{
    mangle_program *below = layers ? compile_all(s, layers, (struct str){ "", 0 }, why) : NULL;
    if (layers && !below)
        return false;
    mangle_program_unref(s->below);
    s->below = below;
    return true;
}

bool mgi_repl_evaluate(struct repl_session *s, struct buf *why)
{
    struct repl_state state = { mangle_program_ref(s->state.program),
                                mangle_base_ref(s->state.base), NULL };
    if (!evaluate_overlay(s, &state, why)) {
        release_state(&state);
        return false;
    }
    release_state(&s->state);
    s->state = state;
    return true;
}

bool mgi_repl_start(struct repl_session *s, struct buf *why)
{
    s->zones = mangle_zone_folder_new(MANGLE_ZONE_FOLDER);
    if (!s->zones)
        return out_of_memory(why);
    return replace_state(s, 0, (struct str){ "", 0 }, why);
}

/* ---- layers ---------------------------------------------------------------------------------- */

static void release_layer(struct repl_layer *layer)
{
    for (size_t i = 0; i < layer->count; i++)
        mgi_buf_fini(&layer->texts[i]);
    mgi_free(layer->list);
    mgi_free(layer->texts);
    mgi_free(layer->sources);
    *layer = (struct repl_layer){ 0 };
}

void mgi_repl_end(struct repl_session *s)
{
    release_state(&s->state);
    mangle_program_unref(s->below);
    for (size_t i = 0; i < s->layer_count; i++)
        release_layer(&s->layers[i]);
    mgi_free(s->layers);
    mgi_buf_fini(&s->typed);
    mangle_zone_folder_free(s->zones);
}

bool mgi_repl_define(struct repl_session *s, struct str text, struct buf *why)
{
    size_t before = s->typed.len;
    mgi_buf_str(&s->typed, text);
    mgi_buf_putc(&s->typed, '\n'); /* M-IO-19 */
    struct str typed = mgi_buf_view(&s->typed);
    struct mangle_source source = typed_source(typed);
    bool ok = s->typed.oom ? out_of_memory(why) : check_layer(s, &source, 1, 0, why);
    if (ok && replace_state(s, s->layer_count, typed, why))
        return true;
    s->typed.oom = false;
    s->typed.len = before; /* M-IO-11 */
    return false;
}

static char *path_below(const char *root, struct str name)
{
    struct buf path = { 0 };
    if (root && (name.len == 0 || name.ptr[0] != '/'))
        mgi_buf_printf(&path, "%s/", root);
    mgi_buf_str(&path, name);
    char *text = mgi_buf_take(&path, NULL);
    if (!text)
        mgi_buf_fini(&path);
    return text;
}

static bool read_file(struct repl_layer *layer, const char *path, struct buf *why)
{
    size_t i = layer->count;
    const char *reason;
    layer->sources[i].name = path;
    layer->count = i + 1;
    if (!mgi_program_read(path, LOAD_MAX_BYTES, &layer->texts[i], &reason)) {
        mgi_buf_printf(why, "cannot read %s: %s", path, reason);
        return false;
    }
    layer->sources[i].text = mgi_buf_view(&layer->texts[i]).ptr;
    layer->sources[i].len = layer->texts[i].len;
    return true;
}

/* The files that a list with commas names, those of folders too. */
static bool find_files(const struct repl_session *s, struct str list, struct cli_list *files,
                       struct buf *why)
{
    struct cli_list arguments = { 0 }, tables = { 0 };
    bool good = true;
    while (good && list.len) {
        const char *comma = memchr(list.ptr, ',', list.len);
        size_t len = comma ? (size_t)(comma - list.ptr) : list.len;
        struct str name = mgi_str_trim((struct str){ list.ptr, len }, " \t\r\n");
        char *path = name.len ? path_below(s->root, name) : NULL;
        if (name.len && !(path && mgi_cli_list_add(&arguments, path))) {
            mgi_free(path);
            good = out_of_memory(why);
        }
        len += comma != NULL;
        list = (struct str){ list.ptr + len, list.len - len };
    }
    if (good && !arguments.count)
        good = fail(why, "name a file, or several with commas");
    else if (good && mgi_program_files(&arguments, files, &tables))
        good = fail(why, "not all of it can be read");
    for (size_t i = 0; i < arguments.count; i++)
        mgi_free((char *)arguments.items[i]);
    for (size_t i = 0; good && i < tables.count; i++)
        mgi_buf_printf(why, "%s: warning: tables of facts are not read here\n", tables.items[i]);
    return good;
}

static bool read_layer(const struct repl_session *s, struct str list, struct repl_layer *out,
                       struct buf *why)
{
    struct cli_list files = { 0 };
    if (!find_files(s, list, &files, why))
        return false;
    out->texts = mgi_calloc(files.count + 1, sizeof *out->texts);
    out->sources = mgi_calloc(files.count + 1, sizeof *out->sources);
    out->list = path_below(NULL, list);
    out->standard_count = mgi_program_standard_count(&files);
    if (!out->texts || !out->sources || !out->list)
        return out_of_memory(why);
    for (size_t i = 0; i < files.count; i++)
        if (!read_file(out, files.items[i], why))
            return false;
    return true;
}

bool mgi_repl_load(struct repl_session *s, struct str list, struct buf *why)
{
    struct repl_layer layer = { 0 };
    if (!read_layer(s, mgi_str_trim(list, " \t\r\n"), &layer, why) ||
        !check_layer(s, layer.sources, layer.count, layer.standard_count, why) ||
        !mgi_grow(&s->layers, &s->layer_cap, s->layer_count + 1, sizeof layer)) {
        release_layer(&layer);
        return false;
    }
    s->layers[s->layer_count] = layer;
    size_t count = s->layer_count + 1;
    if (!replace_state(s, count, (struct str){ "", 0 }, why) || !replace_below(s, count, why)) {
        release_layer(&s->layers[s->layer_count]);
        return false;
    }
    s->layer_count = count;
    mgi_buf_clear(&s->typed);
    return true;
}

bool mgi_repl_pop(struct repl_session *s, char **what, struct buf *why)
{
    struct str nothing = { "", 0 };
    *what = NULL;
    if (s->typed.len) {
        if (!replace_state(s, s->layer_count, nothing, why))
            return false;
        mgi_buf_clear(&s->typed);
        return true;
    }
    if (!s->layer_count)
        return fail(why, "");
    size_t count = s->layer_count - 1;
    if (!replace_state(s, count, nothing, why) || !replace_below(s, count, why))
        return false;
    struct repl_layer *last = &s->layers[count];
    *what = last->list;
    last->list = NULL;
    release_layer(last);
    s->layer_count = count;
    return true;
}
