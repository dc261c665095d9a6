/* Where a statement breaks. A document is the tokens of a statement with the places where a line
 * may end, in groups. From the outside inwards a group stays on one line if that fits, together
 * with whatever follows it up to the next place to break; else its breaks become lines.
 *
 * Line ends and blanks are written late, before the next token or comment, so that several reasons
 * for a new line make one. A group looks ahead one line at most, so the cost is that of the text
 * times a constant. */
#include "mangle/edit/format_int.h"

#include "base/alloc.h"
#include "base/utf8.h"

#define ALIGN_MOST 60 /* further right, lines go on a little more indented than those before */

/* ---- making ------------------------------------------------------------------------------ */

void mgi_doc_clear(struct doc *d)
{
    d->count = d->open_count = 0;
    d->comment_behind = false;
}

void mgi_doc_fini(struct doc *d)
{
    mgi_free(d->nodes);
    mgi_free(d->open);
    *d = (struct doc){ 0 };
}

void mgi_doc_harden(struct doc *d)
{
    for (size_t i = 0; i < d->open_count; i++)
        d->nodes[d->open[i]].hard = true;
    d->comment_behind = false;
}

void mgi_doc_add(struct doc *d, enum doc_kind kind, uint32_t index)
{
    if (d->oom || !mgi_grow(&d->nodes, &d->cap, d->count + 1, sizeof *d->nodes)) {
        d->oom = true;
        return;
    }
    d->nodes[d->count++] = (struct doc_node){ .kind = kind, .index = index };
}

void mgi_doc_open(struct doc *d, bool hard)
{
    if (d->oom || !mgi_grow(&d->open, &d->open_cap, d->open_count + 1, sizeof *d->open)) {
        d->oom = true;
        return;
    }
    mgi_doc_add(d, DOC_OPEN, 0);
    if (d->oom)
        return;
    d->nodes[d->count - 1].hard = hard;
    d->open[d->open_count++] = (uint32_t)(d->count - 1);
}

void mgi_doc_close(struct doc *d)
{
    mgi_doc_add(d, DOC_CLOSE, 0);
    if (!d->oom)
        d->open_count--;
}

/* ---- printing ---------------------------------------------------------------------------- */

/* Groups and indents nest as deep as brackets do, which the parser limits to 200. */
#define PRINT_DEPTH 1024

struct doc_printer {
    const struct doc *doc;
    const struct format_text *text;
    struct buf *out;
    const struct format_token *last; /* or NULL */
    size_t column;                   /* code points on the line so far */
    size_t token_end;                /* column behind the last token */
    size_t comment_at;               /* column of the last comment behind a token */
    bool line, blank;                /* to be written before what comes next */
    size_t line_indent;              /* of that line */
    size_t indents[PRINT_DEPTH];
    size_t indent_count;
    bool broken[PRINT_DEPTH]; /* the groups that are open */
    size_t broken_count;
};

static size_t doc_indent(const struct doc_printer *p)
{
    return p->indents[p->indent_count - 1];
}

static void request_line(struct doc_printer *p)
{
    p->line = true;
    p->line_indent = doc_indent(p);
}

static size_t next_column(const struct doc_printer *p)
{
    return p->line ? p->line_indent : p->column + p->blank;
}

/* Does it fit the line from `column` on, up to the next place to break outside of `depth` groups?
 */
static bool doc_fits(const struct doc_printer *p, size_t at, size_t column, size_t depth)
{
    const struct doc *d = p->doc;
    for (; at < d->count; at++) {
        const struct doc_node *n = &d->nodes[at];
        switch (n->kind) {
        case DOC_TOKEN: {
            const struct format_token *t = &p->text->tokens[n->index];
            column += t->width;
            if (column > FORMAT_WIDTH)
                return false;
            if (t->trailing.ptr || memchr(t->text.ptr, '\n', t->text.len))
                return true;
            break;
        }
        case DOC_COMMENT:
            return true;
        case DOC_BREAK:
        case DOC_FILL:
            if (depth == 0)
                return true;
            column++;
            break;
        case DOC_SPACE:
            column++;
            break;
        case DOC_OPEN:
            depth++;
            break;
        case DOC_CLOSE:
            depth -= depth > 0;
            break;
        case DOC_INDENT:
        case DOC_ALIGN:
        case DOC_OUTDENT:
            break;
        }
    }
    return true;
}

