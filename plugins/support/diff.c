/* Unified differences: read as a whole first, applied to one file at a time. Pure functions over
 * text. A diff is data from outside, so every count in it is held against what is really there. */
#include "plugins/support/diff.h"

#include <stdio.h>

#include "base/utf8.h"

struct reader {
    struct str text;
    size_t at, line; /* the line that is next, from 1 */
};

/* The next line without its LF; what is behind *r is kept. False: the text has ended. */
static bool peek(const struct reader *r, struct str *line)
{
    if (r->at >= r->text.len)
        return false;
    const char *begin = r->text.ptr + r->at;
    const char *lf = memchr(begin, '\n', r->text.len - r->at);
    *line = (struct str){ begin, lf ? (size_t)(lf - begin) : r->text.len - r->at };
    return true;
}

static void skip(struct reader *r, struct str line)
{
    r->at += line.len + 1;
    r->line++;
}

static bool fault(struct buf *why, size_t line, const char *text)
{
    mgi_buf_printf(why, "line %zu of the diff: %s", line, text);
    return false;
}

/* ---- heads ---------------------------------------------------------------------------------- */

/* Behind "--- " or "+++ ": a name up to a tab; a time may follow it. */
static struct str name_of(struct str line)
{
    struct str name = { line.ptr + 4, line.len - 4 };
    const char *tab = memchr(name.ptr, '\t', name.len);
    if (tab)
        name.len = (size_t)(tab - name.ptr);
    if (name.len && name.ptr[name.len - 1] == '\r')
        name.len--;
    return name;
}

static void strip_prefixes(struct diff_file *f)
{
    bool old_has = f->creates || mgi_str_starts(f->old_name, STR_LIT("a/"));
    bool new_has = f->deletes || mgi_str_starts(f->new_name, STR_LIT("b/"));
    if (!old_has || !new_has)
        return;
    if (!f->creates)
        f->old_name = (struct str){ f->old_name.ptr + 2, f->old_name.len - 2 };
    if (!f->deletes)
        f->new_name = (struct str){ f->new_name.ptr + 2, f->new_name.len - 2 };
}

static bool read_file_head(struct reader *r, struct str line, struct diff_file *f, struct buf *why)
{
    *f = (struct diff_file){ .at = r->line, .old_name = name_of(line) };
    skip(r, line);
    if (!peek(r, &line) || !mgi_str_starts(line, STR_LIT("+++ ")))
        return fault(why, r->line, "expected \"+++ \" and a name behind \"--- \"");
    f->new_name = name_of(line);
    skip(r, line);
    f->creates = str_is(f->old_name, "/dev/null");
    f->deletes = str_is(f->new_name, "/dev/null");
    strip_prefixes(f);
    if (f->creates && f->deletes)
        return fault(why, f->at, "/dev/null on both sides");
    if (!f->creates && !f->deletes && !str_eq(f->old_name, f->new_name))
        return fault(why, f->at, "two names: a file is not renamed by a patch");
    return true;
}

/* "12" or "12,3". At most 9 digits each. */
static bool read_range(struct str *s, size_t *line, size_t *count)
{
    size_t *into[] = { line, count };
    *count = 1;
    for (int i = 0; i < 2; i++) {
        size_t digits = 0, n = 0;
        while (digits < s->len && s->ptr[digits] >= '0' && s->ptr[digits] <= '9' && digits < 9)
            n = n * 10 + (size_t)(s->ptr[digits++] - '0');
        if (digits == 0)
            return false;
        *into[i] = n;
        s->ptr += digits;
        s->len -= digits;
        if (i == 0 && (s->len == 0 || s->ptr[0] != ','))
            return true;
        if (i == 0) {
            s->ptr++;
            s->len--;
        }
    }
    return true;
}

static bool take(struct str *s, struct str word)
{
    if (!mgi_str_starts(*s, word))
        return false;
    s->ptr += word.len;
    s->len -= word.len;
    return true;
}

/* ---- hunks ---------------------------------------------------------------------------------- */

/* The mark of a line; an empty one is an empty line that is kept, whose blank an editor took away.
 */
static char mark_of(struct str line)
{
    return line.len && line.ptr[0] != '\r' ? line.ptr[0] : ' ';
}

static bool fail_counts(struct buf *why, const struct diff_hunk *h, size_t old, size_t new)
{
    mgi_buf_printf(why,
                   "line %zu of the diff: the hunk says %zu old and %zu new lines, and has %zu and "
                   "%zu",
                   h->at, h->old_count, h->new_count, old, new);
    return false;
}

/* "\ No newline at end of file", which belongs to the line above it. */
static void skip_note(struct reader *r)
{
    struct str line;
    if (peek(r, &line) && mark_of(line) == '\\')
        skip(r, line);
}

