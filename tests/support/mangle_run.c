#include "support/mangle_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "mangle/check/target.h"

bool run_changes_nothing(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context, (void)program, (void)pred;
    return false;
}

bool run_changes_all(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context, (void)program, (void)pred;
    return true;
}

static size_t split(const char *text, struct mangle_source *sources, size_t cap)
{
    size_t count = 0;
    for (const char *at = text; at && count < cap;) {
        const char *sep = strstr(at, "\n%%\n");
        size_t len = sep ? (size_t)(sep - at) + 1 : strlen(at);
        sources[count] = (struct mangle_source){ "test.mg", at, len };
        count++;
        at = sep ? sep + 4 : NULL;
    }
    return count;
}

static void note(struct mangle_run *run, enum mangle_status status)
{
    static const char *const limits[] = { "", "FACT_LIMIT", "INTERVAL_LIMIT", "TIME_LIMIT",
                                          "MEMORY_LIMIT" };
    run->status = status;
    const char *code = "";
    if (status == MANGLE_ERR_LIMIT)
        code = limits[run->error.limit.kind];
    else if (status == MANGLE_ERR_EVAL)
        code = "EVAL_ERROR";
    else if (status)
        code = mangle_status_text(status);
    snprintf(run->code, sizeof run->code, "%s", code);
}

static void compile(struct mangle_run *run, const char *text, const struct run_options *o)
{
    struct mangle_source sources[8];
    struct mangle_compile_options options = { .changeable = run_changes_nothing };
    if (o && o->changeable) {
        options.changeable = o->changeable;
        options.changeable_context = o->context;
    }
    options.trust = o ? o->trust : NULL;
    options.trust_context = o ? o->context : NULL;
    options.check_bounds = o && o->check_bounds;
    run->zones = mangle_zone_folder_new(MANGLE_ZONE_FOLDER);
    struct mangle_zone_source zones = mangle_zone_folder_source(run->zones);
    options.zones = &zones;
    mangle_diags *diags = mangle_diags_new();
    run->status = mangle_compile(sources, split(text, sources, 8), &options, &run->program, diags);
    if (run->status)
        note(run, run->status);
    for (size_t i = 0; run->status && i < mangle_diags_count(diags); i++) {
        const struct mangle_diag *d = mangle_diags_get(diags, i);
        if (d->severity != MANGLE_ERROR)
            continue;
        snprintf(run->code, sizeof run->code, "%s", d->code);
        snprintf(run->error.message, sizeof run->error.message, "%s", d->message);
        break;
    }
    mangle_diags_free(diags);
}

typedef enum mangle_status adder(mangle_overlay *o, mangle_pred pred, const mangle_value *args,
                                 uint32_t count, const struct mangle_interval *t,
                                 struct mangle_error *err);

static enum mangle_status give_by(adder *add, struct mangle_run *run, mangle_overlay *overlay,
                                  const char *facts)
{
    struct arena arena;
    mgi_arena_init(&arena, 0);
    struct parse_target target = { run->program, &arena, mangle_overlay_values(overlay), NULL };
    struct mangle_source source = { "request.mg", facts, strlen(facts) };
    struct fact *list;
    size_t count = 0;
    enum mangle_status st = mgi_parse_facts(&target, &source, &list, &count);
    for (size_t i = 0; i < count && !st; i++) {
        struct mangle_interval t = MANGLE_ALWAYS;
        if (list[i].annotation.present && list[i].annotation.start.kind == BOUND_TIME)
            t.start_ns = list[i].annotation.start.ns;
        if (list[i].annotation.present && list[i].annotation.end.kind == BOUND_TIME)
            t.end_ns = list[i].annotation.end.ns;
        st = add(overlay, list[i].pred, list[i].args,
                 mangle_program_pred(run->program, list[i].pred).arity, &t, &run->error);
    }
    mgi_arena_fini(&arena);
    return st;
}

enum mangle_status mangle_run_give(struct mangle_run *run, mangle_overlay *overlay,
                                   const char *facts)
{
    return give_by(mangle_overlay_add, run, overlay, facts);
}

