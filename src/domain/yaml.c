/* YAML events -> tree. The stack of open collections is the only state; a fault that the parser can
 * go on after is noted and the tree stays usable, so that one run reports all of them. */
#include "domain/yaml.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <yaml.h>

#include "base/near.h"
#include "base/strmap.h"
#include "base/time.h"
#include "base/utf8.h"
#include "domain/domain_int.h"
#include "domain/prepared.h"

struct builder {
    const struct yaml_context *context;
    const char *file;
    uint32_t line_offset;
    struct yaml_node *stack[YAML_MAX_DEPTH];
    struct str keys[YAML_MAX_DEPTH]; /* pending key of an open map */
    yaml_mark_t key_marks[YAML_MAX_DEPTH];
    bool has_key[YAML_MAX_DEPTH];
    struct strmap entries[YAML_MAX_DEPTH]; /* key -> entry, of open maps that have many */
    size_t depth;
    struct yaml_node *root;
    bool failed;
};

static void fault(struct builder *b, yaml_mark_t at, const char *hint, const char *what)
{
    mgi_findings_add(b->context->findings, MANGLE_ERROR, "YAML", b->file,
                     (uint32_t)at.line + 1 + b->line_offset, (uint32_t)at.column + 1, hint, "%s",
                     what);
}

static struct yaml_node *new_node(struct builder *b, enum yaml_kind kind, yaml_mark_t at)
{
    struct yaml_node *n = mgi_arena_calloc(mgi_yaml_scratch(b->context), 1, sizeof *n);
    if (!n)
        return NULL;
    n->kind = kind;
    n->origin = b->file;
    n->line = (uint32_t)at.line + 1 + b->line_offset;
    n->column = (uint32_t)at.column + 1;
    return n;
}

static bool append(struct arena *arena, struct yaml_node *parent, struct yaml_entry entry)
{
    if (!mgi_arena_grow(arena, &parent->entries, &parent->cap, parent->count + 1,
                        sizeof *parent->entries))
        return false;
    parent->entries[parent->count++] = entry;
    return true;
}

/* Maps have few keys: a scan finds them. From here on a table is kept. */
#define ENTRIES_SCANNED 16
#define NO_ENTRY        UINT32_MAX

/* The entry of that key in the open map at `level`, or NO_ENTRY. False: memory. */
static bool find_entry(struct builder *b, size_t level, struct str key, uint32_t *out)
{
    const struct yaml_node *map = b->stack[level];
    struct strmap *index = &b->entries[level];
    *out = NO_ENTRY;
    if (map->count < ENTRIES_SCANNED) {
        for (uint32_t i = 0; i < map->count && *out == NO_ENTRY; i++)
            if (str_eq(map->entries[i].key, key))
                *out = i;
        return true;
    }
    for (size_t i = index->count; i < map->count; i++) /* keys differ: one entry each */
        if (!mgi_strmap_put(index, map->entries[i].key, (uint32_t)i)) {
            b->context->arena->oom = true;
            return false;
        }
    mgi_strmap_get(index, key, out);
    return true;
}

/* Hang `n` below the innermost open collection. */
static bool attach(struct builder *b, struct yaml_node *n, yaml_mark_t at)
{
    if (b->depth == 0) {
        b->root = n;
        return true;
    }
    size_t top = b->depth - 1;
    struct yaml_node *parent = b->stack[top];
    struct yaml_entry entry = { { 0 }, n->line, n->column, n };
    if (parent->kind == YAML_MAP) {
        if (!b->has_key[top]) { /* this node is the key */
            if (n->kind != YAML_SCALAR) {
                fault(b, at, NULL, "a key must be text");
                b->failed = true;
                n->text = STR_LIT("");
            }
            b->keys[top] = n->text;
            b->key_marks[top] = at;
            b->has_key[top] = true;
            return true;
        }
        b->has_key[top] = false;
        entry.key = b->keys[top];
        entry.line = (uint32_t)b->key_marks[top].line + 1 + b->line_offset;
        entry.column = (uint32_t)b->key_marks[top].column + 1;
        uint32_t before;
        if (!find_entry(b, top, entry.key, &before))
            return false;
        if (before != NO_ENTRY) {
            mgi_findings_add(b->context->findings, MANGLE_ERROR, "DUPLICATE_KEY", b->file,
                             entry.line, entry.column, NULL,
                             "key \"%.*s\" was given before, in line %u", STR_ARG(entry.key),
                             parent->entries[before].line);
            return true;
        }
    }
    return append(mgi_yaml_scratch(b->context), parent, entry);
}

