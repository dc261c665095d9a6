/* Text parsed against a program that is there already: one atom for a query, or facts for a base.
 * Nothing of the program changes. Facts are parsed in scratch memory, clause by clause, so that a
 * file of a million facts costs their values and no syntax trees. */
#include "base/alloc.h"
#include "mangle/check/check_int.h"
#include "mangle/text/parse.h"
#include "mangle/text/plain.h"
#include "mangle/check/suggest.h"
#include "mangle/check/target.h"

static struct check target_check(const struct parse_target *target, const struct source *source)
{
    struct check k = { .p = target->program,
                       .values = target->values,
                       .arena = target->into,
                       .diags = target->diags,
                       .source = source };
    mgi_arena_init(&k.scratch, 0);
    return k;
}

static enum mangle_status target_status(const struct parse_target *target, bool failed, bool oom)
{
    if (oom || mgi_diags_status(target->diags) == MANGLE_ERR_NOMEM)
        return MANGLE_ERR_NOMEM;
    return failed ? MANGLE_ERR_PROGRAM : MANGLE_OK;
}

/* ---- one atom ---------------------------------------------------------------------------- */

/* After it only one `.`, blanks and comments may follow (M-SYN-16). */
static bool at_end(struct parser *x)
{
    if (x->token.kind == TOKEN_DOT)
        mgi_parser_next(x);
    static const char hint[] =
        "Only one atom stands here; a rule can ask for more: r(X) :- p(X), q(X).";
    return x->token.kind == TOKEN_END ||
           mgi_parser_expected_hint(x, "nothing after the atom", hint);
}

enum mangle_status mgi_parse_atom(const struct parse_target *target, struct str text,
                                  struct clause *out)
{
    struct mangle_source given = { "query", text.ptr, text.len };
    struct source *source = mgi_arena_calloc(target->into, 1, sizeof *source);
    if (target->diags)
        mgi_diags_begin(target->diags);
    if (!source || text.len >= UINT32_MAX / 2 || !mgi_source_copy(target->into, &given, source))
        return MANGLE_ERR_NOMEM;
    struct parser x;
    *out = (struct clause){ 0 };
    mgi_parser_init(&x, source, 0, target->into, target->values, target->diags);
    bool parsed = mgi_parse_atom_term(&x, &out->head) && at_end(&x) &&
                  mgi_parser_vars(&x, &out->vars, &out->var_count);
    bool oom = x.oom;
    mgi_parser_fini(&x);
    if (!parsed)
        return target_status(target, true, oom);

    struct check k = target_check(target, source);
    out->span = out->head.span;
    out->head.pred = mgi_pred_find(target->program, out->head.name, out->head.count);
    k.c = out;
    mgi_resolve_functions(out);
    mgi_check_functions(&k);
    mgi_arena_fini(&k.scratch);
    return target_status(target, k.failed, k.oom);
}

/* ---- facts ------------------------------------------------------------------------------- */

#define KNOWN_PREDS    64
#define TEXTS_TOGETHER 256

struct plain_texts { /* of plain facts, that become values together */
    struct mangle_text texts[TEXTS_TOGETHER];
    mangle_value values[TEXTS_TOGETHER];
    mangle_pred preds[TEXTS_TOGETHER]; /* where they go: words of the predicate's rows */
    size_t places[TEXTS_TOGETHER];
    size_t count;
};

struct fact_reader {
    const struct parse_target *target;
    struct parser parser;
    struct check check;
    struct arena scratch;   /* of the clause at hand */
    struct fact_rows *rows; /* or NULL: all facts are kept as such */
    struct fact *facts;     /* heap, copied at the end */
    size_t count, cap;
    mangle_pred last[KNOWN_PREDS]; /* of plain facts, by their name and arity */
    struct plain_texts texts;
    bool failed, oom;
};

