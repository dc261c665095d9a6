/* Where names stand, from tokens alone: the clause at hand may be half written. The same rules as
 * the parser's decide what a name is (a head, a premise, a descriptor), but nothing is ever
 * refused.
 *
 * A clause ends at its dot. Where that is missing, the next one begins at a Decl, at a name in the
 * first column that cannot go on what stands before it, or at the atom before a second `:-`. */
#include "base/alloc.h"
#include "base/utf8.h"
#include "mangle/text/lex.h"
#include "mangle/edit/outline_int.h"

enum section { SECTION_PLAIN, SECTION_DESCR, SECTION_BOUND, SECTION_INCLUSION };

/* An open bracket. */
struct frame {
    size_t applied; /* the occurrence whose arguments it holds; SIZE_MAX: none */
    uint32_t commas;
    bool pending; /* something since the last comma */
    bool window;
};

struct scan {
    struct mangle_outline *o;
    struct lexer lexer;
    struct token at, next;
    enum token_kind before; /* the token before */
    uint32_t before_end;
    uint32_t source;
    struct frame *frames; /* heap */
    size_t depth, frame_cap;
    size_t clause; /* index, or SIZE_MAX between clauses */
    size_t atom;   /* the last atom outside of brackets; SIZE_MAX: none */
    enum section section;
    bool window; /* the bracket that closed last was that of a window */
    /* counting lines as offsets grow */
    uint32_t line, line_start, column_at, column;
    bool oom;
};

/* ---- occurrences and clauses ---------------------------------------------------------------- */

static struct mangle_outline_clause *clause_now(struct scan *x)
{
    return x->clause == SIZE_MAX ? NULL : &x->o->clauses[x->clause];
}

/* Line and column of an offset that is not before the last one asked for. */
static void place_of(struct scan *x, uint32_t offset, struct mangle_occurrence *to)
{
    const struct source *s = &x->o->program->sources[x->source];
    while (x->line + 1 < s->line_count && s->lines[x->line + 1] <= offset) {
        x->line++;
        x->column_at = s->lines[x->line];
        x->column = 0;
    }
    if (offset > x->column_at) {
        x->column += (uint32_t)mgi_utf8_count(
            (struct str){ s->text.ptr + x->column_at, offset - x->column_at });
        x->column_at = offset;
    }
    to->line = x->line + 1;
    to->column = x->column + 1;
}

static size_t add_span(struct scan *x, enum mangle_occurrence_kind kind,
                       enum mangle_occurrence_role role, uint32_t start, uint32_t end)
{
    struct mangle_outline *o = x->o;
    struct str text = { o->program->sources[x->source].text.ptr + start, end - start };
    if (!mgi_grow(&o->items, &o->cap, o->count + 1, sizeof *o->items)) {
        x->oom = true;
        return SIZE_MAX;
    }
    struct mangle_occurrence *to = &o->items[o->count];
    *to = (struct mangle_occurrence){ .kind = kind, .role = role, .source = x->source };
    to->start = start;
    to->end = end;
    to->length = (uint32_t)mgi_utf8_count(text);
    to->clause = x->clause == SIZE_MAX ? MANGLE_NO_CLAUSE : (uint32_t)x->clause;
    place_of(x, start, to);
    to->text = to->name = mgi_arena_str(&o->arena, text).ptr;
    x->oom |= !to->text;
    return o->count++;
}

static size_t add_token(struct scan *x, enum mangle_occurrence_kind kind,
                        enum mangle_occurrence_role role)
{
    return add_span(x, kind, role, x->at.start, x->at.end);
}

static void begin_clause(struct scan *x, uint32_t start, size_t first)
{
    struct mangle_outline *o = x->o;
    if (!mgi_grow(&o->clauses, &o->clause_cap, o->clause_count + 1, sizeof *o->clauses)) {
        x->oom = true;
        return;
    }
    x->clause = o->clause_count++;
    o->clauses[x->clause] = (struct mangle_outline_clause){
        .source = x->source, .start = start, .end = start, .first = first, .head = SIZE_MAX
    };
    x->atom = SIZE_MAX;
    x->section = SECTION_PLAIN;
}

