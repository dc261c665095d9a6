/* A JSON Schema of arguments as a signature, as far as one line can say it:
 *
 *     name(error_id: "console-error-3", focus?: "all"|"network" = "all", max?: int 1..100 = 90)
 *
 * Of what no type says (anyOf, $ref, ...) the parameter's schema stands in the notes, so nothing is
 * lost. Bounded: objects are opened one level deep, and long lists are cut. */
#include "render/render_int.h"

#define CHOICES     12  /* values of an enum that are named */
#define VALUE_BYTES 80  /* of one of them */
#define MOST_DIGITS 8   /* of an end of a range: those of what a program can count are no news */
#define PARAMETERS  40  /* that are named */
#define NOTE_BYTES  300 /* of a description; of a schema */

/* ---- types -------------------------------------------------------------------------------------
 */

static const char *short_type(struct str type)
{
    static const struct {
        const char *word, *shown;
    } types[] = { { "string", "str" },   { "integer", "int" },   { "number", "num" },
                  { "boolean", "bool" }, { "object", "object" }, { "array", "list" },
                  { "null", "null" } };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (str_is(type, types[i].word))
            return types[i].shown;
    return "any";
}

void mgi_put_choices(struct buf *out, const struct json *choices, uint32_t most)
{
    for (uint32_t i = 0; i < choices->count && i < most; i++) {
        mgi_buf_puts(out, i ? "|" : "");
        mgi_clean_json(out, &choices->items[i], VALUE_BYTES);
    }
    if (choices->count > most)
        mgi_buf_printf(out, "|... (%u more)", choices->count - most);
}

/* One end, within by `step` where it is exclusive and counts. False: none, or one that no value
 * meets. */
static bool put_end(struct buf *out, const struct json *schema, const char *inclusive,
                    const char *exclusive, int step)
{
    const struct json *v = mgi_json_get(schema, inclusive);
    bool within = !v;
    if (!v)
        v = mgi_json_get(schema, exclusive);
    if (!v || (v->type != JSON_INT && v->type != JSON_FLOAT) || v->text.len > MOST_DIGITS)
        return false;
    if (within && v->type == JSON_INT && str_is(text_at(schema, "type"), "integer"))
        mgi_buf_printf(out, "%lld", (long long)v->integer + step);
    else
        mgi_buf_str(out, v->text);
    return true;
}

void mgi_put_range(struct buf *out, const struct json *schema)
{
    size_t before = out->len;
    mgi_buf_putc(out, ' ');
    bool low = put_end(out, schema, "minimum", "exclusiveMinimum", 1);
    mgi_buf_puts(out, "..");
    bool high = put_end(out, schema, "maximum", "exclusiveMaximum", -1);
    if (!low && !high && !out->oom) {
        out->len = before;
        out->ptr[before] = '\0';
    }
}

