/* What an operation answers: how its body is read, and the schema of the answer: see openapi_int.h.
 *
 * That of all statuses 2xx together. A schema that could not be used is left out, as is all of it
 * where one of the statuses has a body that nobody describes. */
#include "actions/openapi_int.h"

enum { MOST_ANSWERS = 16, MOST_ANSWER = 8 << 10 };

struct answers {
    struct openapi_operation *op;
    const struct json *schemas[MOST_ANSWERS]; /* of bodies in JSON */
    size_t count;
    struct str json, other; /* media types; "": none */
    enum openapi_media other_kind;
    bool some_are_like; /* of JSON, but called otherwise */
    bool some_empty;    /* a status has no body */
    bool unknown;       /* what some answer is like nobody says */
    const struct json *other_at;
};

static bool is_good(struct str status)
{
    return status.len == 3 && status.ptr[0] == '2';
}

static void take_schema(struct answers *all, const struct json *schema)
{
    for (size_t i = 0; schema && i < all->count; i++)
        if (str_eq(all->schemas[i]->text, schema->text))
            return;
    if (!schema || all->count == MOST_ANSWERS)
        all->unknown = true;
    else
        all->schemas[all->count++] = schema;
}

static void take_status(struct answers *all, const struct json *v)
{
    const char *why;
    enum openapi_media kind = MEDIA_OTHER;
    const struct json *answer = mgi_openapi_follow(all->op->doc, v, &why);
    if (!answer) {
        mgi_openapi_remark(all->op, v, "an answer %s", why);
        all->unknown = true;
        return;
    }
    const struct json_member *media = mgi_openapi_media(mgi_json_get(answer, "content"), &kind);
    if (!media) {
        all->some_empty = true;
    } else if (kind <= MEDIA_ANY) {
        all->some_are_like |= kind == MEDIA_LIKE_JSON;
        all->json = media->name;
        take_schema(all, mgi_json_get(&media->value, "schema"));
    } else {
        all->other = media->name;
        all->other_kind = kind;
        all->other_at = answer;
    }
}

/* ---- its schema ------------------------------------------------------------------------------ */

static void write_body_schema(const struct answers *all, struct openapi_writer *w)
{
    bool several = all->count + all->some_empty > 1;
    mgi_jw_key(&w->w, "body");
    if (several) {
        mgi_jw_begin_object(&w->w);
        mgi_jw_key(&w->w, "anyOf");
        mgi_jw_begin_array(&w->w);
    }
    for (size_t i = 0; i < all->count; i++)
        mgi_openapi_write_schema(w, all->schemas[i], STR_LIT(""));
    if (!several)
        return;
    if (all->some_empty) {
        mgi_jw_begin_object(&w->w);
        mgi_jw_member_cstr(&w->w, "type", "null");
        mgi_jw_end_object(&w->w);
    }
    mgi_jw_end_array(&w->w);
    mgi_jw_end_object(&w->w);
}

static void write_answer(const struct answers *all, struct openapi_writer *w)
{
    mgi_jw_begin_object(&w->w);
    mgi_jw_member_cstr(&w->w, "type", "object");
    mgi_jw_key(&w->w, "required");
    mgi_jw_raw(&w->w, STR_LIT("[\"status\",\"headers\",\"body\"]"));
    mgi_jw_key(&w->w, "properties");
    mgi_jw_begin_object(&w->w);
    mgi_jw_key(&w->w, "status");
    mgi_jw_raw(&w->w, STR_LIT("{\"type\":\"integer\"}"));
    mgi_jw_key(&w->w, "headers");
    mgi_jw_raw(&w->w, STR_LIT("{\"type\":\"object\"}"));
    write_body_schema(all, w);
    mgi_jw_end_object(&w->w);
    mgi_openapi_write_defs(w, MOST_ANSWER);
    mgi_jw_end_object(&w->w);
}

static bool make_schema(const struct answers *all)
{
    struct openapi_operation *op = all->op;
    struct openapi_writer w;
    mgi_openapi_writer_init(&w, op->doc, OPENAPI_ANSWERED);
    write_answer(all, &w);
    if (w.why)
        mgi_openapi_remark(op, w.why_at, "its answers are not checked: %s", w.why);
    else if (w.text.len <= MOST_ANSWER)
        op->schemas.output = mgi_arena_str(op->doc->r->yaml->arena, mgi_buf_view(&w.text));
    bool good = !w.text.oom && !op->doc->r->yaml->arena->oom;
    mgi_buf_fini(&w.text);
    return good;
}

/* ---- how it is read -------------------------------------------------------------------------- */

static bool say_output(const struct answers *all)
{
    struct openapi_operation *op = all->op;
    bool text = all->json.len == 0 && all->other.len > 0 && all->other_kind == MEDIA_TEXT;
    bool none = all->json.len == 0 && !text && (all->other.len > 0 || all->some_empty);
    if (all->json.len == 0 && all->other.len > 0 && !text)
        mgi_openapi_remark(op, all->other_at,
                           "its answer is not read: it is %.*s, and JSON and texts alone are",
                           STR_ARG(all->other));
    return !(text || none) || mgi_openapi_put(op->doc, op->request, STR_LIT("output"), op->value,
                                              text ? STR_LIT("text") : STR_LIT("none"));
}

static bool say_accept(const struct answers *all)
{
    struct openapi_operation *op = all->op;
    const struct str accept = STR_LIT("Accept");
    for (size_t i = 0; i < all->json.len; i++)
        if ((unsigned char)all->json.ptr[i] < ' ' || strchr("{}\x7f", all->json.ptr[i]))
            return true; /* no type at all */
    return !all->some_are_like || mgi_openapi_says_header(op, accept) ||
           mgi_openapi_put(op->doc, op->headers, accept, op->value, all->json);
}

bool mgi_openapi_answer(struct openapi_operation *op, bool with_schema)
{
    struct answers all = { .op = op };
    const struct json *answers = mgi_json_get(op->value, "responses");
    for (uint32_t i = 0; answers && answers->type == JSON_OBJECT && i < answers->count; i++)
        if (is_good(answers->members[i].name))
            take_status(&all, &answers->members[i].value);
    if (strcmp(op->method, "HEAD") == 0)
        return mgi_openapi_put(op->doc, op->request, STR_LIT("output"), op->value, STR_LIT("none"));
    bool known = with_schema && all.count > 0 && !all.unknown && all.other.len == 0;
    return say_output(&all) && say_accept(&all) && (!known || make_schema(&all));
}
