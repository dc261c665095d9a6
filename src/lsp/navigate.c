/* Definition, declaration, references, highlights, and the symbols of a document. */
#include "lsp/lsp_int.h"

/* A thing that has places: not a keyword, number, string or comment. */
static bool has_places(const struct lsp_place *place)
{
    return place->index != SIZE_MAX && place->at.kind <= MANGLE_AT_DESCRIPTOR;
}

/* ---- definition ----------------------------------------------------------------------------- */

/* A run of clauses of one predicate counts once: its first head. */
static bool opens_run(const mangle_outline *o, const struct mangle_occurrence *head)
{
    if (head->clause == 0 || head->clause == MANGLE_NO_CLAUSE)
        return true;
    struct mangle_outline_clause before = mangle_outline_clause(o, head->clause - 1);
    if (before.source != head->source || before.head == SIZE_MAX)
        return true;
    struct mangle_occurrence other = mangle_outline_get(o, before.head);
    return other.role != head->role || !mgi_lsp_same_thing(&other, head);
}

/* A variable is defined where its clause first has it in the body; arguments of a Decl at once. */
static size_t variable_origin(const mangle_outline *o, const struct mangle_occurrence *at)
{
    struct mangle_outline_clause c = mangle_outline_clause(o, at->clause);
    size_t first = SIZE_MAX, second = SIZE_MAX, heads = 0;
    for (size_t i = c.first; i < c.first + c.count; i++) {
        struct mangle_occurrence each = mangle_outline_get(o, i);
        heads += each.kind == MANGLE_AT_PREDICATE || each.kind == MANGLE_AT_BUILTIN;
        if (!mgi_lsp_same_thing(&each, at))
            continue;
        if (first == SIZE_MAX)
            first = i;
        if (heads > 1 && second == SIZE_MAX)
            second = i;
    }
    return second != SIZE_MAX && !c.declaration ? second : first;
}

static void write_origin(struct lsp *s, struct json_writer *w, const struct lsp_place *place,
                         const struct mangle_occurrence *at)
{
    const struct lsp_file *f = place->program->units[at->source].file;
    if (f)
        mgi_lsp_write_location(s, w, f, at->start, at->end);
}

static void write_origins(struct lsp *s, const struct json *params, struct json_writer *w,
                          bool heads)
{
    struct lsp_place place;
    if (!mgi_lsp_place_of(s, params, &place))
        return;
    const mangle_outline *o = place.program->outline;
    mgi_jw_begin_array(w);
    if (has_places(&place) && place.at.kind == MANGLE_AT_VARIABLE) {
        struct mangle_occurrence at = mangle_outline_get(o, variable_origin(o, &place.at));
        write_origin(s, w, &place, &at);
    } else if (has_places(&place)) {
        for (int role = MANGLE_DECLARES; role <= (heads ? MANGLE_DEFINES : MANGLE_DECLARES); role++)
            for (size_t i = 0; i < mangle_outline_count(o); i++) {
                struct mangle_occurrence at = mangle_outline_get(o, i);
                if ((int)at.role == role && mgi_lsp_same_thing(&at, &place.at) && opens_run(o, &at))
                    write_origin(s, w, &place, &at);
            }
    }
    mgi_jw_end_array(w);
}

void mgi_lsp_definition(struct lsp *s, const struct json *params, struct json_writer *w)
{
    write_origins(s, params, w, true);
}

void mgi_lsp_declaration(struct lsp *s, const struct json *params, struct json_writer *w)
{
    write_origins(s, params, w, false);
}

/* ---- references ----------------------------------------------------------------------------- */

