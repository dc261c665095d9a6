/* The header of a column file: how many predicates, then `<name> <arity> <fact count>` for each
 * (M-IO-40). Everything that is wrong with it is reported; only a right one says where the values
 * are, so their lines are looked at only then. */
#include "mangle/columns/columns.h"

#include "base/alloc.h"
#include "base/utf8.h"
#include "mangle/text/lex.h"

struct header_reader {
    struct columns *c;
    mangle_diags *diags;
    bool failed;
};

static void refuse_line(struct header_reader *r, struct span span, const char *hint,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));

static void refuse_line(struct header_reader *r, struct span span, const char *hint,
                        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mgi_diag_va(r->diags, &r->c->source, MANGLE_ERROR, "COLUMN_FILE", span, hint, format, args);
    va_end(args);
    r->failed = true;
}

bool mgi_columns_line(struct str text, uint32_t *at, struct span *line)
{
    if (*at >= text.len)
        return false;
    const char *end = memchr(text.ptr + *at, '\n', text.len - *at);
    *line = (struct span){ 0, *at, end ? (uint32_t)(end - text.ptr) : (uint32_t)text.len };
    *at = line->end + (end != NULL);
    return true;
}

static struct str column_line_text(const struct columns *c, struct span line)
{
    return (struct str){ c->source.text.ptr + line.start, line.end - line.start };
}

/* Digits only; *too_large if they say more than 64 bits can. */
static bool column_number(struct str s, uint64_t *n)
{
    *n = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return false;
        uint64_t digit = (uint64_t)(s.ptr[i] - '0');
        *n = *n > (UINT64_MAX - digit) / 10 ? UINT64_MAX : *n * 10 + digit;
    }
    return s.len > 0;
}

/* A NAME (M-LEX-9) that a predicate can have; reserved words can, too (M-SYN-57). */
static bool is_pred_name(struct str s)
{
    if (s.len == 0 || s.len > COLUMNS_MAX_BYTES || mgi_str_starts(s, STR_LIT("fn:")))
        return false;
    struct arena scratch; /* what else stands here may be a string */
    mgi_arena_init(&scratch, 0);
    struct lexer lexer = { .text = s, .arena = &scratch };
    struct token t = mgi_lex_next(&lexer);
    mgi_arena_fini(&scratch);
    bool word = t.kind == TOKEN_NAME || (t.kind >= TOKEN_TEMPORAL && t.kind <= TOKEN_DO);
    return word && t.start == 0 && t.end == s.len;
}

/* `<name> <arity> <fact count>`, one blank between. False: it has not that form. */
static bool split_header(struct str line, struct str part[3])
{
    for (int i = 0; i < 3; i++) {
        const char *blank = line.len ? memchr(line.ptr, ' ', line.len) : NULL;
        size_t len = blank ? (size_t)(blank - line.ptr) : line.len;
        if (len == 0 || (i < 2) != (blank != NULL))
            return false;
        part[i] = (struct str){ line.ptr, len };
        line.ptr += len + (blank != NULL);
        line.len -= len + (blank != NULL);
    }
    return true;
}

static void read_header_line(struct header_reader *r, struct span span, struct column_pred *out)
{
    struct str part[3];
    uint64_t arity = 0, facts = 0;
    struct str line = column_line_text(r->c, span);
    if (!split_header(line, part) || !column_number(part[1], &arity) ||
        !column_number(part[2], &facts)) {
        refuse_line(r, span, "For instance `edge 2 10`, with one blank between.",
                    "expected the name of a predicate, its arity and its number of facts");
        return;
    }
    if (!is_pred_name(part[0]))
        refuse_line(r, span, NULL, "this is no name of a predicate");
    if (arity > COLUMNS_MAX_ARITY)
        refuse_line(r, span, NULL, "the arity is more than %d", COLUMNS_MAX_ARITY);
    if (facts > COLUMNS_MAX_FACTS)
        refuse_line(r, span, NULL, "the number of facts is more than %llu",
                    (unsigned long long)COLUMNS_MAX_FACTS);
    else if (arity == 0 && facts > 1)
        refuse_line(r, span, NULL, "a predicate without arguments has at most one fact");
    *out = (struct column_pred){ part[0], (uint32_t)arity, facts, span };
}

/* The number of predicates; 0 after reporting, too. */
static size_t read_header_count(struct header_reader *r, uint32_t *at)
{
    struct span line = { 0 };
    uint64_t n = 0;
    bool there = mgi_columns_line(r->c->source.text, at, &line);
    if (!there || !column_number(column_line_text(r->c, line), &n))
        refuse_line(r, line, "The first line of a column file is that number.",
                    there ? "expected the number of predicates" : "the file is empty");
    else if (n > COLUMNS_MAX_PREDS)
        refuse_line(r, line, NULL, "there are more than %d predicates", COLUMNS_MAX_PREDS);
    return r->failed ? 0 : (size_t)n;
}

static bool is_blank_line(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] != ' ' && s.ptr[i] != '\t' && s.ptr[i] != '\r')
            return false;
    return true;
}

