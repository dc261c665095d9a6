/* JSON as text that says the same with fewer tokens: short members share a line, a list of objects
 * is a table with the names once, what is the same in every row stands above it, and so does a day
 * that all times of a column share. Objects that hold more than a cell can show have lines of their
 * own instead, behind a dash. Texts and lists are cut as they are told to be, and say so. */
#include "render/render_int.h"

#define SHORT_BYTES 48  /* a value that shares its line */
#define LINE_BYTES  160 /* of such a line */
#define CELL_BYTES  160
#define COLUMNS     24
#define DEEP        3  /* objects in objects that have lines of their own */
#define SAME_BYTES  24 /* a cell as the one above it that is not said again */

/* ---- one value ---------------------------------------------------------------------------------
 */

/* Would it be taken for something else? `beside`: other members stand on the line. */
static bool is_unclear(struct str s, bool beside)
{
    static const char *const words[] = { "true", "false", "null", "-" };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (str_is(s, words[i]))
            return true;
    char first = s.len ? s.ptr[0] : ' ', last = s.len ? s.ptr[s.len - 1] : ' ';
    if (first == ' ' || last == ' ' || strchr("\"{[|(", first))
        return true;
    size_t digits = 0;
    while (digits < s.len && strchr("+-.0123456789eE", s.ptr[digits]))
        digits++;
    if (digits == s.len) /* reads as a number */
        return true;
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] < ' ' || s.ptr[i] == '|' ||
            (beside && s.ptr[i] == ',' && i + 1 < s.len && s.ptr[i + 1] == ' '))
            return true;
    return false;
}

static void put_value(struct buf *out, const struct json *v, size_t max, bool beside)
{
    if (v->type == JSON_STRING && !is_unclear(v->string, beside))
        mgi_clean_cut(out, v->string, max);
    else
        mgi_clean_json(out, v, max);
}

void mgi_value_put(struct buf *out, const struct json *v, size_t max)
{
    put_value(out, v, max, true);
}

void mgi_value_fact(struct buf *out, const struct json *fact, size_t max)
{
    const struct json *args = list_at(fact, "args");
    mgi_clean_name(out, text_at(fact, "pred"));
    mgi_buf_putc(out, '(');
    for (uint32_t i = 0; i < args->count; i++) {
        mgi_buf_puts(out, i ? ", " : "");
        if (args->items[i].type == JSON_NULL)
            mgi_buf_putc(out, '_');
        else
            mgi_clean_json(out, &args->items[i], max);
    }
    mgi_buf_putc(out, ')');
}

static void put_blanks(struct buf *out, unsigned count)
{
    mgi_buf_printf(out, "%*s", (int)count, "");
}

/* ---- tables ------------------------------------------------------------------------------------
 */

struct column {
    struct str name;
    bool same;         /* in every row */
    struct str before; /* of all its times, which end with Z; empty: none */
};

struct table {
    const struct json *rows;
    uint32_t shown;
    struct column columns[COLUMNS];
    size_t count;
};

static bool add_column(struct table *t, struct str name)
{
    for (size_t i = 0; i < t->count; i++)
        if (str_eq(t->columns[i].name, name))
            return true;
    if (t->count == COLUMNS)
        return false;
    t->columns[t->count++] = (struct column){ .name = name };
    return true;
}

/* Does `v` begin as `form` does (0: a digit), end with Z, and have something between? */
static bool is_time(const struct json *v, const char *form)
{
    struct str s = v && v->type == JSON_STRING ? v->string : (struct str){ 0 };
    size_t i = 0;
    for (; form[i] && i < s.len; i++)
        if (form[i] == '0' ? s.ptr[i] < '0' || s.ptr[i] > '9' : s.ptr[i] != form[i])
            return false;
    return i + 1 < s.len && s.ptr[s.len - 1] == 'Z';
}

