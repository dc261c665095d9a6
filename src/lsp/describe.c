/* Hover and signature help: what is known of the thing at a place, in Markdown. */
#include "lsp/lsp_int.h"

bool mgi_lsp_find_builtin(const char *name, struct mangle_builtin *out)
{
    for (size_t i = 0; mangle_builtin_at(i, out); i++)
        if (strcmp(out->name, name) == 0)
            return true;
    return false;
}

bool mgi_lsp_find_word(const char *name, struct mangle_word *out)
{
    for (size_t i = 0; mangle_word_at(i, out); i++)
        if (strcmp(out->name, name) == 0)
            return true;
    return false;
}

/* ---- predicates ----------------------------------------------------------------------------- */

static void describe_column(struct buf *out, const mangle_outline *o, mangle_pred pred,
                            const struct mangle_pred_view *view, uint32_t column)
{
    const char *type = mangle_outline_column_type(o, pred, column);
    if (view->arg_names && type)
        mgi_buf_printf(out, "%s : %s", view->arg_names[column], type);
    else
        mgi_buf_puts(out, view->arg_names ? view->arg_names[column] : type ? type : "_");
}

void mgi_lsp_describe_pred(struct buf *out, const mangle_outline *o, mangle_pred pred)
{
    struct mangle_pred_view view = mangle_program_pred(mangle_outline_program(o), pred);
    mgi_buf_printf(out, "%s(", view.name);
    for (uint32_t i = 0; i < view.arity; i++) {
        mgi_buf_puts(out, i ? ", " : "");
        describe_column(out, o, pred, &view, i);
    }
    mgi_buf_puts(out, view.temporal ? ") temporal" : ")");
}