/* Are there as many lines as the header says, and no more? */
static void check_line_count(struct header_reader *r)
{
    struct columns *c = r->c;
    struct span line = { 0 };
    uint32_t at = c->body;
    uint64_t lines = 0;
    for (size_t i = 0; i < c->count; i++) { /* at most 2^16 * 2^10 * 2^32: no overflow */
        const struct column_pred *p = &c->preds[i];
        for (uint64_t due = p->arity * p->facts; due > 0; due--, lines++) {
            if (!mgi_columns_line(c->source.text, &at, &line)) {
                struct span end = { 0, (uint32_t)c->source.text.len, (uint32_t)c->source.text.len };
                refuse_line(r, end, "Has the file been cut off?",
                            "the file ends after %llu values: %llu of \"%.*s\" are missing",
                            (unsigned long long)lines, (unsigned long long)due, STR_ARG(p->name));
                return;
            }
        }
    }
    while (mgi_columns_line(c->source.text, &at, &line)) {
        if (is_blank_line(column_line_text(c, line)))
            continue;
        refuse_line(r, line, NULL, "the file goes on after the %llu value%s that its header names",
                    (unsigned long long)lines, lines == 1 ? "" : "s");
        return;
    }
}

static bool read_header(struct header_reader *r)
{
    struct columns *c = r->c;
    uint32_t at = 0;
    size_t n = read_header_count(r, &at), cap = 0;
    for (size_t i = 0; i < n; i++) {
        struct span line = { 0, at, at };
        if (!mgi_columns_line(c->source.text, &at, &line)) {
            refuse_line(r, line, "Has the file been cut off?",
                        "the file ends after %zu of %zu predicates", i, n);
            break;
        }
        if (!mgi_grow(&c->preds, &cap, i + 1, sizeof *c->preds))
            return false;
        read_header_line(r, line, &c->preds[i]);
        c->count = i + 1;
    }
    c->body = at;
    if (!r->failed)
        check_line_count(r);
    return true;
}

/* Text that is UTF-8 is read where it lies. */
static bool open_text(const struct mangle_source *given, struct columns *c)
{
    struct buf clean = { 0 };
    struct str text = { given->text, given->len };
    c->source.name = given->name ? given->name : "<text>";
    c->source.text = text;
    if (mgi_utf8_valid(text, NULL))
        return true;
    for (size_t at = 0; at < text.len && !clean.oom;) {
        size_t start = at;
        if (mgi_utf8_next(text, &at) == UINT32_MAX)
            mgi_buf_puts(&clean, "\xEF\xBF\xBD");
        else
            mgi_buf_append(&clean, text.ptr + start, at - start);
    }
    c->copy.ptr = mgi_buf_take(&clean, &c->copy.len);
    c->source.text = c->copy;
    return c->copy.ptr != NULL;
}

enum mangle_status mgi_columns_open(const struct mangle_source *given, mangle_diags *diags,
                                    struct columns *out)
{
    *out = (struct columns){ 0 };
    struct header_reader r = { .c = out, .diags = diags };
    if (!open_text(given, out))
        return MANGLE_ERR_NOMEM;
    if (out->source.text.len > COLUMNS_MAX_BYTES) {
        out->source.text.len = 0;
        refuse_line(&r, (struct span){ 0 }, "Write it as several files.",
                    "the file is larger than 2 GiB");
    } else if (!read_header(&r)) {
        return MANGLE_ERR_NOMEM;
    }
    if (diags && mgi_diags_status(diags) == MANGLE_ERR_NOMEM)
        return MANGLE_ERR_NOMEM;
    return r.failed ? MANGLE_ERR_PROGRAM : MANGLE_OK;
}

void mgi_columns_fini(struct columns *c)
{
    mgi_free(c->preds);
    mgi_free((void *)c->copy.ptr);
    *c = (struct columns){ 0 };
}

/* Items and names in one block. */
static struct mangle_column_pred *listed_columns(const struct columns *c)
{
    size_t bytes = (c->count + 1) * sizeof(struct mangle_column_pred);
    for (size_t i = 0; i < c->count; i++)
        bytes += c->preds[i].name.len + 1;
    struct mangle_column_pred *out = mgi_alloc(bytes);
    char *name = out ? (char *)(out + c->count) : NULL;
    for (size_t i = 0; out && i < c->count; i++) {
        const struct column_pred *p = &c->preds[i];
        memcpy(name, p->name.ptr, p->name.len);
        name[p->name.len] = 0;
        out[i] = (struct mangle_column_pred){ name, p->arity, p->facts };
        name += p->name.len + 1;
    }
    return out;
}

enum mangle_status mangle_columns_preds(const struct mangle_source *source,
                                        struct mangle_column_pred **preds, size_t *count,
                                        mangle_diags *diags)
{
    struct columns c;
    *preds = NULL;
    *count = 0;
    if (diags)
        mgi_diags_begin(diags);
    enum mangle_status st = mgi_columns_open(source, diags, &c);
    if (!st && !(*preds = listed_columns(&c)))
        st = MANGLE_ERR_NOMEM;
    if (!st)
        *count = c.count;
    mgi_columns_fini(&c);
    return st;
}