/* Up to the day, hour or minute, whatever all times of the column share. */
static struct str shared_time(const struct table *t, struct str name)
{
    static const char *const forms[] = { "0000-00-00T00:00:", "0000-00-00T00:", "0000-00-00T" };
    const struct json *first = mgi_json_get_str(&t->rows->items[0], name);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        bool all = is_time(first, forms[i]);
        struct str before = { all ? first->string.ptr : NULL, all ? strlen(forms[i]) : 0 };
        for (uint32_t k = 1; all && k < t->rows->count; k++) {
            const struct json *v = mgi_json_get_str(&t->rows->items[k], name);
            all = is_time(v, forms[i]) && mgi_str_starts(v->string, before);
        }
        if (all)
            return before;
    }
    return (struct str){ 0 };
}

static void look_at_column(const struct table *t, struct column *c)
{
    const struct json *first = mgi_json_get_str(&t->rows->items[0], c->name);
    c->same = first && t->rows->count > 1;
    for (uint32_t i = 1; c->same && i < t->rows->count; i++) {
        const struct json *v = mgi_json_get_str(&t->rows->items[i], c->name);
        c->same = v && mgi_json_equal(first, v, true);
    }
    if (!c->same)
        c->before = shared_time(t, c->name);
}

/* False: it is no list of objects, or one of too many columns. */
static bool table_open(struct table *t, const struct json *rows, uint32_t most)
{
    *t = (struct table){ .rows = rows, .shown = rows->count < most ? rows->count : most };
    for (uint32_t i = 0; i < rows->count; i++) {
        if (rows->items[i].type != JSON_OBJECT)
            return false;
        for (uint32_t k = 0; k < rows->items[i].count; k++)
            if (!add_column(t, rows->items[i].members[k].name))
                return false;
    }
    for (size_t i = 0; i < t->count; i++)
        look_at_column(t, &t->columns[i]);
    return t->count > 0;
}

static void put_table_head(struct buf *out, const struct table *t)
{
    const char *between = "";
    bool any = false;
    mgi_buf_printf(out, "%u", t->rows->count);
    for (size_t i = 0; i < t->count; i++)
        if (t->columns[i].same) {
            mgi_buf_puts(out, any ? ", " : "; all: ");
            any = true;
            mgi_clean_name(out, t->columns[i].name);
            mgi_buf_putc(out, ' ');
            mgi_value_put(out, mgi_json_get_str(&t->rows->items[0], t->columns[i].name),
                          CELL_BYTES);
        }
    mgi_buf_puts(out, "): ");
    for (size_t i = 0; i < t->count; i++) {
        if (t->columns[i].same)
            continue;
        mgi_buf_puts(out, between);
        mgi_clean_name(out, t->columns[i].name);
        if (t->columns[i].before.len)
            mgi_buf_printf(out, " %.*s*Z", STR_ARG(t->columns[i].before));
        between = " | ";
    }
    mgi_buf_putc(out, '\n');
}

static void put_cell(struct buf *out, const struct column *c, const struct json *v,
                     const struct json *above, const struct trim *trim)
{
    size_t max = trim->text < CELL_BYTES ? trim->text : CELL_BYTES;
    if (!v) {
        mgi_buf_putc(out, '-');
    } else if (above && v->text.len >= SAME_BYTES + c->before.len &&
               mgi_json_equal(v, above, true)) {
        mgi_buf_puts(out, "(same)");
    } else if (c->before.len) {
        struct str time = { v->string.ptr + c->before.len, v->string.len - c->before.len - 1 };
        mgi_clean_cut(out, time, max);
    } else {
        put_value(out, v, max, false);
    }
}

static void put_row(struct buf *out, const struct table *t, uint32_t row, const struct trim *trim)
{
    const char *between = "";
    size_t end = t->count; /* what is missing at the end is not marked */
    while (end > 0 && !mgi_json_get_str(&t->rows->items[row], t->columns[end - 1].name))
        end--;
    for (size_t i = 0; i < end; i++) {
        const struct column *c = &t->columns[i];
        if (c->same)
            continue;
        mgi_buf_puts(out, between);
        put_cell(out, c, mgi_json_get_str(&t->rows->items[row], c->name),
                 row > 0 ? mgi_json_get_str(&t->rows->items[row - 1], c->name) : NULL, trim);
        between = " | ";
    }
    mgi_buf_putc(out, '\n');
}

