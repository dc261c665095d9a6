/* The outcome of a run for programs and people: JSON, JUnit's XML, Markdown (conformance.h). */
#include "base/json.h"
#include "base/utf8.h"
#include "conformance/conformance_int.h"

static size_t count_of_outcome(const struct conformance_report *r, enum outcome o)
{
    size_t n = 0;
    for (size_t i = 0; i < r->id_count; i++)
        n += r->ids[i].outcome == o;
    return n;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void write_cases(struct json_writer *w, const struct conformance_report *r)
{
    mgi_jw_key(w, "cases");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < r->count; i++) {
        const struct conformance_result *one = &r->results[i];
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "ids", one->ids);
        mgi_jw_member_cstr(w, "what", one->what);
        mgi_jw_member_cstr(w, "outcome", mgi_outcome_name(one->outcome));
        if (one->detail[0])
            mgi_jw_member_cstr(w, "detail", one->detail);
        mgi_jw_member_int(w, "took_ms", one->took_ms);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

static void write_ids(struct json_writer *w, const struct conformance_report *r)
{
    mgi_jw_key(w, "requirements");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < r->id_count; i++) {
        const struct conformance_id *one = &r->ids[i];
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "id", one->id);
        mgi_jw_member_cstr(w, "strength", mgi_strength_name(one->strength));
        mgi_jw_member_int(w, "level", one->level);
        mgi_jw_member_cstr(w, "outcome", mgi_outcome_name(one->outcome));
        if (one->detail[0])
            mgi_jw_member_cstr(w, "detail", one->detail);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

void mgi_conformance_print_json(struct buf *out, const struct conformance_report *r)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 1);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "transport", mgi_carrier_name(r->carrier));
    mgi_jw_member_int(&w, "level", r->level);
    mgi_jw_member_int(&w, "stated_level", r->stated_level);
    for (enum outcome o = OUTCOME_PASS; o <= OUTCOME_UNSEEN; o++)
        mgi_jw_member_int(&w, mgi_outcome_name(o), (int64_t)count_of_outcome(r, o));
    mgi_jw_member_int(&w, "musts_failed", (int64_t)r->musts_failed);
    write_ids(&w, r);
    write_cases(&w, r);
    mgi_jw_end_object(&w);
    mgi_buf_putc(out, '\n');
}

/* ---- JUnit ----------------------------------------------------------------------------------- */

/* What came may hold anything: what XML cannot carry becomes '?'. */
static void put_xml(struct buf *out, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '&')
            mgi_buf_puts(out, "&amp;");
        else if (c == '<')
            mgi_buf_puts(out, "&lt;");
        else if (c == '"')
            mgi_buf_puts(out, "&quot;");
        else
            mgi_buf_putc(out, c < 0x20 || c >= 0x7f ? '?' : (char)c);
    }
}

static void put_case(struct buf *out, const struct conformance_result *one)
{
    mgi_buf_puts(out, "  <testcase classname=\"");
    put_xml(out, one->ids);
    mgi_buf_puts(out, "\" name=\"");
    put_xml(out, one->what);
    mgi_buf_printf(out, "\" time=\"%.3f\"", (double)one->took_ms / 1000);
    if (one->outcome == OUTCOME_PASS) {
        mgi_buf_puts(out, "/>\n");
        return;
    }
    mgi_buf_puts(out,
                 one->outcome == OUTCOME_FAIL ? "><failure message=\"" : "><skipped message=\"");
    put_xml(out, one->detail);
    mgi_buf_puts(out, "\"/></testcase>\n");
}

void mgi_conformance_print_junit(struct buf *out, const struct conformance_report *r)
{
    size_t counts[4] = { 0 };
    for (size_t i = 0; i < r->count; i++)
        counts[r->results[i].outcome]++;
    mgi_buf_printf(out,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<testsuite name=\"conformance over %s\" tests=\"%zu\" failures=\"%zu\" "
                   "skipped=\"%zu\">\n",
                   mgi_carrier_name(r->carrier), r->count, counts[OUTCOME_FAIL],
                   counts[OUTCOME_SKIPPED]);
    for (size_t i = 0; i < r->count; i++)
        put_case(out, &r->results[i]);
    mgi_buf_puts(out, "</testsuite>\n");
}

/* ---- Markdown -------------------------------------------------------------------------------- */

static void put_cell(struct buf *out, const char *text)
{
    for (size_t n = 0; *text && n < 160; text++, n++)
        mgi_buf_putc(out, *text == '|' || *text == '\n' || *text == '`' ? ' ' : *text);
}

void mgi_conformance_print_markdown(struct buf *out, const struct conformance_report *r)
{
    mgi_buf_printf(
        out,
        "Over %s, level %d (the manifest states %d): %zu hold, %zu fail, %zu skipped, %zu "
        "not observable.\n\n| id | strength | level | outcome | |\n|---|---|---|---|---|\n",
        mgi_carrier_name(r->carrier), r->level, r->stated_level, count_of_outcome(r, OUTCOME_PASS),
        count_of_outcome(r, OUTCOME_FAIL), count_of_outcome(r, OUTCOME_SKIPPED),
        count_of_outcome(r, OUTCOME_UNSEEN));
    for (size_t i = 0; i < r->id_count; i++) {
        const struct conformance_id *one = &r->ids[i];
        mgi_buf_printf(out, "| %s | %s | %d | %s | ", one->id, mgi_strength_name(one->strength),
                       one->level, mgi_outcome_name(one->outcome));
        put_cell(out, one->detail);
        mgi_buf_puts(out, " |\n");
    }
}
