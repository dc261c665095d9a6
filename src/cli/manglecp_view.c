/* Wrapped text, facts and tables. Widths are counted in code points: near enough for a terminal. */
#include "cli/manglecp_view.h"

#include <inttypes.h>
#include <string.h>

#include "base/time.h"
#include "base/utf8.h"
#include "cli/manglecp_render.h"

#define TABLE_COLUMNS 12 /* at most; what else a row has is left out */
#define TABLE_ROWS    20
#define NARROWEST     8

void mgi_view_open(struct view *v, FILE *to)
{
    mgi_arena_init(&v->arena, 0);
    v->to = to;
    v->style = mgi_cli_style(to);
}

void mgi_view_close(struct view *v)
{
    mgi_arena_fini(&v->arena);
}

const char *mgi_view_text(struct view *v, const struct json *object, const char *name)
{
    return mgi_render_text(&v->arena, mgi_json_get(object, name));
}

uint32_t mgi_view_count(const struct json *list)
{
    return list && list->type == JSON_ARRAY ? list->count : 0;
}

uint32_t mgi_view_members(const struct json *object)
{
    return object && object->type == JSON_OBJECT ? object->count : 0;
}

int64_t mgi_view_number(const struct json *object, const char *name, int64_t otherwise)
{
    const struct json *n = mgi_json_get(object, name);
    return n && n->type == JSON_INT ? n->integer : otherwise;
}

bool mgi_view_true(const struct json *object, const char *name)
{
    const struct json *b = mgi_json_get(object, name);
    return b && b->type == JSON_BOOL && b->boolean;
}

/* Takes over `text`. */
static const char *keep(struct view *v, struct buf *text)
{
    const char *kept = mgi_arena_str(&v->arena, mgi_buf_view(text)).ptr;
    mgi_buf_fini(text);
    return kept ? kept : "";
}

const char *mgi_view_name(struct view *v, struct str name)
{
    struct buf shown = { 0 };
    mgi_utf8_show(&shown, name);
    return keep(v, &shown);
}

const char *mgi_view_joined(struct view *v, const struct json *array)
{
    struct buf out = { 0 };
    for (uint32_t i = 0; i < mgi_view_count(array); i++)
        mgi_buf_printf(&out, "%s%s", i ? ", " : "", mgi_view_value(v, &array->items[i]));
    return keep(v, &out);
}

const char *mgi_view_value(struct view *v, const struct json *value)
{
    struct buf shown = { 0 };
    mgi_utf8_show(&shown, value->type == JSON_STRING ? value->string : value->text);
    return keep(v, &shown);
}

/* The first `columns` code points of `text`. */
static struct str prefix(const char *text, size_t columns)
{
    struct str s = str_of(text);
    size_t at = 0;
    while (at < s.len && columns-- > 0)
        mgi_utf8_next(s, &at);
    return (struct str){ text, at };
}

static size_t width(const char *text)
{
    return mgi_utf8_count(str_of(text));
}

const char *mgi_view_cut(struct view *v, const char *text, size_t columns)
{
    if (columns == 0 || width(text) <= columns)
        return text;
    const char *cut = mgi_arena_printf(&v->arena, "%.*s…", STR_ARG(prefix(text, columns - 1)));
    return cut ? cut : "";
}

void mgi_view_wrap(struct view *v, int indent, size_t used, const char *text)
{
    if (!text) /* memory is short */
        text = "";
    if (used == 0)
        fprintf(v->to, "%*s", indent, "");
    size_t at = used ? used : (size_t)indent;
    for (bool first = true; *text; first = false) {
        size_t word = strcspn(text, " ");
        size_t columns = mgi_utf8_count((struct str){ text, word });
        if (!first && at + 1 + columns > VIEW_COLUMNS) {
            fprintf(v->to, "\n%*s", indent, "");
            at = (size_t)indent;
        } else if (!first) {
            fputc(' ', v->to);
            at++;
        }
        fprintf(v->to, "%.*s", (int)word, text);
        at += columns;
        text += word;
        text += strspn(text, " ");
    }
    fputc('\n', v->to);
}

static void put_argument(struct view *v, struct buf *out, const struct json *arg, size_t columns)
{
    if (arg->type == JSON_NULL) {
        mgi_buf_putc(out, '_');
        return;
    }
    const char *shown = mgi_view_cut(v, mgi_view_value(v, arg), columns);
    const char *quote = arg->type == JSON_STRING ? "\"" : "";
    mgi_buf_printf(out, "%s%s%s", quote, shown, quote);
}

