/* TOML: see splice.h. An entry is put in as a table [SECTION.NAME] at the end of the text, and
 * taken out with all tables below it. */
#include "base/utf8.h"
#include "splice/toml_int.h"

/* ---- the whole text -------------------------------------------------------------------------- */

enum { MOST_PARTS = 32 };

struct header {
    struct str parts[MOST_PARTS];
    size_t count;
    bool of_array;
    size_t at;
};

static bool read_header(struct toml_reader *r, struct header *h)
{
    *h = (struct header){ .at = r->at };
    r->at++;
    if (toml_peek(r) == '[') {
        h->of_array = true;
        r->at++;
    }
    for (;;) {
        mgi_toml_blanks(r);
        if (h->count == MOST_PARTS)
            return mgi_toml_fail(r, h->at, "this header has too many parts");
        if (!mgi_toml_key(r, &h->parts[h->count++]))
            return false;
        mgi_toml_blanks(r);
        if (toml_peek(r) != '.')
            break;
        r->at++;
    }
    for (int i = 0; i < 1 + h->of_array; i++, r->at++)
        if (toml_peek(r) != ']')
            return mgi_toml_fail(r, r->at, "\"]\" is expected here");
    return true;
}

static const char twice[] = "this table was given before, or cannot be added to";

/* The table above the last part: arrays stand for their last table. */
static struct toml_node *walk(struct toml_reader *r, struct toml_node *root, const struct header *h)
{
    struct toml_node *t = root;
    for (size_t i = 0; i + 1 < h->count; i++) {
        struct toml_node *n = mgi_toml_child(t, h->parts[i]);
        if (!n) {
            n = mgi_toml_new(r, t, h->parts[i], TOML_TABLE);
        } else if (n->kind == TOML_ARRAY && n->of_tables) {
            n = n->last;
        } else if (n->kind != TOML_TABLE || n->made == TOML_CLOSED) {
            mgi_toml_fail(r, h->at, twice);
            return NULL;
        }
        if (!n)
            return NULL;
        t = n;
    }
    return t;
}

static struct toml_node *open_table(struct toml_reader *r, struct toml_node *root,
                                    const struct header *h)
{
    struct toml_node *parent = walk(r, root, h);
    struct str key = h->parts[h->count - 1];
    struct toml_node *n = parent ? mgi_toml_child(parent, key) : NULL;
    bool there = n != NULL;
    if (!parent)
        return NULL;
    if (h->of_array) {
        if (!n)
            n = mgi_toml_new(r, parent, key, TOML_ARRAY);
        if (n && !there)
            n->of_tables = true;
        if (n && !n->of_tables) {
            mgi_toml_fail(r, h->at, twice);
            return NULL;
        }
        n = n ? mgi_toml_new(r, n, STR_LIT(""), TOML_TABLE) : NULL;
    } else if (!n) {
        n = mgi_toml_new(r, parent, key, TOML_TABLE);
    } else if (n->kind != TOML_TABLE || n->made != TOML_IMPLIED) {
        mgi_toml_fail(r, h->at, twice);
        return NULL;
    }
    if (n)
        n->made = TOML_HEADER;
    return n;
}

static bool end_line(struct toml_reader *r)
{
    mgi_toml_blanks(r);
    if (!mgi_toml_comment(r))
        return false;
    if (r->at >= r->text.len)
        return true;
    if (toml_peek(r) == '\r' && r->at + 1 < r->text.len && r->text.ptr[r->at + 1] == '\n')
        r->at++;
    if (toml_peek(r) != '\n')
        return mgi_toml_fail(r, r->at, "the end of the line is expected here");
    r->at++;
    return true;
}

static bool note_table(struct toml_reader *r, struct toml_tables *t, const struct header *h,
                       size_t line)
{
    if (!t || h->count < 2 || !str_eq(h->parts[0], t->place.section) ||
        !str_eq(h->parts[1], t->place.name))
        return true;
    if (!mgi_arena_grow(r->arena, &t->items, &t->cap, t->count + 1, sizeof *t->items))
        return mgi_toml_fail(r, 0, NULL);
    t->items[t->count++] = (struct span){ line, 0 };
    return true;
}

static bool read_all(struct toml_reader *r, struct toml_node *root, struct toml_tables *tables)
{
    struct toml_node *table = root;
    struct header h;
    bool ours = false;
    while (r->at < r->text.len) {
        size_t line = r->at;
        mgi_toml_blanks(r);
        char c = toml_peek(r);
        if (c == '[') {
            size_t before = tables ? tables->count : 0;
            if (!read_header(r, &h) || !(table = open_table(r, root, &h)) ||
                !note_table(r, tables, &h, line))
                return false;
            ours = tables && tables->count > before;
        } else if (c != '#' && c != '\n' && c != '\r' && r->at < r->text.len) {
            if (!mgi_toml_pair(r, table))
                return false;
        } else {
            c = '\n';
        }
        if (!end_line(r))
            return false;
        if (ours && c != '\n')
            tables->items[tables->count - 1].to = r->at;
    }
    return true;
}

