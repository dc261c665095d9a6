/* Schemas of OpenAPI 3.0 and 3.1 as JSON Schema 2020-12: see openapi_int.h.
 *
 * 3.1 has that dialect already; of 3.0 are different: "nullable", "exclusiveMinimum" as a flag, and
 * a "$ref" that lets nothing stand beside it. Of both remains what says something of values:
 * examples, extensions, discriminators and the like go.
 *
 * What a reference leads to is translated once per document and direction, and put together for
 * each schema that needs it, as "$defs". The depth of what is written is bounded (DEEPEST): deeper,
 * any value is fine. */
#include "actions/openapi_int.h"
#include "protocol/schema.h"

enum {
    DEEPEST = 40,          /* levels of JSON: settings and lists around it are read to 64 */
    DEEPEST_VALUE = 8,     /* of a default, or one of an enumeration */
    MOST_DESCRIPTION = 300 /* bytes */
};

/* What is done with a keyword. */
enum treatment {
    COPY,       /* its value, whatever that is */
    TELL,       /* the same, of what is sent: nobody reads what schemas of answers tell */
    TELL_TEXT,  /* if it is a text */
    COPY_COUNT, /* if it is a whole number */
    COPY_NUMBER,
    COPY_FLAG,
    TELL_FLAG,
    PATTERN,
    ONE,  /* a schema */
    MAP,  /* of schemas */
    LIST, /* of schemas */
    DONE, /* elsewhere in here */
    REFUSE
};

static const struct keyword {
    const char *name;
    enum treatment treatment;
} keywords[] = {
    { "type", DONE },
    { "nullable", DONE },
    { "$ref", DONE },
    { "description", DONE },
    { "required", DONE },
    { "properties", DONE },
    { "items", DONE },
    { "enum", DONE },
    { "minimum", DONE },
    { "maximum", DONE },
    { "exclusiveMinimum", DONE },
    { "exclusiveMaximum", DONE },
    { "format", DONE },
    { "default", TELL },
    { "const", COPY },
    { "multipleOf", COPY_NUMBER },
    { "maxLength", COPY_COUNT },
    { "minLength", COPY_COUNT },
    { "maxItems", COPY_COUNT },
    { "minItems", COPY_COUNT },
    { "maxProperties", COPY_COUNT },
    { "minProperties", COPY_COUNT },
    { "maxContains", COPY_COUNT },
    { "minContains", COPY_COUNT },
    { "uniqueItems", COPY_FLAG },
    { "deprecated", TELL_FLAG },
    { "readOnly", TELL_FLAG },
    { "writeOnly", TELL_FLAG },
    { "title", TELL_TEXT },
    { "contentEncoding", TELL_TEXT },
    { "contentMediaType", TELL_TEXT },
    { "dependentRequired", COPY },
    { "pattern", PATTERN },
    { "additionalProperties", ONE },
    { "not", ONE },
    { "contains", ONE },
    { "propertyNames", ONE },
    { "if", ONE },
    { "then", ONE },
    { "else", ONE },
    { "unevaluatedItems", ONE },
    { "unevaluatedProperties", ONE },
    { "patternProperties", MAP },
    { "dependentSchemas", MAP },
    { "allOf", LIST },
    { "anyOf", LIST },
    { "oneOf", LIST },
    { "prefixItems", LIST },
    { "$id", REFUSE },
    { "$anchor", REFUSE },
    { "$dynamicRef", REFUSE },
    { "$dynamicAnchor", REFUSE },
};

static void write_any(struct openapi_writer *w, const struct json *schema, struct str description);

static void fault(struct openapi_writer *w, const struct json *at, const char *why)
{
    if (w->why)
        return;
    w->why = why ? why : "out of memory";
    w->why_at = at;
}

static bool is_schema(const struct json *v)
{
    return v && (v->type == JSON_OBJECT || v->type == JSON_BOOL);
}

static bool is_number(const struct json *v)
{
    return v && (v->type == JSON_INT || v->type == JSON_FLOAT || v->type == JSON_HUGE);
}

/* ---- keywords -------------------------------------------------------------------------------- */