static void describe_modes(struct buf *out, const mangle_program *p, mangle_pred pred,
                           uint32_t arity)
{
    static const char *const kinds[] = { "external", "deferred", "extensional", "private" };
    mangle_value modes[16], none;
    size_t count = mangle_pred_descriptor(p, pred, "mode", modes, 16);
    if (count == arity && count && count <= 16) {
        mgi_buf_puts(out, "\nmode (");
        for (size_t i = 0; i < count; i++) {
            size_t len = 1;
            bool text = modes[i] != MANGLE_NONE &&
                        mangle_kind_of(mangle_program_values(p), modes[i]) == MANGLE_STRING;
            const char *sign =
                text ? mangle_text_of(mangle_program_values(p), modes[i], &len) : "?";
            mgi_buf_printf(out, "%s%.*s", i ? ", " : "", (int)len, sign);
        }
        mgi_buf_puts(out, ")\n");
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (mangle_pred_descriptor(p, pred, kinds[i], &none, 1) != SIZE_MAX)
            mgi_buf_printf(out, "\n*%s*\n", kinds[i]);
}

static void count_clauses(struct buf *out, const mangle_outline *o,
                          const struct mangle_occurrence *at)
{
    size_t rules = 0, facts = 0;
    for (size_t i = 0; i < mangle_outline_clause_count(o); i++) {
        struct mangle_outline_clause c = mangle_outline_clause(o, i);
        if (c.head == SIZE_MAX || c.declaration)
            continue;
        struct mangle_occurrence head = mangle_outline_get(o, c.head);
        if (!mgi_lsp_same_thing(&head, at))
            continue;
        rules += c.rule;
        facts += !c.rule;
    }
    if (rules)
        mgi_buf_printf(out, "\n%zu rule%s\n", rules, rules == 1 ? "" : "s");
    if (facts)
        mgi_buf_printf(out, "\n%zu fact%s\n", facts, facts == 1 ? "" : "s");
}

static bool hover_predicate(struct buf *out, const mangle_outline *o,
                            const struct mangle_occurrence *at)
{
    const mangle_program *p = mangle_outline_program(o);
    mangle_pred pred = mangle_pred_find(p, at->name, at->arity);
    if (pred == MANGLE_NO_PRED)
        return false;
    struct mangle_pred_view view = mangle_program_pred(p, pred);
    mgi_buf_puts(out, "```mangle\n");
    mgi_lsp_describe_pred(out, o, pred);
    mgi_buf_puts(out, "\n```\n");
    if (view.doc[0])
        mgi_buf_printf(out, "\n%s\n", view.doc);
    for (uint32_t i = 0; i < view.arity; i++) {
        const char *doc = mangle_outline_arg_doc(o, pred, i);
        if (doc)
            mgi_buf_printf(out, "%s- `%s`: %s\n", i ? "" : "\n", view.arg_names[i], doc);
    }
    describe_modes(out, p, pred, view.arity);
    count_clauses(out, o, at);
    return true;
}

/* ---- everything else ------------------------------------------------------------------------ */

static bool hover_builtin(struct buf *out, const char *name)
{
    struct mangle_builtin b;
    struct mangle_word word;
    if (mgi_lsp_find_builtin(name, &b)) {
        mgi_buf_printf(out, "```mangle\n%s : %s\n```\n\n%s\n", b.name, b.type, b.doc);
        if (b.example[0])
            mgi_buf_printf(out, "\n```mangle\n%s%s%s\n# => %s\n```\n", b.example[1],
                           b.example[1][0] ? "\n" : "", b.example[0], b.example[2]);
        return true;
    }
    if (!mgi_lsp_find_word(name, &word))
        return false;
    mgi_buf_printf(out, "```mangle\n%s\n```\n\n%s\n", word.usage, word.doc);
    return true;
}

static bool hover_type(struct buf *out, const char *text)
{
    struct buf name = { 0 };
    mgi_buf_printf(&name, "%s%s", text[0] == '.' ? "fn:" : "", text + (text[0] == '.'));
    bool known = name.ptr && hover_builtin(out, name.ptr);
    mgi_buf_fini(&name);
    if (!known && text[0] == '/') {
        mgi_buf_printf(out, "```mangle\n%s\n```\n\nThe names that begin with %s/.\n", text, text);
        known = true;
    }
    return known;
}

static bool hover_text(struct buf *out, const struct lsp_place *place)
{
    const mangle_outline *o = place->program->outline;
    const char *text = place->at.text, *type;
    switch (place->at.kind) {
    case MANGLE_AT_PREDICATE:
        return hover_predicate(out, o, &place->at);
    case MANGLE_AT_VARIABLE:
        type = mangle_outline_var_type(o, place->index);
        mgi_buf_printf(out, "```mangle\n%s : %s\n```\n", text, type ? type : "/any");
        return true;
    case MANGLE_AT_BUILTIN:
    case MANGLE_AT_FUNCTION:
    case MANGLE_AT_DESCRIPTOR:
    case MANGLE_AT_RESERVED:
        return hover_builtin(out, text);
    case MANGLE_AT_TYPE:
        return hover_type(out, text);
    default:
        return false;
    }
}

void mgi_lsp_hover(struct lsp *s, const struct json *params, struct json_writer *w)
{
    struct lsp_place place;
    struct buf out = { 0 };
    if (!mgi_lsp_place_of(s, params, &place) || place.index == SIZE_MAX)
        return;
    if (hover_text(&out, &place)) {
        mgi_jw_begin_object(w);
        mgi_jw_key(w, "contents");
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "kind", "markdown");
        mgi_jw_member_str(w, "value", mgi_buf_view(&out));
        mgi_jw_end_object(w);
        mgi_lsp_write_range(s, w, "range", place.file, place.at.start, place.at.end);
        mgi_jw_end_object(w);
    }
    s->oom |= out.oom;
    mgi_buf_fini(&out);
}

/* ---- signature help ------------------------------------------------------------------------- */