static void pad(struct doc_printer *p, size_t to)
{
    while (p->column < to) {
        mgi_buf_putc(p->out, ' ');
        p->column++;
    }
}

/* The name `/a.` ends where a blank would make its dot the end of the clause (M-LEX-22). */
static bool must_touch(const struct doc_printer *p)
{
    const struct format_token *last = p->last;
    return last && last->kind == TOKEN_CONSTANT && mgi_str_ends(last->text, STR_LIT("."));
}

static void begin_text(struct doc_printer *p, size_t indent)
{
    if (must_touch(p)) {
        /* neither a blank nor a line end */
    } else if (p->line) {
        mgi_buf_putc(p->out, '\n');
        p->column = 0;
        pad(p, indent);
    } else if (p->blank) {
        pad(p, p->column + 1);
    }
    p->line = p->blank = false;
}

static void print_token(struct doc_printer *p, const struct format_token *t)
{
    begin_text(p, p->line_indent);
    mgi_buf_str(p->out, t->text);
    size_t line_start = t->text.len;
    while (line_start > 0 && t->text.ptr[line_start - 1] != '\n')
        line_start--;
    if (line_start)
        p->column = 0;
    p->column += mgi_utf8_count((struct str){ t->text.ptr + line_start, t->text.len - line_start });
    p->token_end = p->column;
    p->last = t;
    if (t->trailing.ptr) {
        pad(p, p->column + 2);
        p->comment_at = p->column;
        mgi_buf_str(p->out, t->trailing);
        request_line(p);
    }
}

static void print_comment(struct doc_printer *p, const struct format_comment *c)
{
    if (!p->line)
        request_line(p);
    begin_text(p, c->aligned ? p->comment_at : p->line_indent);
    mgi_buf_str(p->out, c->text);
    p->line = true;
}

static void open_group(struct doc_printer *p, size_t at)
{
    bool within_line = p->broken_count && !p->broken[p->broken_count - 1];
    bool hard = p->doc->nodes[at].hard;
    p->broken[p->broken_count++] =
        hard || (!within_line && !doc_fits(p, at + 1, next_column(p), 1));
}

static void break_line(struct doc_printer *p, size_t at)
{
    bool fill = p->doc->nodes[at].kind == DOC_FILL;
    bool broken = p->broken_count && p->broken[p->broken_count - 1];
    if (broken && (!fill || !doc_fits(p, at + 1, p->column + 1, 0)))
        request_line(p);
    else
        p->blank = true;
}

static void push_indent(struct doc_printer *p, const struct doc_node *n)
{
    size_t now = doc_indent(p);
    size_t to = n->kind == DOC_INDENT       ? now + n->index
                : p->token_end > ALIGN_MOST ? now + 2 * FORMAT_INDENT
                                            : p->token_end;
    p->indents[p->indent_count++] = to;
}

void mgi_doc_print(const struct doc *d, const struct format_text *text, struct buf *out)
{
    struct doc_printer p = { .doc = d, .text = text, .out = out, .indent_count = 1 };
    for (size_t i = 0; i < d->count; i++) {
        const struct doc_node *n = &d->nodes[i];
        switch (n->kind) {
        case DOC_TOKEN:
            print_token(&p, &text->tokens[n->index]);
            break;
        case DOC_COMMENT:
            print_comment(&p, &text->comments[n->index]);
            break;
        case DOC_SPACE:
            p.blank = true;
            break;
        case DOC_BREAK:
        case DOC_FILL:
            break_line(&p, i);
            break;
        case DOC_OPEN:
            open_group(&p, i);
            break;
        case DOC_CLOSE:
            p.broken_count--;
            break;
        case DOC_INDENT:
        case DOC_ALIGN:
            push_indent(&p, n);
            break;
        case DOC_OUTDENT:
            p.indent_count--;
            break;
        }
    }
}