const char *mgi_view_fact(struct view *v, const struct json *fact, size_t columns)
{
    struct buf out = { 0 };
    const struct json *args = mgi_json_get(fact, "args"), *t = mgi_json_get(fact, "t");
    mgi_buf_printf(&out, "%s(", mgi_view_text(v, fact, "pred"));
    for (uint32_t i = 0; i < mgi_view_count(args); i++) {
        mgi_buf_puts(&out, i ? ", " : "");
        put_argument(v, &out, &args->items[i], columns);
    }
    mgi_buf_putc(&out, ')');
    if (t && mgi_json_get(t, "at"))
        mgi_buf_printf(&out, " at %s", mgi_view_value(v, mgi_json_get(t, "at")));
    else if (mgi_view_members(t))
        mgi_buf_printf(&out, " from %s to %s", mgi_view_text(v, t, "start"),
                       mgi_view_text(v, t, "end"));
    return keep(v, &out);
}

void mgi_view_bound(struct view *v, const struct json *bound)
{
    for (uint32_t i = 0; i < mgi_view_count(bound); i++) {
        const struct json *value = mgi_json_get(&bound->items[i], "value");
        fprintf(v->to, "  filled   %s%s%s, by a rule\n", mgi_view_text(v, &bound->items[i], "name"),
                value ? "=" : "", value ? mgi_view_value(v, value) : "");
    }
}

/* ---- tables ------------------------------------------------------------------------------ */

struct table {
    struct str names[TABLE_COLUMNS];
    size_t widths[TABLE_COLUMNS];
    size_t least[TABLE_COLUMNS]; /* an instant is not cut: half a date is none */
    size_t count;
    bool one_day; /* all instants in it are of one day, which is said once */
    char day[11]; /* YYYY-MM-DD; "" while there was no instant */
};

static bool is_instant(const struct json *value)
{
    int64_t ns;
    return value->type == JSON_STRING && mgi_time_parse(value->string, 0, &ns) == TIME_OK;
}

/* An instant without its day where that stands above the table. */
static const char *cell_text(struct view *v, const struct table *t, const struct json *value)
{
    const char *text = mgi_view_value(v, value);
    return t->one_day && is_instant(value) ? text + 11 : text;
}

/* Are the instants of all rows of one day? */
static void find_day(struct table *t, const struct json *list, uint32_t rows)
{
    t->one_day = true;
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t m = 0; m < list->items[i].count; m++) {
            const struct json *value = &list->items[i].members[m].value;
            if (!is_instant(value))
                continue;
            if (!t->day[0])
                memcpy(t->day, value->string.ptr, 10);
            else if (memcmp(t->day, value->string.ptr, 10) != 0)
                t->one_day = false;
        }
}

static bool are_objects(const struct json *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].type != JSON_OBJECT)
            return false;
    return list->count > 0;
}

/* A row that holds objects itself does not fit into a line: cut JSON is nothing to read. */
static bool is_nested(const struct json *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        for (uint32_t m = 0; m < list->items[i].count; m++) {
            const struct json *cell = &list->items[i].members[m].value;
            if ((cell->type == JSON_OBJECT && cell->count > 0) ||
                (cell->type == JSON_ARRAY && are_objects(cell)))
                return true;
        }
    return false;
}

static void add_row(struct view *v, struct table *t, const struct json *row)
{
    for (uint32_t m = 0; m < row->count; m++) {
        struct str name = row->members[m].name;
        size_t c = 0, wide = width(cell_text(v, t, &row->members[m].value));
        while (c < t->count && !str_eq(t->names[c], name))
            c++;
        if (c == t->count && c == TABLE_COLUMNS)
            continue;
        if (c == t->count) {
            t->names[t->count++] = name;
            t->widths[c] = mgi_utf8_count(name);
            t->least[c] = NARROWEST;
        }
        if (is_instant(&row->members[m].value) && wide > t->least[c])
            t->least[c] = wide;
        if (wide > t->widths[c])
            t->widths[c] = wide;
    }
}

/* Take from the widest column that can give until a line fits. */
static void fit(struct table *t, int indent)
{
    for (;;) {
        size_t total = (size_t)indent, widest = TABLE_COLUMNS;
        for (size_t c = 0; c < t->count; c++) {
            total += t->widths[c] + 2;
            if (t->widths[c] > t->least[c] &&
                (widest == TABLE_COLUMNS || t->widths[c] > t->widths[widest]))
                widest = c;
        }
        if (total <= VIEW_COLUMNS + 2 || widest == TABLE_COLUMNS)
            return;
        t->widths[widest]--;
    }
}