/* A member that the other side alone may have. */
static bool is_others(struct openapi_writer *w, const struct json *schema)
{
    return mgi_openapi_is_only(w->doc, schema,
                               w->direction == OPENAPI_SENT ? "readOnly" : "writeOnly");
}

static unsigned depth_of(const struct json *v, unsigned most)
{
    unsigned deepest = 0;
    if (v->type != JSON_ARRAY && v->type != JSON_OBJECT)
        return 0;
    for (uint32_t i = 0; most > 0 && i < v->count; i++) {
        unsigned d =
            depth_of(v->type == JSON_ARRAY ? &v->items[i] : &v->members[i].value, most - 1);
        deepest = d > deepest ? d : deepest;
    }
    return deepest + 1;
}

static void copy(struct openapi_writer *w, const char *name, const struct json *v)
{
    if (depth_of(v, DEEPEST_VALUE) > DEEPEST_VALUE)
        return;
    mgi_jw_key_str(&w->w, str_of(name));
    mgi_jw_value(&w->w, v);
}

/* Whether it can be used is asked here, since all else of the schema can. */
static void write_pattern(struct openapi_writer *w, const struct json *v)
{
    struct buf text = { 0 };
    struct json_writer one;
    struct json schema;
    struct schema_issues issues;
    struct arena *a = w->doc->r->yaml->arena;
    if (v->type != JSON_STRING)
        return;
    mgi_json_writer_init(&one, &text, 0);
    mgi_jw_begin_object(&one);
    mgi_jw_member_str(&one, "pattern", v->string);
    mgi_jw_end_object(&one);
    if (!mgi_json_take(a, &text, &schema)) {
        a->oom = true;
        return;
    }
    mgi_schema_issues_init(&issues, a, 1);
    struct schema *compiled = mgi_schema_compile(&schema, 0, &issues);
    if (compiled)
        copy(w, "pattern", v);
    else if (issues.count > 0)
        mgi_openapi_warn(w->doc, v, "a schema's pattern is not checked: %s",
                         issues.items[0].message);
    else
        a->oom = true;
    mgi_schema_free(compiled);
}

static void write_map(struct openapi_writer *w, const char *name, const struct json *v)
{
    if (v->type != JSON_OBJECT)
        return;
    mgi_jw_key_str(&w->w, str_of(name));
    mgi_jw_begin_object(&w->w);
    for (uint32_t i = 0; i < v->count; i++) {
        if (strcmp(name, "properties") == 0 && is_others(w, &v->members[i].value))
            continue;
        mgi_jw_key_str(&w->w, v->members[i].name);
        write_any(w, &v->members[i].value, STR_LIT(""));
    }
    mgi_jw_end_object(&w->w);
}

static void write_list(struct openapi_writer *w, const char *name, const struct json *v)
{
    if (v->type != JSON_ARRAY || v->count == 0)
        return;
    mgi_jw_key_str(&w->w, str_of(name));
    mgi_jw_begin_array(&w->w);
    for (uint32_t i = 0; i < v->count; i++)
        write_any(w, &v->items[i], STR_LIT(""));
    mgi_jw_end_array(&w->w);
}

static void write_keyword(struct openapi_writer *w, const struct keyword *k, const struct json *v)
{
    bool told = w->direction == OPENAPI_SENT;
    switch (k->treatment) {
    case COPY:
        copy(w, k->name, v);
        break;
    case TELL:
        if (told)
            copy(w, k->name, v);
        break;
    case TELL_TEXT:
        if (told && v->type == JSON_STRING && v->string.len <= MOST_DESCRIPTION)
            copy(w, k->name, v);
        break;
    case TELL_FLAG:
        if (told && v->type == JSON_BOOL)
            copy(w, k->name, v);
        break;
    case COPY_COUNT:
        if (v->type == JSON_INT && v->integer >= 0)
            copy(w, k->name, v);
        break;
    case COPY_NUMBER:
        if (is_number(v))
            copy(w, k->name, v);
        break;
    case COPY_FLAG:
        if (v->type == JSON_BOOL)
            copy(w, k->name, v);
        break;
    case PATTERN:
        write_pattern(w, v);
        break;
    case ONE:
        mgi_jw_key_str(&w->w, str_of(k->name));
        write_any(w, v, STR_LIT(""));
        break;
    case MAP:
        write_map(w, k->name, v);
        break;
    case LIST:
        write_list(w, k->name, v);
        break;
    case REFUSE:
        fault(w, v,
              mgi_arena_printf(w->doc->r->yaml->arena, "a schema has the keyword \"%s\"", k->name));
        break;
    case DONE:
        break;
    }
}

