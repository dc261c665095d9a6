/* One fact a line, in one of three forms. */
#include "cli/mangle_output.h"

#include <string.h>

#include "base/time.h"
#include "base/utf8.h"
#include "cli/cli_options.h"
#include "formats/csv.h"
#include "protocol/fact.h"

#define FLUSH_BYTES   65536
#define TOO_LONG      "out of memory, or a fact is longer than 64 MiB"
#define TEXT_MAX      ((size_t)1 << 26) /* of one fact: shared parts can make it endless (M-LIM-13) */
#define LEFT_OUT_TOLD 20                /* facts without a text; the others are counted */
#define SHOWN_BYTES   200               /* of such a fact */

bool mgi_fact_output_named(const char *name, enum fact_output *out)
{
    static const char *const names[] = { "mg", "json", "csv" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) {
            *out = (enum fact_output)i;
            return true;
        }
    }
    return false;
}

void mgi_fact_printer_init(struct fact_printer *p, const mangle_program *program,
                           mangle_overlay *overlay, enum fact_output form, FILE *to)
{
    *p = (struct fact_printer){ .overlay = overlay,
                                .program = program,
                                .values = mangle_overlay_values(overlay),
                                .form = form,
                                .to = to,
                                .pred = MANGLE_NO_PRED };
    p->text.limit = TEXT_MAX;
}

static void flush_text(struct fact_printer *p)
{
    if (p->text.len && fwrite(p->text.ptr, 1, p->text.len, p->to) != p->text.len && !p->failed)
        p->failed = "cannot write the output";
    mgi_buf_clear(&p->text);
}

/* Where it comes from: one level of its proof. */
static void tell_origin(const struct fact_printer *p, const struct mangle_fact *fact)
{
    const struct mangle_proof *proof;
    if (mangle_overlay_explain(p->overlay, fact, 1, &proof, NULL))
        return;
    if (proof->rule == SIZE_MAX) {
        mgi_cli_hint("It is a fact that was given.");
        return;
    }
    struct mangle_rule_view rule = mangle_program_rule(p->program, proof->rule);
    mgi_cli_hint("It is derived at %s:%u: %s", rule.file, rule.line, rule.text);
}

/* What cannot be printed is named by its canonical text, which cannot be read again. */
static void leave_out(struct fact_printer *p, const struct mangle_fact *fact)
{
    size_t len;
    char *text = mangle_fact_print(p->program, p->values, fact, MANGLE_CANONICAL, &len);
    struct buf shown = { 0 };
    if (!text) {
        p->failed = TOO_LONG;
        return;
    }
    if (p->left_out++ < LEFT_OUT_TOLD) {
        struct str some = mgi_utf8_prefix((struct str){ text, len }, SHOWN_BYTES);
        mgi_utf8_show(&shown, some);
        mgi_cli_error("%.*s%s is left out: NaN, infinities and strings that are not UTF-8 have no "
                      "text that can be read again",
                      STR_ARG(mgi_buf_view(&shown)), some.len < len ? "..." : "");
        tell_origin(p, fact);
    }
    mgi_buf_fini(&shown);
    mangle_free(text);
}

/* Mangle text reads back as the same fact (M-VAL-69). */
static void print_mangle(struct fact_printer *p, const struct mangle_fact *fact)
{
    size_t len;
    char *text = mangle_fact_print(p->program, p->values, fact, MANGLE_FILE, &len);
    if (!text) {
        leave_out(p, fact);
        return;
    }
    mgi_buf_append(&p->text, text, len);
    mgi_buf_puts(&p->text, ".\n");
    mangle_free(text);
}

static void print_json_line(struct fact_printer *p, const struct mangle_fact *fact)
{
    struct json_writer w;
    struct mangle_pred_view pred = mangle_program_pred(p->program, fact->pred);
    mgi_json_writer_init(&w, &p->text, 0);
    mgi_fact_write(&w, p->values, str_of(pred.name), fact->args, fact->count,
                   fact->temporal ? &fact->t : NULL, NULL, NULL);
    mgi_buf_putc(&p->text, '\n');
}

static void print_csv_value(struct fact_printer *p, mangle_value v)
{
    size_t len;
    enum mangle_kind kind = mangle_kind_of(p->values, v);
    if (kind == MANGLE_STRING || kind == MANGLE_NAME) {
        const char *text = mangle_text_of(p->values, v, &len);
        mgi_csv_write(&p->text, (struct str){ text, len });
        return;
    }
    char *text = mangle_value_print(p->values, v, MANGLE_CANONICAL, &len);
    if (text)
        mgi_csv_write(&p->text, (struct str){ text, len });
    else
        p->failed = TOO_LONG;
    mangle_free(text);
}

static void print_csv_time(struct fact_printer *p, int64_t ns, int64_t open)
{
    mgi_buf_putc(&p->text, ',');
    if (ns == open)
        mgi_buf_putc(&p->text, '_');
    else
        mgi_time_print(&p->text, ns);
}

/* The arguments, as --facts PRED=FILE.csv reads them, hence one predicate; of temporal ones also
 * the interval, which --facts does not read from CSV. */
static void print_csv_row(struct fact_printer *p, const struct mangle_fact *fact)
{
    if (p->pred != MANGLE_NO_PRED && p->pred != fact->pred) {
        p->failed = "CSV holds the facts of one predicate: choose it with --query";
        return;
    }
    p->pred = fact->pred;
    for (uint32_t i = 0; i < fact->count; i++) {
        if (i)
            mgi_buf_putc(&p->text, ',');
        print_csv_value(p, fact->args[i]);
    }
    if (fact->temporal) {
        print_csv_time(p, fact->t.start_ns, MANGLE_MIN_TIME);
        print_csv_time(p, fact->t.end_ns, MANGLE_MAX_TIME);
    }
    mgi_buf_putc(&p->text, '\n');
}

void mgi_print_facts(struct fact_printer *p, const struct mangle_fact *facts, size_t count)
{
    for (size_t i = 0; i < count && !p->failed; i++) {
        switch (p->form) {
        case OUTPUT_MANGLE:
            print_mangle(p, &facts[i]);
            break;
        case OUTPUT_JSON_LINES:
            print_json_line(p, &facts[i]);
            break;
        case OUTPUT_CSV:
            print_csv_row(p, &facts[i]);
            break;
        }
        if (p->text.oom)
            p->failed = TOO_LONG;
        if (p->text.len >= FLUSH_BYTES && !p->failed) /* half a fact is not shown */
            flush_text(p);
    }
}

const char *mgi_fact_printer_end(struct fact_printer *p)
{
    if (!p->failed)
        flush_text(p);
    if (fflush(p->to) != 0 && !p->failed)
        p->failed = "cannot write the output";
    mgi_buf_fini(&p->text);
    if (p->left_out > LEFT_OUT_TOLD)
        mgi_cli_error("%zu more facts are left out", p->left_out - LEFT_OUT_TOLD);
    return p->failed;
}
