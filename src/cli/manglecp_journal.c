/* manglecp journal: what a server's journal of runs holds, also while it is written. A table for
 * people; for programs the same as a line of JSON for each run. */
#include <string.h>
#include <unistd.h>

#include "base/time.h"
#include "base/utf8.h"
#include "cli/manglecp_commands.h"
#include "journal/read.h"

const struct cli_command mgi_command_journal = {
    .name = "manglecp journal",
    .usage = "FILE [RUN] [--open] [OPTIONS]",
    .help = "Show which runs and steps a server's journal has, and what became of them.",
    .run = mgi_run_journal,
    .more =
        "FILE is what the server was given as --journal. The newest run comes first. RUN is the\n"
        "beginning of an invocation or run id, 8 digits or more: that run with its steps. On a\n"
        "terminal a table, else a line of JSON for each run.\n"
        "\n"
        "A step that is indeterminate began, and nobody knows whether it did what it does: look\n"
        "there. What did not run is listed by name.\n"
        "\n"
        "Exit status: 0 shown, 1 there is no such run (or, with --open, some were interrupted),\n"
        "2 usage, a file that cannot be read.\n",
};

#define ID_DIGITS  8
#define TABLE_RUNS 100 /* of a table, unless it is said */

struct showing {
    const struct cli_style *style;
    bool json, whole; /* with its steps */
    struct buf line;
    uint64_t shown, interrupted;
};

/* ---- as JSON ------------------------------------------------------------------------------------
 */

static void show_json(struct showing *s, const struct journal_record *r)
{
    struct json_writer w;
    mgi_json_writer_init(&w, &s->line, 0);
    mgi_journal_record_write(&w, r, s->whole);
    mgi_buf_putc(&s->line, '\n');
}

/* ---- for people ---------------------------------------------------------------------------------
 */

/* In a column: cut, and then filled up with blanks. */
static void column(struct buf *out, struct str text, size_t width)
{
    size_t before = out->len;
    mgi_utf8_show(out, mgi_utf8_prefix(text, width));
    for (size_t len = out->len - before; len < width; len++)
        mgi_buf_putc(out, ' ');
    mgi_buf_puts(out, "  ");
}

static void time_column(struct buf *out, int64_t ns)
{
    struct buf text = { 0 };
    mgi_time_print_ms(&text, ns);
    column(out, mgi_buf_view(&text), 24);
    mgi_buf_fini(&text);
}

static size_t count_indeterminate(const struct journal_record *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->step_count; i++)
        count += r->steps[i].indeterminate || r->steps[i].outcome == JOURNAL_OPEN;
    return count;
}

static const char *outcome_of(const struct journal_record *r)
{
    if (r->outcome != JOURNAL_OPEN)
        return mgi_journal_outcome_name(r->outcome);
    return r->live ? "running" : mgi_journal_outcome_name(JOURNAL_INTERRUPTED);
}

static const char *colour_of(const struct cli_style *style, enum journal_outcome outcome)
{
    switch (outcome) {
    case JOURNAL_OK:
        return style->green;
    case JOURNAL_FAILED:
        return style->red;
    case JOURNAL_OPEN:
    case JOURNAL_INTERRUPTED:
        return style->yellow;
    case JOURNAL_CANCELLED:
    case JOURNAL_NOT_SENT:
        break;
    }
    return "";
}

static void show_row(struct showing *s, const struct journal_record *r)
{
    struct buf *out = &s->line;
    size_t ran = 0, unsure = r->live ? 0 : count_indeterminate(r);
    for (size_t i = 0; i < r->plan_named; i++)
        ran += mgi_journal_record_came_to(r, i) == JOURNAL_RAN;
    if (s->shown == 0)
        mgi_buf_printf(out, "%s%-24s  %-12s  %-24s  %-7s  %s%s\n", s->style->bold, "BEGAN",
                       "INVOCATION", "TOOL", "STEPS", "OUTCOME", s->style->reset);
    time_column(out, r->began_ns);
    column(out, mgi_utf8_prefix(r->invocation_id, 12), 12);
    column(out, r->tool, 24);
    char steps[48];
    snprintf(steps, sizeof steps, "%zu/%zu", ran, r->plan_count);
    column(out, str_of(steps), 7);
    mgi_buf_printf(out, "%s%s%s", colour_of(s->style, r->outcome), outcome_of(r), s->style->reset);
    if (unsure > 0)
        mgi_buf_printf(out, ", %zu indeterminate", unsure);
    mgi_buf_putc(out, '\n');
}

static void show_member(struct buf *out, const char *name, struct str value)
{
    if (value.len == 0)
        return;
    mgi_buf_printf(out, "  %-12s  ", name);
    mgi_utf8_show(out, value);
    mgi_buf_putc(out, '\n');
}