static bool read_body(struct reader *r, struct diff_hunk *h, struct buf *why)
{
    size_t begin = r->at, old = 0, new = 0;
    struct str line;
    while (old < h->old_count || new < h->new_count) {
        char mark = peek(r, &line) ? mark_of(line) : '\0';
        if (mark != ' ' && mark != '-' && mark != '+')
            return fail_counts(why, h, old, new);
        old += mark == ' ' || mark == '-';
        new += mark == ' ' || mark == '+';
        if (old > h->old_count || new > h->new_count)
            return fail_counts(why, h, old, new);
        skip(r, line);
        skip_note(r);
    }
    h->body = (struct str){ r->text.ptr + begin, r->at - begin };
    if (peek(r, &line) && line.len && (line.ptr[0] == ' ' || line.ptr[0] == '\\'))
        return fault(why, r->line, "belongs to no hunk: the counts in the head above are wrong");
    return true;
}

static bool read_hunk(struct reader *r, struct str line, struct diff_hunk *h, struct buf *why)
{
    struct str head = line;
    *h = (struct diff_hunk){ .at = r->line };
    if (!take(&head, STR_LIT("@@ -")) || !read_range(&head, &h->old_line, &h->old_count) ||
        !take(&head, STR_LIT(" +")) || !read_range(&head, &h->new_line, &h->new_count) ||
        !take(&head, STR_LIT(" @@")))
        return fault(why, r->line, "expected \"@@ -line,count +line,count @@\"");
    if (h->old_count == 0 && h->new_count == 0)
        return fault(why, r->line, "a hunk without lines");
    if (h->old_count > 0 && h->old_line == 0)
        return fault(why, r->line, "lines are counted from 1");
    skip(r, line);
    return read_body(r, h, why);
}

static bool read_hunks(struct arena *arena, struct reader *r, struct diff_file *f, struct buf *why)
{
    struct str line;
    while (peek(r, &line) && mgi_str_starts(line, STR_LIT("@@"))) {
        if (f->count >= DIFF_MOST_HUNKS)
            return fault(why, r->line, "more than 10000 hunks");
        if (!mgi_arena_grow(arena, &f->hunks, &f->cap, f->count + 1, sizeof *f->hunks))
            return fault(why, r->line, "out of memory");
        struct diff_hunk *h = &f->hunks[f->count++];
        if (!read_hunk(r, line, h, why))
            return false;
        const struct diff_hunk *before = f->count > 1 ? h - 1 : NULL;
        if (before && h->old_line < before->old_line + before->old_count)
            return fault(why, h->at, "the hunk begins before the one above it ends");
    }
    if (f->count == 0)
        return fault(why, r->line, "expected a hunk: \"@@ -line,count +line,count @@\"");
    if (f->creates && (f->count > 1 || f->hunks[0].old_count > 0))
        return fault(why, f->at, "a file that is created has one hunk without old lines");
    return true;
}

/* What may stand between two files: what git and others write there. */
static const char *between_fault(struct str line)
{
    static const char *const refused[] = { "GIT binary patch",   "Binary files ",   "rename from ",
                                           "rename to ",         "copy from ",      "copy to ",
                                           "deleted file mode ", "new file mode 12" };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (mgi_str_starts(line, str_of(refused[i])))
            return "cannot be applied here: only changes of text, and new files";
    if (mgi_str_starts(line, STR_LIT("@@ ")))
        return "a hunk without a file: expected \"--- \" and \"+++ \" above it";
    if (line.len && (line.ptr[0] == '+' || line.ptr[0] == '-') &&
        !mgi_str_starts(line, STR_LIT("-- ")))
        return "belongs to no hunk: the counts in the head above are wrong";
    return NULL;
}

bool mgi_diff_parse(struct arena *arena, struct str text, struct diff *out, struct buf *why)
{
    struct reader r = { .text = text, .line = 1 };
    struct str line;
    *out = (struct diff){ 0 };
    if (text.len && text.ptr[text.len - 1] != '\n') { /* lost on the way; a file's own is noted */
        char *whole = mgi_arena_alloc(arena, text.len + 1);
        if (!whole)
            return fault(why, 1, "out of memory");
        memcpy(whole, text.ptr, text.len);
        whole[text.len] = '\n';
        r.text = (struct str){ whole, text.len + 1 };
    }
    while (peek(&r, &line)) {
        if (!mgi_str_starts(line, STR_LIT("--- "))) {
            const char *wrong = between_fault(line);
            if (wrong)
                return fault(why, r.line, wrong);
            skip(&r, line);
            continue;
        }
        if (out->count >= DIFF_MOST_FILES)
            return fault(why, r.line, "more than 200 files");
        if (!mgi_arena_grow(arena, &out->files, &out->cap, out->count + 1, sizeof *out->files))
            return fault(why, r.line, "out of memory");
        struct diff_file *f = &out->files[out->count++];
        if (!read_file_head(&r, line, f, why) || !read_hunks(arena, &r, f, why))
            return false;
    }
    return out->count > 0 || fault(why, 1, "no file in it: expected \"--- \", \"+++ \" and hunks");
}

/* ---- applying ------------------------------------------------------------------------------- */

/* A line of a file or of a hunk with its LF, if it has one. */
static struct str whole_line(struct str text, size_t at)
{
    const char *lf = memchr(text.ptr + at, '\n', text.len - at);
    return (struct str){ text.ptr + at, lf ? (size_t)(lf - text.ptr) + 1 - at : text.len - at };
}