static void refuse_fact(struct fact_reader *r, const char *code, struct span span, const char *hint,
                        const char *message)
{
    mgi_check_error(&r->check, code, span, hint, "%s", message);
}

mangle_pred mgi_fact_pred(struct check *k, struct str name, uint32_t count, struct span span)
{
    const mangle_program *p = k->p;
    mangle_pred pred = mgi_pred_find(p, name, count);
    if (pred != MANGLE_NO_PRED)
        return pred;
    for (size_t i = 0; i < p->pred_count && !mgi_diags_full(k->diags); i++) {
        if (str_eq(p->preds[i].name, name)) {
            mgi_check_error(k, "PRED_ARITY", span, mgi_hint_call(&p->preds[i], k->diags),
                            "\"%.*s\" has %u argument%s here, but %s in the program", STR_ARG(name),
                            count, count == 1 ? "" : "s", mgi_known_arities(p, name, k->diags));
            return MANGLE_NO_PRED;
        }
    }
    mgi_check_error(k, "PRED_UNKNOWN", span, mgi_hint_pred(p, name, count, k->diags),
                    "the program does not know the predicate \"%.*s\"", STR_ARG(name));
    return MANGLE_NO_PRED;
}

/* Does the clause fit the program as a fact? Reports. */
static void check_fact(struct fact_reader *r, struct clause *c)
{
    const mangle_program *p = r->target->program;
    struct check *k = &r->check;
    if (c->premise_count) {
        refuse_fact(r, "SYNTAX", c->span, "Put rules into the program.",
                    "a rule stands among facts");
        return;
    }
    c->head.pred = mgi_fact_pred(k, c->head.name, c->head.count, c->head.span);
    if (c->head.pred == MANGLE_NO_PRED)
        return;
    if (!mgi_check_begin(k, c))
        return;
    mgi_check_fact_clause(k);
    const struct pred *pred = &p->preds[c->head.pred];
    if (pred->temporal && !c->annotation.present) { /* valid at all times (M-SYN-56) */
        c->annotation = (struct annotation){ .present = true };
        c->annotation.start.kind = c->annotation.end.kind = BOUND_OPEN;
    } else if (!pred->temporal && c->annotation.present) {
        if (!mgi_annotation_eternal(&c->annotation))
            mgi_check_error(k, "TEMP_NOT_DECLARED", c->annotation.span,
                            "Declare it temporal in the program, or take the annotation away.",
                            "\"%.*s\" is not temporal", STR_ARG(c->head.name));
        c->annotation.present = false;
    }
}

/* A fact that reads `now` keeps its clause, so it is parsed again, into memory that stays. */
static bool keep_clause(struct fact_reader *r, struct lexer at, struct token token,
                        struct fact *fact)
{
    struct parser *x = &r->parser;
    struct clause *c = mgi_arena_calloc(r->target->into, 1, sizeof *c);
    if (!c)
        return false;
    x->lexer = at;
    x->token = token;
    x->arena = x->lexer.arena = r->target->into;
    mgi_parser_forget(x);
    bool ok = mgi_parse_clause(x, c);
    x->arena = x->lexer.arena = &r->scratch;
    if (!ok)
        return false;
    check_fact(r, c);
    return mgi_fact_from_clause(&r->check, r->target->into, c, fact);
}

static bool is_row(const struct fact_reader *r, const struct pred *pred)
{
    return r->rows && !pred->temporal && pred->arity > 0;
}

/* Room for a fact of `pred`, or NULL; it is there when words were put into it and counted. */
static mangle_value *row_room(struct fact_reader *r, mangle_pred pred, uint32_t count)
{
    struct fact_rows *rows = &r->rows[pred];
    if (mgi_grow(&rows->words, &rows->cap, rows->count + count, sizeof *rows->words))
        return rows->words + rows->count;
    r->oom = true;
    return NULL;
}

