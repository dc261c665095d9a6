/* Completion: what may stand at the place, by the bracket and the part of the clause it is in. */
#include "lsp/lsp_int.h"

enum { /* kinds of the protocol */
       ITEM_FUNCTION = 3,
       ITEM_VARIABLE = 6,
       ITEM_INTERFACE = 8,
       ITEM_MODULE = 9,
       ITEM_KEYWORD = 14,
       ITEM_CONSTANT = 21,
       ITEM_OPERATOR = 24,
       ITEM_TYPE = 25
};

#define MAX_NAMES 500 /* constants offered */

struct completing {
    struct lsp *s;
    struct json_writer *w;
    const struct lsp_place *place;
    struct lsp_context c;
    struct str prefix;
    bool called; /* a bracket follows already */
    struct strmap seen;
};

/* `arguments`: what to write in brackets behind the name, NULL for none; "${1:X}" where the client
 * knows snippets. */
static void offer(struct completing *k, const char *label, int kind, const char *detail,
                  const char *doc, const char *insert, const char *arguments)
{
    struct json_writer *w = k->w;
    struct buf text = { 0 };
    uint32_t known;
    if (k->prefix.len && !mgi_str_starts(str_of(insert), k->prefix))
        return;
    if (mgi_strmap_get(&k->seen, str_of(label), &known))
        return;
    k->s->oom |= !mgi_strmap_put(&k->seen, str_of(label), 1);
    bool snippet = arguments && k->s->snippets && !k->called;
    mgi_buf_puts(&text, insert);
    if (snippet)
        mgi_buf_printf(&text, "(%s)", arguments);
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "label", label);
    mgi_jw_member_int(w, "kind", kind);
    if (detail && detail[0])
        mgi_jw_member_cstr(w, "detail", detail);
    if (doc && doc[0])
        mgi_jw_member_cstr(w, "documentation", doc);
    mgi_jw_member_cstr(w, "filterText", insert);
    mgi_jw_member_int(w, "insertTextFormat", snippet ? 2 : 1);
    mgi_jw_key(w, "textEdit");
    mgi_jw_begin_object(w);
    mgi_lsp_write_range(k->s, w, "range", k->place->file, k->c.word, k->place->offset);
    mgi_jw_member_str(w, "newText", mgi_buf_view(&text));
    mgi_jw_end_object(w);
    mgi_jw_end_object(w);
    k->s->oom |= text.oom;
    mgi_buf_fini(&text);
}

/* ---- what there is -------------------------------------------------------------------------- */

/* The name as this file writes it: without its own package. */
static const char *name_here(const struct completing *k, const char *name)
{
    struct str package = k->place->file->package;
    bool own = package.len && mgi_str_starts(str_of(name), package) && name[package.len] == '.';
    return own ? name + package.len + 1 : name;
}

static void offer_predicate(struct completing *k, mangle_pred pred)
{
    const mangle_outline *o = k->place->program->outline;
    struct mangle_pred_view view = mangle_program_pred(mangle_outline_program(o), pred);
    struct buf label = { 0 }, detail = { 0 }, arguments = { 0 };
    const char *name = name_here(k, view.name);
    mgi_buf_printf(&label, "%s/%u", name, view.arity);
    mgi_lsp_describe_pred(&detail, o, pred);
    for (uint32_t i = 0; i < view.arity; i++) {
        mgi_buf_printf(&arguments, "%s${%u:", i ? ", " : "", i + 1);
        if (view.arg_names)
            mgi_buf_printf(&arguments, "%s}", view.arg_names[i]);
        else
            mgi_buf_printf(&arguments, "X%u}", i + 1);
    }
    k->s->oom |= label.oom || detail.oom || arguments.oom;
    if (!k->s->oom)
        offer(k, label.ptr, view.derived ? ITEM_FUNCTION : ITEM_INTERFACE, detail.ptr, view.doc,
              name, mgi_buf_view(&arguments).ptr);
    mgi_buf_fini(&label);
    mgi_buf_fini(&detail);
    mgi_buf_fini(&arguments);
}

static void offer_predicates(struct completing *k)
{
    const mangle_program *p = mangle_outline_program(k->place->program->outline);
    for (size_t i = 0; i < mangle_program_pred_count(p); i++)
        offer_predicate(k, (mangle_pred)i);
}

static void offer_predicate_names(struct completing *k)
{
    const mangle_program *p = mangle_outline_program(k->place->program->outline);
    for (size_t i = 0; i < mangle_program_pred_count(p); i++) {
        struct mangle_pred_view view = mangle_program_pred(p, (mangle_pred)i);
        const char *name = name_here(k, view.name);
        if (view.arity == 1)
            offer(k, name, ITEM_INTERFACE, NULL, view.doc, name, NULL);
    }
}

static void offer_builtins(struct completing *k, bool predicates)
{
    struct mangle_builtin b;
    for (size_t i = 0; mangle_builtin_at(i, &b); i++) {
        struct buf arguments = { 0 };
        if (b.predicate != predicates)
            continue;
        for (uint32_t n = 1; n <= b.min_args && n <= 8; n++)
            mgi_buf_printf(&arguments, "%s${%u}", n > 1 ? ", " : "", n);
        if (!b.min_args && b.max_args)
            mgi_buf_puts(&arguments, "$1");
        offer(k, b.name, predicates ? ITEM_OPERATOR : ITEM_FUNCTION, b.type, b.doc, b.name,
              mgi_buf_view(&arguments).ptr);
        k->s->oom |= arguments.oom;
        mgi_buf_fini(&arguments);
    }
}