/* ---- those that need a look at each other ---------------------------------------------------- */

static bool is_nullable(const struct openapi_writer *w, const struct json *schema)
{
    return !w->doc->is_31 && mgi_openapi_true(schema, "nullable");
}

static bool is_type(struct str name)
{
    static const char *const types[] = { "null",   "boolean", "integer", "number",
                                         "string", "array",   "object",  NULL };
    for (const char *const *type = types; *type; type++)
        if (str_is(name, *type))
            return true;
    return false;
}

static void write_type(struct openapi_writer *w, const struct json *schema)
{
    const struct json *type = mgi_json_get(schema, "type");
    bool list = type && type->type == JSON_ARRAY, null = is_nullable(w, schema);
    if (!type)
        return;
    for (uint32_t i = 0; i < (list ? type->count : 1); i++) {
        const struct json *one = list ? &type->items[i] : type;
        if (one->type != JSON_STRING || !is_type(one->string)) {
            fault(w, type,
                  "a schema's type is none of null, boolean, integer, number, string, "
                  "array and object");
            return;
        }
        null = null && !str_is(one->string, "null");
    }
    mgi_jw_key(&w->w, "type");
    if (!list && !null) {
        mgi_jw_value(&w->w, type);
        return;
    }
    mgi_jw_begin_array(&w->w);
    for (uint32_t i = 0; i < (list ? type->count : 1); i++)
        mgi_jw_value(&w->w, list ? &type->items[i] : type);
    if (null)
        mgi_jw_cstring(&w->w, "null");
    mgi_jw_end_array(&w->w);
}

static void write_enum(struct openapi_writer *w, const struct json *schema)
{
    const struct json *v = mgi_json_get(schema, "enum");
    bool null = is_nullable(w, schema);
    if (!v || v->type != JSON_ARRAY || v->count == 0 || depth_of(v, DEEPEST_VALUE) > DEEPEST_VALUE)
        return;
    mgi_jw_key(&w->w, "enum");
    mgi_jw_begin_array(&w->w);
    for (uint32_t i = 0; i < v->count; i++) {
        null = null && v->items[i].type != JSON_NULL;
        mgi_jw_value(&w->w, &v->items[i]);
    }
    if (null)
        mgi_jw_null(&w->w);
    mgi_jw_end_array(&w->w);
}

/* A flag beside a bound, in 3.0; a bound itself, later. */
static void write_bounds(struct openapi_writer *w, const struct json *schema)
{
    static const char *const names[2][2] = { { "minimum", "exclusiveMinimum" },
                                             { "maximum", "exclusiveMaximum" } };
    for (size_t i = 0; i < 2; i++) {
        const struct json *bound = mgi_json_get(schema, names[i][0]);
        const struct json *exclusive = mgi_json_get(schema, names[i][1]);
        bool flag = exclusive && exclusive->type == JSON_BOOL && exclusive->boolean;
        if (is_number(bound))
            copy(w, names[i][flag], bound);
        if (is_number(exclusive))
            copy(w, names[i][1], exclusive);
    }
}

/* Those of members that are there in this direction; it may stand where a flag stood long ago. */
static void write_required(struct openapi_writer *w, const struct json *schema)
{
    const struct json *v = mgi_json_get(schema, "required");
    const struct json *properties = mgi_json_get(schema, "properties");
    if (!v || v->type != JSON_ARRAY || v->count == 0)
        return;
    mgi_jw_key(&w->w, "required");
    mgi_jw_begin_array(&w->w);
    for (uint32_t i = 0; i < v->count; i++) {
        const struct json *name = &v->items[i];
        const struct json *property =
            name->type == JSON_STRING ? mgi_json_get_str(properties, name->string) : NULL;
        if (name->type == JSON_STRING && !(property && is_others(w, property)))
            mgi_jw_value(&w->w, name);
    }
    mgi_jw_end_array(&w->w);
}

