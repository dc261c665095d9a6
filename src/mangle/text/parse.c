/* Clauses, declarations and units. After an error the parser goes on at the next clause, so that
 * one run reports every faulty clause; a name whose clause is lost is remembered in p->broken, and
 * later stages do not complain about it. */
#include "mangle/text/parse_int.h"

#include "base/alloc.h"
#include "base/utf8.h"

/* ---- recovery ---------------------------------------------------------------------------- */

/* Between a dot and this a clause may begin: `X = 1.5.5` has none. */
static bool ends_clause(const struct parser *x)
{
    struct str text = x->source->text;
    return x->token.end >= text.len || strchr(" \t\r\n\f#", text.ptr[x->token.end]);
}

/* A clause ends at its dot. Where the dot is missing, a name or Decl in the first column begins the
 * next clause. */
static void resync_clause(struct parser *x, uint32_t clause_start)
{
    while (x->token.kind != TOKEN_END && !x->oom) {
        if (x->token.kind == TOKEN_DOT && ends_clause(x)) {
            mgi_parser_next(x);
            return;
        }
        if (x->token.start > clause_start && mgi_parser_at_line_start(x) &&
            (x->token.kind == TOKEN_NAME || x->token.kind == TOKEN_DECL ||
             x->token.kind == TOKEN_ERROR))
            return;
        mgi_parser_next(x);
    }
}

void mgi_parser_resync(struct parser *x, uint32_t clause_start)
{
    x->lexer.one_line = true; /* a stray quote does not swallow the clauses below */
    resync_clause(x, clause_start);
    x->lexer.one_line = false;
}

/* ---- premises ---------------------------------------------------------------------------- */

/* Infix comparison, or NULL: the built-in it stands for, "" for = and !=. */
static const char *comparison_of(enum token_kind kind)
{
    switch (kind) {
    case TOKEN_EQ:
    case TOKEN_NE:
        return "";
    case TOKEN_LT:
        return ":lt";
    case TOKEN_LE:
        return ":le";
    case TOKEN_GT:
        return ":gt";
    case TOKEN_GE:
        return ":ge";
    default:
        return NULL;
    }
}

static bool must_be_value(struct parser *x, const struct term *t)
{
    return !mgi_term_is_atom(t) ||
           mgi_parser_fail(x, t->span, NULL, "an atom cannot be compared, only values can");
}

static bool comparison(struct parser *x, const struct term *left, const char *builtin,
                       struct premise *out)
{
    enum token_kind op = x->token.kind;
    if (out->negated)
        return mgi_parser_fail(x, mgi_token_span(x), "Use the opposite comparison.",
                               "'!' negates atoms only");
    if (out->window != WINDOW_NONE || out->annotation.present)
        return mgi_parser_fail(x, mgi_token_span(x), NULL,
                               "a comparison has no time: take the window or annotation away");
    mgi_parser_next(x);
    struct term right;
    if (op == TOKEN_LT && x->token.kind == TOKEN_GT)
        return mgi_parser_fail(x, mgi_parser_span(x, x->consumed_end - 1),
                               "Inequality is written X != Y.", "there is no operator '<>'");
    if (!must_be_value(x, left) || !mgi_parse_value(x, &right, 0))
        return false;
    if (!*builtin) {
        out->kind = op == TOKEN_EQ ? PREMISE_EQ : PREMISE_NE;
        out->left = *left;
        out->right = right;
        return true;
    }
    out->kind = PREMISE_BUILTIN;
    struct term *args = mgi_arena_alloc(x->arena, 2 * sizeof *args);
    if (!args)
        return mgi_parser_oom(x);
    args[0] = *left;
    args[1] = right;
    out->atom =
        (struct atom){ .name = str_of(builtin), .pred = MANGLE_NO_PRED, .args = args, .count = 2 };
    out->atom.span = (struct span){ x->source_index, left->span.start, right.span.end };
    return true;
}

