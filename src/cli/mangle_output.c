/* One fact a line, in one of three forms. */
#include "cli/mangle_output.h"

#include <string.h>

#include "formats/csv.h"
#include "base/time.h"
#include "protocol/fact.h"

#define FLUSH_BYTES 65536
#define TOO_LONG    "out of memory, or a fact is longer than 64 MiB"
#define TEXT_MAX    ((size_t)1 << 26) /* of one fact: shared parts can make it endless (M-LIM-13) */

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
                           const mangle_values *values, enum fact_output form, FILE *to)
{
    *p = (struct fact_printer){
        .program = program, .values = values, .form = form, .to = to, .pred = MANGLE_NO_PRED
    };
    p->text.limit = TEXT_MAX;
}

static void flush_text(struct fact_printer *p)
{
    if (p->text.len && fwrite(p->text.ptr, 1, p->text.len, p->to) != p->text.len && !p->failed)
        p->failed = "cannot write the output";
    mgi_buf_clear(&p->text);
}

/* Mangle text reads back as the same fact (M-VAL-69); what has no such text is an error. */
static void print_mangle(struct fact_printer *p, const struct mangle_fact *fact)
{
    size_t len;
    char *text = mangle_fact_print(p->program, p->values, fact, MANGLE_FILE, &len);
    if (!text) {
        if (!p->failed)
            p->failed = "a fact has no text that can be read again: it holds NaN, an infinity or a "
                        "string that is not UTF-8, or is longer than 64 MiB";
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
    return p->failed;
}
