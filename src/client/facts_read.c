/* Facts from a text that a person or a program wrote, with the place of what is wrong in it.
 *
 * Three forms are told apart by how the text begins: an array of facts, one fact (which may take
 * several lines), or one fact a line. The last is what it is if the first line alone is an object
 * and more follows. */
#include <stdio.h>

#include "client/client_int.h"
#include "client/facts_int.h"

static enum manglecp_status at_place(struct manglecp_fault *fault, size_t line, size_t column,
                                     const char *message)
{
    *fault = (struct manglecp_fault){ .line = line, .column = column };
    snprintf(fault->message, sizeof fault->message, "%s", message);
    return MANGLECP_ERR_INVALID;
}

static enum manglecp_status not_json(struct manglecp_fault *fault, size_t line,
                                     const struct json_error *e)
{
    return e->fault == JSON_NOMEM ? MANGLECP_ERR_NOMEM
                                  : at_place(fault, line + e->line - 1, e->column, e->message);
}

/* The place of `part` in `text`, which begins at `line`. */
static enum manglecp_status faulty_fact(struct manglecp_fault *fault, size_t line, struct str text,
                                        struct str part, const char *message)
{
    size_t column = 1;
    for (const char *p = text.ptr; p < part.ptr; p++) {
        column = *p == '\n' ? 1 : column + 1;
        line += *p == '\n';
    }
    return at_place(fault, line, column, message);
}

static enum manglecp_status check_shapes(const struct json *v, struct str text, size_t line,
                                         struct manglecp_fault *fault)
{
    uint32_t count = v->type == JSON_ARRAY ? v->count : 1;
    const struct json *items = v->type == JSON_ARRAY ? v->items : v;
    for (uint32_t i = 0; i < count; i++) {
        const char *wrong = mgi_fact_fault(&items[i]);
        if (wrong)
            return faulty_fact(fault, line, text, items[i].text, wrong);
    }
    return MANGLECP_OK;
}

static struct str line_at(struct str text, size_t at)
{
    const char *lf = memchr(text.ptr + at, '\n', text.len - at);
    return (struct str){ text.ptr + at, lf ? (size_t)(lf - text.ptr) - at : text.len - at };
}

static bool is_blank(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!strchr(" \t\r\n", s.ptr[i]) || s.ptr[i] == '\0')
            return false;
    return true;
}

/* Is this a fact a line? Its first line says so, if it is an object and not all there is. */
static bool is_lines(struct arena *arena, struct str text)
{
    size_t at = 0;
    struct str line = { 0 };
    struct json v;
    while (at < text.len && is_blank(line = line_at(text, at)))
        at += line.len + 1;
    return at < text.len &&
           !is_blank((struct str){ text.ptr + at + line.len, text.len - at - line.len }) &&
           mgi_json_parse(arena, line, NULL, &v, NULL) == JSON_OK && v.type == JSON_OBJECT;
}

/* All lines are put into one list, so that they are added whole or not at all. */
static enum manglecp_status read_lines(struct arena *arena, struct str text, struct json *out,
                                       struct manglecp_fault *fault)
{
    struct json *items = NULL;
    size_t count = 0, cap = 0, number = 0;
    for (size_t at = 0; at < text.len; number++) {
        struct str line = line_at(text, at);
        struct json_error e;
        at += line.len + 1;
        if (is_blank(line))
            continue;
        if (!mgi_arena_grow(arena, &items, &cap, count + 1, sizeof *items))
            return MANGLECP_ERR_NOMEM;
        if (mgi_json_parse(arena, line, NULL, &items[count], &e) != JSON_OK)
            return not_json(fault, number + 1, &e);
        enum manglecp_status status = check_shapes(&items[count++], line, number + 1, fault);
        if (status)
            return status;
    }
    *out = (struct json){ .type = JSON_ARRAY, .count = (uint32_t)count, .items = items };
    return MANGLECP_OK;
}

static enum manglecp_status read_whole(struct arena *arena, struct str text, struct json *out,
                                       struct manglecp_fault *fault)
{
    struct json_error e;
    if (mgi_json_parse(arena, text, NULL, out, &e) != JSON_OK)
        return not_json(fault, 1, &e);
    return check_shapes(out, text, 1, fault);
}

enum manglecp_status manglecp_facts_read(manglecp_facts *facts, const char *text, size_t len,
                                         struct manglecp_fault *fault)
{
    struct arena arena;
    struct json v;
    struct manglecp_fault ignored;
    struct str all = { text, len };
    size_t added;
    if (!fault)
        fault = &ignored;
    *fault = (struct manglecp_fault){ 0 };
    if (is_blank(all))
        return MANGLECP_OK;
    mgi_arena_init(&arena, 0);
    enum manglecp_status status = is_lines(&arena, all) ? read_lines(&arena, all, &v, fault)
                                                        : read_whole(&arena, all, &v, fault);
    if (!status)
        status = mgi_facts_take(facts, NULL, &v, &added);
    mgi_arena_fini(&arena);
    return status;
}

enum manglecp_status manglecp_facts_add(manglecp_facts *facts, const char *json)
{
    struct manglecp_fault ignored;
    return manglecp_facts_read(facts, json, strlen(json), &ignored);
}
