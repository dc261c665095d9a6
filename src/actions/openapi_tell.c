/* Findings about an OpenAPI document and its operations: see openapi_int.h. */
#include "actions/openapi_int.h"
#include "domain/domain.h"

#define MOST_WARNINGS 50 /* of one document */

void mgi_openapi_tell(struct openapi *doc, enum mangle_severity severity, const struct json *at,
                      const char *hint, const char *format, va_list args)
{
    struct openapi_place place = mgi_openapi_place(doc, at);
    struct buf text = { 0 };
    if (severity != MANGLE_ERROR && ++doc->warnings > MOST_WARNINGS)
        return;
    mgi_buf_vprintf(&text, format, args);
    mgi_findings_add(doc->r->yaml->findings, severity, "OPENAPI", doc->file, place.line,
                     place.column, hint, "%s", text.ptr && !text.oom ? text.ptr : "out of memory");
    mgi_buf_fini(&text);
}

void mgi_openapi_warn(struct openapi *doc, const struct json *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mgi_openapi_tell(doc, MANGLE_WARNING, at, NULL, format, args);
    va_end(args);
}

void mgi_openapi_error(struct openapi *doc, const struct json *at, const char *hint,
                       const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mgi_openapi_tell(doc, MANGLE_ERROR, at, hint, format, args);
    va_end(args);
}

void mgi_openapi_tell_rest(struct openapi *doc)
{
    if (doc->warnings > MOST_WARNINGS)
        mgi_findings_add(doc->r->yaml->findings, MANGLE_WARNING, "OPENAPI", doc->file, 0, 0,
                         "Choose what is of use with only.",
                         "there are %zu warnings more about this document",
                         doc->warnings - MOST_WARNINGS);
}

/* ---- of an operation ---------------------------------------------------------------- */

static void tell_of(struct openapi_operation *op, enum mangle_severity severity,
                    const struct json *at, const char *format, va_list args)
{
    struct buf text = { 0 };
    mgi_buf_vprintf(&text, format, args);
    const char *what = text.ptr && !text.oom ? text.ptr : "out of memory";
    if (severity == MANGLE_ERROR)
        mgi_openapi_error(op->doc, at ? at : op->value, NULL, "%s: %s", op->title, what);
    else
        mgi_openapi_warn(op->doc, at ? at : op->value, "%s%s: %s", op->title,
                         op->left_out ? " is left out" : "", what);
    mgi_buf_fini(&text);
}

void mgi_openapi_leave_out(struct openapi_operation *op, const struct json *at, const char *format,
                           ...)
{
    va_list args;
    va_start(args, format);
    op->left_out = true;
    tell_of(op, op->named ? MANGLE_ERROR : MANGLE_WARNING, at, format, args);
    va_end(args);
}

void mgi_openapi_remark(struct openapi_operation *op, const struct json *at, const char *format,
                        ...)
{
    va_list args;
    va_start(args, format);
    if (!op->left_out)
        tell_of(op, MANGLE_WARNING, at, format, args);
    va_end(args);
}