enum mangle_status mangle_run_vouch(struct mangle_run *run, mangle_overlay *overlay,
                                    const char *facts)
{
    return give_by(mangle_overlay_vouch, run, overlay, facts);
}

struct mangle_run mangle_run(const char *text, const struct run_options *o)
{
    struct mangle_run run = { .file_text = o && o->file_text };
    const struct mangle_limits *limits = o ? &o->limits : NULL;
    int64_t now = o && o->now_ns ? o->now_ns : RUN_NOW;
    compile(&run, text, o);
    enum mangle_status st = run.status;
    if (st)
        return run;
    st = mangle_base_new(run.program, &run.base);
    if (!st)
        st = mangle_base_close(run.base, limits, NULL, &run.error);
    if (!st)
        st = mangle_overlay_new(run.base, &run.overlay);
    if (!st && o && o->request)
        st = mangle_run_give(&run, run.overlay, o->request);
    if (!st && o && o->vouched)
        st = mangle_run_vouch(&run, run.overlay, o->vouched);
    if (!st)
        st = mangle_overlay_eval(run.overlay, now, limits, &run.stats, &run.error);
    note(&run, st);
    return run;
}

void mangle_run_end(struct mangle_run *run)
{
    mangle_overlay_free(run->overlay);
    mangle_base_unref(run->base);
    mangle_program_unref(run->program);
    mangle_zone_folder_free(run->zones);
    *run = (struct mangle_run){ 0 };
}

static void add_line(struct buf *out, struct mangle_run *run, const struct mangle_fact *fact)
{
    enum mangle_text_form form = run->file_text ? MANGLE_FILE : MANGLE_CANONICAL;
    const mangle_values *values = mangle_overlay_values(run->overlay);
    char *text = mangle_fact_print(run->program, values, fact, form, NULL);
    if (!text && run->file_text) /* NaN and the like */
        text = mangle_fact_print(run->program, values, fact, MANGLE_CANONICAL, NULL);
    mgi_buf_puts(out, text ? text : "<unprintable>");
    mgi_buf_puts(out, ".\n");
    mangle_free(text);
}

static int by_name(const void *a, const void *b)
{
    const struct mangle_pred_view *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->arity > y->arity) - (x->arity < y->arity);
}

char *mangle_run_text(struct mangle_run *run)
{
    struct buf out;
    mgi_buf_init(&out);
    if (run->status) {
        mgi_buf_printf(&out, "error: %s\n", run->code);
        return mgi_buf_take(&out, NULL);
    }
    size_t count = mangle_program_pred_count(run->program);
    struct mangle_pred_view *views = calloc(count + 1, sizeof *views);
    for (size_t i = 0; i < count; i++)
        views[i] = mangle_program_pred(run->program, (mangle_pred)i);
    qsort(views, count, sizeof *views, by_name);
    for (size_t i = 0; i < count; i++) {
        const struct mangle_fact *facts;
        size_t n;
        mangle_pred pred = mangle_pred_find(run->program, views[i].name, views[i].arity);
        if (!views[i].derived || mangle_overlay_facts(run->overlay, pred, &facts, &n))
            continue;
        for (size_t f = 0; f < n; f++)
            add_line(&out, run, &facts[f]);
    }
    free(views);
    char *text = mgi_buf_take(&out, NULL);
    return text;
}

char *mangle_run_query(struct mangle_run *run, const char *query)
{
    struct buf out;
    const struct mangle_fact *facts;
    size_t n;
    mgi_buf_init(&out);
    mgi_buf_puts(&out, "");
    enum mangle_status st =
        mangle_overlay_query(run->overlay, query, strlen(query), &facts, &n, NULL);
    if (st)
        mgi_buf_printf(&out, "error: %s\n", mangle_status_text(st));
    for (size_t f = 0; !st && f < n; f++)
        add_line(&out, run, &facts[f]);
    return mgi_buf_take(&out, NULL);
}

char *run_text(const char *text, const struct run_options *options)
{
    struct mangle_run run = mangle_run(text, options);
    char *out = mangle_run_text(&run);
    mangle_run_end(&run);
    return out;
}