/* ---- as JSON --------------------------------------------------------------------------------- */

/* Down by `first`, on by `next`: no deeper than the parser went. */
static void write_node(struct json_writer *w, const struct toml_node *n)
{
    if (n->kind == TOML_SCALAR) {
        mgi_jw_raw(w, n->json);
        return;
    }
    if (n->kind == TOML_TABLE)
        mgi_jw_begin_object(w);
    else
        mgi_jw_begin_array(w);
    for (const struct toml_node *c = n->first; c; c = c->next) {
        if (n->kind == TOML_TABLE)
            mgi_jw_key_str(w, c->key);
        write_node(w, c);
    }
    if (n->kind == TOML_TABLE)
        mgi_jw_end_object(w);
    else
        mgi_jw_end_array(w);
}

enum splice_status mgi_splice_parse_toml(struct arena *arena, struct str text, struct buf *json,
                                         struct toml_tables *tables, struct splice_fault *fault)
{
    struct toml_reader r = {
        .arena = arena, .text = text, .at = mgi_splice_start(text), .fault = fault
    };
    struct toml_node root = { .kind = TOML_TABLE, .made = TOML_HEADER };
    struct json_writer w;
    size_t bad;
    if (!mgi_utf8_valid(text, &bad))
        return mgi_splice_refuse(fault, text, bad, "this is not UTF-8");
    if (!read_all(&r, &root, tables))
        return r.status;
    if (tables) {
        const struct toml_node *section = mgi_toml_child(&root, tables->place.section);
        tables->section = section != NULL;
        tables->closed = section && (section->kind != TOML_TABLE || section->made == TOML_CLOSED);
    }
    mgi_json_writer_init(&w, json, 0);
    write_node(&w, &root);
    return json->oom || arena->oom ? SPLICE_NOMEM : SPLICE_DONE;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put_text(struct buf *out, struct str text)
{
    struct buf json = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &json, 0);
    mgi_jw_string(&w, text);
    for (size_t i = 0; i < json.len; i++) {
        if (json.ptr[i] == 0x7f)
            mgi_buf_puts(out, "\\u007F");
        else
            mgi_buf_putc(out, json.ptr[i]);
    }
    out->oom |= json.oom;
    mgi_buf_fini(&json);
}