static void show_step(struct showing *s, const struct journal_step_record *step, bool live)
{
    struct buf *out = &s->line;
    struct buf name = { 0 };
    bool unsure = step->indeterminate || (step->outcome == JOURNAL_OPEN && !live);
    mgi_buf_printf(&name, "%s%.*s", step->compensation ? "undo " : "", STR_ARG(step->name));
    if (step->item >= 0)
        mgi_buf_printf(&name, "[%d]", step->item);
    if (step->attempt > 0)
        mgi_buf_printf(&name, " again %u", step->attempt);
    mgi_buf_puts(out, "  ");
    column(out, mgi_buf_view(&name), 24);
    column(out, step->action, 32);
    mgi_buf_printf(out, "%4d  ", step->tier);
    if (step->outcome == JOURNAL_OPEN || step->outcome == JOURNAL_INTERRUPTED)
        mgi_buf_printf(out, "%6s  ", "-");
    else
        mgi_buf_printf(out, "%6lld  ", (long long)step->duration_ms);
    mgi_buf_printf(out, "%s%s%s", colour_of(s->style, step->outcome),
                   unsure                          ? "indeterminate"
                   : step->outcome == JOURNAL_OPEN ? "running"
                                                   : mgi_journal_outcome_name(step->outcome),
                   s->style->reset);
    mgi_buf_putc(out, '\n');
    mgi_buf_fini(&name);
}

static void show_pick(struct showing *s, const struct journal_pick_record *p)
{
    struct buf *out = &s->line;
    struct buf name = { 0 }, picked = { 0 };
    bool end = str_is(p->kind, "END");
    mgi_buf_printf(&name, "%.*s %s%u", STR_ARG(p->name), end ? "over, step " : "step ", p->turn);
    if (end)
        mgi_buf_printf(&picked, "%s%.*s", s->style->dim, STR_ARG(p->raw));
    else
        mgi_buf_printf(&picked, "%s%.*s%s%.*s%s%.*s  by %.*s%s%.*s", s->style->dim,
                       STR_ARG(p->kind), p->sid.len > 0 ? " " : "", STR_ARG(p->sid),
                       p->action.len > 0 ? " " : "", STR_ARG(p->action), STR_ARG(p->by),
                       p->mode.len > 0 ? ", " : "", STR_ARG(p->mode));
    mgi_buf_puts(out, "  ");
    column(out, mgi_buf_view(&name), 24);
    mgi_buf_str(out, mgi_buf_view(&picked));
    if (!end && !str_is(p->kind, "PICK")) {
        mgi_buf_puts(out, "  ");
        mgi_utf8_show(out, p->raw);
    }
    mgi_buf_printf(out, "%s\n", s->style->reset);
    mgi_buf_fini(&name);
    mgi_buf_fini(&picked);
}

static void show_not_run(struct buf *out, const struct journal_record *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->plan_named; i++) {
        if (mgi_journal_record_came_to(r, i) != JOURNAL_DID_NOT_RUN)
            continue;
        mgi_buf_puts(out, count++ > 0 ? ", " : "  did not run: ");
        mgi_utf8_show(out, r->plan[i]);
    }
    if (count > 0)
        mgi_buf_putc(out, '\n');
}

static void show_whole(struct showing *s, const struct journal_record *r)
{
    struct buf *out = &s->line;
    if (s->shown > 0)
        mgi_buf_putc(out, '\n');
    mgi_buf_puts(out, s->style->bold);
    mgi_utf8_show(out, r->invocation_id);
    mgi_buf_printf(out, "%s  %s%s%s\n", s->style->reset, colour_of(s->style, r->outcome),
                   outcome_of(r), s->style->reset);
    show_member(out, "tool", r->tool);
    show_member(out, "macro_id", r->macro_id);
    show_member(out, "caller", r->caller);
    show_member(out, "run_id", r->run_id);
    show_member(out, "request_id", r->request_id);
    show_member(out, "spec", r->spec_version);
    show_member(out, "profile", r->profile_id);
    mgi_buf_printf(out, "  %-12s  ", "began");
    time_column(out, r->began_ns);
    mgi_buf_putc(out, '\n');
    if (r->ended_ns != 0) {
        mgi_buf_printf(out, "  %-12s  ", "ended");
        time_column(out, r->ended_ns);
        mgi_buf_putc(out, '\n');
    }
    mgi_buf_printf(out, "\n  %s%-24s  %-32s  %4s  %6s  %s%s\n", s->style->bold, "STEP", "ACTION",
                   "TIER", "MS", "OUTCOME", s->style->reset);
    for (size_t i = 0, k = 0; i < r->step_count || k < r->pick_count;)
        if (k < r->pick_count && (i == r->step_count || r->picks[k].seq < r->steps[i].seq))
            show_pick(s, &r->picks[k++]);
        else
            show_step(s, &r->steps[i++], r->live);
    show_not_run(out, r);
}

