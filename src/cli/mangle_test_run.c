/* One test: compile rules, give facts, evaluate, compare. Predicates that only the given facts of
 * the file know are the host's, so rules can read them without a Decl. What is expected is read by
 * a program that knows the same predicates and has no rules, so that both sides are printed alike.
 */
#include "cli/mangle_test_run.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strmap.h"

struct host_preds {
    struct arena *arena;
    struct mangle_host_pred *items;
    size_t count, cap;
};

/* Of a file: its tests differ in their facts, and few load rules of their own. */
struct programs {
    struct host_preds preds;
    mangle_program *program, *expected; /* NULL until the first test without rules of its own */
};

struct one_test {
    struct test_run *run;
    const struct test_file *file;
    const struct test_case *test;
    struct test_result *result;
    mangle_program *program, *expected; /* `expected`: the same predicates, no rules */
    mangle_overlay *overlay;
    char class[64]; /* of the error that ended it */
};

bool mgi_test_run_init(struct test_run *run)
{
    mgi_arena_init(&run->arena, 0);
    mgi_strmap_init(&run->rule_index);
    run->zones = mangle_zone_folder_new(MANGLE_ZONE_FOLDER);
    return run->zones != NULL;
}

void mgi_test_run_fini(struct test_run *run)
{
    for (size_t i = 0; i < run->count; i++)
        mgi_free(run->results[i].lines);
    mgi_free(run->results);
    mgi_free(run->rules);
    mgi_strmap_fini(&run->rule_index);
    mangle_zone_folder_free(run->zones);
    mgi_arena_fini(&run->arena);
}

/* ---- what is to be said ------------------------------------------------------------------ */

