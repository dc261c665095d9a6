/* Reading what a program printed: see read_output.h. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "read_output.h"

#include "base/utf8.h"
#include "formats/csv.h"

#define MOST_ITEMS    100000
#define MATCH_STEPS   1000000 /* a tenth of PCRE2's own default: some ten milliseconds */
#define MATCH_DEPTH   10000
#define MATCH_HEAP_KB 4096

struct reading {
    struct arena *arena;
    const struct command *command;
    bool (*stop)(void *context);
    void *context;
    struct json_writer w;
    const char *why;
};

const char mgi_output_no_match[] = "its output does not match the regular expression";

static const char *or_memory(const char *text)
{
    return text ? text : "out of memory";
}

static size_t line_at(struct str text, size_t offset)
{
    size_t line = 1;
    for (size_t i = 0; i < offset && i < text.len; i++)
        line += text.ptr[i] == '\n';
    return line;
}

/* ---- text and lines ------------------------------------------------------------------------- */

static void check_text(struct reading *r, struct str text)
{
    size_t bad;
    const char *nul = text.len ? memchr(text.ptr, '\0', text.len) : NULL;
    if (nul)
        r->why = or_memory(mgi_arena_printf(r->arena, "its output has a NUL in line %zu",
                                            line_at(text, (size_t)(nul - text.ptr))));
    else if (!mgi_utf8_valid(text, &bad))
        r->why = or_memory(
            mgi_arena_printf(r->arena, "its output is not UTF-8 in line %zu", line_at(text, bad)));
}

static struct str without_line_end(struct str s)
{
    if (s.len > 0 && s.ptr[s.len - 1] == '\n')
        s.len--;
    if (s.len > 0 && s.ptr[s.len - 1] == '\r')
        s.len--;
    return s;
}

/* Cut the next line off, without its end. False: there is none. */
static bool next_line(struct str *rest, struct str *line)
{
    if (rest->len == 0)
        return false;
    const char *end = memchr(rest->ptr, '\n', rest->len);
    size_t len = end ? (size_t)(end - rest->ptr) + 1 : rest->len;
    *line = without_line_end((struct str){ rest->ptr, len });
    *rest = (struct str){ rest->ptr + len, rest->len - len };
    return true;
}

static void read_text(struct reading *r, struct str text)
{
    mgi_jw_begin_object(&r->w);
    mgi_jw_member_str(&r->w, "text", without_line_end(text));
    mgi_jw_end_object(&r->w);
}

static bool too_many(struct reading *r, size_t count)
{
    if (count < MOST_ITEMS)
        return false;
    r->why = or_memory(mgi_arena_printf(r->arena, "its output has more than %d items", MOST_ITEMS));
    return true;
}

