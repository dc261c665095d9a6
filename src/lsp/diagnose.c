/* What is wrong with a document, and the quick repairs that findings suggest. */
#include "base/alloc.h"
#include "lsp/lsp_int.h"

enum { SEVERITY_ERROR = 1, SEVERITY_WARNING = 2 };

/* Where a finding stands in its document, as byte offsets. */
static void finding_range(const struct lsp_file *f, const struct mangle_diag *d, size_t *from,
                          size_t *to)
{
    *from = mgi_text_place(&f->text, d->line, d->column);
    *to = mgi_text_forward(&f->text, *from, d->length);
}

/* Types that do not fit are refused only where --check-bounds is given: a warning here. */
static int severity_of(const struct mangle_diag *d)
{
    bool bounds = mgi_str_starts(str_of(d->code), STR_LIT("BOUNDS_"));
    return d->severity == MANGLE_ERROR && !bounds ? SEVERITY_ERROR : SEVERITY_WARNING;
}

static void write_finding(struct lsp *s, struct json_writer *w, const struct lsp_file *f,
                          const struct mangle_diag *d)
{
    size_t from, to;
    struct buf message = { 0 };
    finding_range(f, d, &from, &to);
    mgi_buf_puts(&message, d->message);
    if (d->hint)
        mgi_buf_printf(&message, "\n%s", d->hint);
    mgi_jw_begin_object(w);
    mgi_lsp_write_range(s, w, "range", f, from, to);
    mgi_jw_member_int(w, "severity", severity_of(d));
    mgi_jw_member_cstr(w, "code", d->code);
    mgi_jw_member_cstr(w, "source", "mangle");
    mgi_jw_member_str(w, "message", mgi_buf_view(&message));
    mgi_jw_end_object(w);
    s->oom |= message.oom;
    mgi_buf_fini(&message);
}

static void publish(struct lsp *s, const struct lsp_file *f, const mangle_diags *diags)
{
    struct buf params = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &params, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "uri", f->uri);
    if (f->version != INT64_MIN)
        mgi_jw_member_int(&w, "version", f->version);
    mgi_jw_key(&w, "diagnostics");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; diags && i < mangle_diags_count(diags); i++)
        if (strcmp(mangle_diags_get(diags, i)->file, f->key) == 0)
            write_finding(s, &w, f, mangle_diags_get(diags, i));
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
    mgi_lsp_notify(s, "textDocument/publishDiagnostics", &params);
    mgi_buf_fini(&params);
}

void mgi_lsp_publish(struct lsp *s, struct lsp_file *f)
{
    const struct lsp_program *p = mgi_lsp_program(s, f);
    if (p)
        publish(s, f, p->diags);
}

void mgi_lsp_publish_nothing(struct lsp *s, const struct lsp_file *f)
{
    publish(s, f, NULL);
}

/* ---- quick repairs -------------------------------------------------------------------------- */

/* What stands between `before` and `after` in a hint; empty if it is not so worded. */
static struct str hinted(const char *hint, const char *before, const char *after)
{
    struct str all = str_of(hint ? hint : "");
    size_t at = mgi_str_find(all, str_of(before));
    if (at == SIZE_MAX)
        return (struct str){ "", 0 };
    at += strlen(before);
    struct str rest = { all.ptr + at, all.len - at };
    size_t end = mgi_str_find(rest, str_of(after));
    return end == SIZE_MAX ? (struct str){ "", 0 } : (struct str){ rest.ptr, end };
}

static void write_action(struct lsp *s, struct json_writer *w, const struct lsp_file *f,
                         const struct mangle_diag *d, struct str title, size_t from, size_t to,
                         struct str text)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "title", title);
    mgi_jw_member_cstr(w, "kind", "quickfix");
    mgi_jw_member_bool(w, "isPreferred", true);
    mgi_jw_key(w, "diagnostics");
    mgi_jw_begin_array(w);
    write_finding(s, w, f, d);
    mgi_jw_end_array(w);
    mgi_jw_key(w, "edit");
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "changes");
    mgi_jw_begin_object(w);
    mgi_jw_key(w, f->uri);
    mgi_jw_begin_array(w);
    mgi_jw_begin_object(w);
    mgi_lsp_write_range(s, w, "range", f, from, to);
    mgi_jw_member_str(w, "newText", text);
    mgi_jw_end_object(w);
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
    mgi_jw_end_object(w);
    mgi_jw_end_object(w);
}

