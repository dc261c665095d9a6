/* What a public call leaves behind for the caller to ask about: its message, the server's error,
 * and what was wrong with the request. Everything that may fail calls this file. */
#include <stdarg.h>

#include "client/client_int.h"

void mgi_client_begin(manglecp_client *c)
{
    mgi_buf_clear(&c->message);
    mgi_arena_reset(&c->last);
    c->error = (struct manglecp_error){ "", "", "{}", false, -1, "" };
    c->problems = NULL;
    c->problem_count = c->problem_cap = 0;
}

enum manglecp_status mgi_problem(manglecp_client *c, const char *where, const char *what,
                                 const char *format, ...)
{
    va_list args;
    struct buf text = { 0 };
    struct manglecp_problem p = { .where = mgi_arena_strdup(&c->last, where),
                                  .what = mgi_arena_strdup(&c->last, what) };
    va_start(args, format);
    mgi_buf_vprintf(&text, format, args);
    va_end(args);
    if (text.oom)
        c->last.oom = true;
    p.message = mgi_arena_str(&c->last, mgi_buf_view(&text)).ptr;
    mgi_buf_fini(&text);
    if (!p.where || !p.what || !p.message ||
        !mgi_arena_grow(&c->last, &c->problems, &c->problem_cap, c->problem_count + 1,
                        sizeof *c->problems))
        return MANGLECP_ERR_NOMEM;
    c->problems[c->problem_count++] = p;
    return MANGLECP_ERR_INVALID;
}

enum manglecp_status mgi_problems_status(manglecp_client *c)
{
    if (c->last.oom)
        return MANGLECP_ERR_NOMEM;
    if (c->problem_count == 0)
        return MANGLECP_OK;
    const struct manglecp_problem *p = &c->problems[0];
    return c->problem_count == 1 ? mgi_fail(c, MANGLECP_ERR_INVALID, "%s: %s", p->where, p->message)
                                 : mgi_fail(c, MANGLECP_ERR_INVALID, "%s: %s (and %zu more)",
                                            p->where, p->message, c->problem_count - 1);
}

enum manglecp_status mgi_fail(manglecp_client *c, enum manglecp_status status, const char *format,
                              ...)
{
    va_list args;
    mgi_buf_clear(&c->message);
    va_start(args, format);
    mgi_buf_vprintf(&c->message, format, args);
    va_end(args);
    return status;
}

const char *manglecp_message(const manglecp_client *c)
{
    return c->message.ptr ? c->message.ptr : "";
}

const struct manglecp_error *manglecp_error(const manglecp_client *c)
{
    return &c->error;
}

size_t manglecp_problem_count(const manglecp_client *c)
{
    return c->problem_count;
}

const struct manglecp_problem *manglecp_problem(const manglecp_client *c, size_t i)
{
    return i < c->problem_count ? &c->problems[i] : NULL;
}