static void say(struct one_test *t, char sign, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(struct one_test *t, char sign, const char *format, ...)
{
    struct test_result *r = t->result;
    struct buf text = { 0 };
    va_list args;
    va_start(args, format);
    mgi_buf_vprintf(&text, format, args);
    va_end(args);
    const char *copy = text.oom ? NULL : mgi_arena_str(&t->run->arena, mgi_buf_view(&text)).ptr;
    mgi_buf_fini(&text);
    r->passed = false;
    if (copy && mgi_grow(&r->lines, &r->line_cap, r->line_count + 1, sizeof *r->lines))
        r->lines[r->line_count++] = (struct test_line){ sign, copy };
    else
        t->run->oom = true;
}

/* Each line of a finding is a line of its own. */
static void say_diags(struct one_test *t, const mangle_diags *diags)
{
    for (size_t i = 0; i < mangle_diags_count(diags); i++) {
        const struct mangle_diag *d = mangle_diags_get(diags, i);
        if (d->severity != MANGLE_ERROR)
            continue;
        char *text = mangle_diag_print(d);
        for (char *rest = text, *line; text && (line = strsep(&rest, "\n"));)
            if (*line)
                say(t, ' ', "%s", line);
        mangle_free(text);
    }
}

/* The class of the first error. */
static void note_diags(struct one_test *t, const mangle_diags *diags)
{
    for (size_t i = 0; i < mangle_diags_count(diags) && !t->class[0]; i++) {
        const struct mangle_diag *d = mangle_diags_get(diags, i);
        if (d->severity == MANGLE_ERROR)
            snprintf(t->class, sizeof t->class, "%s", d->code);
    }
}

static const char *class_of(enum mangle_status st, const struct mangle_error *e)
{
    static const char *const limits[] = { "LIMIT", "FACT_LIMIT", "INTERVAL_LIMIT", "TIME_LIMIT",
                                          "MEMORY_LIMIT" };
    if (st == MANGLE_ERR_LIMIT)
        return limits[e->limit.kind];
    return st == MANGLE_ERR_EVAL ? "EVAL_ERROR" : "ERROR";
}

static bool wants_error(const struct one_test *t)
{
    return t->test->error && strcmp(t->test->error, t->class) == 0;
}

/* A status other than OK ended the test: is it what was expected? */
static void end_with(struct one_test *t, enum mangle_status st, const mangle_diags *diags,
                     const struct mangle_error *error)
{
    if (st == MANGLE_ERR_NOMEM) {
        t->run->oom = true;
        return;
    }
    if (diags)
        note_diags(t, diags);
    else
        snprintf(t->class, sizeof t->class, "%s", class_of(st, error));
    if (wants_error(t))
        return;
    if (t->test->error)
        say(t, ' ', "expected the error %s, but this one is %s:", t->test->error, t->class);
    if (diags)
        say_diags(t, diags);
    else
        say(t, ' ', "%s", error->message[0] ? error->message : mangle_status_text(st));
}

/* ---- programs ---------------------------------------------------------------------------- */

static bool add_pred(struct host_preds *list, const struct mangle_host_pred *pred)
{
    for (size_t i = 0; i < list->count; i++) {
        struct mangle_host_pred *have = &list->items[i];
        if (have->arity == pred->arity && strcmp(have->name, pred->name) == 0) {
            have->temporal |= pred->temporal;
            return true;
        }
    }
    const char *name = mgi_arena_strdup(list->arena, pred->name);
    if (!name || !mgi_grow(&list->items, &list->cap, list->count + 1, sizeof *list->items))
        return false;
    list->items[list->count++] = (struct mangle_host_pred){ name, pred->arity, pred->temporal };
    return true;
}

/* What the given facts of all tests speak of: a test that gives none of them is about rules that
 * read them all the same. */
static bool list_preds(const struct test_file *file, struct host_preds *list)
{
    bool good = true;
    for (size_t i = 0; i < file->count && good; i++) {
        struct mangle_host_pred *preds;
        size_t count;
        struct str text = mgi_buf_view(&file->cases[i].given);
        struct mangle_source source = { file->path, text.ptr, text.len };
        good = mangle_facts_preds(&source, &preds, &count) == MANGLE_OK;
        for (size_t k = 0; good && k < count; k++)
            good = add_pred(list, &preds[k]);
        mangle_free(preds);
    }
    return good;
}

static void add_sources(const struct test_loads *loads, struct mangle_source *out, size_t *count)
{
    for (size_t i = 0; i < loads->count; i++)
        out[(*count)++] =
            (struct mangle_source){ loads->items[i].path, mgi_buf_view(&loads->items[i].text).ptr,
                                    loads->items[i].text.len };
}

static bool compile(struct one_test *t, const struct host_preds *preds)
{
    const struct test_file *f = t->file;
    struct mangle_source *sources =
        mgi_calloc(f->loads.count + t->test->loads.count + 1, sizeof *sources);
    mangle_diags *diags = mangle_diags_new();
    enum mangle_status st = MANGLE_ERR_NOMEM;
    if (sources && diags) {
        size_t count = 0;
        struct mangle_zone_source zones = mangle_zone_folder_source(t->run->zones);
        struct mangle_compile_options options = { .host_preds = preds->items,
                                                  .host_pred_count = preds->count,
                                                  .host_yields = true,
                                                  .zones = &zones,
                                                  .allow_dangerous = t->run->allow_dangerous,
                                                  .check_bounds = t->run->check_bounds };
        add_sources(&f->loads, sources, &count);
        add_sources(&t->test->loads, sources, &count);
        struct str shared = mgi_buf_view(&f->shared);
        sources[count++] = (struct mangle_source){ f->path, shared.ptr, shared.len };
        st = mangle_compile(sources, count, &options, &t->program, diags);
    }
    if (st)
        end_with(t, st, diags, NULL);
    mangle_diags_free(diags);
    mgi_free(sources);
    return st == MANGLE_OK;
}

/* The same predicates without rules. */
static bool compile_expected(struct one_test *t)
{
    size_t count = mangle_program_pred_count(t->program);
    struct mangle_host_pred *preds = mgi_calloc(count + 1, sizeof *preds);
    enum mangle_status st = preds ? MANGLE_OK : MANGLE_ERR_NOMEM;
    for (size_t i = 0; preds && i < count; i++) {
        struct mangle_pred_view v = mangle_program_pred(t->program, (mangle_pred)i);
        preds[i] = (struct mangle_host_pred){ v.name, v.arity, v.temporal };
    }
    struct mangle_zone_source zones = mangle_zone_folder_source(t->run->zones);
    struct mangle_compile_options options = { .host_preds = preds,
                                              .host_pred_count = count,
                                              .zones = &zones };
    if (!st)
        st = mangle_compile(NULL, 0, &options, &t->expected, NULL);
    mgi_free(preds);
    if (st)
        t->run->oom = true; /* nothing else can be wrong with it */
    return st == MANGLE_OK;
}

/* ---- evaluation -------------------------------------------------------------------------- */

/* Facts in a base of `program`, evaluated. False: it has been said why not. */
static bool evaluate(struct one_test *t, mangle_program *program, const struct buf *facts,
                     mangle_overlay **out)
{
    struct str text = mgi_buf_view(facts);
    struct mangle_source source = { t->file->path, text.ptr, text.len };
    struct mangle_error error = { 0 };
    mangle_base *base = NULL;
    mangle_diags *diags = mangle_diags_new();
    *out = NULL;
    enum mangle_status st = diags ? mangle_base_new(program, &base) : MANGLE_ERR_NOMEM;
    if (!st)
        st = mangle_base_add_text(base, &source, diags);
    if (st) {
        end_with(t, st, diags, NULL);
    } else {
        st = mangle_base_close(base, NULL, NULL, &error);
        if (!st)
            st = mangle_overlay_new(base, out);
        if (!st)
            st = mangle_overlay_eval(*out, t->test->now_ns, NULL, NULL, &error);
        if (st)
            end_with(t, st, NULL, &error);
    }
    if (st && *out) {
        mangle_overlay_free(*out);
        *out = NULL;
    }
    mangle_base_unref(base);
    mangle_diags_free(diags);
    return st == MANGLE_OK;
}

/* ---- facts as texts ---------------------------------------------------------------------- */

struct texts {
    char **items; /* sorted; each is its own (mangle_free) */
    size_t count;
};

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static void free_texts(struct texts *list)
{
    for (size_t i = 0; i < list->count; i++)
        mangle_free(list->items[i]);
    mgi_free(list->items);
}

/* All facts of a predicate, as they are written in files; what cannot be written (NaN) as shown. */
static bool list_facts(struct one_test *t, mangle_overlay *o, const mangle_program *program,
                       mangle_pred pred, struct texts *out)
{
    const struct mangle_fact *facts = NULL;
    size_t count = 0;
    *out = (struct texts){ 0 };
    if (pred == MANGLE_NO_PRED)
        return true;
    bool good = mangle_overlay_facts(o, pred, &facts, &count) == MANGLE_OK;
    out->items = good ? mgi_calloc(count + 1, sizeof *out->items) : NULL;
    good = out->items != NULL;
    for (size_t i = 0; i < count && good; i++) {
        const mangle_values *values = mangle_overlay_values(o);
        char *text = mangle_fact_print(program, values, &facts[i], MANGLE_FILE, NULL);
        if (!text)
            text = mangle_fact_print(program, values, &facts[i], MANGLE_CANONICAL, NULL);
        good = text != NULL;
        if (good)
            out->items[out->count++] = text;
    }
    if (out->count)
        qsort(out->items, out->count, sizeof *out->items, compare_texts);
    t->run->oom |= !good;
    return good;
}

/* ---- comparing --------------------------------------------------------------------------- */

enum comparison { COMPARE_EXACT, COMPARE_CONTAINS, COMPARE_ABSENT };

static void compare_lists(struct one_test *t, enum comparison how, const struct texts *wanted,
                          const struct texts *got)
{
    size_t w = 0, g = 0;
    while (w < wanted->count || g < got->count) {
        int order = w == wanted->count ? 1
                    : g == got->count  ? -1
                                       : strcmp(wanted->items[w], got->items[g]);
        if (order == 0 && how == COMPARE_ABSENT)
            say(t, '+', "%s.", got->items[g]);
        else if (order < 0 && how != COMPARE_ABSENT)
            say(t, '-', "%s.", wanted->items[w]);
        else if (order > 0 && how == COMPARE_EXACT)
            say(t, '+', "%s.", got->items[g]);
        w += order <= 0;
        g += order >= 0;
    }
}

static void compare_section(struct one_test *t, const struct buf *section, enum comparison how)
{
    mangle_overlay *wanted;
    if (!section->len || !evaluate(t, t->expected, section, &wanted))
        return;
    for (size_t i = 0; i < mangle_program_pred_count(t->expected); i++) {
        struct mangle_pred_view v = mangle_program_pred(t->expected, (mangle_pred)i);
        struct texts want, got = { 0 };
        bool good = list_facts(t, wanted, t->expected, (mangle_pred)i, &want);
        if (good && want.count) {
            good = list_facts(t, t->overlay, t->program,
                              mangle_pred_find(t->program, v.name, v.arity), &got);
            if (good)
                compare_lists(t, how, &want, &got);
            free_texts(&got);
        }
        free_texts(&want);
    }
    mangle_overlay_free(wanted);
}

static void compare_none(struct one_test *t, const struct test_pred *none)
{
    bool known = false;
    for (size_t i = 0; i < mangle_program_pred_count(t->program); i++) {
        struct mangle_pred_view v = mangle_program_pred(t->program, (mangle_pred)i);
        if (strcmp(v.name, none->name) != 0 || (none->arity >= 0 && v.arity != none->arity))
            continue;
        struct texts want = { 0 }, got;
        known = true;
        if (list_facts(t, t->overlay, t->program, (mangle_pred)i, &got))
            compare_lists(t, COMPARE_EXACT, &want, &got);
        free_texts(&got);
    }
    if (!known)
        say(t, ' ', "%s:%u: error: the program does not know the predicate \"%s\"", t->file->path,
            none->line, none->name);
}

/* ---- coverage ---------------------------------------------------------------------------- */

static bool count_rule(struct test_run *run, const struct mangle_rule_view *v, int64_t fired)
{
    char *key = mgi_arena_printf(&run->arena, "%s:%u:%s", v->file, v->line, v->text);
    uint32_t at;
    if (!key)
        return false;
    if (!mgi_strmap_get(&run->rule_index, str_of(key), &at)) {
        const char *file = mgi_arena_strdup(&run->arena, v->file);
        const char *text = mgi_arena_strdup(&run->arena, v->text);
        at = (uint32_t)run->rule_count;
        if (!file || !text || !mgi_strmap_put(&run->rule_index, str_of(key), at) ||
            !mgi_grow(&run->rules, &run->rule_cap, run->rule_count + 1, sizeof *run->rules))
            return false;
        run->rules[run->rule_count++] =
            (struct rule_coverage){ .file = file, .text = text, .line = v->line };
    }
    run->rules[at].fired += fired;
    return true;
}

/* Rules of the test file itself are not what is tested. */
static void count_rules(struct one_test *t)
{
    for (size_t i = 0; t->program && i < mangle_program_rule_count(t->program); i++) {
        struct mangle_rule_view v = mangle_program_rule(t->program, i);
        int64_t fired = t->overlay ? mangle_overlay_firings(t->overlay, i) : 0;
        if (strcmp(v.file, t->file->path) != 0 && !count_rule(t->run, &v, fired))
            t->run->oom = true;
    }
}

/* ---- given facts that nobody reads ------------------------------------------------------- */

static bool is_read(const mangle_program *p, mangle_pred pred)
{
    struct mangle_pred_view v = mangle_program_pred(p, pred);
    bool read = v.declared || v.derived;
    for (size_t i = 0; !read && i < mangle_program_rule_count(p); i++) {
        struct mangle_rule_view rule = mangle_program_rule(p, i);
        for (size_t k = 0; k < rule.body_count; k++)
            read |= rule.body[k] == pred;
    }
    return read;
}

/* A predicate that only the test knows is a slip of the pen: the test would show nothing. */
static void check_given(struct one_test *t)
{
    struct mangle_host_pred *preds;
    size_t count;
    struct str text = mgi_buf_view(&t->test->given);
    struct mangle_source source = { t->file->path, text.ptr, text.len };
    if (mangle_facts_preds(&source, &preds, &count) != MANGLE_OK) {
        t->run->oom = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        mangle_pred pred = mangle_pred_find(t->program, preds[i].name, preds[i].arity);
        if (pred != MANGLE_NO_PRED && !is_read(t->program, pred))
            say(t, ' ', "facts of \"%s\" with %u argument%s are given, but no rule reads them",
                preds[i].name, preds[i].arity, preds[i].arity == 1 ? "" : "s");
    }
    mangle_free(preds);
}

/* ---- one test ---------------------------------------------------------------------------- */

/* The programs of the test: those of its file, if it adds no rules. */
static bool take_programs(struct one_test *t, struct programs *of_file)
{
    if (t->test->loads.count > 0)
        return compile(t, &of_file->preds) && compile_expected(t);
    if (!of_file->program) {
        if (!compile(t, &of_file->preds) || !compile_expected(t))
            return false;
        of_file->program = mangle_program_ref(t->program);
        of_file->expected = mangle_program_ref(t->expected);
        return true;
    }
    t->program = mangle_program_ref(of_file->program);
    t->expected = mangle_program_ref(of_file->expected);
    return true;
}

static void run_test(struct one_test *t, struct programs *of_file)
{
    const struct test_case *test = t->test;
    if (!take_programs(t, of_file) || !evaluate(t, t->program, &test->given, &t->overlay))
        return;
    check_given(t);
    if (test->error)
        say(t, ' ', "expected the error %s, but there was none", test->error);
    compare_section(t, &test->exact, COMPARE_EXACT);
    compare_section(t, &test->contains, COMPARE_CONTAINS);
    compare_section(t, &test->absent, COMPARE_ABSENT);
    for (size_t i = 0; i < test->none_count; i++)
        compare_none(t, &test->none[i]);
}

static bool add_test(struct test_run *run, const struct test_file *file,
                     const struct test_case *test, struct programs *of_file)
{
    if (!mgi_grow(&run->results, &run->cap, run->count + 1, sizeof *run->results))
        return false;
    struct test_result *result = &run->results[run->count++];
    *result = (struct test_result){ .file = mgi_arena_strdup(&run->arena, file->path),
                                    .name = mgi_arena_strdup(&run->arena, test->name),
                                    .line = test->line,
                                    .passed = true };
    if (!result->file || !result->name)
        return false;
    struct one_test t = { .run = run, .file = file, .test = test, .result = result };
    run_test(&t, of_file);
    count_rules(&t);
    run->passed += result->passed;
    mangle_overlay_free(t.overlay);
    mangle_program_unref(t.expected);
    mangle_program_unref(t.program);
    return !run->oom;
}

bool mgi_test_run_file(struct test_run *run, const struct test_file *file)
{
    struct arena names;
    mgi_arena_init(&names, 0);
    struct programs of_file = { .preds.arena = &names };
    bool good = list_preds(file, &of_file.preds);
    for (size_t i = 0; i < file->count && good; i++)
        if (!run->only || strstr(file->cases[i].name, run->only))
            good = add_test(run, file, &file->cases[i], &of_file);
    mangle_program_unref(of_file.expected);
    mangle_program_unref(of_file.program);
    mgi_free(of_file.preds.items);
    mgi_arena_fini(&names);
    run->oom |= !good;
    return good;
}