static bool keep_row(struct fact_reader *r, const struct fact *fact, uint32_t count)
{
    mangle_value *to = row_room(r, fact->pred, count);
    if (!to)
        return false;
    memcpy(to, fact->args, count * sizeof *to);
    r->rows[fact->pred].count += count;
    return true;
}

static bool keep_fact_of(struct fact_reader *r, struct lexer at, struct token token,
                         const struct clause *c)
{
    const struct pred *pred = &r->target->program->preds[c->head.pred];
    bool row = is_row(r, pred);
    if (!mgi_grow(&r->facts, &r->cap, r->count + 1, sizeof *r->facts)) {
        r->oom = true;
        return false;
    }
    struct fact *fact = &r->facts[r->count];
    if (!mgi_fact_from_clause(&r->check, row ? &r->scratch : r->target->into, c, fact) ||
        (fact->reads_now && !keep_clause(r, at, token, fact)))
        return false;
    if (row && !fact->reads_now)
        return keep_row(r, fact, pred->arity);
    if (!fact->reads_now)
        fact->clause = NULL;
    r->count++;
    return true;
}

static void read_fact(struct fact_reader *r)
{
    struct parser *x = &r->parser;
    struct lexer at = x->lexer;
    struct token token = x->token;
    struct clause c;
    if (!mgi_parse_clause(x, &c)) {
        if (x->consumed != TOKEN_DOT || x->consumed_end <= token.start)
            mgi_parser_resync(x, token.start);
        r->failed = true;
        return;
    }
    r->check.failed = false;
    check_fact(r, &c);
    if (r->check.failed || r->check.oom || !keep_fact_of(r, at, token, &c))
        r->failed = true;
}

/* ---- plain facts, most of most files ------------------------------------------------------- */

/* MANGLE_NO_PRED: none that takes rows. */
static mangle_pred plain_pred(struct fact_reader *r, const struct plain_fact *f)
{
    const mangle_program *p = r->target->program;
    size_t len = f->name.len;
    unsigned char first = (unsigned char)f->name.ptr[0], last = (unsigned char)f->name.ptr[len - 1];
    size_t at = (first * 5u + last * 3u + f->count * 7u + len) % KNOWN_PREDS;
    mangle_pred pred = r->last[at];
    if (pred < p->pred_count && p->preds[pred].arity == f->count &&
        str_eq(p->preds[pred].name, f->name))
        return pred;
    pred = mgi_pred_find(p, f->name, f->count);
    if (pred == MANGLE_NO_PRED || !is_row(r, &p->preds[pred]))
        return MANGLE_NO_PRED;
    return r->last[at] = pred;
}

static void end_texts(struct fact_reader *r)
{
    struct plain_texts *t = &r->texts;
    mangle_texts(r->target->values, t->texts, t->count);
    for (size_t i = 0; i < t->count; i++) {
        r->rows[t->preds[i]].words[t->places[i]] = t->values[i];
        r->oom |= t->values[i] == MANGLE_NONE;
    }
    t->count = 0;
}

static void begin_text(struct fact_reader *r, const struct plain_arg *a, mangle_pred pred,
                       size_t place)
{
    struct plain_texts *t = &r->texts;
    if (t->count == TEXTS_TOGETHER)
        end_texts(r);
    t->texts[t->count] =
        (struct mangle_text){ a->kind, a->text.ptr, a->text.len, &t->values[t->count] };
    t->preds[t->count] = pred;
    t->places[t->count++] = place;
}

/* False: it is left to the parser, which says why. */
static bool keep_plain(struct fact_reader *r, const struct plain_fact *f)
{
    mangle_pred pred = plain_pred(r, f);
    mangle_value *to = pred == MANGLE_NO_PRED ? NULL : row_room(r, pred, f->count);
    if (!to)
        return false;
    for (uint32_t i = 0; i < f->count; i++) {
        if (f->args[i].kind != MANGLE_NUMBER) {
            begin_text(r, &f->args[i], pred, r->rows[pred].count + i);
        } else {
            to[i] = mangle_number(r->target->values, f->args[i].number);
            r->oom |= to[i] == MANGLE_NONE;
        }
    }
    r->rows[pred].count += f->count;
    return !r->oom;
}