/* The name of a hint as this file would write it: "lib.p/2" is p in the package lib, fn:f(...) is
 * fn:f. */
static struct str plain_name(const struct lsp_file *f, struct str name)
{
    struct str package = f->package;
    if (name.len > 2 && name.ptr[0] == '"')
        name = (struct str){ name.ptr + 1, name.len - 2 };
    if (mgi_str_ends(name, STR_LIT("(...)")))
        name.len -= 5;
    size_t slash = name.len;
    while (slash > 0 && name.ptr[slash - 1] >= '0' && name.ptr[slash - 1] <= '9')
        slash--;
    if (slash > 1 && slash < name.len && name.ptr[slash - 1] == '/' && name.ptr[0] != '/')
        name.len = slash - 1;
    if (package.len && name.len > package.len + 1 && mgi_str_starts(name, package) &&
        name.ptr[package.len] == '.')
        name = (struct str){ name.ptr + package.len + 1, name.len - package.len - 1 };
    return name;
}

/* "Did you mean …?": the name at the finding becomes the other one. */
static void repair_name(struct lsp *s, struct json_writer *w, const struct lsp_place *place,
                        const struct mangle_diag *d, size_t from)
{
    struct str name = plain_name(place->file, hinted(d->hint, "Did you mean ", "?"));
    const mangle_outline *o = place->program->outline;
    size_t index = mangle_outline_find(o, place->unit, (uint32_t)from);
    if (!name.len || index == SIZE_MAX)
        return;
    struct mangle_occurrence at = mangle_outline_get(o, index);
    if (at.start != from || memchr(name.ptr, ' ', name.len))
        return;
    struct buf title = { 0 };
    mgi_buf_printf(&title, "Replace by %.*s", STR_ARG(name));
    write_action(s, w, place->file, d, mgi_buf_view(&title), at.start, at.end, name);
    s->oom |= title.oom;
    mgi_buf_fini(&title);
}

/* The missing `Use p!`, behind the Package line if there is one. */
static void repair_use(struct lsp *s, struct json_writer *w, const struct lsp_place *place,
                       const struct mangle_diag *d)
{
    struct str line = hinted(d->hint, "Write \"", "\"");
    const mangle_outline *o = place->program->outline;
    struct str body = mgi_buf_view(&place->file->text.body);
    size_t at = 0;
    if (!mgi_str_starts(line, STR_LIT("Use ")))
        return;
    for (size_t i = 0; i < mangle_outline_count(o); i++) {
        struct mangle_occurrence each = mangle_outline_get(o, i);
        if (each.source != place->unit || each.kind != MANGLE_AT_PACKAGE ||
            each.role != MANGLE_DECLARES)
            continue;
        at = each.end;
        while (at < body.len && body.ptr[at] != '\n')
            at++;
        at += at < body.len;
        break;
    }
    struct buf text = { 0 };
    mgi_buf_printf(&text, "%.*s\n", STR_ARG(line));
    write_action(s, w, place->file, d, line, at, at, mgi_buf_view(&text));
    s->oom |= text.oom;
    mgi_buf_fini(&text);
}

void mgi_lsp_code_action(struct lsp *s, const struct json *params, struct json_writer *w)
{
    struct lsp_place place;
    const struct json *range = mgi_json_get(params, "range");
    if (!mgi_lsp_place_of(s, params, &place))
        return;
    size_t first = mgi_text_offset(&place.file->text,
                                   mgi_lsp_position_of(mgi_json_get(range, "start")), s->units);
    size_t last = mgi_text_offset(&place.file->text,
                                  mgi_lsp_position_of(mgi_json_get(range, "end")), s->units);
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < mangle_diags_count(place.program->diags); i++) {
        const struct mangle_diag *d = mangle_diags_get(place.program->diags, i);
        size_t from, to;
        if (strcmp(d->file, place.file->key) != 0)
            continue;
        finding_range(place.file, d, &from, &to);
        if (to < first || from > last)
            continue;
        repair_name(s, w, &place, d, from);
        repair_use(s, w, &place, d);
    }
    mgi_jw_end_array(w);
}
