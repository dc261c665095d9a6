/* The arguments of an operation, from its parameters and its body, and the schema of all of them:
 * see openapi_int.h.
 *
 * An argument is called what the server calls it, with letters that names can have; where two would
 * be of one name, the later one says where it is: query_id, body_id. */
#include "actions/openapi_int.h"

enum {
    MOST_ARGUMENTS = 256,
    MOST_NAME = 64,
    MOST_INPUT = 32 << 10, /* bytes of a schema of all; what goes beyond is any value */
    MOST_PROPERTY = 16 << 10
};

static const char *const in_words[] = { [OPENAPI_PATH] = "path",
                                        [OPENAPI_QUERY] = "query",
                                        [OPENAPI_HEADER] = "header",
                                        [OPENAPI_BODY] = "body" };

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* filter[name] -> filter_name, ids[] -> ids, $top -> top, 2fa -> _2fa */
static struct str plain_name(struct openapi_operation *op, struct str wire)
{
    char name[MOST_NAME + 1];
    size_t len = 0;
    bool gap = false;
    for (size_t i = 0; i < wire.len && len < MOST_NAME - 2; i++) {
        char c = wire.ptr[i];
        bool digit = c >= '0' && c <= '9';
        if (!is_letter(c) && !digit && c != '_' && c != '-') {
            gap = len > 0;
            continue;
        }
        if (gap || (len == 0 && !is_letter(c) && c != '_'))
            name[len++] = '_';
        gap = false;
        name[len++] = c;
    }
    name[len] = '\0';
    const char *kept = mgi_arena_strdup(op->doc->r->yaml->arena, len > 0 ? name : "value");
    return kept ? str_of(kept) : STR_LIT("");
}

static const struct openapi_argument *taken_by(const struct openapi_operation *op, struct str name)
{
    for (size_t i = 0; i < op->argument_count; i++)
        if (str_eq(op->arguments[i].name, name))
            return &op->arguments[i];
    return NULL;
}

/* `name`, or what is left of it behind its place, or with a number. */
static struct str free_name(struct openapi_operation *op, enum openapi_in in, struct str name)
{
    struct arena *a = op->doc->r->yaml->arena;
    for (unsigned number = 1; name.len > 0 && taken_by(op, name); number++) {
        struct str plain = { name.ptr, name.len < 48 ? name.len : 48 };
        const char *other = number == 1
                                ? mgi_arena_printf(a, "%s_%.*s", in_words[in], STR_ARG(plain))
                                : mgi_arena_printf(a, "%.*s_%u", STR_ARG(plain), number);
        name = other ? str_of(other) : STR_LIT("");
    }
    return name;
}

struct openapi_argument *mgi_openapi_argument(struct openapi_operation *op, enum openapi_in in,
                                              struct str wire, const struct json *at)
{
    struct openapi *doc = op->doc;
    if (op->argument_count == MOST_ARGUMENTS) {
        mgi_openapi_leave_out(op, at, "it has more than %d arguments", MOST_ARGUMENTS);
        return NULL;
    }
    struct str plain = plain_name(op, wire), name = free_name(op, in, plain);
    const struct openapi_argument *other = taken_by(op, plain);
    enum openapi_in taken_in = other ? other->in : in;
    if (name.len == 0 || !mgi_arena_grow(doc->r->yaml->arena, &op->arguments, &op->argument_cap,
                                         op->argument_count + 1, sizeof *op->arguments))
        return NULL;
    if (other)
        mgi_openapi_remark(
            op, at, "\"%.*s\" of the %s is the argument %.*s, because %.*s is in the %s",
            STR_ARG(wire), in_words[in], STR_ARG(name), STR_ARG(plain), in_words[taken_in]);
    struct openapi_argument *a = &op->arguments[op->argument_count++];
    *a = (struct openapi_argument){ .name = name, .wire = wire, .in = in, .at = at };
    return a;
}