static bool put_table(struct buf *out, const struct table *t, unsigned indent,
                      const struct trim *trim)
{
    mgi_buf_puts(out, " (");
    put_table_head(out, t);
    bool differ = false;
    for (size_t i = 0; i < t->count; i++)
        differ |= !t->columns[i].same;
    for (uint32_t i = 0; differ && i < t->shown; i++) {
        put_blanks(out, indent + 2);
        put_row(out, t, i, trim);
    }
    if (differ && t->shown < t->rows->count) {
        put_blanks(out, indent + 2);
        mgi_buf_printf(out, "... %u more\n", t->rows->count - t->shown);
        return false;
    }
    return true;
}

/* ---- members -----------------------------------------------------------------------------------
 */

static bool is_short(const struct json *v)
{
    return v->type != JSON_OBJECT && v->type != JSON_ARRAY && v->text.len <= SHORT_BYTES;
}

/* A list of other things than objects. */
static bool put_list(struct buf *out, const struct json *list, const struct trim *trim)
{
    mgi_buf_puts(out, list->count ? ": " : ": none");
    for (uint32_t i = 0; i < list->count && i < trim->rows; i++) {
        mgi_buf_puts(out, i ? ", " : "");
        mgi_value_put(out, &list->items[i], trim->text);
    }
    if (list->count > trim->rows)
        mgi_buf_printf(out, ", ... %u more", list->count - trim->rows);
    mgi_buf_putc(out, '\n');
    return list->count <= trim->rows;
}

static bool has_lines(const struct json *v)
{
    return v->type == JSON_STRING && v->string.len > 0 &&
           memchr(v->string.ptr, '\n', v->string.len);
}

static bool put_text(struct buf *out, const struct json *v, const struct trim *trim)
{
    if (has_lines(v)) {
        mgi_buf_puts(out, ":\n");
        mgi_clean_block(out, v->string, trim->text);
    } else {
        mgi_buf_puts(out, ": ");
        put_value(out, v, trim->text, false);
        mgi_buf_putc(out, '\n');
    }
    return v->text.len <= trim->text;
}

/* An object whose members have lines of their own, or a list whose objects have, and how far they
 * were put. */
struct open_value {
    const struct json *value;
    uint32_t next;
    unsigned blanks;
    bool item; /* of a list: a dash stands before the first line */
};

/* Objects of which a table would cut a list or an object short. */
static bool is_list_of_deep(const struct json *v)
{
    bool deep = false;
    for (uint32_t i = 0; v->type == JSON_ARRAY && i < v->count; i++) {
        const struct json *row = &v->items[i];
        if (row->type != JSON_OBJECT || row->count == 0)
            return false;
        for (uint32_t k = 0; k < row->count; k++) {
            const struct json *cell = &row->members[k].value;
            deep |= cell->type == JSON_ARRAY && cell->text.len > CELL_BYTES;
            deep |= cell->type == JSON_OBJECT && cell->text.len > CELL_BYTES;
        }
    }
    return deep;
}

/* The value of a member that has a line of its own. *down: what it holds comes next. */
static bool put_long(struct buf *out, const struct json *v, unsigned indent,
                     const struct trim *trim, bool may_go_down, bool *down)
{
    struct table table;
    *down = may_go_down && ((v->type == JSON_OBJECT && v->count > 0) || is_list_of_deep(v));
    if (*down) {
        if (v->type == JSON_ARRAY)
            mgi_buf_printf(out, " (%u)", v->count);
        mgi_buf_puts(out, ":\n");
        return true;
    }
    if (v->type == JSON_ARRAY && v->count > 0 && table_open(&table, v, trim->rows))
        return put_table(out, &table, indent, trim);
    return v->type == JSON_ARRAY ? put_list(out, v, trim) : put_text(out, v, trim);
}