static bool open_collection(struct builder *b, enum yaml_kind kind, yaml_mark_t at, bool decorated)
{
    if (decorated)
        fault(b, at, "Write the value out.", "anchors and tags are not supported");
    if (b->depth == YAML_MAX_DEPTH) {
        fault(b, at, NULL, "nested deeper than 64 levels");
        return false;
    }
    struct yaml_node *n = new_node(b, kind, at);
    if (!n)
        return false;
    /* A collection in the place of a key is read, and dropped. */
    if (!attach(b, n, at))
        return false;
    b->stack[b->depth] = n;
    b->has_key[b->depth] = false;
    mgi_strmap_init(&b->entries[b->depth]);
    b->depth++;
    return true;
}

static bool scalar(struct builder *b, const yaml_event_t *e)
{
    struct yaml_node *n = new_node(b, YAML_SCALAR, e->start_mark);
    if (!n)
        return false;
    if (e->data.scalar.anchor || e->data.scalar.tag)
        fault(b, e->start_mark, "Write the value out.", "anchors and tags are not supported");
    n->plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    n->text = mgi_arena_str(b->context->arena, (struct str){ (const char *)e->data.scalar.value,
                                                             e->data.scalar.length });
    return n->text.ptr && attach(b, n, e->start_mark);
}

/* One event; false stops the reading. */
static bool take(struct builder *b, const yaml_event_t *e, int *documents)
{
    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (++*documents > 1) {
            fault(b, e->start_mark, NULL, "a second document in one file");
            return false;
        }
        return true;
    case YAML_ALIAS_EVENT:
        fault(b, e->start_mark, "Write the value out.", "aliases are not supported");
        return false;
    case YAML_SCALAR_EVENT:
        return scalar(b, e);
    case YAML_SEQUENCE_START_EVENT:
        return open_collection(b, YAML_LIST, e->start_mark,
                               e->data.sequence_start.anchor || e->data.sequence_start.tag);
    case YAML_MAPPING_START_EVENT:
        return open_collection(b, YAML_MAP, e->start_mark,
                               e->data.mapping_start.anchor || e->data.mapping_start.tag);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        mgi_strmap_fini(&b->entries[--b->depth]);
        return true;
    default:
        return true;
    }
}

static void parser_fault(struct builder *b, const yaml_parser_t *p)
{
    char *what = mgi_arena_printf(b->context->arena, "%s", p->problem ? p->problem : "not YAML");
    yaml_mark_t at = p->problem_mark;
    if (p->error == YAML_READER_ERROR)
        at = (yaml_mark_t){ 0 };
    fault(b, at,
          p->context ? mgi_arena_printf(b->context->arena, "This happened %s.", p->context) : NULL,
          what ? what : "not YAML");
}

static struct yaml_node *parse_text(const struct yaml_context *c, const char *file, struct str text,
                                    uint32_t line_offset)
{
    struct builder b = { .context = c, .file = file, .line_offset = line_offset };
    size_t bad;
    if (!mgi_utf8_valid(text, &bad)) {
        mgi_findings_add(c->findings, MANGLE_ERROR, "UTF8", file, 0, 0, NULL,
                         "byte %zu is not UTF-8", bad);
        return NULL;
    }
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        c->arena->oom = true; /* no tree is not an empty tree */
        return NULL;
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.ptr, text.len);

    int documents = 0;
    bool going = true;
    while (going) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            if (parser.error != YAML_MEMORY_ERROR)
                parser_fault(&b, &parser);
            else
                c->arena->oom = true;
            b.failed = true;
            break;
        }
        going = event.type != YAML_STREAM_END_EVENT && take(&b, &event, &documents);
        if (!going && event.type != YAML_STREAM_END_EVENT)
            b.failed = true;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    while (b.depth > 0)
        mgi_strmap_fini(&b.entries[--b.depth]);
    if (b.failed)
        return NULL;
    if (!b.root)
        b.root = new_node(&b, YAML_MAP, (yaml_mark_t){ 0 });
    return b.root;
}