void mgi_lsp_references(struct lsp *s, const struct json *params, struct json_writer *w)
{
    struct lsp_place place;
    bool all = mgi_lsp_bool_of(mgi_json_get(params, "context"), "includeDeclaration", true);
    if (!mgi_lsp_place_of(s, params, &place))
        return;
    struct lsp_program *wide = NULL;
    if (has_places(&place) &&
        (place.at.kind == MANGLE_AT_PREDICATE || place.at.kind == MANGLE_AT_PACKAGE)) {
        wide = mgi_lsp_wide_program(s, place.file);
        if (!wide) {
            mgi_lsp_fail(s, LSP_INTERNAL_ERROR, "out of memory");
            return;
        }
    }
    const struct lsp_program *p = wide ? wide : place.program;
    mgi_jw_begin_array(w);
    for (size_t i = 0; has_places(&place) && i < mangle_outline_count(p->outline); i++) {
        struct mangle_occurrence at = mangle_outline_get(p->outline, i);
        const struct lsp_file *f = p->units[at.source].file;
        bool here = wide || at.kind != MANGLE_AT_VARIABLE || at.source == place.unit;
        if (f && here && (all || at.role == MANGLE_USES) && mgi_lsp_same_thing(&at, &place.at))
            mgi_lsp_write_location(s, w, f, at.start, at.end);
    }
    mgi_jw_end_array(w);
    mgi_lsp_program_free(wide);
}

void mgi_lsp_highlight(struct lsp *s, const struct json *params, struct json_writer *w)
{
    struct lsp_place place;
    if (!mgi_lsp_place_of(s, params, &place))
        return;
    const mangle_outline *o = place.program->outline;
    mgi_jw_begin_array(w);
    for (size_t i = 0; has_places(&place) && i < mangle_outline_count(o); i++) {
        struct mangle_occurrence at = mangle_outline_get(o, i);
        if (at.source != place.unit || !mgi_lsp_same_thing(&at, &place.at))
            continue;
        mgi_jw_begin_object(w);
        mgi_lsp_write_range(s, w, "range", place.file, at.start, at.end);
        mgi_jw_member_int(w, "kind", at.role == MANGLE_USES ? 2 : 3); /* read, write */
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

/* ---- symbols -------------------------------------------------------------------------------- */

enum { SYMBOL_INTERFACE = 11, SYMBOL_FUNCTION = 12, SYMBOL_CONSTANT = 14 };

static void write_symbol(struct lsp *s, struct json_writer *w, const struct lsp_place *place,
                         const struct mangle_outline_clause *first, uint32_t end, size_t count,
                         bool rule)
{
    struct mangle_occurrence head = mangle_outline_get(place->program->outline, first->head);
    struct buf name = { 0 };
    mgi_buf_printf(&name, "%s/%u", head.text, head.arity);
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "name", mgi_buf_view(&name));
    mgi_buf_clear(&name);
    mgi_buf_printf(&name, "%zu %s%s", count, rule ? "rule" : "fact", count == 1 ? "" : "s");
    mgi_jw_member_cstr(w, "detail", first->declaration ? "Decl" : name.ptr);
    mgi_jw_member_int(w, "kind",
                      first->declaration ? SYMBOL_INTERFACE
                      : rule             ? SYMBOL_FUNCTION
                                         : SYMBOL_CONSTANT);
    mgi_lsp_write_range(s, w, "range", place->file, first->start, end);
    mgi_lsp_write_range(s, w, "selectionRange", place->file, head.start, head.end);
    mgi_jw_end_object(w);
    s->oom |= name.oom;
    mgi_buf_fini(&name);
}

void mgi_lsp_symbols(struct lsp *s, const struct json *params, struct json_writer *w)
{
    struct lsp_place place;
    if (!mgi_lsp_place_of(s, params, &place))
        return;
    const mangle_outline *o = place.program->outline;
    size_t total = mangle_outline_clause_count(o);
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < total;) {
        struct mangle_outline_clause first = mangle_outline_clause(o, i), next = first;
        size_t from = i++;
        uint32_t end = first.end;
        bool rule = first.rule;
        if (first.source != place.unit || first.head == SIZE_MAX)
            continue;
        for (; i < total; i++) { /* the run */
            next = mangle_outline_clause(o, i);
            if (next.head == SIZE_MAX || next.source != first.source)
                break;
            struct mangle_occurrence head = mangle_outline_get(o, next.head);
            if (opens_run(o, &head))
                break;
            end = next.end;
            rule |= next.rule;
        }
        write_symbol(s, w, &place, &first, end, i - from, rule);
    }
    mgi_jw_end_array(w);
}