bool mgi_openapi_argument_schema(struct openapi_operation *op, struct openapi_argument *a,
                                 const struct json *schema)
{
    if (!schema)
        return true;
    if (!mgi_arena_grow(op->doc->r->yaml->arena, &a->schemas, &a->schema_cap, a->schema_count + 1,
                        sizeof *a->schemas))
        return false;
    a->schemas[a->schema_count++] = schema;
    return true;
}

/* ---- their schema ---------------------------------------------------------------------------- */

/* What is sent where a required argument is not given. Of others the server knows their defaults
 * itself: to send them would not be the same where "absent" means "as it is". */
static const struct json *default_of(struct openapi_operation *op, const struct openapi_argument *a)
{
    const char *why;
    for (size_t i = 0; a->required && i < a->schema_count; i++) {
        const struct json *s = mgi_openapi_follow(op->doc, a->schemas[i], &why);
        const struct json *v = mgi_json_get(s, "default");
        if (v && v->type != JSON_NULL && v->type != JSON_OBJECT)
            return v;
    }
    return NULL;
}

static void write_argument(struct openapi_writer *w, const struct openapi_argument *a)
{
    size_t most = w->text.len + MOST_PROPERTY;
    if (most > MOST_INPUT)
        most = MOST_INPUT;
    mgi_jw_key_str(&w->w, a->name);
    if (a->schema_count < 2) {
        mgi_openapi_write_bounded(w, a->schema_count ? a->schemas[0] : NULL, a->description, most);
        return;
    }
    mgi_jw_begin_object(&w->w);
    mgi_jw_key(&w->w, "allOf");
    mgi_jw_begin_array(&w->w);
    for (size_t i = 0; i < a->schema_count; i++)
        mgi_openapi_write_bounded(w, a->schemas[i], STR_LIT(""), most);
    mgi_jw_end_array(&w->w);
    mgi_jw_end_object(&w->w);
}

static void write_arguments(struct openapi_operation *op, struct openapi_writer *w)
{
    bool some = false;
    mgi_jw_begin_object(&w->w);
    mgi_jw_member_cstr(&w->w, "type", "object");
    mgi_jw_member_bool(&w->w, "additionalProperties", false);
    mgi_jw_key(&w->w, "properties");
    mgi_jw_begin_object(&w->w);
    for (size_t i = 0; i < op->argument_count; i++)
        write_argument(w, &op->arguments[i]);
    mgi_jw_end_object(&w->w);
    for (size_t i = 0; i < op->argument_count; i++) {
        const struct openapi_argument *a = &op->arguments[i];
        if (!a->required || default_of(op, a))
            continue;
        if (!some) {
            mgi_jw_key(&w->w, "required");
            mgi_jw_begin_array(&w->w);
        }
        some = true;
        mgi_jw_string(&w->w, a->name);
    }
    if (some)
        mgi_jw_end_array(&w->w);
    mgi_openapi_write_defs(w, MOST_INPUT);
    mgi_jw_end_object(&w->w);
}

static bool write_defaults(struct openapi_operation *op)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    for (size_t i = 0; i < op->argument_count; i++) {
        const struct json *v = default_of(op, &op->arguments[i]);
        if (!v)
            continue;
        mgi_jw_key_str(&w, op->arguments[i].name);
        mgi_jw_value(&w, v);
    }
    mgi_jw_end_object(&w);
    op->schemas.defaults = mgi_arena_str(op->doc->r->yaml->arena, mgi_buf_view(&text));
    bool good = !text.oom && op->schemas.defaults.ptr;
    mgi_buf_fini(&text);
    return good;
}

bool mgi_openapi_write_input(struct openapi_operation *op)
{
    struct openapi_writer w;
    mgi_openapi_writer_init(&w, op->doc, OPENAPI_SENT);
    write_arguments(op, &w);
    if (w.why)
        mgi_openapi_leave_out(op, w.why_at, "%s", w.why);
    op->schemas.input = mgi_arena_str(op->doc->r->yaml->arena, mgi_buf_view(&w.text));
    bool good = !w.text.oom && op->schemas.input.ptr && write_defaults(op);
    mgi_buf_fini(&w.text);
    return good;
}
