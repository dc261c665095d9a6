/* Text or a regular expression in lines; see lines.h. */
#include "plugins/support/lines.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/alloc.h"
#include "base/utf8.h"

#define LIMIT_DEFAULT_MATCHES 100
#define LIMIT_MOST_MATCHES    1000
#define CONTEXT_MOST          20
#define PATTERN_MOST          2000
#define LINE_MOST             65536 /* bytes of a line that are searched */
#define SHOWN_MOST            400   /* bytes of a line that are shown */
#define MATCH_STEPS           200000
#define LINES_PER_LOOK        256
#define SNIFF_BYTES           8192 /* a NUL in these makes a file binary */
#define TAIL_BYTES            8192

struct line_expression {
    pcre2_general_context *memory;
    pcre2_code *code;
    pcre2_match_data *data;
    pcre2_match_context *limits;
};

/* ---- the expression ------------------------------------------------------------------------- */

static void *regex_alloc(size_t size, void *unused)
{
    (void)unused;
    return mgi_alloc(size);
}

static void regex_free(void *p, void *unused)
{
    (void)unused;
    mgi_free(p);
}

static void expression_fini(void *expression)
{
    struct line_expression *e = expression;
    pcre2_match_context_free(e->limits);
    pcre2_match_data_free(e->data);
    pcre2_code_free(e->code);
    pcre2_general_context_free(e->memory);
}

static bool compile(struct action *a, struct line_search *s, struct line_expression *e)
{
    int error;
    PCRE2_SIZE offset;
    uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C |
                       (s->ignore_case ? PCRE2_CASELESS : 0) |
                       (s->regex ? PCRE2_UCP : PCRE2_LITERAL);
    e->memory = pcre2_general_context_create(regex_alloc, regex_free, NULL);
    pcre2_compile_context *context = e->memory ? pcre2_compile_context_create(e->memory) : NULL;
    if (!context)
        return mgi_action_nomem(a);
    if (!s->regex)
        options &= ~(uint32_t)PCRE2_NEVER_BACKSLASH_C; /* not with LITERAL */
    e->code = pcre2_compile((PCRE2_SPTR)s->pattern.ptr, s->pattern.len, options, &error, &offset,
                            context);
    pcre2_compile_context_free(context);
    if (!e->code) {
        PCRE2_UCHAR why[128];
        if (error == PCRE2_ERROR_NOMEMORY || error == 121 /* ERR21: no memory */)
            return mgi_action_nomem(a);
        pcre2_get_error_message(error, why, sizeof why);
        return mgi_action_fail(a, "pattern: at byte %zu: %s", offset, (const char *)why);
    }
    e->data = pcre2_match_data_create(1, e->memory);
    e->limits = pcre2_match_context_create(e->memory);
    if (!e->data || !e->limits)
        return mgi_action_nomem(a);
    pcre2_set_match_limit(e->limits, MATCH_STEPS);
    pcre2_set_heap_limit(e->limits, 20000);
    return true;
}

/* Where the line matches first; SIZE_MAX: nowhere. False: the call failed. */
static bool match_line(struct action *a, struct line_search *s, struct str line, size_t *at)
{
    const struct line_expression *e = s->expression;
    *at = SIZE_MAX;
    if (line.len > LINE_MOST) {
        s->long_lines++;
        line.len = LINE_MOST;
    }
    int found = pcre2_match(e->code, (PCRE2_SPTR)line.ptr, line.len, 0, 0, e->data, e->limits);
    if (found >= 0)
        *at = pcre2_get_ovector_pointer(e->data)[0];
    else if (found == PCRE2_ERROR_NOMEMORY)
        return mgi_action_nomem(a);
    else if (found == PCRE2_ERROR_MATCHLIMIT || found == PCRE2_ERROR_HEAPLIMIT ||
             found == PCRE2_ERROR_DEPTHLIMIT)
        return mgi_action_fail(
            a, "pattern: takes too many steps on a line of %zu bytes: make it simpler", line.len);
    return true;
}