/* Keywords that no type of ours says. */
static bool is_beyond(const struct json *schema)
{
    static const char *const words[] = {
        "anyOf",       "oneOf",   "allOf", "not", "$ref", "if", "patternProperties",
        "prefixItems", "contains"
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (mgi_json_get(schema, words[i]))
            return true;
    return false;
}

static void put_type_word(struct buf *out, const struct json *type)
{
    if (!type || (type->type != JSON_STRING && type->type != JSON_ARRAY))
        mgi_buf_puts(out, "any");
    else if (type->type == JSON_STRING)
        mgi_buf_puts(out, short_type(type->string));
    else
        for (uint32_t i = 0; i < type->count && i < CHOICES; i++)
            mgi_buf_printf(out, "%s%s", i ? "|" : "",
                           type->items[i].type == JSON_STRING ? short_type(type->items[i].string)
                                                              : "any");
}

static bool has_type(const struct json *schema, const char *word)
{
    return str_is(text_at(schema, "type"), word);
}

/* Without looking into what it is made of. */
static void put_plain_type(struct buf *out, const struct json *schema)
{
    const struct json *choices = mgi_json_get(schema, "enum");
    const struct json *constant = mgi_json_get(schema, "const");
    struct str format = text_at(schema, "format");
    if (constant)
        mgi_clean_json(out, constant, VALUE_BYTES);
    else if (choices && choices->type == JSON_ARRAY && choices->count > 0)
        mgi_put_choices(out, choices, CHOICES);
    else
        put_type_word(out, mgi_json_get(schema, "type"));
    mgi_put_range(out, schema);
    if (format.len) {
        mgi_buf_putc(out, ' ');
        mgi_clean_name(out, format);
    }
}

bool mgi_is_required(const struct json *schema, struct str name)
{
    const struct json *required = list_at(schema, "required");
    for (uint32_t i = 0; i < required->count; i++)
        if (required->items[i].type == JSON_STRING && str_eq(required->items[i].string, name))
            return true;
    return false;
}

static const struct json *properties_of(const struct json *schema)
{
    static const struct json none = { .type = JSON_OBJECT };
    const struct json *v = mgi_json_get(schema, "properties");
    return v && v->type == JSON_OBJECT ? v : &none;
}

static void put_fields(struct buf *out, const struct json *schema)
{
    const struct json *fields = properties_of(schema);
    mgi_buf_putc(out, '{');
    for (uint32_t i = 0; i < fields->count && i < CHOICES; i++) {
        mgi_buf_puts(out, i ? ", " : "");
        mgi_clean_name(out, fields->members[i].name);
        mgi_buf_puts(out, mgi_is_required(schema, fields->members[i].name) ? ": " : "?: ");
        put_plain_type(out, &fields->members[i].value);
    }
    mgi_buf_puts(out, fields->count > CHOICES ? ", ...}" : "}");
}

static void put_type(struct buf *out, const struct json *schema)
{
    const struct json *items = mgi_json_get(schema, "items");
    if (is_beyond(schema)) {
        mgi_buf_puts(out, "any");
    } else if (has_type(schema, "array") && items && items->type == JSON_OBJECT) {
        mgi_buf_putc(out, '[');
        if (properties_of(items)->count)
            put_fields(out, items);
        else
            put_plain_type(out, items);
        mgi_buf_putc(out, ']');
    } else if (has_type(schema, "object") && properties_of(schema)->count) {
        put_fields(out, schema);
    } else {
        put_plain_type(out, schema);
    }
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

static void put_parameter(struct buf *out, const struct json *schema, const struct json_member *p)
{
    const struct json *usual = mgi_json_get(&p->value, "default");
    mgi_clean_name(out, p->name);
    mgi_buf_puts(out, mgi_is_required(schema, p->name) ? ": " : "?: ");
    put_type(out, &p->value);
    if (usual) {
        mgi_buf_puts(out, " = ");
        mgi_clean_json(out, usual, VALUE_BYTES);
    }
}

/* What has to be given comes first, of those that are looked at. */
static void put_parameters(struct buf *out, const struct json *schema, bool required, uint32_t *put)
{
    const struct json *all = properties_of(schema);
    for (uint32_t i = 0; i < all->count && i < LOOKED && *put < PARAMETERS; i++) {
        if (mgi_is_required(schema, all->members[i].name) != required)
            continue;
        mgi_buf_puts(out, *put ? ", " : "");
        put_parameter(out, schema, &all->members[i]);
        (*put)++;
    }
}

/* More than its properties may be given, or must be. */
static bool is_open(const struct json *schema)
{
    const struct json *more = mgi_json_get(schema, "additionalProperties");
    return properties_of(schema)->count == 0 &&
           !(more && more->type == JSON_BOOL && !more->boolean);
}

void mgi_signature(struct buf *out, struct str name, const struct json *schema)
{
    uint32_t put = 0;
    mgi_clean_name(out, name);
    mgi_buf_putc(out, '(');
    if (schema && is_open(schema))
        mgi_buf_puts(out, mgi_json_get(schema, "additionalProperties") || is_beyond(schema) ? "..."
                                                                                            : "");
    put_parameters(out, schema, true, &put);
    put_parameters(out, schema, false, &put);
    uint32_t count = properties_of(schema)->count;
    if (count > put)
        mgi_buf_printf(out, ", ... (%u more)", count - put);
    mgi_buf_putc(out, ')');
}

static void put_note(struct buf *out, const struct json_member *p)
{
    struct str about = text_at(&p->value, "description"), pattern = text_at(&p->value, "pattern");
    const struct json *items = mgi_json_get(&p->value, "items");
    bool whole = is_beyond(&p->value) || (items && is_beyond(items));
    if (!about.len && !pattern.len && !whole)
        return;
    mgi_buf_puts(out, "  ");
    mgi_clean_name(out, p->name);
    mgi_buf_putc(out, ':');
    if (whole) {
        mgi_buf_puts(out, " as ");
        mgi_clean_json(out, &p->value, 2 * NOTE_BYTES);
    } else {
        if (about.len) {
            mgi_buf_putc(out, ' ');
            mgi_clean_cut(out, about, NOTE_BYTES);
        }
        if (pattern.len) {
            mgi_buf_puts(out, " matches ");
            mgi_clean_cut(out, pattern, VALUE_BYTES);
        }
    }
    mgi_buf_putc(out, '\n');
}

void mgi_signature_notes(struct buf *out, const struct json *schema)
{
    const struct json *all = properties_of(schema);
    for (uint32_t i = 0; i < all->count && i < PARAMETERS; i++)
        put_note(out, &all->members[i]);
    if (schema && is_beyond(schema)) {
        mgi_buf_puts(out, "  all of it: ");
        mgi_clean_json(out, schema, 4 * NOTE_BYTES);
        mgi_buf_putc(out, '\n');
    }
}