static void put_key(struct buf *out, struct str key)
{
    bool bare = key.len > 0;
    for (size_t i = 0; i < key.len; i++) {
        char c = key.ptr[i];
        bare &= (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                c == '_' || c == '-';
    }
    if (bare)
        mgi_buf_str(out, key);
    else
        put_text(out, key);
}

/* False: TOML has no such value. JSON is no deeper than its parser allows. */
static bool put_toml_value(struct buf *out, const struct json *v)
{
    bool good = true;
    switch (v->type) {
    case JSON_STRING:
        put_text(out, v->string);
        return true;
    case JSON_BOOL:
        mgi_buf_puts(out, v->boolean ? "true" : "false");
        return true;
    case JSON_INT:
        mgi_buf_printf(out, "%lld", (long long)v->integer);
        return true;
    case JSON_ARRAY:
        mgi_buf_putc(out, '[');
        for (uint32_t i = 0; i < v->count; i++) {
            mgi_buf_puts(out, i ? ", " : "");
            good &= put_toml_value(out, &v->items[i]);
        }
        mgi_buf_putc(out, ']');
        return good;
    case JSON_OBJECT:
        mgi_buf_puts(out, v->count ? "{ " : "{");
        for (uint32_t i = 0; i < v->count; i++) {
            mgi_buf_puts(out, i ? ", " : "");
            put_key(out, v->members[i].name);
            mgi_buf_puts(out, " = ");
            good &= put_toml_value(out, &v->members[i].value);
        }
        mgi_buf_puts(out, v->count ? " }" : "}");
        return good;
    default:
        return false;
    }
}

/* Without the last line's end. */
static bool put_table(struct buf *out, const struct splice_place *place, const struct json *value,
                      struct str line_end)
{
    bool good = value->type == JSON_OBJECT;
    mgi_buf_putc(out, '[');
    put_key(out, place->section);
    mgi_buf_putc(out, '.');
    put_key(out, place->name);
    mgi_buf_putc(out, ']');
    for (uint32_t i = 0; good && i < value->count; i++) {
        mgi_buf_str(out, line_end);
        put_key(out, value->members[i].name);
        mgi_buf_puts(out, " = ");
        good &= put_toml_value(out, &value->members[i].value);
    }
    return good;
}

static bool ends_line(struct str text)
{
    return text.len == 0 || text.ptr[text.len - 1] == '\n';
}

/* Where the table begins, with the blank line that was put before it; and to: with that line's end.
 * A table at the end of a text that does not end its last line has taken the line end before it. */
static struct span with_margin(struct str text, struct span s)
{
    bool open_end = s.to == text.len && !ends_line(text);
    for (int i = 0; i < 1 + open_end; i++) {
        if (s.from == 0 || text.ptr[s.from - 1] != '\n')
            break;
        size_t from = s.from - 1;
        if (from > 0 && text.ptr[from - 1] == '\r')
            from--;
        if (i == 0 && !open_end && from > 0 && text.ptr[from - 1] != '\n')
            break; /* no blank line: the line end of what stands before */
        s.from = from;
    }
    return s;
}

static enum splice_status find(struct arena *arena, struct str text,
                               const struct splice_place *place, struct toml_tables *tables,
                               const struct json **entry, struct splice_fault *fault)
{
    struct buf json = { 0 };
    struct json *root = mgi_arena_alloc(arena, sizeof *root);
    const struct json_options options = { .max_depth = SPLICE_DEPTH + 8 };
    *tables = (struct toml_tables){ .place = *place };
    enum splice_status st = mgi_splice_parse_toml(arena, text, &json, tables, fault);
    struct str kept = { NULL, 0 };
    if (!st && !json.oom)
        kept = mgi_arena_str(arena, mgi_buf_view(&json));
    mgi_buf_wipe(&json);
    if (!st && (!kept.ptr || !root))
        st = SPLICE_NOMEM;
    if (!st && mgi_json_parse(arena, kept, &options, root, NULL) != JSON_OK)
        st = SPLICE_NOMEM;
    if (!st)
        *entry = mgi_json_get_str(mgi_json_get_str(root, place->section), place->name);
    return st;
}

static const char by_hand[] = "the entry is written in a form that is not edited here";

enum splice_status mgi_splice_put_toml(struct arena *arena, struct str text,
                                       const struct splice_place *place, const struct json *value,
                                       struct buf *out, bool *made_section,
                                       struct splice_fault *fault)
{
    struct toml_tables tables;
    const struct json *entry = NULL;
    enum splice_status st = find(arena, text, place, &tables, &entry, fault);
    struct str line_end = mgi_splice_line_end(text);
    if (st)
        return st;
    *made_section = !tables.section;
    if (tables.closed || (entry && tables.count == 0))
        return mgi_splice_refuse(fault, text, mgi_splice_start(text), by_hand);
    if (entry && mgi_json_equal(entry, value, true)) {
        mgi_buf_str(out, text);
        return SPLICE_DONE;
    }
    size_t at = entry ? tables.items[0].from : text.len, next = at;
    bool more = at > mgi_splice_start(text);
    mgi_buf_append(out, text.ptr, at);
    if (!entry && more && !ends_line(text))
        mgi_buf_str(out, line_end);
    if (!entry && more)
        mgi_buf_str(out, line_end);
    bool good = put_table(out, place, value, line_end);
    for (size_t i = 0; entry && i < tables.count; i++) {
        if (i > 0)
            mgi_buf_append(out, text.ptr + next, tables.items[i].from - next);
        else if (ends_line((struct str){ text.ptr, tables.items[i].to }))
            mgi_buf_str(out, line_end);
        next = tables.items[i].to;
    }
    if (!entry && (!more || ends_line(text)))
        mgi_buf_str(out, line_end);
    mgi_buf_append(out, text.ptr + next, text.len - next);
    return good ? SPLICE_DONE : mgi_splice_refuse(fault, text, 0, by_hand);
}

enum splice_status mgi_splice_take_toml(struct arena *arena, struct str text,
                                        const struct splice_place *place, struct buf *out,
                                        struct splice_fault *fault)
{
    struct toml_tables tables;
    const struct json *entry = NULL;
    enum splice_status st = find(arena, text, place, &tables, &entry, fault);
    size_t from = 0;
    if (st)
        return st;
    if (!entry)
        return SPLICE_ABSENT;
    for (size_t i = 0; i < tables.count; i++) {
        struct span s = with_margin(text, tables.items[i]);
        if (s.from > from)
            mgi_buf_append(out, text.ptr + from, s.from - from);
        from = s.to;
    }
    mgi_buf_append(out, text.ptr + from, text.len - from);
    return SPLICE_DONE;
}