/* What follows a premise that is no comparison. */
static bool ends_premise(const struct parser *x)
{
    enum token_kind kind = x->token.kind;
    return kind == TOKEN_COMMA || kind == TOKEN_DOT || kind == TOKEN_PIPE || kind == TOKEN_END;
}

/* Of a value before something strange, as in `X is Y`, and of `not p(X)`. */
static bool good_premise(struct parser *x, const struct term *t)
{
    if (ends_premise(x))
        return true;
    if (!mgi_term_is_atom(t))
        return mgi_parser_expected(x, "a comparison such as '=' or '<' after a value");
    const char *hint = mgi_habit_of_word(t->apply.name);
    if (!mgi_parser_at_term(x) || t->apply.count || !hint)
        return true;
    return mgi_parser_fail(x, t->span, hint, "expected a premise, but found the word '%.*s'",
                           STR_ARG(t->apply.name));
}

static bool premise(struct parser *x, struct premise *out)
{
    uint32_t start = x->token.start;
    *out = (struct premise){ .negated = x->token.kind == TOKEN_BANG };
    out->left.kind = out->right.kind =
        TERM_CONST; /* so that walks over all terms find no variable */
    if (out->negated)
        mgi_parser_next(x);
    struct term t;
    if (!mgi_parse_window(x, out))
        return false;
    if (!mgi_parser_at_term(x))
        return mgi_parser_expected(x, out->negated ? "an atom after '!'" : "a premise");
    if (!mgi_parse_term(x, &t, 0) || !mgi_parse_annotation(x, &out->annotation))
        return false;
    const char *builtin = comparison_of(x->token.kind);
    if (builtin) {
        if (!comparison(x, &t, builtin, out))
            return false;
    } else {
        if (!good_premise(x, &t) || !mgi_term_to_atom(x, &t, &out->atom))
            return false;
        bool timed = out->window != WINDOW_NONE || out->annotation.present;
        bool test = out->atom.name.ptr[0] == ':';
        if (timed && test)
            return mgi_parser_fail(x, out->atom.span, NULL,
                                   "a built-in has no time: take the window or annotation away");
        out->kind = test ? PREMISE_BUILTIN : timed ? PREMISE_TEMPORAL : PREMISE_ATOM;
    }
    out->span = mgi_parser_span(x, start);
    return true;
}

static bool body(struct parser *x, struct clause *out)
{
    struct premise *items = NULL;
    size_t count = 0, cap = 0;
    bool ok = false;
    do {
        if (!mgi_grow(&items, &cap, count + 1, sizeof *items)) {
            mgi_parser_oom(x);
            goto out;
        }
        if (!premise(x, &items[count]))
            goto out;
        count++;
        if (x->token.kind != TOKEN_COMMA)
            break;
        mgi_parser_next(x);
    } while (x->token.kind != TOKEN_DOT && x->token.kind != TOKEN_PIPE);

    out->premise_count = (uint32_t)count;
    out->premises = mgi_arena_alloc(x->arena, count * sizeof *items);
    if (!out->premises) {
        mgi_parser_oom(x);
        goto out;
    }
    memcpy(out->premises, items, count * sizeof *items);
    ok = true;
out:
    mgi_free(items);
    return ok;
}

/* ---- transforms -------------------------------------------------------------------------- */

static bool must_be_call(struct parser *x, const struct term *t, const char *after)
{
    return t->kind == TERM_APPLY ||
           mgi_parser_fail(x, t->span, "Use an equality in the body for a plain value.",
                           "expected a function call after '%s'", after);
}