static void offer_words(struct completing *k, enum mangle_word_kind kind)
{
    struct mangle_word word;
    for (size_t i = 0; mangle_word_at(i, &word); i++) {
        if (word.kind != kind)
            continue;
        int item = kind == MANGLE_WORD_RESERVED                                  ? ITEM_KEYWORD
                   : kind == MANGLE_WORD_TYPE || kind == MANGLE_WORD_CONSTRUCTOR ? ITEM_TYPE
                                                                                 : ITEM_KEYWORD;
        offer(k, word.name, item, word.usage, word.doc, word.name,
              kind == MANGLE_WORD_DESCRIPTOR || kind == MANGLE_WORD_CONSTRUCTOR ? "$1" : NULL);
    }
}

/* .List<…> where types stand. */
static void offer_dotted_types(struct completing *k)
{
    struct mangle_word word;
    for (size_t i = 0; mangle_word_at(i, &word); i++) {
        struct buf dotted = { 0 };
        if (word.kind != MANGLE_WORD_CONSTRUCTOR || word.usage[0] != '.')
            continue;
        mgi_buf_printf(&dotted, ".%s", word.name + 3); /* behind fn: */
        k->s->oom |= dotted.oom;
        if (!dotted.oom)
            offer(k, dotted.ptr, ITEM_TYPE, word.usage, word.doc, dotted.ptr, NULL);
        mgi_buf_fini(&dotted);
    }
}

static void offer_variables(struct completing *k)
{
    const mangle_outline *o = k->place->program->outline;
    if (k->c.clause == MANGLE_NO_CLAUSE)
        return;
    struct mangle_outline_clause c = mangle_outline_clause(o, k->c.clause);
    for (size_t i = c.first; i < c.first + c.count; i++) {
        struct mangle_occurrence at = mangle_outline_get(o, i);
        bool here = at.start <= k->place->offset && at.end >= k->place->offset;
        if (at.kind == MANGLE_AT_VARIABLE && !here)
            offer(k, at.text, ITEM_VARIABLE, mangle_outline_var_type(o, i), NULL, at.text, NULL);
    }
}

static void offer_constants(struct completing *k)
{
    const mangle_outline *o = k->place->program->outline;
    size_t left = MAX_NAMES;
    for (size_t i = 0; i < mangle_outline_count(o) && left; i++) {
        struct mangle_occurrence at = mangle_outline_get(o, i);
        bool here = at.source == k->place->unit && at.start <= k->place->offset &&
                    at.end >= k->place->offset;
        if ((at.kind != MANGLE_AT_NAME && at.kind != MANGLE_AT_TYPE) || here || at.text[0] != '/')
            continue;
        offer(k, at.text, ITEM_CONSTANT, NULL, NULL, at.text, NULL);
        left--;
    }
}

static void offer_packages(struct completing *k)
{
    for (size_t i = 0; i < k->s->file_count; i++) {
        struct buf name = { 0 };
        mgi_buf_str(&name, k->s->files[i]->package);
        if (k->s->files[i]->exists && name.len && !name.oom)
            offer(k, name.ptr, ITEM_MODULE, NULL, NULL, name.ptr, NULL);
        mgi_buf_fini(&name);
    }
}

/* ---- what may stand here -------------------------------------------------------------------- */

/* Behind `Use ` on its line. */
static bool behind_use(const struct completing *k)
{
    struct str s = mgi_buf_view(&k->place->file->text.body);
    size_t line = k->c.word;
    while (line > 0 && s.ptr[line - 1] != '\n')
        line--;
    struct str before = { s.ptr + line, k->c.word - line };
    return str_is(before, "Use ");
}

static void offer_all(struct completing *k)
{
    if (k->c.text) {
        if (k->c.name_string)
            offer_predicate_names(k);
    } else if (behind_use(k)) {
        offer_packages(k);
    } else if (k->c.section == IN_DESCR && k->c.depth == 1) {
        offer_words(k, MANGLE_WORD_DESCRIPTOR);
    } else if (k->c.section == IN_BOUND && k->c.depth > 0) {
        offer_words(k, MANGLE_WORD_TYPE);
        offer_words(k, MANGLE_WORD_CONSTRUCTOR);
        offer_dotted_types(k);
        offer_constants(k);
    } else if (k->c.depth > 0 && !(k->c.section == IN_INCLUSION && k->c.depth == 1)) {
        offer_variables(k);
        offer_builtins(k, false);
        offer_constants(k);
    } else {
        offer_variables(k);
        offer_predicates(k);
        offer_words(k, MANGLE_WORD_RESERVED);
        if (!k->c.declaration && !k->c.start) {
            offer_builtins(k, true);
            offer_builtins(k, false);
            offer_constants(k);
        }
    }
}

void mgi_lsp_completion(struct lsp *s, const struct json *params, struct json_writer *w)
{
    struct lsp_place place;
    if (!mgi_lsp_place_of(s, params, &place))
        return;
    struct completing k = { .s = s, .w = w, .place = &place, .c = mgi_lsp_context(&place) };
    struct str body = mgi_buf_view(&place.file->text.body);
    k.prefix = (struct str){ body.ptr + k.c.word, place.offset - k.c.word };
    k.called = place.offset < body.len && body.ptr[place.offset] == '(';
    mgi_strmap_init(&k.seen);
    mgi_jw_begin_array(w);
    offer_all(&k);
    mgi_jw_end_array(w);
    mgi_strmap_fini(&k.seen);
}