static void write_items(struct openapi_writer *w, const struct json *v)
{
    if (!v)
        return;
    if (v->type == JSON_ARRAY) {
        fault(w, v, "a schema's items are a list of schemas, which is called prefixItems");
        return;
    }
    mgi_jw_key(&w->w, "items");
    write_any(w, v, STR_LIT(""));
}

static void write_format(struct openapi_writer *w, const struct json *schema)
{
    struct str format = mgi_openapi_text(schema, "format");
    if (w->direction == OPENAPI_ANSWERED)
        return;
    if (!w->doc->is_31 && str_is(format, "byte"))
        mgi_jw_member_cstr(&w->w, "contentEncoding", "base64");
    else if (format.len > 0 && format.len <= MOST_DESCRIPTION)
        mgi_jw_member_str(&w->w, "format", format);
}

static void write_description(struct openapi_writer *w, const struct json *schema,
                              struct str description)
{
    if (description.len == 0)
        description = mgi_openapi_text(schema, "description");
    if (description.len > 0 && w->direction == OPENAPI_SENT)
        mgi_jw_member_str(&w->w, "description",
                          mgi_openapi_cut(w->doc, description, MOST_DESCRIPTION));
}

static void want(struct openapi_writer *w, struct openapi_target *target)
{
    if (target->wanted_by[w->inner] == w->number)
        return;
    target->wanted_by[w->inner] = w->number;
    if (mgi_arena_grow(w->doc->r->yaml->arena, &w->wanted, &w->wanted_cap, w->wanted_count + 1,
                       sizeof(void *)))
        w->wanted[w->wanted_count++] = target;
}

/* False: nothing may stand beside it. */
static bool write_reference(struct openapi_writer *w, const struct json *schema)
{
    const struct json *ref = mgi_json_get(schema, "$ref");
    const char *why;
    if (!ref)
        return true;
    struct openapi_target *t =
        ref->type == JSON_STRING ? mgi_openapi_target(w->doc, ref->string, &why) : NULL;
    if (!t) {
        fault(w, ref,
              ref->type == JSON_STRING
                  ? mgi_arena_printf(w->doc->r->yaml->arena, "a schema %s", why)
                  : "a schema's $ref is no text");
        return false;
    }
    char *path = mgi_arena_printf(w->doc->r->yaml->arena, "#/$defs/%.*s", STR_ARG(t->name));
    mgi_jw_member_cstr(&w->w, "$ref", path ? path : "");
    want(w, t);
    return w->doc->is_31;
}

/* ---- one schema ------------------------------------------------------------------------------ */

static const struct keyword *keyword_of(struct str name)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (str_is(name, keywords[i].name))
            return &keywords[i];
    return NULL;
}

static void write_keywords(struct openapi_writer *w, const struct json *schema)
{
    write_type(w, schema);
    write_format(w, schema);
    write_enum(w, schema);
    write_bounds(w, schema);
    for (uint32_t i = 0; i < schema->count; i++) {
        const struct keyword *k = keyword_of(schema->members[i].name);
        if (k)
            write_keyword(w, k, &schema->members[i].value);
    }
    write_items(w, mgi_json_get(schema, "items"));
    const struct json *properties = mgi_json_get(schema, "properties");
    if (properties)
        write_map(w, "properties", properties);
    write_required(w, schema);
}

/* What may be null although nothing says of which type it is: {"anyOf": [{...}, {"type": "null"}]}.
 * By the letter "nullable" says nothing there; what is meant is clear. */
static bool is_null_or_else(const struct openapi_writer *w, const struct json *schema)
{
    return is_nullable(w, schema) && !mgi_json_get(schema, "type") &&
           (mgi_json_get(schema, "allOf") || mgi_json_get(schema, "oneOf") ||
            mgi_json_get(schema, "anyOf"));
}