struct yaml_node *mgi_yaml_parse(const struct yaml_context *c, const char *file, struct str text,
                                 uint32_t line_offset)
{
    struct yaml_node *root = c->prepared ? mgi_prepared_tree(c, file, text, line_offset) : NULL;
    if (root)
        return root;
    size_t errors = mgi_findings_errors(c->findings);
    root = parse_text(c, file, text, line_offset);
    if (root && c->prepared && mgi_findings_errors(c->findings) == errors)
        mgi_prepared_note_tree(c->prepared, text, line_offset, root);
    return root;
}

/* ---- reading the tree -------------------------------------------------------------------- */

struct yaml_node *mgi_yaml_get(const struct yaml_node *map, const char *key)
{
    if (!map || map->kind != YAML_MAP)
        return NULL;
    for (size_t i = 0; i < map->count; i++)
        if (str_is(map->entries[i].key, key))
            return map->entries[i].value;
    return NULL;
}

bool mgi_yaml_put(struct arena *arena, struct yaml_node *map, struct str key,
                  struct yaml_node *value)
{
    for (size_t i = 0; i < map->count; i++)
        if (str_eq(map->entries[i].key, key)) {
            map->entries[i].value = value;
            return true;
        }
    return append(arena, map, (struct yaml_entry){ key, value->line, value->column, value });
}

static bool is_word(const struct yaml_node *n, const char *a, const char *b, const char *c)
{
    return n->kind == YAML_SCALAR && n->plain &&
           (str_is(n->text, a) || str_is(n->text, b) || str_is(n->text, c));
}

bool mgi_yaml_is_null(const struct yaml_node *n)
{
    return is_word(n, "null", "Null", "NULL") || is_word(n, "~", "", "~");
}

bool mgi_yaml_bool(const struct yaml_node *n, bool *out)
{
    *out = is_word(n, "true", "True", "TRUE");
    return *out || is_word(n, "false", "False", "FALSE");
}

/* The shape of a number by the core schema of YAML 1.2, decimal only: 0 text, 1 integer, 2 float.
 */
