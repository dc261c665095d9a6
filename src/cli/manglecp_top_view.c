/* The page of `manglecp top`. A reading is small, so values are looked up in its text each time:
 * nothing is kept, and what a server does not tell is shown as "-". What it tells too much of is
 * left out, and no label reaches the terminal as it came. */
#include "cli/manglecp_top_view.h"

#include <math.h>
#include <string.h>

#include "base/time.h"
#include "base/utf8.h"
#include "service/exposition.h"

#define BUCKETS_MAX 64
#define ERRORS_MAX  5
#define TYPES_MAX   16
#define LABEL_BYTES 64

struct view {
    struct buf *out;
    const struct top_reading *now, *before;
    double seconds; /* between the readings, or since the start */
    const struct cli_style *style;
};

/* ---- looking up ------------------------------------------------------------------------------ */

static bool fits(const struct metric_sample *s, const char *name, const char *label,
                 const char *value)
{
    return str_is(s->name, name) && (!label || str_is(mgi_metric_label_of(s, label), value));
}

/* The sum of the samples of this name (and label); NAN if there is none. */
static double sum_in(const struct top_reading *r, const char *name, const char *label,
                     const char *value)
{
    double sum = NAN;
    struct str text = r->text;
    struct metric_sample s;
    while (mgi_metric_next(&text, &s))
        if (fits(&s, name, label, value))
            sum = isnan(sum) ? s.value : sum + s.value;
    return sum;
}

static double now_of(const struct view *v, const char *name)
{
    return sum_in(v->now, name, NULL, NULL);
}

/* How much a counter grew between the readings. One that fell began anew. */
static double growth(const struct view *v, const char *name, const char *label, const char *value)
{
    double now = sum_in(v->now, name, label, value);
    double before = v->before ? sum_in(v->before, name, label, value) : 0;
    if (isnan(before) || before > now)
        before = 0;
    return now - before;
}

static double rate(const struct view *v, const char *name)
{
    return growth(v, name, NULL, NULL) / v->seconds;
}

/* A label of the first sample of this name whose value is not 0. */
static struct str label_in(const struct top_reading *r, const char *name, const char *label)
{
    struct str text = r->text;
    struct metric_sample s;
    while (mgi_metric_next(&text, &s))
        if (str_is(s.name, name) && s.value != 0)
            return mgi_metric_label_of(&s, label);
    return STR_LIT("-");
}

/* ---- writing --------------------------------------------------------------------------------- */

static void number(struct buf *out, double n, const char *format)
{
    if (isnan(n))
        mgi_buf_puts(out, "-");
    else
        mgi_buf_printf(out, format, n);
}

static void bytes(struct buf *out, double n)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
    size_t unit = 0;
    if (isnan(n)) {
        mgi_buf_puts(out, "-");
        return;
    }
    while (n >= 1024 && unit < 4) {
        n /= 1024;
        unit++;
    }
    mgi_buf_printf(out, unit ? "%.1f %s" : "%.0f %s", n, units[unit]);
}

static void duration(struct buf *out, double seconds)
{
    if (isnan(seconds) || seconds < 0)
        mgi_buf_puts(out, "-");
    else if (isinf(seconds))
        mgi_buf_puts(out, "more");
    else if (seconds < 0.001)
        mgi_buf_printf(out, "%.0f us", seconds * 1e6);
    else if (seconds < 1)
        mgi_buf_printf(out, "%.1f ms", seconds * 1e3);
    else if (seconds < 120)
        mgi_buf_printf(out, "%.1f s", seconds);
    else if (seconds < 2 * 86400)
        mgi_buf_printf(out, "%.0fh%02.0fm", floor(seconds / 3600), floor(fmod(seconds, 3600) / 60));
    else
        mgi_buf_printf(out, "%.0fd%02.0fh", floor(seconds / 86400),
                       floor(fmod(seconds, 86400) / 3600));
}

/* A label, for people. */
static void label(struct buf *out, struct str text)
{
    mgi_utf8_show(out, mgi_utf8_prefix(text, LABEL_BYTES));
}

static void heading(const struct view *v, const char *text)
{
    mgi_buf_printf(v->out, "%s%-12s%s", v->style->bold, text, v->style->reset);
}

/* ---- the parts ------------------------------------------------------------------------------- */

static void show_server(const struct view *v, const char *target)
{
    struct str status = label_in(v->now, "manglecp_status", "status");
    struct str rules = label_in(v->now, "manglecp_build_info", "rules");
    const char *colour = str_is(status, "ready") ? v->style->green : v->style->yellow;
    heading(v, "server");
    mgi_buf_printf(v->out, "%s  %s", target, colour);
    label(v->out, status);
    mgi_buf_printf(v->out, "%s  up ", v->style->reset);
    duration(v->out,
             (double)v->now->real_ns / NS_PER_SEC - now_of(v, "manglecp_start_time_seconds"));
    mgi_buf_puts(v->out, "  version ");
    label(v->out, label_in(v->now, "manglecp_build_info", "version"));
    mgi_buf_puts(v->out, "  rules ");
    label(v->out, mgi_utf8_prefix(rules, 12));
    mgi_buf_putc(v->out, '\n');
}