static void write_signature(struct json_writer *w, struct str label, const char *doc,
                            const struct buf *parameters, uint32_t argument)
{
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "signatures");
    mgi_jw_begin_array(w);
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "label", label);
    mgi_jw_member_cstr(w, "documentation", doc);
    if (parameters) {
        mgi_jw_key(w, "parameters");
        mgi_jw_raw(w, mgi_buf_view(parameters));
    }
    mgi_jw_end_object(w);
    mgi_jw_end_array(w);
    mgi_jw_member_int(w, "activeSignature", 0);
    mgi_jw_member_int(w, "activeParameter", argument);
    mgi_jw_end_object(w);
}

/* While arguments are being written there are too few of them: the predicate with the fewest that
 * has room for this one. */
static mangle_pred predicate_with_room(const mangle_outline *o, const char *name, uint32_t argument)
{
    const mangle_program *p = mangle_outline_program(o);
    mangle_pred best = MANGLE_NO_PRED;
    for (size_t i = 0; i < mangle_program_pred_count(p); i++) {
        struct mangle_pred_view view = mangle_program_pred(p, (mangle_pred)i);
        bool better =
            best == MANGLE_NO_PRED || (view.declared && !mangle_program_pred(p, best).declared);
        if (strcmp(view.name, name) == 0 && view.arity > argument && better)
            best = (mangle_pred)i;
    }
    return best;
}

static void help_predicate(struct lsp *s, struct json_writer *w, const mangle_outline *o,
                           mangle_pred pred, uint32_t argument)
{
    struct buf label = { 0 }, parameters = { 0 };
    struct json_writer pw;
    struct mangle_pred_view view = mangle_program_pred(mangle_outline_program(o), pred);
    mgi_lsp_describe_pred(&label, o, pred);
    mgi_json_writer_init(&pw, &parameters, 0);
    mgi_jw_begin_array(&pw);
    for (uint32_t i = 0; i < view.arity; i++) {
        struct buf one = { 0 };
        describe_column(&one, o, pred, &view, i);
        mgi_jw_begin_object(&pw);
        mgi_jw_member_str(&pw, "label", mgi_buf_view(&one));
        const char *doc = mangle_outline_arg_doc(o, pred, i);
        if (doc)
            mgi_jw_member_cstr(&pw, "documentation", doc);
        mgi_jw_end_object(&pw);
        s->oom |= one.oom;
        mgi_buf_fini(&one);
    }
    mgi_jw_end_array(&pw);
    s->oom |= label.oom || parameters.oom;
    if (!s->oom)
        write_signature(w, mgi_buf_view(&label), view.doc, &parameters, argument);
    mgi_buf_fini(&label);
    mgi_buf_fini(&parameters);
}

void mgi_lsp_signature_help(struct lsp *s, const struct json *params, struct json_writer *w)
{
    struct lsp_place place;
    struct mangle_builtin b;
    struct mangle_word word;
    if (!mgi_lsp_place_of(s, params, &place))
        return;
    struct lsp_context c = mgi_lsp_context(&place);
    if (c.call == SIZE_MAX || (c.text && !c.name_string))
        return;
    const mangle_outline *o = place.program->outline;
    struct mangle_occurrence at = mangle_outline_get(o, c.call);
    if (at.kind == MANGLE_AT_PREDICATE) {
        mangle_pred pred = mangle_pred_find(mangle_outline_program(o), at.name, at.arity);
        bool declared =
            pred != MANGLE_NO_PRED && mangle_program_pred(mangle_outline_program(o), pred).declared;
        if (!declared)
            pred = predicate_with_room(o, at.name, c.argument);
        if (pred != MANGLE_NO_PRED)
            help_predicate(s, w, o, pred, c.argument);
    } else if (mgi_lsp_find_builtin(at.text, &b)) {
        struct buf label = { 0 };
        mgi_buf_printf(&label, "%s : %s", b.name, b.type);
        s->oom |= label.oom;
        write_signature(w, mgi_buf_view(&label), b.doc, NULL, c.argument);
        mgi_buf_fini(&label);
    } else if (mgi_lsp_find_word(at.text, &word)) {
        write_signature(w, str_of(word.usage), word.doc, NULL, c.argument);
    }
}
