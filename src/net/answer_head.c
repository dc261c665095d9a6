/* The head of an answer, line by line. Headers that nobody looks at are passed over, whatever they
 * are. */
#include "net/answer_head.h"

#include <strings.h>

#define STATUS_AT  9 /* behind "HTTP/1.1 " */
#define STATUS_END 12

/* "Name: value", whatever the case of the name. */
static bool is_header(struct str line, const char *name, struct str *value)
{
    size_t len = strlen(name);
    if (line.len <= len || line.ptr[len] != ':' || strncasecmp(line.ptr, name, len) != 0)
        return false;
    struct str v = { line.ptr + len + 1, line.len - len - 1 };
    while (v.len > 0 && (v.ptr[0] == ' ' || v.ptr[0] == '\t')) {
        v.ptr++;
        v.len--;
    }
    while (v.len > 0 && (v.ptr[v.len - 1] == ' ' || v.ptr[v.len - 1] == '\t'))
        v.len--;
    *value = v;
    return true;
}

bool mgi_answer_head_status(struct str head, int *status)
{
    *status = 0;
    if (head.len < STATUS_END || memcmp(head.ptr, "HTTP/1.1 ", STATUS_AT) != 0)
        return false;
    for (size_t i = STATUS_AT; i < STATUS_END; i++) {
        if (head.ptr[i] < '0' || head.ptr[i] > '9')
            return false;
        *status = *status * 10 + (head.ptr[i] - '0');
    }
    return true;
}

/* The line at *at, without its end; moves *at behind it. */
static struct str take_head_line(struct str head, size_t *at)
{
    struct str line = { head.ptr + *at, 0 };
    while (*at + line.len < head.len && line.ptr[line.len] != '\n')
        line.len++;
    *at += line.len + 1;
    if (line.len > 0 && line.ptr[line.len - 1] == '\r')
        line.len--;
    return line;
}

bool mgi_answer_head_field(struct str head, const char *name, struct str *value)
{
    for (size_t at = 0; at < head.len;)
        if (is_header(take_head_line(head, &at), name, value))
            return true;
    return false;
}

bool mgi_answer_head_upgrade(struct arena *a, struct str head, struct ws_acceptance *out)
{
    static const char *const names[] = { "upgrade", "connection", "sec-websocket-accept",
                                         "sec-websocket-protocol", "sec-websocket-extensions" };
    *out = (struct ws_acceptance){ 0 };
    struct str *const values[] = { &out->upgrade, &out->connection, &out->accept, &out->protocol,
                                   &out->extensions };
    if (!mgi_answer_head_status(head, &out->status))
        return false;
    for (size_t at = 0; at < head.len;) {
        struct str line = take_head_line(head, &at), value;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            if (!is_header(line, names[i], &value))
                continue;
            *values[i] =
                values[i]->ptr
                    ? str_of(mgi_arena_printf(a, "%.*s, %.*s", STR_ARG(*values[i]), STR_ARG(value)))
                    : value;
        }
    }
    return !a->oom;
}