static void close_frame(struct scan *x)
{
    const struct frame *f = &x->frames[--x->depth];
    x->window = f->window;
    if (f->applied != SIZE_MAX)
        x->o->items[f->applied].arity = f->commas + f->pending;
}

static void end_clause(struct scan *x, uint32_t end, size_t last)
{
    struct mangle_outline_clause *c = clause_now(x);
    while (x->depth)
        close_frame(x);
    if (!c)
        return;
    c->end = end;
    c->count = last - c->first;
    x->clause = SIZE_MAX;
    x->section = SECTION_PLAIN;
}

/* A second `:-`: the dot before the last atom is missing. */
static void split_clause(struct scan *x)
{
    size_t head = x->atom;
    uint32_t start = x->o->items[head].start;
    end_clause(x, start, head);
    begin_clause(x, start, head);
    if (x->oom)
        return;
    clause_now(x)->head = x->atom = head;
    x->o->items[head].role = MANGLE_DEFINES;
    for (size_t i = head; i < x->o->count; i++)
        x->o->items[i].clause = (uint32_t)x->clause;
}

/* ---- tokens --------------------------------------------------------------------------------- */

/* May a premise or value begin here, behind `before`? */
static bool goes_on(const struct scan *x)
{
    switch (x->before) {
    case TOKEN_IF:
    case TOKEN_COMMA:
    case TOKEN_BANG:
    case TOKEN_EQ:
    case TOKEN_NE:
    case TOKEN_LT:
    case TOKEN_LE:
    case TOKEN_GT:
    case TOKEN_GE:
    case TOKEN_PIPE:
    case TOKEN_DO:
    case TOKEN_DECL:
    case TOKEN_COLON:
        return true;
    case TOKEN_RBRACKET:
        return x->window;
    default:
        return false;
    }
}

static bool in_first_column(const struct scan *x)
{
    return x->at.start == 0 || x->lexer.text.ptr[x->at.start - 1] == '\n';
}

static bool begins_clause(const struct scan *x)
{
    if (x->clause == SIZE_MAX)
        return true;
    if (x->at.kind == TOKEN_DECL || x->at.kind == TOKEN_PACKAGE || x->at.kind == TOKEN_USE)
        return true;
    if (x->at.kind != TOKEN_NAME || !in_first_column(x) ||
        mgi_str_starts(x->at.text, STR_LIT("fn:")))
        return false;
    return x->depth ? x->section == SECTION_PLAIN : !goes_on(x);
}

static void open_frame(struct scan *x, size_t applied)
{
    if (!mgi_grow(&x->frames, &x->frame_cap, x->depth + 1, sizeof *x->frames)) {
        x->oom = true;
        return;
    }
    if (x->depth)
        x->frames[x->depth - 1].pending = true;
    x->frames[x->depth++] = (struct frame){
        .applied = applied,
        .window = x->before >= TOKEN_SOME_PAST && x->before <= TOKEN_ALL_FUTURE,
    };
}

/* The atom of a clause, Decl or list of atoms. */
static size_t add_atom(struct scan *x)
{
    struct mangle_outline_clause *c = clause_now(x);
    if (x->section == SECTION_DESCR)
        return add_token(x, MANGLE_AT_DESCRIPTOR, MANGLE_USES);
    enum mangle_occurrence_role role = MANGLE_USES;
    if (x->section == SECTION_PLAIN && c->head == SIZE_MAX && !c->rule) {
        role = c->declaration ? MANGLE_DECLARES : MANGLE_DEFINES;
        c->head = x->o->count;
    }
    size_t index = add_token(x, MANGLE_AT_PREDICATE, role);
    if (x->depth == 0)
        x->atom = index;
    return index;
}

