/* A JSON Schema of arguments as a call in one line: see call.h. Shorter than a signature
 * (signature.c): no defaults, of what need not be given only the outlines, and an argument without
 * a type is a text. */
#include "render/call.h"
#include "render/render_int.h"

#define DEPTH       6    /* of a type within a type, references included */
#define SHALLOW     2    /* of one that need not be given */
#define CHOICES     40   /* of an enum that has to be chosen from */
#define FEW_CHOICES 4    /* of one that need not be */
#define OPTIONAL    3    /* arguments that need not be given */
#define FIELDS      24   /* of an object */
#define VALUE_BYTES 60   /* of a constant; of a pattern */
#define ABOUT_BYTES 56   /* of what it does */
#define CALL_BYTES  2000 /* then types are opened no further */

struct call {
    struct buf *out;
    size_t most; /* bytes of it */
    const struct json *root;
};

static void open_type(struct call *c, const struct json *schema, int depth, bool required);

static const struct json *object_at(const struct json *schema, const char *name)
{
    const struct json *v = mgi_json_get(schema, name);
    return v && v->type == JSON_OBJECT ? v : NULL;
}

static void open_fields(struct call *c, const struct json *schema, int depth, bool required)
{
    const struct json *fields = object_at(schema, "properties");
    uint32_t put = 0, optional = 0, left = 0;
    mgi_buf_putc(c->out, '{');
    for (int must = 1; must >= 0; must--)
        for (uint32_t i = 0; i < fields->count && i < LOOKED; i++) {
            const struct json_member *f = &fields->members[i];
            if (mgi_is_required(schema, f->name) != (must == 1))
                continue;
            bool outline = !must && (!required || depth <= DEPTH - 2 || optional++ >= OPTIONAL);
            if (put == FIELDS || outline) {
                left++;
                continue;
            }
            mgi_buf_puts(c->out, put++ ? ", " : "");
            mgi_clean_name(c->out, f->name);
            mgi_buf_puts(c->out, must ? ": " : "?: ");
            open_type(c, &f->value, must ? depth - 1 : SHALLOW, required && must);
        }
    left += fields->count > LOOKED;
    mgi_buf_puts(c->out, left == 0 ? "}" : put ? ", ...}" : "...}");
}

static void put_word(struct call *c, const struct json *schema, struct str type, int depth,
                     bool required)
{
    const struct json *items = object_at(schema, "items");
    struct str pattern = text_at(schema, "pattern"), format = text_at(schema, "format");
    if (str_is(type, "array")) {
        mgi_buf_putc(c->out, '[');
        if (items)
            open_type(c, items, depth - 1, required);
        mgi_buf_puts(c->out, items ? "]" : "any]");
    } else if (str_is(type, "object")) {
        const struct json *fields = object_at(schema, "properties");
        if (fields && fields->count)
            open_fields(c, schema, depth, required);
        else
            mgi_buf_puts(c->out, "object");
    } else if (str_is(type, "string")) {
        mgi_buf_puts(c->out, "str");
        if (format.len) {
            mgi_buf_putc(c->out, ' ');
            mgi_clean_name(c->out, format);
        }
        if (pattern.len && required) {
            mgi_buf_puts(c->out, " /");
            mgi_clean_cut(c->out, pattern, VALUE_BYTES);
            mgi_buf_putc(c->out, '/');
        }
    } else if (str_is(type, "integer") || str_is(type, "number")) {
        mgi_buf_puts(c->out, str_is(type, "integer") ? "int" : "num");
        mgi_put_range(c->out, schema);
    } else {
        mgi_buf_puts(c->out, str_is(type, "boolean") ? "bool"
                             : str_is(type, "null")  ? "null"
                                                     : "any");
    }
}

/* One of several; null is none that anybody has to know. */
static void put_variants(struct call *c, const struct json *variants, int depth, bool required)
{
    uint32_t put = 0;
    size_t last = c->out->len, last_len = 0; /* the variant before */
    for (uint32_t i = 0; i < variants->count && put < FEW_CHOICES; i++) {
        size_t before = c->out->len;
        if (str_is(text_at(&variants->items[i], "type"), "null"))
            continue;
        mgi_buf_puts(c->out, put ? "|" : "");
        size_t at = c->out->len;
        open_type(c, &variants->items[i], depth - 1, required);
        if (c->out->oom)
            return;
        if (put && c->out->len - at == last_len &&
            memcmp(c->out->ptr + last, c->out->ptr + at, last_len) == 0) {
            c->out->len = before; /* the same again */
            c->out->ptr[before] = '\0';
            continue;
        }
        last = at;
        last_len = c->out->len - at;
        put++;
    }
    mgi_buf_puts(c->out, put ? "" : "any");
}