/* The next line of a hunk as it stands in a file: without its mark; without its LF, if a line
 * behind it says so. */
static bool next_body_line(struct str body, size_t *at, char *mark, struct str *line)
{
    if (*at >= body.len)
        return false;
    struct str raw = whole_line(body, *at);
    *at += raw.len;
    *mark = mark_of(raw);
    bool bare = raw.ptr[0] == '\n' || raw.ptr[0] == '\r';
    *line = bare ? raw : (struct str){ raw.ptr + 1, raw.len - 1 };
    if (*at < body.len && body.ptr[*at] == '\\') {
        *at += whole_line(body, *at).len;
        if (line->len && line->ptr[line->len - 1] == '\n')
            line->len--;
    }
    return true;
}

/* Does the hunk's old side stand at `at`? *end is behind it; else *wrong counts the lines before
 * the one that differs, and *expected is that. */
static bool stands_at(const struct diff_hunk *h, struct str old, size_t at, size_t *end,
                      size_t *wrong, struct str *expected)
{
    char mark;
    struct str line;
    *wrong = 0;
    for (size_t b = 0; next_body_line(h->body, &b, &mark, &line);) {
        if (mark == '+')
            continue;
        struct str have = at < old.len ? whole_line(old, at) : (struct str){ "", 0 };
        if (!str_eq(have, line)) {
            *expected = line;
            return false;
        }
        at += have.len;
        ++*wrong;
    }
    *end = at;
    return true;
}

static size_t offset_of_line(struct str text, size_t number)
{
    size_t at = 0;
    for (size_t n = 1; n < number; n++) {
        if (at >= text.len)
            return SIZE_MAX;
        at += whole_line(text, at).len;
    }
    return at;
}

static void put_shown(struct buf *why, struct str line)
{
    while (line.len && (line.ptr[line.len - 1] == '\n' || line.ptr[line.len - 1] == '\r'))
        line.len--;
    mgi_buf_putc(why, '"');
    mgi_utf8_show(why, mgi_utf8_prefix(line, 60));
    mgi_buf_puts(why, line.len > 60 ? "...\"" : "\"");
}

/* The one other place where the hunk would fit: its line; 0: none, or several. */
static size_t find_elsewhere(const struct diff_hunk *h, struct str old)
{
    size_t found = 0, number = 1, end, wrong, tries = 0;
    struct str expected;
    for (size_t at = 0; at < old.len && tries < 200000; at += whole_line(old, at).len, number++) {
        tries++;
        if (!stands_at(h, old, at, &end, &wrong, &expected))
            continue;
        if (found)
            return 0;
        found = number;
    }
    return found;
}

static void tell_misfit(const struct diff_hunk *h, struct str old, size_t at, size_t wrong,
                        struct str expected, struct buf *why)
{
    if (why->len)
        mgi_buf_puts(why, "; ");
    size_t line = h->old_line + wrong;
    mgi_buf_printf(why, "the hunk at line %zu of the diff does not fit: line %zu should be ", h->at,
                   line);
    put_shown(why, expected);
    size_t where = at == SIZE_MAX ? SIZE_MAX : offset_of_line(old, line);
    if (where == SIZE_MAX || where >= old.len) {
        mgi_buf_puts(why, ", and the file ends before it");
    } else {
        struct str have = whole_line(old, where);
        mgi_buf_puts(why, " and is ");
        put_shown(why, have);
        if (have.len && expected.len && have.ptr[have.len - 1] != expected.ptr[expected.len - 1])
            mgi_buf_puts(why, " (they differ in the line break at the end)");
    }
    size_t other = find_elsewhere(h, old);
    if (other)
        mgi_buf_printf(why, "; it would fit at line %zu", other);
}

static void put_new_side(const struct diff_hunk *h, struct str old, size_t at, struct buf *out)
{
    char mark;
    struct str line;
    for (size_t b = 0; next_body_line(h->body, &b, &mark, &line);) {
        struct str have = { line.ptr, line.len };
        if (mark != '+' && at < old.len) {
            have = whole_line(old, at);
            at += have.len;
        }
        if (mark != '-')
            mgi_buf_str(out, have);
    }
}

bool mgi_diff_apply(const struct diff_file *file, struct str old, struct buf *out, struct buf *why)
{
    size_t done = 0, misfits = 0;
    for (size_t i = 0; i < file->count; i++) {
        const struct diff_hunk *h = &file->hunks[i];
        size_t number = h->old_count ? h->old_line : h->old_line + 1; /* behind that line */
        size_t at = offset_of_line(old, number), end = 0, wrong = 0;
        struct str expected = { "", 0 };
        if (at == SIZE_MAX || at < done || !stands_at(h, old, at, &end, &wrong, &expected)) {
            if (misfits++ < 8)
                tell_misfit(h, old, at, wrong, expected, why);
            continue;
        }
        mgi_buf_append(out, old.ptr + done, at - done);
        put_new_side(h, old, at, out);
        done = end;
    }
    if (misfits == 0)
        mgi_buf_append(out, old.ptr + done, old.len - done);
    return misfits == 0;
}
