/* Our engine as a peer of the suite, over its public header alone: engine_ours PROGRAM.mg FOLDER
 * OUT ANSWER RELATION... loads FOLDER/<relation>.tsv, evaluates, writes the answer's rows to OUT,
 * and says what loading and evaluating took. Writing is nobody's time. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mangle.h"
#include "table.h"

#define NOW INT64_C(1718020800000000000)

static void must(enum mangle_status st, const struct mangle_error *err)
{
    if (st != MANGLE_OK)
        give_up(mangle_status_text(st), err ? err->message : "");
}

static bool fixed(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context, (void)program, (void)pred;
    return false;
}

#ifndef NO_OUTPUTS /* compare.py: a library that cannot be told */
/* What is read in the end. */
static bool is_answer(void *context, const mangle_program *program, mangle_pred pred)
{
    const struct signature *answer = context;
    struct mangle_pred_view info = mangle_program_pred(program, pred);
    return info.arity == answer->columns && strcmp(info.name, answer->name) == 0;
}
#endif

/* Nothing can be added by an overlay, so all is evaluated in the base. */
static mangle_program *program_of(const char *path, const struct signature *answer)
{
    struct file text = file_read(path);
    struct mangle_source source = { path, text.text, text.len };
    struct mangle_compile_options options = { .changeable = fixed };
#ifndef NO_OUTPUTS
    options.outputs = is_answer;
    options.outputs_context = (void *)(uintptr_t)answer;
#else
    (void)answer;
#endif
    mangle_diags *diags = mangle_diags_new();
    mangle_program *program;
    if (mangle_compile(&source, 1, &options, &program, diags) != MANGLE_OK)
        give_up(path, mangle_diags_count(diags) ? mangle_diags_get(diags, 0)->message : "");
    mangle_diags_free(diags);
    free(text.text);
    return program;
}

static mangle_pred pred_of(const mangle_program *program, const struct signature *sig)
{
    mangle_pred pred = mangle_pred_find(program, sig->name, sig->columns);
    if (pred == MANGLE_NO_PRED)
        give_up("no such predicate", sig->name);
    return pred;
}

static void load(mangle_base *base, const char *folder, const struct signature *sig)
{
    mangle_values *values = mangle_base_values(base);
    mangle_pred pred = pred_of(mangle_base_program(base), sig);
    struct mangle_error err = { 0 };
    struct file rows = file_of(folder, sig);
    for (char *at = rows.text; *at;) {
        mangle_value args[TABLE_COLUMNS];
        struct mangle_interval t;
        for (uint32_t i = 0; i < sig->columns; i++) {
            size_t len;
            const char *text = sig->types[i] == 's' ? next_text(&at, &len) : NULL;
            args[i] =
                text ? mangle_string(values, text, len) : mangle_number(values, next_number(&at));
        }
        if (sig->temporal) {
            t.start_ns = next_number(&at);
            t.end_ns = next_number(&at);
        }
        must(mangle_base_add(base, pred, args, sig->columns, sig->temporal ? &t : NULL, &err),
             &err);
    }
    free(rows.text);
}

static void write_answer(mangle_overlay *overlay, const mangle_program *program,
                         const struct signature *sig, FILE *out)
{
    const struct mangle_fact *facts;
    size_t count;
    const mangle_values *values = mangle_overlay_values(overlay);
    must(mangle_overlay_facts(overlay, pred_of(program, sig), &facts, &count), NULL);
    for (size_t f = 0; f < count; f++)
        for (uint32_t i = 0; i < sig->columns; i++) {
            mangle_value v = facts[f].args[i];
            if (mangle_kind_of(values, v) == MANGLE_NUMBER) {
                fprintf(out, "%" PRId64, mangle_int_of(values, v));
            } else {
                size_t len;
                const char *text = mangle_text_of(values, v, &len);
                fwrite(text, 1, len, out);
            }
            fputc(i + 1 < sig->columns ? '\t' : '\n', out);
        }
}

int main(int argc, char **argv)
{
    if (argc < 6)
        give_up("usage", "engine_ours PROGRAM.mg FOLDER OUT ANSWER RELATION...");
    struct signature answer = signature_of(argv[4]);
    struct mangle_limits limits = { .max_facts = -1, .max_bytes = -1, .max_intervals = -1 };
    struct mangle_error err = { 0 };
    mangle_program *program = program_of(argv[1], &answer);
    mangle_base *base;
    mangle_overlay *overlay;
    must(mangle_base_new(program, &base), NULL);
    double begun = cpu_seconds();
    for (int i = 5; i < argc; i++) {
        struct signature sig = signature_of(argv[i]);
        load(base, argv[2], &sig);
    }
    double loaded = cpu_seconds();
    must(mangle_base_close(base, &limits, NULL, &err), &err);
    must(mangle_overlay_new(base, &overlay), NULL);
    must(mangle_overlay_eval(overlay, NOW, &limits, NULL, &err), &err);
    report(loaded - begun, cpu_seconds() - loaded);
    FILE *out = fopen(argv[3], "w");
    if (!out)
        give_up("cannot be written", argv[3]);
    write_answer(overlay, program, &answer, out);
    if (fclose(out) != 0)
        give_up("cannot be written", argv[3]);
    mangle_overlay_free(overlay);
    mangle_base_unref(base);
    mangle_program_unref(program);
    return 0;
}