static void put_types(struct call *c, const struct json *schema, const struct json *types,
                      int depth, bool required)
{
    uint32_t put = 0;
    for (uint32_t i = 0; i < types->count; i++) {
        if (types->items[i].type != JSON_STRING || str_is(types->items[i].string, "null"))
            continue;
        mgi_buf_puts(c->out, put++ ? "|" : "");
        put_word(c, schema, types->items[i].string, depth, required);
    }
    mgi_buf_puts(c->out, put ? "" : "any");
}

/* Of the schema itself. */
static const struct json *referred(struct call *c, struct str reference)
{
    if (reference.len == 0 || reference.ptr[0] != '#')
        return NULL;
    return mgi_json_pointer_get(c->root, (struct str){ reference.ptr + 1, reference.len - 1 });
}

static void open_type(struct call *c, const struct json *schema, int depth, bool required)
{
    const struct json *constant = mgi_json_get(schema, "const"), *type;
    const struct json *choices = list_at(schema, "enum"), *variants = list_at(schema, "anyOf");
    const struct json *to = referred(c, text_at(schema, "$ref"));
    if (variants->count == 0)
        variants = list_at(schema, "oneOf");
    if (variants->count == 0 && list_at(schema, "allOf")->count == 1)
        variants = list_at(schema, "allOf");
    type = mgi_json_get(schema, "type");
    if (schema->type != JSON_OBJECT || depth <= 0 || c->out->len > c->most)
        mgi_buf_puts(c->out, "any");
    else if (constant)
        mgi_clean_json(c->out, constant, VALUE_BYTES);
    else if (choices->count)
        mgi_put_choices(c->out, choices, required ? CHOICES : FEW_CHOICES);
    else if (to)
        open_type(c, to, depth - 1, required);
    else if (variants->count)
        put_variants(c, variants, depth, required);
    else if (type && type->type == JSON_STRING)
        put_word(c, schema, type->string, depth, required);
    else if (type && type->type == JSON_ARRAY)
        put_types(c, schema, type, depth, required);
    else if (object_at(schema, "properties"))
        open_fields(c, schema, depth, required);
    else
        mgi_buf_puts(c->out, "any");
}

/* What is said of nothing: a text, whatever it holds. */
static bool is_plain_text(const struct json *schema)
{
    return str_is(text_at(schema, "type"), "string") && !mgi_json_get(schema, "enum") &&
           !mgi_json_get(schema, "const") && !mgi_json_get(schema, "format") &&
           !mgi_json_get(schema, "pattern");
}

static void put_required(struct call *c, const struct json *schema)
{
    mgi_buf_puts(c->out, ": ");
    open_type(c, schema, DEPTH, true);
}

/* Of what need not be given: what it is, not what it is made of. */
static void put_outline(struct call *c, const struct json *schema)
{
    mgi_buf_putc(c->out, '?');
    if (is_plain_text(schema))
        return;
    mgi_buf_puts(c->out, ": ");
    if (str_is(text_at(schema, "type"), "object"))
        mgi_buf_puts(c->out, "object");
    else
        open_type(c, schema, SHALLOW, false);
}

void mgi_call_put(struct buf *out, struct str name, const struct json *schema)
{
    struct call c = { out, out->len + CALL_BYTES, schema };
    const struct json *all = schema ? object_at(schema, "properties") : NULL;
    uint32_t put = 0, optional = 0;
    mgi_clean_name(out, name);
    mgi_buf_putc(out, '(');
    for (int must = 1; must >= 0; must--)
        for (uint32_t i = 0; all && i < all->count && i < LOOKED; i++) {
            const struct json_member *p = &all->members[i];
            if (mgi_is_required(schema, p->name) != (must == 1) ||
                (!must && optional++ >= OPTIONAL))
                continue;
            mgi_buf_puts(out, put++ ? ", " : "");
            mgi_clean_name(out, p->name);
            if (!must)
                put_outline(&c, &p->value);
            else if (!is_plain_text(&p->value))
                put_required(&c, &p->value);
        }
    if (optional > OPTIONAL || (all && all->count > LOOKED))
        mgi_buf_puts(out, ", ...");
    mgi_buf_putc(out, ')');
}

void mgi_call_line(struct buf *out, struct str call, struct str about)
{
    mgi_buf_puts(out, "  ");
    mgi_clean_line(out, call);
    if (about.len > 0) {
        mgi_buf_puts(out, "  ");
        mgi_clean_sentence(out, about, ABOUT_BYTES);
    }
    mgi_buf_putc(out, '\n');
}

size_t mgi_call_tokens(struct str call, struct str about)
{
    struct buf line = { 0 };
    mgi_call_line(&line, call, about);
    size_t tokens = line.oom ? 0 : manglecp_tokens(line.ptr, line.len);
    mgi_buf_fini(&line);
    return tokens;
}