/* The plain facts that begin at the token at hand. */
static void read_plain(struct fact_reader *r)
{
    struct parser *x = &r->parser;
    struct plain_fact f;
    uint32_t begin = x->token.start, at = begin, behind = begin;
    while (r->rows && mgi_plain_fact(x->source->text, &behind, &f) && keep_plain(r, &f))
        at = behind;
    end_texts(r);
    if (at > begin)
        mgi_parser_skip(x, at);
}

/* The list of facts as it is handed out. */
static enum mangle_status end_facts(struct fact_reader *r, struct fact **facts, size_t *count)
{
    const struct parse_target *target = r->target;
    r->oom |= r->parser.oom || r->check.oom;
    enum mangle_status st = target_status(target, r->failed, r->oom);
    if (st)
        return st;
    *facts = mgi_arena_calloc(target->into, r->count + 1, sizeof **facts);
    if (!*facts)
        return MANGLE_ERR_NOMEM;
    if (r->count)
        memcpy(*facts, r->facts, r->count * sizeof **facts);
    *count = r->count;
    return MANGLE_OK;
}

static void read_all_facts(struct fact_reader *r)
{
    while (!r->parser.oom && !r->oom && !r->check.oom) {
        read_plain(r);
        if (r->parser.token.kind == TOKEN_END)
            break;
        mgi_parser_forget(&r->parser);
        read_fact(r);
        mgi_arena_reset(&r->check.scratch);
        /* The next token is read already: the content of a string lies in the scratch memory. */
        if (r->parser.token.kind != TOKEN_STRING && r->parser.token.kind != TOKEN_BYTES)
            mgi_arena_reset(&r->scratch);
    }
}

enum mangle_status mgi_parse_fact_rows(const struct parse_target *target,
                                       const struct mangle_source *given, struct fact_rows *rows,
                                       struct fact **facts, size_t *count)
{
    *facts = NULL;
    *count = 0;
    if (target->diags)
        mgi_diags_begin(target->diags);
    struct source *source = mgi_arena_calloc(target->into, 1, sizeof *source);
    if (!source || given->len >= UINT32_MAX / 2 || !mgi_source_view(target->into, given, source))
        return MANGLE_ERR_NOMEM;
    struct fact_reader r = { .target = target,
                             .check = target_check(target, source),
                             .rows = rows };
    mgi_arena_init(&r.scratch, 0);
    memset(r.last, 0xff, sizeof r.last);
    mgi_parser_init(&r.parser, source, 0, &r.scratch, target->values, target->diags);
    read_all_facts(&r);
    enum mangle_status st = end_facts(&r, facts, count);
    mgi_diags_sort(target->diags);
    mgi_free(r.facts);
    mgi_parser_fini(&r.parser);
    mgi_arena_fini(&r.check.scratch);
    mgi_arena_fini(&r.scratch);
    return st;
}

enum mangle_status mgi_parse_facts(const struct parse_target *target,
                                   const struct mangle_source *given, struct fact **facts,
                                   size_t *count)
{
    return mgi_parse_fact_rows(target, given, NULL, facts, count);
}

/* ---- which predicates? ------------------------------------------------------------------- */

struct pred_list {
    struct strmap index; /* "name/arity" -> item */
    struct mangle_host_pred *items;
    size_t count, cap, last;
    size_t name_bytes;
    struct buf key;
    struct arena names;
    bool oom;
};