static int number_shape(struct str s)
{
    size_t i = 0, digits = 0;
    bool is_float = false;
    if (i < s.len && (s.ptr[i] == '-' || s.ptr[i] == '+'))
        i++;
    for (; i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9'; i++)
        digits++;
    if (i < s.len && s.ptr[i] == '.') {
        is_float = true;
        for (i++; i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9'; i++)
            digits++;
    }
    if (digits == 0)
        return 0;
    if (i < s.len && (s.ptr[i] == 'e' || s.ptr[i] == 'E')) {
        is_float = true;
        i++;
        if (i < s.len && (s.ptr[i] == '-' || s.ptr[i] == '+'))
            i++;
        size_t from = i;
        while (i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9')
            i++;
        if (i == from)
            return 0;
    }
    return i == s.len ? (is_float ? 2 : 1) : 0;
}

bool mgi_yaml_int(const struct yaml_node *n, int64_t *out)
{
    if (n->kind != YAML_SCALAR || !n->plain || number_shape(n->text) != 1)
        return false;
    errno = 0;
    long long v = strtoll(n->text.ptr, NULL, 10); /* a NUL follows every text of an arena */
    *out = v;
    return errno == 0;
}

void mgi_yaml_duration_ms(const struct yaml_context *c, const struct yaml_node *n, const char *what,
                          uint32_t *ms)
{
    int64_t ns;
    if (!n)
        return;
    if (n->kind != YAML_SCALAR || !mgi_duration_parse(n->text, true, &ns) || ns < NS_PER_MS ||
        ns / NS_PER_MS > INT32_MAX)
        mgi_yaml_error(c, n, "BAD_VALUE", NULL, "%s must be a duration such as %s", what,
                       strcmp(what, "timeout") == 0 ? "30s" : "100ms");
    else
        *ms = (uint32_t)(ns / NS_PER_MS);
}

static void write_scalar(struct json_writer *w, const struct yaml_node *n)
{
    bool b;
    int64_t i;
    if (mgi_yaml_is_null(n))
        mgi_jw_null(w);
    else if (mgi_yaml_bool(n, &b))
        mgi_jw_bool(w, b);
    else if (mgi_yaml_int(n, &i))
        mgi_jw_int(w, i);
    else if (n->plain && number_shape(n->text))
        mgi_jw_float(w, strtod(n->text.ptr, NULL));
    else
        mgi_jw_string(w, n->text);
}

void mgi_yaml_write_json(struct json_writer *w, const struct yaml_node *n)
{
    switch (n->kind) { /* depth is at most YAML_MAX_DEPTH */
    case YAML_SCALAR:
        write_scalar(w, n);
        break;
    case YAML_LIST:
        mgi_jw_begin_array(w);
        for (size_t i = 0; i < n->count; i++)
            mgi_yaml_write_json(w, n->entries[i].value);
        mgi_jw_end_array(w);
        break;
    case YAML_MAP:
        mgi_jw_begin_object(w);
        for (size_t i = 0; i < n->count; i++) {
            mgi_jw_key_str(w, n->entries[i].key);
            mgi_yaml_write_json(w, n->entries[i].value);
        }
        mgi_jw_end_object(w);
        break;
    }
}

bool mgi_yaml_to_json(struct arena *arena, const struct yaml_node *n, struct json *out)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_yaml_write_json(&w, n);
    bool ok = mgi_json_take(arena, &text, out);
    if (!ok)
        arena->oom = true; /* what the writer writes the parser reads: only memory can fail */
    return ok;
}

const struct yaml_node *mgi_yaml_at(const struct yaml_node *n, const char *pointer)
{
    while (*pointer == '/') {
        const char *token = pointer + 1;
        size_t len = strcspn(token, "/");
        const struct yaml_node *next = NULL;
        for (size_t i = 0; i < n->count && !next; i++) {
            char index[24];
            snprintf(index, sizeof index, "%zu", i);
            struct str name = n->kind == YAML_LIST ? str_of(index) : n->entries[i].key;
            if (str_eq(name, (struct str){ token, len }))
                next = n->entries[i].value;
        }
        if (!next)
            return n;
        n = next;
        pointer = token + len;
    }
    return n;
}

/* ---- findings ---------------------------------------------------------------------------- */

void mgi_yaml_error(const struct yaml_context *c, const struct yaml_node *at, const char *code,
                    const char *hint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mgi_findings_vadd(c->findings, MANGLE_ERROR, code, at->origin, at->line, at->column, hint,
                      format, args);
    va_end(args);
}

const char *mgi_nearest_name(struct str name, const char *const *names)
{
    const char *best = NULL, *const *longer = names;
    size_t limit = name.len / 3 + 1, best_distance = limit + 1;
    for (; *names; names++) {
        size_t d = mgi_edit_distance(name, str_of(*names), limit);
        if (d < best_distance) {
            best_distance = d;
            best = *names;
        }
    }
    for (; !best && name.len > 2 && *longer; longer++)
        if (mgi_str_starts(str_of(*longer), name))
            best = *longer; /* certificate for cert */
    return best;
}

void mgi_yaml_known_keys(const struct yaml_context *c, const struct yaml_node *map,
                         const char *where, const char *const *keys)
{
    for (size_t i = 0; i < map->count; i++) {
        bool known = false;
        for (size_t k = 0; keys[k] && !known; k++)
            known = str_is(map->entries[i].key, keys[k]);
        if (known)
            continue;
        const char *near = mgi_nearest_name(map->entries[i].key, keys);
        const struct yaml_node *value = map->entries[i].value;
        mgi_findings_add(c->findings, MANGLE_ERROR, "UNKNOWN_KEY", value->origin,
                         map->entries[i].line, map->entries[i].column,
                         near ? mgi_arena_printf(c->arena, "Did you mean %s?", near) : NULL,
                         "unknown key \"%.*s\" in %s", STR_ARG(map->entries[i].key), where);
    }
}

const char *mgi_yaml_kind_name(const struct yaml_node *n)
{
    bool b;
    int64_t i;
    if (n->kind == YAML_LIST)
        return "a list";
    if (n->kind == YAML_MAP)
        return "a map";
    if (mgi_yaml_is_null(n))
        return "nothing";
    if (mgi_yaml_bool(n, &b))
        return "a boolean";
    return mgi_yaml_int(n, &i)                 ? "an integer"
           : n->plain && number_shape(n->text) ? "a number"
                                               : "text";
}