static bool let_statement(struct parser *x, struct let *out, bool first)
{
    uint32_t start = x->token.start;
    if (x->token.kind != TOKEN_LET)
        return mgi_parser_expected_hint(
            x, first ? "'let' or 'do' after '|>'" : "'let' after a comma in a transform",
            "Write |> let Y = fn:plus(X, 1), or |> do fn:group_by(X), let N = fn:count().");
    mgi_parser_next(x);
    if (x->token.kind != TOKEN_VARIABLE)
        return mgi_parser_expected_hint(x, "a variable after 'let'",
                                        "Variables begin with a capital letter.");
    struct term var;
    if (!mgi_parse_term(x, &var, 0) || !mgi_parser_take(x, TOKEN_EQ, "'='") ||
        !mgi_parse_value(x, &out->term, 0) || !must_be_call(x, &out->term, "="))
        return false;
    out->var = var.var;
    out->span = mgi_parser_span(x, start);
    return true;
}

static bool transform(struct parser *x, struct transform *out)
{
    uint32_t start = x->token.start;
    *out = (struct transform){ .is_do = x->token.kind == TOKEN_DO };
    out->grouping.kind = TERM_CONST;
    if (out->is_do) {
        mgi_parser_next(x);
        if (!mgi_parse_value(x, &out->grouping, 0) || !must_be_call(x, &out->grouping, "do"))
            return false;
    }
    struct let *lets = NULL;
    size_t count = 0, cap = 0;
    bool ok = false, more = !out->is_do || x->token.kind == TOKEN_COMMA;
    if (out->is_do && more)
        mgi_parser_next(x);
    while (more) {
        if (!mgi_grow(&lets, &cap, count + 1, sizeof *lets)) {
            mgi_parser_oom(x);
            goto out;
        }
        if (!let_statement(x, &lets[count], !out->is_do && count == 0))
            goto out;
        count++;
        more = x->token.kind == TOKEN_COMMA;
        if (more)
            mgi_parser_next(x);
    }
    out->let_count = (uint32_t)count;
    out->lets = mgi_arena_alloc(x->arena, count * sizeof *lets);
    if (!out->lets) {
        mgi_parser_oom(x);
        goto out;
    }
    if (count)
        memcpy(out->lets, lets, count * sizeof *lets);
    out->span = mgi_parser_span(x, start);
    ok = true;
out:
    mgi_free(lets);
    return ok;
}

/* Every stage is read; only the first is kept, for more than one is an error (M-ANA-32). */
static bool stages(struct parser *x, struct clause *out)
{
    while (x->token.kind == TOKEN_PIPE) {
        struct span pipe = mgi_token_span(x);
        mgi_parser_next(x);
        struct transform *t = mgi_arena_alloc(x->arena, sizeof *t);
        if (!t)
            return mgi_parser_oom(x);
        if (!transform(x, t))
            return false;
        if (out->stage_count++ == 0)
            out->transform = t;
        else if (out->stage_count == 2)
            out->second_stage = pipe;
    }
    return true;
}

/* Neither ':-' nor a dot follows: perhaps what was read is no head but a misspelt keyword. */
static bool no_end_of_head(struct parser *x, const struct atom *head)
{
    static const char *const keywords[] = { "Decl", "Package", "Use" };
    const char *near = NULL;
    if (head->count == 0 && x->token.kind == TOKEN_NAME)
        near =
            str_is(head->name, "declare")
                ? "Did you mean \"Decl\"?"
                : mgi_parser_near_word(x, head->name, keywords, sizeof keywords / sizeof *keywords);
    if (!near && head->count == 0 && x->token.kind == TOKEN_NAME)
        near = mgi_habit_of_word(head->name);
    if (near)
        return mgi_parser_fail(x, head->span, near, "expected a clause, but found the word '%.*s'",
                               STR_ARG(head->name));
    if (x->token.kind == TOKEN_COMMA)
        return mgi_parser_expected_hint(x, "':-' or '.' after the head",
                                        "A rule has one head: write a clause for each.");
    return mgi_parser_take_end(x, "':-' or '.' after the head");
}