static void print_cell(struct view *v, const struct table *t, size_t c, const char *text)
{
    const char *cut = mgi_view_cut(v, text, t->widths[c]);
    bool last = c + 1 == t->count;
    fprintf(v->to, "%s%*s", cut, last ? 0 : (int)(t->widths[c] - width(cut)) + 2, "");
}

static void print_table(struct view *v, int indent, const struct json *list)
{
    struct table t = { 0 };
    find_day(&t, list, list->count < TABLE_ROWS ? list->count : TABLE_ROWS);
    if (t.one_day && t.day[0])
        fprintf(v->to, "%*s%son %s%s\n", indent, "", v->style->dim, t.day, v->style->reset);
    for (uint32_t i = 0; i < list->count && i < TABLE_ROWS; i++)
        add_row(v, &t, &list->items[i]);
    fit(&t, indent);
    fprintf(v->to, "%*s%s", indent, "", v->style->dim);
    for (size_t c = 0; c < t.count; c++) {
        struct buf shown = { 0 };
        mgi_utf8_show(&shown, t.names[c]);
        print_cell(v, &t, c, keep(v, &shown));
    }
    fprintf(v->to, "%s\n", v->style->reset);
    for (uint32_t i = 0; i < list->count && i < TABLE_ROWS; i++) {
        fprintf(v->to, "%*s", indent, "");
        for (size_t c = 0; c < t.count; c++) {
            const struct json *cell = mgi_json_get_str(&list->items[i], t.names[c]);
            print_cell(v, &t, c, cell ? cell_text(v, &t, cell) : "");
        }
        fputc('\n', v->to);
    }
    if (list->count > TABLE_ROWS)
        fprintf(v->to, "%*s… and %u more\n", indent, "", list->count - TABLE_ROWS);
}

/* ---- trees ------------------------------------------------------------------------------- */

static bool spans_lines(const struct json *value)
{
    return (value->type == JSON_ARRAY && are_objects(value)) ||
           (value->type == JSON_OBJECT && value->count > 0);
}

/* Rows one below the other, each a tree under its number. */
static void print_blocks(struct view *v, int indent, const struct json *list)
{
    for (uint32_t i = 0; i < list->count && i < TABLE_ROWS; i++) {
        fprintf(v->to, "%*s%s%u.%s\n", indent, "", v->style->dim, i + 1, v->style->reset);
        mgi_view_tree(v, indent + 2, &list->items[i]);
    }
    if (list->count > TABLE_ROWS)
        fprintf(v->to, "%*s… and %u more\n", indent, "", list->count - TABLE_ROWS);
}

/* Recursion is bounded: no JSON here is nested deeper than its parser allows. */
void mgi_view_tree(struct view *v, int indent, const struct json *value)
{
    size_t widest = 0;
    if (value->type == JSON_ARRAY && are_objects(value)) {
        (is_nested(value) ? print_blocks : print_table)(v, indent, value);
        return;
    }
    if (value->type != JSON_OBJECT) {
        mgi_view_wrap(v, indent, 0,
                      value->type == JSON_ARRAY ? mgi_view_joined(v, value)
                                                : mgi_view_value(v, value));
        return;
    }
    for (uint32_t i = 0; i < value->count; i++)
        if (!spans_lines(&value->members[i].value) && value->members[i].name.len > widest)
            widest = value->members[i].name.len;
    for (uint32_t i = 0; i < value->count; i++) {
        const struct json_member *m = &value->members[i];
        struct buf name = { 0 };
        mgi_utf8_show(&name, m->name);
        fprintf(v->to, "%*s%s%s%s", indent, "", v->style->cyan, keep(v, &name), v->style->reset);
        if (spans_lines(&m->value)) {
            fputc('\n', v->to);
            mgi_view_tree(v, indent + 2, &m->value);
            continue;
        }
        fprintf(v->to, "%*s", (int)(widest - m->name.len) + 2, "");
        mgi_view_wrap(v, indent + (int)widest + 2, (size_t)indent + widest + 2,
                      m->value.type == JSON_ARRAY ? mgi_view_joined(v, &m->value)
                                                  : mgi_view_value(v, &m->value));
    }
}