/* As many members as share a line, from `at`; how many. */
static uint32_t put_shared(struct buf *out, const struct json *object, uint32_t at)
{
    uint32_t end = at;
    size_t bytes = 0;
    for (; end < object->count && is_short(&object->members[end].value); end++) {
        const struct json_member *m = &object->members[end];
        bytes += m->name.len + m->value.text.len + 4;
        if (end > at && bytes > LINE_BYTES)
            break;
        mgi_buf_puts(out, end > at ? ", " : "");
        mgi_clean_name(out, m->name);
        mgi_buf_putc(out, ' ');
        mgi_value_put(out, &m->value, SHORT_BYTES);
    }
    mgi_buf_puts(out, end > at ? "\n" : "");
    return end - at;
}

static bool holds_text(const struct json *object, struct str text)
{
    for (uint32_t i = 0; object->type == JSON_OBJECT && i < object->count; i++) {
        const struct json *v = &object->members[i].value;
        if (v->type == JSON_STRING && str_eq(v->string, text))
            return true;
    }
    return false;
}

/* The id of {"id", "text"} alone, where a list in the same row has both: its text is read there. */
static const struct json *said_by_id(const struct json *row, const struct json *v)
{
    struct str id = text_at(v, "id"), text = text_at(v, "text");
    if (v->type != JSON_OBJECT || v->count != 2 || id.len == 0 || text.len == 0)
        return NULL;
    for (uint32_t i = 0; i < row->count; i++) {
        const struct json *list = &row->members[i].value;
        for (uint32_t k = 0; list->type == JSON_ARRAY && k < list->count; k++)
            if (holds_text(&list->items[k], id) && holds_text(&list->items[k], text))
                return mgi_json_get(v, "id");
    }
    return NULL;
}

/* The next member, or as many as share a line. *down as of put_long(). */
static bool put_member(struct buf *out, struct open_value *o, const struct trim *trim,
                       bool may_go_down, const struct json **down)
{
    bool dash = o->item && o->next == 0, goes_down = false;
    put_blanks(out, dash ? o->blanks - 2 : o->blanks);
    mgi_buf_puts(out, dash ? "- " : "");
    uint32_t shared = put_shared(out, o->value, o->next);
    o->next += shared;
    if (shared)
        return true;
    const struct json_member *m = &o->value->members[o->next++];
    mgi_clean_name(out, m->name);
    const struct json *id = o->item ? said_by_id(o->value, &m->value) : NULL;
    bool whole = put_long(out, id ? id : &m->value, o->blanks, trim, may_go_down, &goes_down);
    *down = goes_down ? &m->value : NULL;
    return whole;
}

bool mgi_value_members(struct buf *out, const struct json *object, unsigned indent,
                       const struct trim *trim)
{
    struct open_value open[DEEP + 1] = { { .value = object, .blanks = indent } };
    size_t depth = 1;
    bool whole = true;
    while (depth > 0) {
        struct open_value *o = &open[depth - 1];
        bool list = o->value->type == JSON_ARRAY;
        uint32_t most = list && o->value->count > trim->rows ? trim->rows : o->value->count;
        const struct json *down = NULL;
        if (o->next == most) {
            if (most < o->value->count) {
                put_blanks(out, o->blanks - 2);
                mgi_buf_printf(out, "... %u more\n", o->value->count - most);
                whole = false;
            }
            depth--;
        } else if (list) {
            const struct json *row = &o->value->items[o->next++];
            open[depth++] = (struct open_value){ .value = row, .blanks = o->blanks, .item = true };
        } else {
            whole &= put_member(out, o, trim, depth < DEEP && !o->item, &down);
        }
        if (down) /* what a dash hangs before is two further in */
            open[depth++] =
                (struct open_value){ .value = down,
                                     .blanks = o->blanks + (down->type == JSON_ARRAY ? 4 : 2) };
    }
    return whole;
}