static bool clause_head(struct parser *x, struct atom *out)
{
    struct term t;
    if (!mgi_parser_at_term(x))
        return mgi_parser_expected(x, "a clause");
    if (x->token.kind == TOKEN_VARIABLE) {
        const char *habit = mgi_habit_of_word(x->token.text);
        if (habit)
            return mgi_parser_expected_hint(x, "a clause", habit);
    }
    return mgi_parse_term(x, &t, 0) && mgi_term_to_atom(x, &t, out);
}

bool mgi_parse_clause(struct parser *x, struct clause *out)
{
    uint32_t start = x->token.start;
    *out = (struct clause){ .unit = x->source_index };
    if (!clause_head(x, &out->head) || !mgi_parse_annotation(x, &out->annotation))
        return false;
    if (x->token.kind == TOKEN_IF) {
        mgi_parser_next(x);
        if (!body(x, out) || !stages(x, out))
            return false;
        if (!mgi_parser_take_end(x, out->transform ? "',' or '.' after a transform"
                                                   : "',' or '.' after a premise"))
            return false;
    } else if (x->token.kind != TOKEN_DOT) {
        return no_end_of_head(x, &out->head);
    } else {
        mgi_parser_next(x);
    }
    out->span = mgi_parser_span(x, start);
    return mgi_parser_vars(x, &out->vars, &out->var_count);
}

/* ---- units ------------------------------------------------------------------------------- */

static bool header_line(struct parser *x, struct package_use *out)
{
    uint32_t start = x->token.start;
    struct atom *atoms;
    uint32_t count;
    mgi_parser_next(x);
    if (x->token.kind != TOKEN_NAME)
        return mgi_parser_expected_hint(x, "a package name in lower case",
                                        "Write Package name! or Use name!.");
    out->name = x->token.text;
    mgi_parser_next(x);
    if (x->token.kind == TOKEN_LBRACKET && !mgi_parse_atoms(x, &atoms, &count))
        return false;
    if (x->token.kind != TOKEN_BANG)
        return mgi_parser_expected_hint(x, "'!' after the package name",
                                        "Write Package name! or Use name!, each with its '!'.");
    mgi_parser_next(x);
    if (x->oom)
        return false;
    out->span = mgi_parser_span(x, start);
    return true;
}

static void resync_header(struct parser *x, uint32_t start)
{
    while (x->token.kind != TOKEN_END && !x->oom) {
        bool ends = x->token.kind == TOKEN_BANG || x->token.kind == TOKEN_DOT;
        if (x->token.start > start && mgi_parser_at_line_start(x) && !ends)
            return;
        mgi_parser_next(x);
        if (ends)
            return;
    }
}

static bool lower_case(struct str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (name.ptr[i] >= 'A' && name.ptr[i] <= 'Z')
            return false;
    return true;
}

/* Package name! Use name! … */
static void header(struct parser *x, struct package_unit *unit)
{
    size_t cap = 0;
    while ((x->token.kind == TOKEN_PACKAGE || x->token.kind == TOKEN_USE) && !x->oom) {
        uint32_t start = x->token.start;
        bool package = x->token.kind == TOKEN_PACKAGE;
        struct package_use line = { 0 };
        mgi_parser_forget(x);
        if (package && (unit->package.name.len || unit->use_count)) {
            mgi_parser_fail(x, mgi_token_span(x), NULL, "'Package' stands once, at the beginning");
            resync_header(x, start);
        } else if (!header_line(x, &line)) {
            resync_header(x, start);
        } else if (package) {
            unit->package = line;
            if (!lower_case(line.name))
                mgi_parser_fail_code(x, "PKG_CASE", line.span, NULL,
                                     "the package name \"%.*s\" must be in lower case",
                                     STR_ARG(line.name));
        } else if (mgi_arena_grow(x->arena, &unit->uses, &cap, (size_t)unit->use_count + 1,
                                  sizeof *unit->uses)) {
            unit->uses[unit->use_count++] = line;
        } else {
            mgi_parser_oom(x);
        }
    }
}