static void on_name(struct scan *x)
{
    size_t index = SIZE_MAX;
    bool list = x->section == SECTION_DESCR || x->section == SECTION_INCLUSION;
    if (mgi_str_starts(x->at.text, STR_LIT("fn:")))
        index = add_token(x, x->section == SECTION_BOUND ? MANGLE_AT_TYPE : MANGLE_AT_FUNCTION,
                          MANGLE_USES);
    else if (x->at.text.ptr[0] == ':')
        index = add_token(x, MANGLE_AT_BUILTIN, MANGLE_USES);
    else if (x->depth == (list ? 1 : 0))
        index = add_atom(x);
    if (x->next.kind == TOKEN_LPAREN) {
        x->before = TOKEN_NAME;
        x->at = x->next;
        x->next = mgi_lex_next(&x->lexer);
        open_frame(x, index);
    }
}

/* A string that names a predicate: in bound [...], and the second argument of merge. */
static void on_string(struct scan *x)
{
    uint32_t arity = 0;
    if (x->section == SECTION_BOUND && x->depth)
        arity = 1;
    if (x->section == SECTION_DESCR && x->depth == 2 && x->frames[1].applied != SIZE_MAX &&
        strcmp(x->o->items[x->frames[1].applied].text, "merge") == 0 && x->frames[1].commas == 1)
        arity = 3;
    bool plain = x->at.kind == TOKEN_STRING && x->at.string.len + 2 == x->at.end - x->at.start;
    if (!arity || !plain || !x->at.string.len) {
        add_token(x, MANGLE_AT_STRING, MANGLE_USES);
        return;
    }
    size_t index = add_span(x, MANGLE_AT_PREDICATE, MANGLE_USES, x->at.start + 1, x->at.end - 1);
    if (index != SIZE_MAX)
        x->o->items[index].arity = arity;
}

static void on_section(struct scan *x, enum section section)
{
    add_token(x, MANGLE_AT_RESERVED, MANGLE_USES);
    if (x->clause != SIZE_MAX && clause_now(x)->declaration && x->depth == 0)
        x->section = section;
}

/* Package name! and Use name! are no clauses. */
static void on_header(struct scan *x)
{
    bool package = x->at.kind == TOKEN_PACKAGE;
    end_clause(x, x->before_end, x->o->count);
    add_token(x, MANGLE_AT_RESERVED, MANGLE_USES);
    if (x->next.kind != TOKEN_NAME)
        return;
    x->at = x->next;
    x->next = mgi_lex_next(&x->lexer);
    add_token(x, MANGLE_AT_PACKAGE, package ? MANGLE_DECLARES : MANGLE_USES);
    if (package && !x->o->packages[x->source].len)
        x->o->packages[x->source] = x->at.text;
    if (x->next.kind == TOKEN_BANG) {
        x->at = x->next;
        x->next = mgi_lex_next(&x->lexer);
    }
}

static void on_word(struct scan *x)
{
    switch (x->at.kind) {
    case TOKEN_NAME:
        on_name(x);
        break;
    case TOKEN_VARIABLE:
        if (!str_is(x->at.text, "_"))
            add_token(x, MANGLE_AT_VARIABLE, MANGLE_USES);
        break;
    case TOKEN_CONSTANT:
        add_token(x, x->section == SECTION_BOUND ? MANGLE_AT_TYPE : MANGLE_AT_NAME, MANGLE_USES);
        break;
    case TOKEN_DOTTYPE:
        add_token(x, MANGLE_AT_TYPE, MANGLE_USES);
        break;
    case TOKEN_NUMBER:
    case TOKEN_FLOAT:
    case TOKEN_TIMESTAMP:
    case TOKEN_DURATION:
        add_token(x, MANGLE_AT_NUMBER, MANGLE_USES);
        break;
    case TOKEN_STRING:
    case TOKEN_BYTES:
        on_string(x);
        break;
    case TOKEN_DESCR:
        on_section(x, SECTION_DESCR);
        break;
    case TOKEN_BOUND:
        on_section(x, SECTION_BOUND);
        break;
    case TOKEN_INCLUSION:
        on_section(x, SECTION_INCLUSION);
        break;
    case TOKEN_TEMPORAL:
    case TOKEN_NOW:
    case TOKEN_OPT:
    case TOKEN_LET:
    case TOKEN_DO:
    case TOKEN_DECL:
        add_token(x, MANGLE_AT_RESERVED, MANGLE_USES);
        break;
    default:
        break;
    }
}