static void show_load(const struct view *v)
{
    struct buf *out = v->out;
    heading(v, "requests");
    number(out, rate(v, "manglecp_requests_total"), "%.1f/s");
    mgi_buf_puts(out, "  errors ");
    number(out, rate(v, "manglecp_errors_total"), "%.1f/s");
    mgi_buf_puts(out, "  open ");
    number(out, now_of(v, "manglecp_open_requests"), "%.0f");
    mgi_buf_puts(out, "  oldest ");
    duration(out, now_of(v, "manglecp_oldest_request_seconds"));
    mgi_buf_putc(out, '\n');

    heading(v, "connections");
    number(out, now_of(v, "manglecp_connections"), "%.0f");
    mgi_buf_puts(out, "  sessions ");
    number(out, now_of(v, "manglecp_sessions"), "%.0f");
    mgi_buf_puts(out, "  held ");
    bytes(out, now_of(v, "manglecp_held_bytes"));
    mgi_buf_puts(out, " of ");
    bytes(out, now_of(v, "manglecp_held_limit_bytes"));
    mgi_buf_puts(out, "  in ");
    bytes(out, rate(v, "manglecp_received_bytes_total"));
    mgi_buf_puts(out, "/s  out ");
    bytes(out, rate(v, "manglecp_sent_bytes_total"));
    mgi_buf_puts(out, "/s\n");
}

static void show_lane(const struct view *v, const char *lane)
{
    struct buf *out = v->out;
    double limit = sum_in(v->now, "manglecp_workers", "lane", lane);
    double worked = growth(v, "manglecp_job_seconds_total", "lane", lane);
    mgi_buf_printf(out, "%s ", lane);
    number(out, sum_in(v->now, "manglecp_busy_workers", "lane", lane), "%.0f");
    mgi_buf_puts(out, " of ");
    number(out, limit, "%.0f");
    number(out, 100 * worked / v->seconds / limit, ", %.0f %%");
    mgi_buf_puts(out, ", waiting ");
    number(out, sum_in(v->now, "manglecp_waiting_jobs", "lane", lane), "%.0f");
}

static void show_work(const struct view *v)
{
    struct buf *out = v->out;
    heading(v, "workers");
    show_lane(v, "quick");
    mgi_buf_puts(out, "  |  ");
    show_lane(v, "slow");
    mgi_buf_putc(out, '\n');
    heading(v, "rules");
    number(out, rate(v, "manglecp_evaluations_total"), "%.1f/s");
    mgi_buf_puts(out, " taking ");
    duration(out, growth(v, "manglecp_evaluation_seconds_total", NULL, NULL) /
                      growth(v, "manglecp_evaluations_total", NULL, NULL));
    mgi_buf_puts(out, "  effects ");
    number(out, rate(v, "manglecp_effects_total"), "%.1f/s");
    mgi_buf_puts(out, ", failed ");
    number(out, now_of(v, "manglecp_effects_failures_total"), "%.0f");
    mgi_buf_puts(out, "  reloads ");
    number(out, now_of(v, "manglecp_reloads_total"), "%.0f");
    mgi_buf_puts(out, ", failed ");
    number(out, now_of(v, "manglecp_reload_failures_total"), "%.0f");
    mgi_buf_putc(out, '\n');
    heading(v, "hosts");
    number(out, now_of(v, "manglecp_hosts"), "%.0f");
    mgi_buf_puts(out, "  busy ");
    number(out, now_of(v, "manglecp_busy_hosts"), "%.0f");
    mgi_buf_puts(out, "  waited for by ");
    number(out, now_of(v, "manglecp_waiting_for_host"), "%.0f");
    mgi_buf_puts(out, "  failed ");
    number(out, now_of(v, "manglecp_host_failures_total"), "%.0f");
    mgi_buf_putc(out, '\n');
}

/* ---- latencies ------------------------------------------------------------------------------- */

struct buckets {
    double bounds[BUCKETS_MAX], counts[BUCKETS_MAX]; /* cumulative */
    size_t count;
};

static double bound_of(const struct metric_sample *s)
{
    double bound;
    return mgi_metric_number(mgi_metric_label_of(s, "le"), &bound) ? bound : NAN;
}