static void read_lines(struct reading *r, struct str text)
{
    struct str line;
    mgi_jw_begin_object(&r->w);
    mgi_jw_key(&r->w, "lines");
    mgi_jw_begin_array(&r->w);
    for (size_t i = 0; next_line(&text, &line) && !too_many(r, i); i++)
        mgi_jw_string(&r->w, line);
    mgi_jw_end_array(&r->w);
    mgi_jw_end_object(&r->w);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void read_json(struct reading *r, struct str text)
{
    struct json v;
    struct json_error error = { .fault = JSON_OK };
    if (mgi_json_parse(r->arena, text, NULL, &v, &error) != JSON_OK) {
        r->why = or_memory(mgi_arena_printf(r->arena, "its output is not JSON: line %u: %s",
                                            error.line, error.message));
        return;
    }
    if (v.type == JSON_OBJECT) {
        mgi_jw_value(&r->w, &v);
        return;
    }
    mgi_jw_begin_object(&r->w);
    mgi_jw_key(&r->w, "value");
    mgi_jw_value(&r->w, &v);
    mgi_jw_end_object(&r->w);
}

static void read_jsonl(struct reading *r, struct str text)
{
    struct str line;
    size_t number = 0, count = 0;
    mgi_jw_begin_object(&r->w);
    mgi_jw_key(&r->w, "items");
    mgi_jw_begin_array(&r->w);
    while (!r->why && next_line(&text, &line)) {
        struct json v;
        struct json_error error = { .fault = JSON_OK };
        struct arena_mark mark = mgi_arena_mark(r->arena);
        number++;
        if (mgi_str_trim(line, " \t").len == 0)
            continue;
        if (too_many(r, count++))
            break;
        if (mgi_json_parse(r->arena, line, NULL, &v, &error) != JSON_OK) {
            r->why = or_memory(mgi_arena_printf(r->arena, "line %zu of its output is not JSON: %s",
                                                number, error.message));
            break;
        }
        mgi_jw_value(&r->w, &v);
        mgi_arena_rewind(r->arena, mark);
    }
    mgi_jw_end_array(&r->w);
    mgi_jw_end_object(&r->w);
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static bool check_columns(struct reading *r, const struct str *names, size_t count)
{
    for (size_t i = 0; i < count && !r->why; i++)
        for (size_t k = 0; k < i && !r->why; k++)
            if (str_eq(names[i], names[k]))
                r->why = or_memory(mgi_arena_printf(r->arena, "two columns are called \"%.*s\"",
                                                    STR_ARG(names[i])));
    return !r->why;
}

static void read_csv(struct reading *r, struct str text)
{
    struct str *names = NULL, *fields;
    size_t columns = 0, count = 0, rows = 0;
    uint32_t line = 1, lines = 0;
    enum csv_status status = mgi_csv_next(r->arena, &text, &names, &columns, &lines);
    mgi_jw_begin_object(&r->w);
    mgi_jw_key(&r->w, "rows");
    mgi_jw_begin_array(&r->w);
    if (status == CSV_RECORD && columns > 1000)
        r->why = "its output has more than 1000 columns";
    while (status == CSV_RECORD && !r->why && check_columns(r, names, rows ? 0 : columns)) {
        struct arena_mark mark = mgi_arena_mark(r->arena);
        line += lines;
        status = mgi_csv_next(r->arena, &text, &fields, &count, &lines);
        if (status != CSV_RECORD || too_many(r, rows++))
            break;
        if (count != columns) {
            r->why = or_memory(mgi_arena_printf(
                r->arena, "line %u of its output has %zu fields, of %zu", line, count, columns));
            break;
        }
        mgi_jw_begin_object(&r->w);
        for (size_t i = 0; i < columns; i++) {
            mgi_jw_key_str(&r->w, names[i]);
            mgi_jw_string(&r->w, fields[i]);
        }
        mgi_jw_end_object(&r->w);
        mgi_arena_rewind(r->arena, mark);
    }
    if (!r->why && status != CSV_RECORD && status != CSV_END)
        r->why = or_memory(mgi_arena_printf(r->arena, "line %u of its output is not CSV: %s", line,
                                            mgi_csv_fault(status)));
    mgi_jw_end_array(&r->w);
    mgi_jw_end_object(&r->w);
}

/* ---- regular expressions -------------------------------------------------------------------- */

struct pattern {
    pcre2_code *code;
    pcre2_match_context *limits;
    pcre2_match_data *match;
};

const char *mgi_output_prepare(struct arena *arena, struct command_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        struct command *c = &table->items[i];
        int error;
        PCRE2_SIZE offset;
        if (c->output != OUTPUT_REGEX)
            continue;
        struct pattern *p = mgi_arena_calloc(arena, 1, sizeof *p);
        if (!p)
            return "out of memory";
        p->code = pcre2_compile((PCRE2_SPTR)c->regex.ptr, c->regex.len,
                                PCRE2_UTF | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C, &error,
                                &offset, NULL);
        p->limits = pcre2_match_context_create(NULL);
        p->match = p->code ? pcre2_match_data_create_from_pattern(p->code, NULL) : NULL;
        if (!p->match || !p->limits)
            return or_memory(mgi_arena_printf(arena, "bad settings: regex of %s", c->aid.ptr));
        pcre2_set_match_limit(p->limits, MATCH_STEPS);
        pcre2_set_depth_limit(p->limits, MATCH_DEPTH);
        pcre2_set_heap_limit(p->limits, MATCH_HEAP_KB);
        c->pattern = p;
    }
    return NULL;
}

static void write_groups(struct reading *r, const struct pattern *p, struct str text)
{
    PCRE2_SIZE *at = pcre2_get_ovector_pointer(p->match);
    uint32_t count = 0, size = 0;
    PCRE2_SPTR table = NULL;
    pcre2_pattern_info(p->code, PCRE2_INFO_NAMECOUNT, &count);
    pcre2_pattern_info(p->code, PCRE2_INFO_NAMEENTRYSIZE, &size);
    pcre2_pattern_info(p->code, PCRE2_INFO_NAMETABLE, &table);
    mgi_jw_begin_object(&r->w);
    for (uint32_t i = 0; i < count; i++, table += size) {
        size_t group = (size_t)table[0] << 8 | table[1];
        if (at[2 * group] == PCRE2_UNSET)
            continue; /* an alternative that was not taken says nothing */
        mgi_jw_key_str(&r->w, str_of((const char *)table + 2));
        mgi_jw_string(&r->w,
                      (struct str){ text.ptr + at[2 * group], at[2 * group + 1] - at[2 * group] });
    }
    mgi_jw_end_object(&r->w);
}

/* Does it match at or behind `from`? */
static bool matches(struct reading *r, const struct pattern *p, struct str text, size_t from)
{
    int result = pcre2_match(p->code, (PCRE2_SPTR)text.ptr, text.len, from, PCRE2_NO_UTF_CHECK,
                             p->match, p->limits);
    if (result < 0 && result != PCRE2_ERROR_NOMATCH)
        r->why = "its output is too much for the regular expression";
    return result >= 0;
}

static void read_every_match(struct reading *r, const struct pattern *p, struct str text)
{
    size_t from = 0;
    mgi_jw_begin_object(&r->w);
    mgi_jw_key(&r->w, "matches");
    mgi_jw_begin_array(&r->w);
    for (size_t i = 0; from <= text.len && !too_many(r, i) && matches(r, p, text, from); i++) {
        PCRE2_SIZE *at = pcre2_get_ovector_pointer(p->match);
        size_t end = at[1] > at[0] ? at[1] : at[0]; /* \K can turn them round */
        bool empty = end <= from && at[1] == at[0];
        write_groups(r, p, text);
        from = end > from ? end : from;
        if (empty || end == at[0]) { /* step over a character, or it is found again */
            if (from < text.len)
                mgi_utf8_next(text, &from);
            else
                from++;
        }
        if (i % 64 == 63 && r->stop(r->context)) {
            r->why = "stopped";
            break;
        }
    }
    mgi_jw_end_array(&r->w);
    mgi_jw_end_object(&r->w);
}

static void read_regex(struct reading *r, struct str text)
{
    const struct pattern *p = r->command->pattern;
    if (r->command->every_match)
        read_every_match(r, p, text);
    else if (matches(r, p, text, 0))
        write_groups(r, p, text);
    else if (!r->why)
        r->why = mgi_output_no_match;
}

/* ---- all of them ---------------------------------------------------------------------------- */

const char *mgi_output_read(struct arena *arena, const struct command *command, struct str text,
                            bool (*stop)(void *context), void *context, struct buf *out)
{
    static void (*const readers[])(struct reading * r, struct str text) = {
        [OUTPUT_TEXT] = read_text,   [OUTPUT_LINES] = read_lines, [OUTPUT_JSON] = read_json,
        [OUTPUT_JSONL] = read_jsonl, [OUTPUT_CSV] = read_csv,     [OUTPUT_REGEX] = read_regex
    };
    struct reading r = { .arena = arena, .command = command, .stop = stop, .context = context };
    bool is_text = command->output == OUTPUT_TEXT || command->output == OUTPUT_LINES ||
                   command->output == OUTPUT_CSV || command->output == OUTPUT_REGEX;
    mgi_json_writer_init(&r.w, out, 0);
    if (is_text)
        check_text(&r, text);
    if (command->output == OUTPUT_NONE)
        mgi_buf_puts(out, "{}");
    else if (!r.why)
        readers[command->output](&r, text);
    if (!r.why && out->oom)
        r.why = "out of memory";
    return r.why;
}
