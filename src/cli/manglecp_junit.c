/* JUnit's XML, as build servers read it: <testsuites>, <testsuite>, <testcase>, <failure>, <error>.
 */
#include "cli/manglecp_junit.h"

#include <inttypes.h>

#include "base/time.h"

/* Text for content and for attributes in double quotes. XML has no way to write most control
 * characters: they become U+FFFD. */
static void put_text(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c == '<')
            mgi_buf_puts(out, "&lt;");
        else if (c == '>')
            mgi_buf_puts(out, "&gt;");
        else if (c == '&')
            mgi_buf_puts(out, "&amp;");
        else if (c == '"')
            mgi_buf_puts(out, "&quot;");
        else if (c == '\n' || c == '\t' || c == '\r')
            mgi_buf_printf(out, "&#%d;", c);
        else if (c < 0x20 || c == 0x7f)
            mgi_buf_puts(out, "\xef\xbf\xbd");
        else
            mgi_buf_putc(out, (char)c);
    }
}

static void put_attribute(struct buf *out, const char *name, struct str value)
{
    mgi_buf_printf(out, " %s=\"", name);
    put_text(out, value);
    mgi_buf_putc(out, '"');
}

static void put_time(struct buf *out, int64_t ns)
{
    mgi_buf_printf(out, " time=\"%" PRId64 ".%06" PRId64 "\"", ns / NS_PER_SEC,
                   ns % NS_PER_SEC / NS_PER_US);
}

static void put_counts(struct buf *out, size_t tests, size_t failures, size_t errors)
{
    mgi_buf_printf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"", tests, failures, errors);
}

static void put_failure(struct buf *out, const struct scenario_result *one)
{
    mgi_buf_puts(out, "      <failure");
    put_attribute(out, "message",
                  one->failure_count ? str_of(one->failures[0]) : STR_LIT("it does not hold"));
    mgi_buf_puts(out, ">");
    for (size_t i = 0; i < one->failure_count; i++) {
        mgi_buf_printf(out, "%s:%" PRIu32 ": ", one->file, one->line);
        put_text(out, str_of(one->failures[i]));
        mgi_buf_putc(out, '\n');
    }
    mgi_buf_puts(out, "</failure>\n");
}

static void put_case(struct buf *out, const struct scenario_result *one)
{
    mgi_buf_puts(out, "    <testcase");
    put_attribute(out, "name", one->name);
    put_attribute(out, "classname", str_of(one->file));
    put_attribute(out, "file", str_of(one->file));
    mgi_buf_printf(out, " line=\"%" PRIu32 "\"", one->line);
    put_time(out, one->duration_ns);
    if (one->passed) {
        mgi_buf_puts(out, "/>\n");
        return;
    }
    mgi_buf_puts(out, ">\n");
    put_failure(out, one);
    mgi_buf_puts(out, "    </testcase>\n");
}

/* The scenarios of one file, `first` and those behind it. How many there are. */
static size_t put_suite(struct buf *out, const struct scenario_report *r, size_t first)
{
    size_t end = first, failures = 0;
    int64_t ns = 0;
    for (; end < r->count && strcmp(r->items[end].file, r->items[first].file) == 0; end++) {
        failures += !r->items[end].passed;
        ns += r->items[end].duration_ns;
    }
    mgi_buf_puts(out, "  <testsuite");
    put_attribute(out, "name", str_of(r->items[first].file));
    put_counts(out, end - first, failures, 0);
    put_time(out, ns);
    mgi_buf_puts(out, ">\n");
    for (size_t i = first; i < end; i++)
        put_case(out, &r->items[i]);
    mgi_buf_puts(out, "  </testsuite>\n");
    return end - first;
}

static void put_findings(struct buf *out, struct findings *findings)
{
    mgi_buf_puts(out, "  <testsuite name=\"tests\"");
    put_counts(out, 1, 0, 1);
    mgi_buf_puts(out, ">\n    <testcase name=\"the files are sound\" classname=\"tests\">\n"
                      "      <error message=\"what the files say is wrong\">");
    struct buf text = { 0 };
    mgi_findings_print(&text, findings);
    put_text(out, mgi_buf_view(&text));
    out->oom |= text.oom;
    mgi_buf_fini(&text);
    mgi_buf_puts(out, "</error>\n    </testcase>\n  </testsuite>\n");
}

void mgi_junit_print(struct buf *out, const struct scenario_report *r, struct findings *findings)
{
    size_t wrong = mgi_findings_errors(findings) > 0 ? 1 : 0;
    mgi_buf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    put_counts(out, r->count + wrong, r->count - r->passed, wrong);
    mgi_buf_puts(out, ">\n");
    for (size_t i = 0; i < r->count;)
        i += put_suite(out, r, i);
    if (wrong)
        put_findings(out, findings);
    mgi_buf_puts(out, "</testsuites>\n");
}
