/* `manglecp doctor`: the table of what can be found, and what was. */
#include <stdarg.h>

#include "base/utf8.h"
#include "cli/manglecp_doctor.h"

const struct check_row mgi_doctor_checks[] = {
#define X(name, word, severity, advice) { word, severity, advice },
    DOCTOR_CHECKS(X)
#undef X
};
const size_t mgi_doctor_check_count = sizeof mgi_doctor_checks / sizeof *mgi_doctor_checks;

void mgi_doctor_add(struct examination *e, struct doctor_findings *to, enum check check,
                    const char *format, ...)
{
    struct buf text = { 0 };
    va_list args;
    if (!mgi_arena_grow(&e->arena, &to->items, &to->cap, to->count + 1, sizeof *to->items))
        return;
    va_start(args, format);
    mgi_buf_vprintf(&text, format, args);
    va_end(args);
    struct buf shown = { 0 };
    mgi_utf8_show(&shown, mgi_buf_view(&text));
    struct str kept = mgi_arena_str(&e->arena, mgi_buf_view(&shown));
    mgi_buf_fini(&text);
    mgi_buf_fini(&shown);
    if (kept.ptr)
        to->items[to->count++] =
            (struct doctor_finding){ check, mgi_doctor_checks[check].severity, kept.ptr };
}

static size_t count_in(const struct doctor_findings *f, enum check_severity severity)
{
    size_t n = 0;
    for (size_t i = 0; i < f->count; i++)
        n += f->items[i].severity == severity;
    return n;
}

size_t mgi_doctor_count(const struct examination *e, enum check_severity severity)
{
    size_t n = count_in(&e->machine, severity);
    for (size_t i = 0; i < e->file_count; i++)
        n += count_in(&e->files[i]->findings, severity);
    for (size_t i = 0; i < e->server_count; i++)
        n += count_in(&e->servers[i]->findings, severity);
    return n;
}