static struct buckets buckets_of(const struct top_reading *r, const char *type)
{
    struct buckets b = { .count = 0 };
    struct str text = r->text;
    struct metric_sample s;
    while (mgi_metric_next(&text, &s) && b.count < BUCKETS_MAX)
        if (fits(&s, "manglecp_request_duration_seconds_bucket", "type", type) &&
            !isnan(bound_of(&s))) {
            b.bounds[b.count] = bound_of(&s);
            b.counts[b.count++] = s.value;
        }
    return b;
}

/* The bound below which this part of the requests lies, between the bounds by proportion. */
static double quantile(const struct buckets *b, double part)
{
    double total = b->count > 0 ? b->counts[b->count - 1] : 0;
    double below = 0, from = 0;
    for (size_t i = 0; i < b->count && total > 0; i++) {
        if (b->counts[i] >= part * total) {
            double share = (part * total - below) / (b->counts[i] - below);
            return isinf(b->bounds[i]) ? INFINITY : from + share * (b->bounds[i] - from);
        }
        below = b->counts[i];
        from = b->bounds[i];
    }
    return NAN;
}

static void show_type(const struct view *v, const char *type)
{
    struct buckets b = buckets_of(v->now, type);
    struct buckets old = v->before ? buckets_of(v->before, type) : (struct buckets){ .count = 0 };
    double count = growth(v, "manglecp_request_duration_seconds_count", "type", type);
    struct buf name = { 0 }, p50 = { 0 }, p99 = { 0 };
    for (size_t i = 0; i < b.count && old.count == b.count; i++)
        b.counts[i] -= old.counts[i] <= b.counts[i] ? old.counts[i] : 0;
    label(&name, str_of(type));
    duration(&p50, quantile(&b, 0.5));
    duration(&p99, quantile(&b, 0.99));
    mgi_buf_printf(v->out, "  %-22s %9.1f %9.0f %10s %10s\n", name.ptr ? name.ptr : "-",
                   count / v->seconds,
                   sum_in(v->now, "manglecp_request_duration_seconds_count", "type", type),
                   p50.ptr ? p50.ptr : "-", p99.ptr ? p99.ptr : "-");
    mgi_buf_fini(&name);
    mgi_buf_fini(&p50);
    mgi_buf_fini(&p99);
}

static void show_latencies(const struct view *v)
{
    struct str text = v->now->text;
    struct metric_sample s;
    int types = 0;
    mgi_buf_printf(v->out, "\n%s  %-22s %9s %9s %10s %10s%s\n", v->style->dim, "type", "per s",
                   "total", "median", "99 %", v->style->reset);
    while (types < TYPES_MAX && mgi_metric_next(&text, &s)) {
        char type[LABEL_BYTES];
        struct str found = mgi_metric_label_of(&s, "type");
        if (!str_is(s.name, "manglecp_request_duration_seconds_count") || found.len >= sizeof type)
            continue;
        if (found.len > 0)
            memcpy(type, found.ptr, found.len);
        type[found.len] = '\0';
        types++;
        show_type(v, type);
    }
}

/* The codes that were answered most, each with its count; strictly below `above` in order. */
static bool next_error(const struct view *v, double above, struct str after,
                       struct metric_sample *out)
{
    struct str text = v->now->text;
    struct metric_sample s;
    bool found = false;
    while (mgi_metric_next(&text, &s)) {
        struct str code = mgi_metric_label_of(&s, "code");
        if (!str_is(s.name, "manglecp_errors_total") || s.value > above ||
            (s.value == above && mgi_str_compare(code, after) <= 0))
            continue;
        if (!found || s.value > out->value ||
            (s.value == out->value &&
             mgi_str_compare(code, mgi_metric_label_of(out, "code")) < 0)) {
            *out = s;
            found = true;
        }
    }
    return found;
}

static void show_errors(const struct view *v)
{
    struct metric_sample s;
    double above = INFINITY;
    struct str after = { "", 0 };
    for (int i = 0; i < ERRORS_MAX && next_error(v, above, after, &s); i++) {
        above = s.value;
        after = mgi_metric_label_of(&s, "code");
        mgi_buf_puts(v->out, i == 0 ? "\n" : "  ");
        if (i == 0)
            heading(v, "errors");
        label(v->out, after);
        number(v->out, above, " %.0f");
    }
    if (!isinf(above))
        mgi_buf_putc(v->out, '\n');
}

void mgi_top_view(struct buf *out, const char *target, const struct top_reading *now,
                  const struct top_reading *before, const struct cli_style *style)
{
    struct view v = { .out = out, .now = now, .before = before, .style = style };
    double started = sum_in(now, "manglecp_start_time_seconds", NULL, NULL);
    v.seconds = before ? (double)(now->mono_ns - before->mono_ns) / NS_PER_SEC
                       : (double)now->real_ns / NS_PER_SEC - started;
    if (!(v.seconds > 0.001))
        v.seconds = NAN;
    show_server(&v, target);
    show_load(&v);
    show_work(&v);
    show_latencies(&v);
    show_errors(&v);
}