static void one_token(struct scan *x)
{
    enum token_kind kind = x->at.kind;
    if (kind == TOKEN_PACKAGE || kind == TOKEN_USE) {
        on_header(x);
        return;
    }
    if (kind == TOKEN_DOT) {
        end_clause(x, x->at.end, x->o->count);
        return;
    }
    if (begins_clause(x)) {
        end_clause(x, x->before_end, x->o->count);
        begin_clause(x, x->at.start, x->o->count);
        if (x->oom)
            return;
        clause_now(x)->declaration = kind == TOKEN_DECL;
    }
    if (kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET || kind == TOKEN_LBRACE) {
        open_frame(x, SIZE_MAX);
    } else if (kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET || kind == TOKEN_RBRACE) {
        if (x->depth)
            close_frame(x);
    } else if (kind == TOKEN_COMMA) {
        if (x->depth && x->frames[x->depth - 1].pending) {
            x->frames[x->depth - 1].commas++;
            x->frames[x->depth - 1].pending = false;
        }
    } else if (kind == TOKEN_IF) {
        if (clause_now(x)->rule && x->atom != SIZE_MAX && x->section == SECTION_PLAIN)
            split_clause(x);
        if (!x->oom)
            clause_now(x)->rule = true;
    } else {
        if (x->depth)
            x->frames[x->depth - 1].pending = true;
        on_word(x);
    }
}

/* Comments are what begins with # between tokens. */
static void comments(struct scan *x, uint32_t from, uint32_t to)
{
    const char *text = x->lexer.text.ptr;
    for (uint32_t i = from; i < to; i++) {
        if (text[i] != '#')
            continue;
        uint32_t end = i;
        while (end < to && text[end] != '\n' && text[end] != '\r')
            end++;
        size_t clause = x->clause;
        x->clause = SIZE_MAX; /* they belong to nobody */
        add_span(x, MANGLE_AT_COMMENT, MANGLE_USES, i, end);
        x->clause = clause;
        i = end;
    }
}

bool mgi_outline_scan(struct mangle_outline *o, uint32_t source)
{
    struct str text = o->program->sources[source].text;
    struct arena strings; /* of the lexer: gone afterwards */
    mgi_arena_init(&strings, 0);
    struct scan x = { .o = o,
                      .source = source,
                      .lexer = { .text = text, .arena = &strings },
                      .clause = SIZE_MAX,
                      .atom = SIZE_MAX,
                      .before = TOKEN_END };
    if (mgi_str_starts(text, STR_LIT("\xEF\xBB\xBF")))
        x.lexer.at = 3;
    x.at = mgi_lex_next(&x.lexer);
    x.next = x.at.kind == TOKEN_END ? x.at : mgi_lex_next(&x.lexer);
    while (x.at.kind != TOKEN_END && !x.oom && !x.lexer.oom) {
        comments(&x, x.before_end, x.at.start);
        one_token(&x);
        x.before = x.at.kind;
        x.before_end = x.at.end;
        x.at = x.next;
        if (x.at.kind != TOKEN_END)
            x.next = mgi_lex_next(&x.lexer);
    }
    if (!x.oom && !x.lexer.oom)
        comments(&x, x.before_end, (uint32_t)text.len);
    end_clause(&x, x.before_end, o->count);
    mgi_free(x.frames);
    mgi_arena_fini(&strings);
    return !x.oom && !x.lexer.oom;
}