/* ---- one file ------------------------------------------------------------------------------- */

struct place {
    struct str all; /* the file */
    size_t line;    /* where the line begins */
    size_t number;  /* of the line, from 1 */
    size_t at;      /* of the match in the line */
    const char *path;
    struct str exact; /* its bytes, where `path` does not have them */
};

static struct str line_at(struct str all, size_t begin)
{
    const char *lf = memchr(all.ptr + begin, '\n', all.len - begin);
    size_t end = lf ? (size_t)(lf - all.ptr) : all.len;
    if (lf && end > begin && all.ptr[end - 1] == '\r')
        end--;
    return (struct str){ all.ptr + begin, end - begin };
}

static size_t line_behind(struct str all, size_t begin)
{
    const char *lf = memchr(all.ptr + begin, '\n', all.len - begin);
    return lf ? (size_t)(lf - all.ptr) + 1 : all.len;
}

static size_t line_before(struct str all, size_t begin)
{
    const char *lf = begin > 1 ? memrchr(all.ptr, '\n', begin - 1) : NULL;
    return lf ? (size_t)(lf - all.ptr) + 1 : 0;
}

/* A line as it is shown: cut, from a little before the match if that is far inside. */
static void put_line(struct action *a, struct str line, size_t at)
{
    if (line.len > SHOWN_MOST) {
        size_t begin = at > SHOWN_MOST / 2 ? at - SHOWN_MOST / 2 : 0;
        while (begin < at && ((unsigned char)line.ptr[begin] & 0xC0) == 0x80)
            begin++;
        line = mgi_utf8_prefix((struct str){ line.ptr + begin, line.len - begin }, SHOWN_MOST);
    }
    mgi_jw_string(&a->out, line); /* the writer replaces what is no UTF-8 */
}

static void put_around(struct action *a, const struct line_search *s, const struct place *p)
{
    size_t begins[CONTEXT_MOST], count = 0;
    for (size_t at = p->line; at > 0 && count < (size_t)s->context;)
        begins[count++] = at = line_before(p->all, at);
    mgi_jw_key(&a->out, "before");
    mgi_jw_begin_array(&a->out);
    while (count > 0)
        put_line(a, line_at(p->all, begins[--count]), 0);
    mgi_jw_end_array(&a->out);
    mgi_jw_key(&a->out, "after");
    mgi_jw_begin_array(&a->out);
    for (size_t at = line_behind(p->all, p->line); at < p->all.len && count < (size_t)s->context;
         count++, at = line_behind(p->all, at))
        put_line(a, line_at(p->all, at), 0);
    mgi_jw_end_array(&a->out);
}

static size_t match_room(const struct line_search *s, const struct place *p)
{
    return 6 * (SHOWN_MOST * (size_t)(2 * s->context + 1) + (strlen(p->path) + p->exact.len)) +
           TAIL_BYTES;
}

static void put_match(struct action *a, struct line_search *s, const struct place *p)
{
    struct str line = line_at(p->all, p->line);
    struct str before = { line.ptr, p->at < line.len ? p->at : line.len };
    if (s->matches >= s->limit || mgi_action_room(a) < match_room(s, p)) {
        s->truncated = true;
        return;
    }
    s->matches++;
    mgi_jw_begin_object(&a->out);
    mgi_jw_member_cstr(&a->out, "path", p->path);
    if (p->exact.len)
        mgi_put_base64(a, "path_base64", p->exact);
    mgi_jw_member_int(&a->out, "line", (int64_t)p->number);
    mgi_jw_member_int(&a->out, "column", (int64_t)mgi_utf8_count(before) + 1);
    mgi_jw_key(&a->out, "text");
    put_line(a, line, p->at);
    if (s->context > 0)
        put_around(a, s, p);
    mgi_jw_end_object(&a->out);
}