/* Its depth is bounded by DEEPEST. */
static void write_any(struct openapi_writer *w, const struct json *schema, struct str description)
{
    if (!is_schema(schema)) {
        fault(w, schema, "a schema is no object");
        mgi_jw_bool(&w->w, true);
        return;
    }
    if (schema->type == JSON_BOOL) {
        mgi_jw_value(&w->w, schema);
        return;
    }
    mgi_jw_begin_object(&w->w);
    write_description(w, mgi_json_get(schema, "$ref") && !w->doc->is_31 ? NULL : schema,
                      description);
    bool wrapped = is_null_or_else(w, schema);
    if (w->w.depth > DEEPEST) {
        mgi_jw_end_object(&w->w);
        return;
    }
    if (wrapped) {
        mgi_jw_key(&w->w, "anyOf");
        mgi_jw_begin_array(&w->w);
        mgi_jw_begin_object(&w->w);
        mgi_jw_member_cstr(&w->w, "type", "null");
        mgi_jw_end_object(&w->w);
        mgi_jw_begin_object(&w->w);
    }
    if (write_reference(w, schema))
        write_keywords(w, schema);
    if (wrapped) {
        mgi_jw_end_object(&w->w);
        mgi_jw_end_array(&w->w);
    }
    mgi_jw_end_object(&w->w);
}

/* ---- what others call ------------------------------------------------------------------------ */

void mgi_openapi_writer_init(struct openapi_writer *w, struct openapi *doc,
                             enum openapi_direction direction)
{
    *w = (struct openapi_writer){ .doc = doc, .direction = direction, .number = ++doc->writers };
    mgi_json_writer_init(&w->w, &w->text, 0);
}

void mgi_openapi_write_schema(struct openapi_writer *w, const struct json *schema,
                              struct str description)
{
    static const struct json any = { .type = JSON_OBJECT };
    write_any(w, schema ? schema : &any, description);
}

void mgi_openapi_write_bounded(struct openapi_writer *w, const struct json *schema,
                               struct str description, size_t most)
{
    struct json_writer before = w->w;
    size_t len = w->text.len, wanted = w->wanted_count;
    mgi_openapi_write_schema(w, schema, description);
    if (w->text.len <= most || w->text.oom)
        return;
    while (w->wanted_count > wanted)
        w->wanted[--w->wanted_count]->wanted_by[w->inner] = 0;
    w->w = before;
    w->text.len = len;
    w->text.ptr[len] = '\0';
    mgi_openapi_write_schema(w, NULL, description);
}

/* The schema of a target, translated now if it has not been. */
static const struct openapi_schema *target_schema(struct openapi_writer *w,
                                                  struct openapi_target *t)
{
    struct openapi_schema *s = &t->schema[w->direction];
    struct openapi_writer inner;
    if (s->done)
        return s;
    s->done = true;
    mgi_openapi_writer_init(&inner, w->doc, w->direction);
    inner.inner = true;
    mgi_openapi_write_schema(&inner, t->value, STR_LIT(""));
    *s = (struct openapi_schema){
        true,         mgi_arena_str(w->doc->r->yaml->arena, mgi_buf_view(&inner.text)),
        inner.wanted, inner.wanted_count,
        inner.why,    inner.why_at
    };
    w->doc->r->yaml->arena->oom |= inner.text.oom;
    mgi_buf_fini(&inner.text);
    return s;
}

void mgi_openapi_write_defs(struct openapi_writer *w, size_t most)
{
    if (w->wanted_count == 0)
        return;
    mgi_jw_key(&w->w, "$defs");
    mgi_jw_begin_object(&w->w);
    for (size_t i = 0; i < w->wanted_count; i++) { /* which grows */
        struct openapi_target *t = w->wanted[i];
        const struct openapi_schema *s = target_schema(w, t);
        bool fits = w->text.len + s->text.len <= most;
        mgi_jw_key_str(&w->w, t->name);
        mgi_jw_raw(&w->w, fits && !s->why ? s->text : STR_LIT("{}"));
        if (s->why)
            fault(w, s->why_at, s->why);
        for (size_t k = 0; fits && k < s->ref_count; k++)
            want(w, s->refs[k]);
    }
    mgi_jw_end_object(&w->w);
}