static void list_pred(struct pred_list *list, struct str pred, uint32_t arity, bool temporal)
{
    uint32_t at = (uint32_t)list->last;
    if (at < list->count && list->items[at].arity == arity && str_is(pred, list->items[at].name)) {
        list->items[at].temporal |= temporal;
        return;
    }
    mgi_buf_clear(&list->key);
    mgi_buf_printf(&list->key, "%.*s/%u", STR_ARG(pred), arity);
    if (!mgi_strmap_get(&list->index, mgi_buf_view(&list->key), &at)) {
        at = (uint32_t)list->count;
        const char *name = mgi_arena_str(&list->names, pred).ptr;
        if (!name || list->key.oom || !mgi_strmap_put(&list->index, mgi_buf_view(&list->key), at) ||
            !mgi_grow(&list->items, &list->cap, list->count + 1, sizeof *list->items)) {
            list->oom = true;
            return;
        }
        list->items[list->count++] = (struct mangle_host_pred){ name, arity, false };
        list->name_bytes += pred.len + 1;
    }
    list->items[at].temporal |= temporal;
    list->last = at;
}

/* The plain facts that begin at the token at hand. */
static void list_plain(struct parser *x, struct pred_list *list)
{
    struct plain_fact f;
    uint32_t begin = x->token.start, at = begin;
    while (!list->oom && mgi_plain_fact(x->source->text, &at, &f))
        list_pred(list, f.name, f.count, false);
    if (at > begin)
        mgi_parser_skip(x, at);
}

static bool has_interval(const struct clause *c)
{
    return c->annotation.present && !mgi_annotation_eternal(&c->annotation);
}

/* Items and names in one block. */
static struct mangle_host_pred *one_block(const struct pred_list *list)
{
    struct mangle_host_pred *out =
        mgi_alloc(list->count * sizeof *out + list->name_bytes + sizeof *out);
    char *name = out ? (char *)(out + list->count) : NULL;
    for (size_t i = 0; out && i < list->count; i++) {
        size_t len = strlen(list->items[i].name) + 1;
        out[i] = list->items[i];
        out[i].name = memcpy(name, list->items[i].name, len);
        name += len;
    }
    return out;
}

static void list_preds(struct parser *x, struct pred_list *list)
{
    while (!x->oom && !list->oom) {
        struct clause c;
        list_plain(x, list);
        if (x->token.kind == TOKEN_END)
            break;
        uint32_t start = x->token.start;
        mgi_parser_forget(x);
        if (mgi_parse_clause(x, &c))
            list_pred(list, c.head.name, c.head.count, has_interval(&c));
        else if (x->consumed != TOKEN_DOT || x->consumed_end <= start)
            mgi_parser_resync(x, start);
        if (x->token.kind != TOKEN_STRING && x->token.kind != TOKEN_BYTES)
            mgi_arena_reset(x->arena);
    }
    list->oom |= x->oom;
}

enum mangle_status mangle_facts_preds(const struct mangle_source *given,
                                      struct mangle_host_pred **preds, size_t *count)
{
    struct arena kept, scratch;
    struct pred_list list = { 0 };
    struct parser x;
    struct source source;
    mangle_values *values = mgi_values_new(NULL, 0);
    *preds = NULL;
    *count = 0;
    mgi_arena_init(&kept, 0);
    mgi_arena_init(&scratch, 0);
    mgi_arena_init(&list.names, 0);
    mgi_strmap_init(&list.index);
    if (values && given->len < UINT32_MAX / 2 && mgi_source_view(&kept, given, &source)) {
        mgi_parser_init(&x, &source, 0, &scratch, values, NULL);
        list_preds(&x, &list);
        mgi_parser_fini(&x);
        *preds = list.oom ? NULL : one_block(&list);
        *count = *preds ? list.count : 0;
    }
    mgi_free(list.items);
    mgi_buf_fini(&list.key);
    mgi_strmap_fini(&list.index);
    mgi_arena_fini(&list.names);
    mgi_arena_fini(&scratch);
    mgi_arena_fini(&kept);
    mgi_values_free(values);
    return *preds ? MANGLE_OK : MANGLE_ERR_NOMEM;
}