/* Jump from one occurrence to the next. */
static bool search_plain(struct action *a, struct line_search *s, struct place *p)
{
    size_t counted = 0; /* up to where lines were counted */
    p->number = 1;
    for (size_t at = 0; at < p->all.len && !s->truncated;) {
        const char *found =
            memmem(p->all.ptr + at, p->all.len - at, s->pattern.ptr, s->pattern.len);
        if (!found)
            return true;
        size_t where = (size_t)(found - p->all.ptr);
        for (; counted < where; counted++)
            p->number += p->all.ptr[counted] == '\n';
        const char *lf = where ? memrchr(p->all.ptr, '\n', where) : NULL;
        p->line = lf ? (size_t)(lf - p->all.ptr) + 1 : 0;
        p->at = where - p->line;
        put_match(a, s, p);
        at = line_behind(p->all, where);
        if (mgi_action_stops(a))
            return false;
    }
    return true;
}

static bool search_lines(struct action *a, struct line_search *s, struct place *p)
{
    p->number = 0;
    for (p->line = 0; p->line < p->all.len && !s->truncated;
         p->line = line_behind(p->all, p->line)) {
        p->number++;
        if (p->number % LINES_PER_LOOK == 0 && mgi_action_stops(a))
            return false;
        if (!match_line(a, s, line_at(p->all, p->line), &p->at))
            return false;
        if (p->at != SIZE_MAX)
            put_match(a, s, p);
    }
    return true;
}

static bool is_binary(struct str all)
{
    return memchr(all.ptr, '\0', all.len < SNIFF_BYTES ? all.len : SNIFF_BYTES) != NULL;
}

bool mgi_line_search_file(struct action *a, struct line_search *s, const char *path,
                          struct str exact, struct str all)
{
    struct place p = { .all = all, .path = path, .exact = exact };
    if (is_binary(all)) {
        s->binary++;
        return true;
    }
    int64_t before = s->matches;
    s->files++;
    bool ok = s->expression ? search_lines(a, s, &p) : search_plain(a, s, &p);
    s->matched_files += s->matches > before;
    return ok;
}

/* ---- the whole search ----------------------------------------------------------------------- */

void mgi_line_search_arguments(struct action *a, struct line_search *s)
{
    s->limit = LIMIT_DEFAULT_MATCHES;
    if (mgi_arg_need(a, "pattern") && mgi_arg_text(a, "pattern", PATTERN_MOST, &s->pattern) &&
        s->pattern.len == 0)
        mgi_action_fail(a, "pattern: is empty");
    mgi_arg_bool(a, "regex", &s->regex);
    mgi_arg_bool(a, "ignore_case", &s->ignore_case);
    mgi_arg_int(a, "context", 0, CONTEXT_MOST, &s->context);
    mgi_arg_int(a, "limit", 1, LIMIT_MOST_MATCHES, &s->limit);
    if (!s->regex && s->pattern.len && memchr(s->pattern.ptr, '\n', s->pattern.len))
        mgi_action_fail(a, "pattern: has a line break; lines are searched one by one");
}

bool mgi_line_search_begin(struct action *a, struct line_search *s)
{
    if (!s->regex && !s->ignore_case)
        return true;
    struct line_expression *e = mgi_arena_calloc(&a->arena, 1, sizeof *e);
    if (!e || !mgi_arena_defer(&a->arena, expression_fini, e))
        return mgi_action_nomem(a);
    s->expression = e;
    return compile(a, s, e);
}

void mgi_line_search_counts(struct action *a, const struct line_search *s)
{
    mgi_jw_member_int(&a->out, "files_searched", s->files);
    mgi_jw_member_int(&a->out, "files_matched", s->matched_files);
    mgi_jw_member_int(&a->out, "binary_skipped", s->binary);
    mgi_jw_member_int(&a->out, "too_large_skipped", s->too_large);
    mgi_jw_member_int(&a->out, "unreadable", s->unreadable);
    mgi_jw_member_int(&a->out, "long_lines", s->long_lines);
    mgi_jw_member_bool(&a->out, "truncated", s->truncated);
}