/* ---- the walk -----------------------------------------------------------------------------------
 */

static bool show(void *context, const struct journal_record *r)
{
    struct showing *s = context;
    mgi_buf_clear(&s->line);
    if (s->json)
        show_json(s, r);
    else if (s->whole)
        show_whole(s, r);
    else
        show_row(s, r);
    s->shown++;
    s->interrupted += r->outcome == JOURNAL_INTERRUPTED || (r->outcome == JOURNAL_OPEN && !r->live);
    return !s->line.oom && fwrite(s->line.ptr, 1, s->line.len, stdout) == s->line.len;
}

static int walk(const char *path, const struct journal_filter *filter, struct showing *s)
{
    struct buf why = { 0 };
    struct arena arena;
    mgi_arena_init(&arena, 0);
    struct journal_file *file = mgi_journal_file_open(path, &why);
    bool ok = file && mgi_journal_file_walk(file, filter, &arena, show, s, &why);
    if (ok && s->line.oom) {
        mgi_buf_puts(&why, "out of memory");
        ok = false;
    }
    if (!ok)
        mgi_cli_error("%.*s", STR_ARG(mgi_buf_view(&why)));
    mgi_journal_file_close(file);
    mgi_arena_fini(&arena);
    mgi_buf_fini(&why);
    return ok ? EXIT_ANSWERED : EXIT_USAGE;
}

static int tell(const char *path, const struct journal_filter *filter, struct showing *s)
{
    int status = walk(path, filter, s);
    bool table = !s->json && !s->whole;
    if (status)
        return status;
    if (s->shown == 0 && filter->id.len > 0) {
        mgi_cli_error("no run that begins with \"%.*s\" is in %s", STR_ARG(filter->id), path);
        return EXIT_WRONG;
    }
    if (s->shown == 0 && table)
        printf("%s\n", filter->interrupted ? "No run was interrupted." : "It holds no runs.");
    if (table && filter->max_runs > 0 && s->shown == filter->max_runs)
        printf("%sThe newest %u; --max 0 shows all.%s\n", s->style->dim, filter->max_runs,
               s->style->reset);
    return filter->interrupted && s->interrupted > 0 ? EXIT_WRONG : EXIT_ANSWERED;
}

static bool is_id(const char *text)
{
    size_t len = strlen(text);
    return len >= ID_DIGITS && len <= 32 && strspn(text, "0123456789abcdef") == len;
}

int mgi_run_journal(int argc, char **argv)
{
    struct showing s = { .style = mgi_cli_style(stdout) };
    struct journal_filter filter = { 0 };
    int64_t most = -1;
    bool most_given = false, helped;
    const struct cli_option options[] = {
        { "--open", OPTION_FLAG, &filter.interrupted, NULL, NULL,
          "only runs that were interrupted: the server ended before they did" },
        { "--max", OPTION_NUMBER, &most, &most_given, "N",
          "so many runs, the newest; 0: all; 100 in a table, else all" },
        { "--json", OPTION_FLAG, &s.json, NULL, NULL, "print JSON, a line for each run" },
        { 0 },
    };
    struct cli_list words = { 0 };
    if (!mgi_cli_parse(&mgi_command_journal, options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (words.count < 1 || words.count > 2) {
        mgi_cli_error("journal needs a FILE, and perhaps a RUN");
        return EXIT_USAGE;
    }
    if (words.count == 2 && !is_id(words.items[1])) {
        mgi_cli_error("\"%s\" is no beginning of a run's id", words.items[1]);
        mgi_cli_hint("Give 8 to 32 digits (0-9, a-f) of an id that `manglecp journal %s` shows.",
                     words.items[0]);
        return EXIT_USAGE;
    }
    if (most_given && (most < 0 || most > UINT32_MAX)) {
        mgi_cli_error("--max is a number from 0 to %u", UINT32_MAX);
        return EXIT_USAGE;
    }
    s.json |= !isatty(STDOUT_FILENO);
    s.whole = words.count == 2;
    filter.id = s.whole ? str_of(words.items[1]) : STR_LIT("");
    filter.max_runs = most_given ? (uint32_t)most : (s.json || s.whole ? 0 : TABLE_RUNS);
    int status = tell(words.items[0], &filter, &s);
    mgi_buf_fini(&s.line);
    return status;
}
