/* The shortest edit script, found greedily: the farthest point reached with d edits on each
 * diagonal, for d = 0, 1, … (E. Myers, "An O(ND) Difference Algorithm", 1986). Rounds are kept to
 * walk back. Beyond DIFF_MAX_EDITS everything between common ends is one replacement. */
#include "cli/cli_diff.h"

#include "base/alloc.h"

#define DIFF_CONTEXT   3
#define DIFF_MAX_EDITS 2000 /* rounds keep some 8 bytes × edits² */

struct diff_line {
    struct str text; /* without its line end */
    bool cut;        /* the last line, without a line end */
};

struct diff_side {
    struct diff_line *lines;
    size_t count, cap;
    bool *changed; /* of each line: is it deleted, or inserted? */
};

static bool split(struct diff_side *side, struct str text)
{
    *side = (struct diff_side){ 0 };
    for (size_t at = 0; at < text.len;) {
        const char *end = memchr(text.ptr + at, '\n', text.len - at);
        size_t len = end ? (size_t)(end - text.ptr) - at : text.len - at;
        if (!mgi_grow(&side->lines, &side->cap, side->count + 1, sizeof *side->lines))
            return false;
        side->lines[side->count++] = (struct diff_line){ { text.ptr + at, len }, !end };
        at += len + 1;
    }
    side->changed = mgi_calloc(side->count + 1, sizeof *side->changed);
    return side->changed != NULL;
}

static bool same_line(const struct diff_line *a, const struct diff_line *b)
{
    return a->cut == b->cut && str_eq(a->text, b->text);
}

/* The part between common beginnings and ends. */
struct diff_window {
    struct diff_side *a, *b;
    size_t first, a_count, b_count;
};

static struct diff_window window_of(struct diff_side *a, struct diff_side *b)
{
    struct diff_window w = { a, b, 0, a->count, b->count };
    while (w.first < w.a_count && w.first < w.b_count &&
           same_line(&a->lines[w.first], &b->lines[w.first]))
        w.first++;
    while (w.a_count > w.first && w.b_count > w.first &&
           same_line(&a->lines[w.a_count - 1], &b->lines[w.b_count - 1])) {
        w.a_count--;
        w.b_count--;
    }
    w.a_count -= w.first;
    w.b_count -= w.first;
    return w;
}

/* rounds[d][k + d]: how far into `a` d edits lead on diagonal k (x - y), k = -d … d */
struct diff_rounds {
    size_t **rows;
    size_t count, cap;
};

static size_t start_of(const struct diff_rounds *r, size_t d, ptrdiff_t k, bool *down)
{
    if (d == 0)
        return 0;
    const size_t *row = r->rows[d - 1];
    ptrdiff_t before = (ptrdiff_t)d - 1;
    *down = k == -(ptrdiff_t)d || (k != (ptrdiff_t)d && row[k - 1 + before] < row[k + 1 + before]);
    return *down ? row[k + 1 + before] : row[k - 1 + before] + 1;
}

/* Is the end reached in round d? */
static bool run_round(const struct diff_window *w, struct diff_rounds *r, size_t d, bool *oom)
{
    size_t *row = mgi_calloc(2 * d + 1, sizeof *row);
    if (!row || !mgi_grow(&r->rows, &r->cap, d + 1, sizeof *r->rows)) {
        mgi_free(row);
        *oom = true;
        return false;
    }
    r->rows[r->count++] = row;
    bool ended = false, down;
    for (ptrdiff_t k = -(ptrdiff_t)d; k <= (ptrdiff_t)d && !ended; k += 2) {
        size_t x = start_of(r, d, k, &down);
        size_t y = (size_t)((ptrdiff_t)x - k);
        while (x < w->a_count && y < w->b_count &&
               same_line(&w->a->lines[w->first + x], &w->b->lines[w->first + y])) {
            x++;
            y++;
        }
        row[k + (ptrdiff_t)d] = x;
        ended = x >= w->a_count && y >= w->b_count;
    }
    return ended;
}

static void mark_changes(const struct diff_window *w, const struct diff_rounds *r)
{
    size_t x = w->a_count, y = w->b_count;
    for (size_t d = r->count - 1; d > 0; d--) {
        bool down;
        ptrdiff_t k = (ptrdiff_t)x - (ptrdiff_t)y;
        size_t start = start_of(r, d, k, &down);
        x = down ? start : start - 1;
        y = (size_t)((ptrdiff_t)start - k) - (down ? 1 : 0);
        if (down && y < w->b_count)
            w->b->changed[w->first + y] = true;
        else if (!down && x < w->a_count)
            w->a->changed[w->first + x] = true;
    }
}