/* The name a faulty clause or declaration would have defined. */
static bool remember_broken(mangle_program *p, struct str name)
{
    return name.len == 0 || mgi_strmap_put(&p->broken, name, 1);
}

static bool statement(struct parser *x, mangle_program *p)
{
    uint32_t start = x->token.start;
    struct str name = { 0 };
    bool ok;
    if (x->token.kind == TOKEN_PACKAGE || x->token.kind == TOKEN_USE) {
        mgi_parser_fail(x, mgi_token_span(x), NULL,
                        "'%.*s' stands at the beginning of a file, before clauses",
                        STR_ARG(x->token.text));
        resync_header(x, start);
        return !x->oom;
    }
    if (x->token.kind == TOKEN_DECL) {
        struct lexer ahead = x->lexer;
        struct token next = mgi_lex_next(&ahead);
        if (next.kind == TOKEN_NAME)
            name = next.text;
        if (!mgi_grow(&p->decls, &p->decl_cap, p->decl_count + 1, sizeof *p->decls))
            return mgi_parser_oom(x);
        ok = mgi_parse_decl(x, &p->decls[p->decl_count]);
        p->decl_count += ok;
    } else {
        if (x->token.kind == TOKEN_NAME)
            name = x->token.text;
        if (!mgi_grow(&p->clauses, &p->clause_cap, p->clause_count + 1, sizeof *p->clauses))
            return mgi_parser_oom(x);
        ok = mgi_parse_clause(x, &p->clauses[p->clause_count]);
        p->clause_count += ok;
    }
    if (!ok && !remember_broken(p, name))
        return mgi_parser_oom(x);
    bool ended = x->consumed == TOKEN_DOT && x->consumed_end > start;
    if (!ok && !ended)
        mgi_parser_resync(x, start);
    return !x->oom;
}

static bool parse_source(mangle_program *p, uint32_t index, mangle_diags *diags)
{
    struct parser x;
    mgi_parser_init(&x, &p->sources[index], index, &p->arena, p->values, diags);
    header(&x, &p->units[index]);
    while (x.token.kind != TOKEN_END && !x.oom) {
        mgi_parser_forget(&x);
        if (!statement(&x, p))
            break;
    }
    bool oom = x.oom || x.lexer.oom;
    mgi_parser_fini(&x);
    return !oom;
}

static bool index_lines(struct arena *arena, struct source *source)
{
    struct str text = source->text;
    uint32_t count = 1;
    for (size_t i = 0; i < text.len; i++)
        count += text.ptr[i] == '\n';
    source->lines = mgi_arena_alloc(arena, count * sizeof *source->lines);
    if (!source->lines)
        return false;
    source->lines[0] = 0;
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == '\n')
            source->lines[++source->line_count] = (uint32_t)i + 1;
    source->line_count = count;
    return true;
}

enum mangle_status mgi_parse(mangle_program *p, const struct mangle_source *sources, size_t count,
                             mangle_diags *diags)
{
    p->sources = mgi_arena_calloc(&p->arena, count ? count : 1, sizeof *p->sources);
    p->units = mgi_arena_calloc(&p->arena, count ? count : 1, sizeof *p->units);
    if (!p->sources || !p->units)
        return MANGLE_ERR_NOMEM;
    for (size_t i = 0; i < count; i++) {
        if (!mgi_source_copy(&p->arena, &sources[i], &p->sources[i]))
            return MANGLE_ERR_NOMEM;
        p->source_count = i + 1;
        if (p->sources[i].text.len >= UINT32_MAX / 2) {
            p->sources[i].text.len = 0;
            mgi_diag(diags, p, MANGLE_ERROR, "SYNTAX", (struct span){ (uint32_t)i, 0, 0 },
                     "Split it into several files.", "the source is larger than 2 GiB");
        }
        if (!index_lines(&p->arena, &p->sources[i]) || !parse_source(p, (uint32_t)i, diags))
            return MANGLE_ERR_NOMEM;
    }
    return MANGLE_OK;
}
