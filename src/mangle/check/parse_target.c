/* Text parsed against a program that is there already: one atom for a query, or facts for a base.
 * Nothing of the program changes. Facts are parsed in scratch memory, clause by clause, so that a
 * file of a million facts costs their values and no syntax trees. */
#include "base/alloc.h"
#include "mangle/check/check_int.h"
#include "mangle/text/parse.h"
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

struct fact_reader {
    const struct parse_target *target;
    struct parser parser;
    struct check check;
    struct arena scratch; /* of the clause at hand */
    struct fact *facts;   /* heap, copied at the end */
    size_t count, cap;
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
    if (r->check.failed || r->check.oom) {
        r->failed = true;
        return;
    }
    if (!mgi_grow(&r->facts, &r->cap, r->count + 1, sizeof *r->facts)) {
        r->oom = true;
        return;
    }
    struct fact *fact = &r->facts[r->count];
    if (!mgi_fact_from_clause(&r->check, r->target->into, &c, fact) ||
        (fact->reads_now && !keep_clause(r, at, token, fact))) {
        r->failed = true;
        return;
    }
    if (!fact->reads_now)
        fact->clause = NULL;
    r->count++;
}

enum mangle_status mgi_parse_facts(const struct parse_target *target,
                                   const struct mangle_source *given, struct fact **facts,
                                   size_t *count)
{
    *facts = NULL;
    *count = 0;
    if (target->diags)
        mgi_diags_begin(target->diags);
    struct source *source = mgi_arena_calloc(target->into, 1, sizeof *source);
    if (!source || given->len >= UINT32_MAX / 2 || !mgi_source_copy(target->into, given, source))
        return MANGLE_ERR_NOMEM;
    struct fact_reader r = { .target = target, .check = target_check(target, source) };
    mgi_arena_init(&r.scratch, 0);
    mgi_parser_init(&r.parser, source, 0, &r.scratch, target->values, target->diags);
    while (r.parser.token.kind != TOKEN_END && !r.parser.oom && !r.oom && !r.check.oom) {
        mgi_parser_forget(&r.parser);
        read_fact(&r);
        mgi_arena_reset(&r.check.scratch);
        /* The next token is read already: the content of a string lies in the scratch memory. */
        if (r.parser.token.kind != TOKEN_STRING && r.parser.token.kind != TOKEN_BYTES)
            mgi_arena_reset(&r.scratch);
    }
    r.oom |= r.parser.oom || r.check.oom;
    enum mangle_status st = target_status(target, r.failed, r.oom);
    if (!st) {
        *facts = mgi_arena_calloc(target->into, r.count + 1, sizeof **facts);
        if (*facts && r.count)
            memcpy(*facts, r.facts, r.count * sizeof **facts);
        *count = *facts ? r.count : 0;
        st = *facts ? MANGLE_OK : MANGLE_ERR_NOMEM;
    }
    mgi_diags_sort(target->diags);
    mgi_free(r.facts);
    mgi_parser_fini(&r.parser);
    mgi_arena_fini(&r.check.scratch);
    mgi_arena_fini(&r.scratch);
    return st;
}

/* ---- which predicates? ------------------------------------------------------------------- */

struct pred_list {
    struct strmap index; /* "name/arity" -> item */
    struct mangle_host_pred *items;
    size_t count, cap;
    size_t name_bytes;
    struct buf key;
    struct arena names;
    bool oom;
};

static void list_pred(struct pred_list *list, const struct clause *c)
{
    uint32_t at;
    mgi_buf_clear(&list->key);
    mgi_buf_printf(&list->key, "%.*s/%u", STR_ARG(c->head.name), c->head.count);
    if (!mgi_strmap_get(&list->index, mgi_buf_view(&list->key), &at)) {
        at = (uint32_t)list->count;
        const char *name = mgi_arena_str(&list->names, c->head.name).ptr;
        if (!name || list->key.oom || !mgi_strmap_put(&list->index, mgi_buf_view(&list->key), at) ||
            !mgi_grow(&list->items, &list->cap, list->count + 1, sizeof *list->items)) {
            list->oom = true;
            return;
        }
        list->items[list->count++] = (struct mangle_host_pred){ name, c->head.count, false };
        list->name_bytes += c->head.name.len + 1;
    }
    if (c->annotation.present && !mgi_annotation_eternal(&c->annotation))
        list->items[at].temporal = true;
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
    while (x->token.kind != TOKEN_END && !x->oom && !list->oom) {
        struct clause c;
        uint32_t start = x->token.start;
        mgi_parser_forget(x);
        if (mgi_parse_clause(x, &c))
            list_pred(list, &c);
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
    if (values && given->len < UINT32_MAX / 2 && mgi_source_copy(&kept, given, &source)) {
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