static bool find_changes(struct diff_side *a, struct diff_side *b)
{
    struct diff_window w = window_of(a, b);
    struct diff_rounds r = { 0 };
    bool oom = false, ended = false;
    for (size_t d = 0; !ended && !oom && d <= DIFF_MAX_EDITS; d++)
        ended = run_round(&w, &r, d, &oom);
    if (ended) {
        mark_changes(&w, &r);
    } else {
        for (size_t i = 0; i < w.a_count; i++)
            a->changed[w.first + i] = true;
        for (size_t i = 0; i < w.b_count; i++)
            b->changed[w.first + i] = true;
    }
    for (size_t i = 0; i < r.count; i++)
        mgi_free(r.rows[i]);
    mgi_free(r.rows);
    return !oom;
}

/* ---- showing ----------------------------------------------------------------------------- */

static void show_line(struct buf *out, const struct cli_style *style, char sign,
                      const struct diff_line *line)
{
    const char *colour = sign == '-' ? style->red : sign == '+' ? style->green : "";
    mgi_buf_puts(out, colour);
    mgi_buf_putc(out, sign);
    mgi_buf_str(out, line->text);
    mgi_buf_puts(out, *colour ? style->reset : "");
    mgi_buf_puts(out, line->cut ? "\n\\ No newline at end of file\n" : "\n");
}

struct diff_hunk {
    size_t a, b;         /* first lines */
    size_t a_end, b_end; /* behind the last ones */
};

/* The next hunk from (x, y) on: changes less than twice the context apart, with context. */
static bool next_hunk(const struct diff_side *a, const struct diff_side *b, size_t x, size_t y,
                      struct diff_hunk *hunk)
{
    size_t skipped = 0, equal = 0;
    while (x < a->count && y < b->count && !a->changed[x] && !b->changed[y]) {
        x++;
        y++;
        skipped++;
    }
    if (x >= a->count && y >= b->count)
        return false;
    size_t before = skipped < DIFF_CONTEXT ? skipped : DIFF_CONTEXT;
    *hunk = (struct diff_hunk){ x - before, y - before, x, y };
    while ((x < a->count || y < b->count) && equal <= 2 * DIFF_CONTEXT) {
        if (x < a->count && a->changed[x]) {
            x++;
            equal = 0;
        } else if (y < b->count && b->changed[y]) {
            y++;
            equal = 0;
        } else {
            x++;
            y++;
            equal++;
        }
    }
    size_t after = equal < DIFF_CONTEXT ? equal : DIFF_CONTEXT;
    hunk->a_end = x - equal + after;
    hunk->b_end = y - equal + after;
    return true;
}

/* Lines count from 1; an empty range names the line before it. */
static void show_range(struct buf *out, char sign, size_t first, size_t end)
{
    mgi_buf_printf(out, "%c%zu", sign, end > first ? first + 1 : first);
    if (end - first != 1)
        mgi_buf_printf(out, ",%zu", end - first);
}

static void show_hunk(struct buf *out, const struct cli_style *style, const struct diff_side *a,
                      const struct diff_side *b, const struct diff_hunk *h)
{
    mgi_buf_printf(out, "%s@@ ", style->cyan);
    show_range(out, '-', h->a, h->a_end);
    mgi_buf_putc(out, ' ');
    show_range(out, '+', h->b, h->b_end);
    mgi_buf_printf(out, " @@%s\n", style->reset);
    size_t x = h->a, y = h->b;
    while (x < h->a_end || y < h->b_end) {
        if (x < h->a_end && a->changed[x]) {
            show_line(out, style, '-', &a->lines[x++]);
        } else if (y < h->b_end && b->changed[y]) {
            show_line(out, style, '+', &b->lines[y++]);
        } else {
            show_line(out, style, ' ', &a->lines[x++]);
            y++;
        }
    }
}

bool mgi_cli_diff(struct buf *out, const struct cli_style *style, const char *name,
                  struct str before, struct str after)
{
    struct diff_side a = { 0 }, b = { 0 };
    struct diff_hunk hunk = { 0 };
    bool good = split(&a, before) && split(&b, after) && find_changes(&a, &b);
    bool first = true;
    while (good && next_hunk(&a, &b, hunk.a_end, hunk.b_end, &hunk)) {
        if (first)
            mgi_buf_printf(out, "%s--- %s\n+++ %s%s\n", style->bold, name, name, style->reset);
        first = false;
        show_hunk(out, style, &a, &b, &hunk);
    }
    mgi_free(a.lines);
    mgi_free(a.changed);
    mgi_free(b.lines);
    mgi_free(b.changed);
    return good && !out->oom;
}
