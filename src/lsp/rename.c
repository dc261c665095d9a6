/* Rename: a predicate in every file that may speak of it, strings that name it included; a variable
 * within its clause. What would change the meaning of a program is refused with the reason. */
#include <stdio.h>

#include "lsp/lsp_int.h"

static bool is_letter(char c, char first, char last)
{
    return c >= first && c <= last;
}

static bool is_word_char(char c)
{
    return is_letter(c, 'a', 'z') || is_letter(c, 'A', 'Z') || is_letter(c, '0', '9');
}

/* What of the occurrence is replaced: not the package before it. */
static uint32_t own_start(const struct mangle_occurrence *at)
{
    return at->start + (at->kind == MANGLE_AT_PREDICATE ? at->prefix : 0);
}

static bool is_builtin_word(const char *name)
{
    struct mangle_word word;
    return mgi_lsp_find_word(name, &word) && word.kind == MANGLE_WORD_RESERVED;
}

/* May it be renamed at all? */
static bool is_renamable(struct lsp *s, const struct lsp_place *place)
{
    if (place->index == SIZE_MAX) {
        mgi_lsp_fail(s, LSP_REQUEST_FAILED, "there is no name here");
        return false;
    }
    switch (place->at.kind) {
    case MANGLE_AT_PREDICATE:
        break;
    case MANGLE_AT_VARIABLE:
        return true;
    case MANGLE_AT_BUILTIN:
    case MANGLE_AT_FUNCTION:
        mgi_lsp_fail(s, LSP_REQUEST_FAILED, "%s is built in", place->at.text);
        return false;
    case MANGLE_AT_RESERVED:
    case MANGLE_AT_TYPE:
    case MANGLE_AT_DESCRIPTOR:
        mgi_lsp_fail(s, LSP_REQUEST_FAILED, "\"%s\" is a word of the language", place->at.text);
        return false;
    default:
        mgi_lsp_fail(s, LSP_REQUEST_FAILED, "only predicates and variables can be renamed");
        return false;
    }
    for (size_t i = 0; i < mangle_outline_count(place->program->outline); i++) {
        struct mangle_occurrence at = mangle_outline_get(place->program->outline, i);
        if (!place->program->units[at.source].file && mgi_lsp_same_thing(&at, &place->at)) {
            mgi_lsp_fail(s, LSP_REQUEST_FAILED, "\"%s\" belongs to the standard rules",
                         place->at.text);
            return false;
        }
    }
    return true;
}

static bool good_predicate(struct lsp *s, struct str name, const char *z)
{
    bool good = name.len > 0 && is_letter(name.ptr[0], 'a', 'z');
    for (size_t i = 0; i < name.len; i++)
        good &= is_word_char(name.ptr[i]) || name.ptr[i] == '_';
    if (!good || is_builtin_word(z))
        mgi_lsp_fail(s, LSP_INVALID_PARAMS,
                     good ? "\"%.60s\" is a word of the language"
                          : "\"%.60s\" cannot name a predicate: write a small letter, then "
                            "letters, digits and _",
                     z);
    return !s->error_code;
}

static bool good_variable(struct lsp *s, struct str name, const char *z)
{
    bool good = name.len > 0 && is_letter(name.ptr[0], 'A', 'Z');
    for (size_t i = 0; i < name.len; i++)
        good &= is_word_char(name.ptr[i]);
    if (!good || is_builtin_word(z))
        mgi_lsp_fail(s, LSP_INVALID_PARAMS,
                     good ? "\"%.60s\" is a word of the language"
                          : "\"%.60s\" cannot name a variable: write a capital letter, then "
                            "letters and digits",
                     z);
    return !s->error_code;
}

/* Is the new name taken where the old one is renamed? */
static bool is_free(struct lsp *s, const mangle_outline *o, const struct mangle_occurrence *old,
                    const char *name)
{
    size_t package = strlen(old->name);
    while (package > 0 && old->name[package - 1] != '.')
        package--;
    for (size_t i = 0; i < mangle_outline_count(o); i++) {
        struct mangle_occurrence at = mangle_outline_get(o, i);
        bool taken = false;
        if (at.kind != old->kind)
            continue;
        if (at.kind == MANGLE_AT_VARIABLE)
            taken = at.clause == old->clause && strcmp(at.text, name) == 0;
        else
            taken = at.arity == old->arity && strlen(at.name) == package + strlen(name) &&
                    memcmp(at.name, old->name, package) == 0 &&
                    strcmp(at.name + package, name) == 0;
        if (taken) {
            mgi_lsp_fail(s, LSP_REQUEST_FAILED, "\"%s\" is taken on line %u", name, at.line);
            return false;
        }
    }
    return true;
}

void mgi_lsp_prepare_rename(struct lsp *s, const struct json *params, struct json_writer *w)
{
    struct lsp_place place;
    if (!mgi_lsp_place_of(s, params, &place) || !is_renamable(s, &place))
        return;
    uint32_t start = own_start(&place.at);
    mgi_jw_begin_object(w);
    mgi_lsp_write_range(s, w, "range", place.file, start, place.at.end);
    mgi_jw_member_cstr(w, "placeholder", place.at.text + (start - place.at.start));
    mgi_jw_end_object(w);
}

/* The edits of one file. */
static void write_edits(struct lsp *s, struct json_writer *w, const struct lsp_program *p,
                        uint32_t unit, const struct mangle_occurrence *old, const char *name)
{
    const struct lsp_file *f = p->units[unit].file;
    bool any = false;
    for (size_t i = 0; i < mangle_outline_count(p->outline); i++) {
        struct mangle_occurrence at = mangle_outline_get(p->outline, i);
        if (at.source != unit || !mgi_lsp_same_thing(&at, old))
            continue;
        if (!any) {
            mgi_jw_key(w, f->uri);
            mgi_jw_begin_array(w);
        }
        any = true;
        mgi_jw_begin_object(w);
        mgi_lsp_write_range(s, w, "range", f, own_start(&at), at.end);
        mgi_jw_member_cstr(w, "newText", name);
        mgi_jw_end_object(w);
    }
    if (any)
        mgi_jw_end_array(w);
}

void mgi_lsp_rename(struct lsp *s, const struct json *params, struct json_writer *w)
{
    struct lsp_place place;
    struct str name = mgi_lsp_text_of(params, "newName");
    if (!mgi_lsp_place_of(s, params, &place) || !is_renamable(s, &place))
        return;
    struct buf copy = { 0 };
    mgi_buf_str(&copy, name);
    const char *z = copy.ptr && !memchr(name.ptr, 0, name.len) ? copy.ptr : "";
    bool variable = place.at.kind == MANGLE_AT_VARIABLE;
    struct lsp_program *wide = NULL;
    if (variable ? good_variable(s, name, z) : good_predicate(s, name, z))
        wide = variable ? place.program : mgi_lsp_wide_program(s, place.file);
    if (!s->error_code && !wide)
        mgi_lsp_fail(s, LSP_INTERNAL_ERROR, "out of memory");
    if (wide && is_free(s, wide->outline, &place.at, z)) {
        mgi_jw_begin_object(w);
        mgi_jw_key(w, "changes");
        mgi_jw_begin_object(w);
        for (size_t i = 0; i < wide->count; i++)
            if (wide->units[i].file)
                write_edits(s, w, wide, (uint32_t)i, &place.at, z);
        mgi_jw_end_object(w);
        mgi_jw_end_object(w);
    }
    if (!variable)
        mgi_lsp_program_free(wide);
    mgi_buf_fini(&copy);
}
