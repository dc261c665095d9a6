/* Bodies as facts: what kind they are, their shape, short values, what they say of errors, and how
 * they differ from what the same endpoint answered before. */
#include "facts.h"

#define PATHS_TOLD   40
#define VALUES_TOLD  18
#define SENT_TOLD    16
#define CHANGES_TOLD 12

/* ---- the text of an answer ----------------------------------------------------------------- */

struct str mgi_answer_text(const struct request *r, bool *known, bool *binary)
{
    const struct json *content = mgi_json_get(mgi_json_get(r->entry, "response"), "content");
    const struct json *text = mgi_json_get(content, "text");
    const struct json *size = mgi_json_get(content, "size");
    *binary = mgi_json_get(content, "encoding") != NULL;
    *known = text && text->type == JSON_STRING;
    if (!*known && size && size->type == JSON_INT && size->integer == 0 && r->status >= 200)
        *known = r->id.len == 0 && r->status != 304; /* a HAR says so of bodies that are empty */
    return text && text->type == JSON_STRING ? text->string : STR_LIT("");
}

struct str mgi_sent_text(const struct request *r)
{
    return mgi_member_string(mgi_json_get(mgi_json_get(r->entry, "request"), "postData"), "text");
}

static const char *kind_name(enum body_kind kind)
{
    static const char *const names[] = { "none",   "json",  "html",         "text",
                                         "script", "empty", "invalid_json", "binary" };
    return names[kind];
}

static bool begins_like_html(struct str text)
{
    return mgi_str_starts(text, STR_LIT("<")) &&
           (mgi_contains(mgi_utf8_prefix(text, 200), "<!doctype") ||
            mgi_contains(mgi_utf8_prefix(text, 200), "<html") ||
            mgi_contains(mgi_utf8_prefix(text, 200), "<body") ||
            mgi_contains(mgi_utf8_prefix(text, 200), "<head"));
}

static bool begins_like_json(struct str text)
{
    return text.len > 0 && (text.ptr[0] == '{' || text.ptr[0] == '[');
}

static bool read_answer(struct fact_list *list, const struct request *r, struct shape *shape)
{
    bool known, binary;
    struct str text = mgi_str_trim(mgi_answer_text(r, &known, &binary), " \t\r\n");
    bool says_json = mgi_contains(r->mime, "json"), data = r->resource == RES_DATA;
    shape->kind = BODY_NONE;
    if (!known)
        return true;
    if (mgi_str_starts(text, STR_LIT("\xEF\xBB\xBF"))) /* browsers pass it over */
        text = (struct str){ text.ptr + 3, text.len - 3 };
    shape->kind = BODY_EMPTY;
    if (text.len == 0)
        return true;
    if (binary) {
        shape->kind = BODY_BINARY;
        return true;
    }
    if (says_json || (data && begins_like_json(text)) || (data && str_is(text, "null")))
        return mgi_shape_read(list->job, text, r->body_cut, shape);
    shape->kind = begins_like_html(text)                ? BODY_HTML
                  : mgi_contains(r->mime, "javascript") ? BODY_SCRIPT
                  : mgi_contains(r->mime, "html")       ? BODY_HTML
                                                        : BODY_TEXT;
    return true;
}

/* ---- shape, values ------------------------------------------------------------------------- */

/* Ids, codes and states connect requests; the rest is content. */
static bool connects(struct str name)
{
    static const char *const words[] = { "code",    "status", "state",   "type",     "kind",
                                         "version", "locale", "lang",    "currency", "total",
                                         "count",   "role",   "success", "ok" };
    if (mgi_str_ends(name, STR_LIT("id")) || mgi_str_ends(name, STR_LIT("Id")) ||
        mgi_str_ends(name, STR_LIT("ID")))
        return true;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (name.len == strlen(words[i]) && mgi_contains(name, words[i]))
            return true;
    return false;
}

static void facts_of_types(struct fact_list *list, struct str id, const char *pred,
                           const struct shape_path *at, enum rank rank)
{
    unsigned types = at->types;
    while (types != 0) {
        unsigned one = types & (0u - types);
        types &= ~one;
        mgi_fact(list, one == 1u << JSON_NULL || one == SHAPE_MISSING ? RANK_HIGH : rank, pred,
                 NO_TIME, 0, "ssz", id, at->path, mgi_shape_type(one));
    }
}

static void facts_of_values(struct fact_list *list, struct str id, const char *pred,
                            const struct shape *shape, size_t most, bool quiet)
{
    size_t told = 0;
    for (int round = 0; round < 2; round++) /* what connects first */
        for (size_t i = 0; i < shape->count && told < most; i++) {
            const struct shape_path *at = &shape->paths[i];
            struct str name = mgi_path_name(at->path);
            bool first = connects(name);
            if (first != (round == 0) || mgi_is_secret(name))
                continue;
            for (size_t n = 0; n < 3 && at->values[n].ptr; n++, told++)
                mgi_fact(list, quiet ? (first && n == 0 ? RANK_LOW : RANK_LEAST) : RANK_USUAL, pred,
                         NO_TIME, 0, "sss", id, at->path, at->values[n]);
        }
}

/* "slot" of $.visits[].slotId, of slot_id; addresses are written in small letters. */
static void tell_id_word(struct fact_list *list, struct str path)
{
    static const char *const ends[] = { "_id", "Id", "ID" };
    struct str name = mgi_path_name(path);
    char word[60];
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t end = strlen(ends[i]);
        if (!mgi_str_ends(name, str_of(ends[i])) || name.len < end + 3 ||
            name.len - end >= sizeof word)
            continue;
        for (size_t at = 0; at < name.len - end; at++)
            word[at] = name.ptr[at] >= 'A' && name.ptr[at] <= 'Z' ? (char)(name.ptr[at] | 0x20)
                                                                  : name.ptr[at];
        mgi_fact(list, RANK_LOW, "id_word", NO_TIME, 0, "ss", path,
                 mgi_arena_str(list->job->arena, (struct str){ word, name.len - end }));
        return;
    }
}

/* A number in some items of a list, in others a text that is one: 0 and "1.50". */
static bool is_number_or_text(const struct shape_path *at)
{
    unsigned both = 1u << JSON_INT | 1u << JSON_STRING;
    bool numbers = at->in_array && (at->types & both) == both && at->values[0].ptr;
    for (size_t n = 0; n < 3 && at->values[n].ptr; n++)
        for (size_t i = 0; i < at->values[n].len; i++)
            numbers = numbers && strchr("0123456789.-", at->values[n].ptr[i]);
    return numbers;
}

static void facts_of_numbers(struct fact_list *list, struct str id, const struct shape *shape)
{
    for (size_t i = 0; i < shape->count && i < PATHS_TOLD; i++)
        if (is_number_or_text(&shape->paths[i]))
            mgi_fact(list, RANK_HIGH, "number_or_text", NO_TIME, 0, "ss", id, shape->paths[i].path);
    for (size_t i = 0; i < shape->count && i < PATHS_TOLD; i++)
        if (shape->paths[i].written.ptr)
            mgi_fact(list, RANK_USUAL, "written_number", NO_TIME, 0, "sss", id,
                     shape->paths[i].path, shape->paths[i].written);
}

static void facts_of_shape(struct fact_list *list, struct str id, const struct request *r,
                           const struct shape *shape)
{
    enum rank rank = mgi_request_rank(r) <= RANK_USUAL ? RANK_LOW : RANK_LEAST;
    for (size_t i = 0; i < shape->count && i < PATHS_TOLD; i++) {
        const struct shape_path *at = &shape->paths[i];
        facts_of_types(list, id, "body_type", at, i < 12 ? rank : RANK_LEAST);
        tell_id_word(list, at->path);
        if (at->empty)
            mgi_fact(list, RANK_HIGH, "body_empty", NO_TIME, 0, "ss", id, at->path);
    }
    facts_of_values(list, id, "body_value", shape, VALUES_TOLD, true);
    facts_of_numbers(list, id, shape);
}

/* ---- a text that ends too early ------------------------------------------------------------ */

/* It ends within a text or before its last bracket. */
static bool ends_within(struct str s)
{
    int64_t depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted)
            depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (!quoted && depth == 0 && i + 1 < s.len)
            return false; /* whole already, or no JSON */
    }
    return quoted || depth > 0;
}

static void fact_of_cut(struct fact_list *list, struct str id, const struct request *r)
{
    bool known, binary;
    struct str text = mgi_str_trim(mgi_answer_text(r, &known, &binary), " \t\r\n");
    if (!known || binary || r->body_cut || !begins_like_json(text) || !ends_within(text))
        return;
    int64_t beyond = 0;
    for (size_t i = 0; i < text.len; i++)
        beyond += ((unsigned char)text.ptr[i] & 0xC0) == 0x80;
    mgi_fact(list, RANK_CORE, "json_breaks_off", NO_TIME, 0, "snn", id, (int64_t)text.len, beyond);
}

/* ---- errors in a success ------------------------------------------------------------------- */

static bool is_any(struct str name, const char *const *words)
{
    for (; *words; words++)
        if (name.len == strlen(*words) && mgi_contains(name, *words))
            return true;
    return false;
}

/* {"success": false}, {"status": "error"} at the top of the body or one below. */
static bool denies(const struct shape_path *at)
{
    static const char *const oks[] = { "success", "ok", "succeeded", NULL };
    static const char *const states[] = { "status", "state", "result", NULL };
    static const char *const bad[] = { "error", "failed", "fail", "failure", "rejected", NULL };
    struct str name = mgi_path_name(at->path);
    if (is_any(name, oks))
        return str_is(at->values[0], "false");
    return is_any(name, states) && is_any(at->values[0], bad);
}

/* What stands there, or how it begins; empty: nothing plain. */
static struct str text_at(const struct shape_path *at)
{
    return at->values[0].ptr ? at->values[0] : at->said.ptr ? at->said : STR_LIT("");
}

/* Why it was refused, in more words than a value has. */
static void facts_of_long_reasons(struct fact_list *list, struct str id, const struct shape *shape)
{
    static const char *const paths[] = { "$.message", "$.error",  "$.detail",
                                         "$.title",   "$.reason", NULL };
    for (size_t i = 1; i < shape->count; i++) {
        const struct shape_path *at = &shape->paths[i];
        if (!at->values[0].ptr && at->said.ptr && is_any(at->path, paths))
            mgi_fact(list, RANK_HIGH, "body_value", NO_TIME, 0, "sss", id, at->path, at->said);
    }
}

static void facts_of_spoken_errors(struct fact_list *list, struct str id, const struct request *r,
                                   const struct shape *shape)
{
    static const char *const errors[] = {
        "error", "errors", "errormessage", "error_message", "errorcode",         "error_code",
        "err",   "fault",  "exception",    "failures",      "error_description", NULL
    };
    static const char *const words[] = {
        "message", "detail", "reason", "title", "description", NULL
    };
    bool denied = false;
    if (r->status >= 400) {
        facts_of_long_reasons(list, id, shape);
        return;
    }
    for (size_t i = 1; i < shape->count; i++) {
        const struct shape_path *at = &shape->paths[i];
        struct str name = mgi_path_name(at->path), value = text_at(at);
        bool plain = at->types & (1u << JSON_STRING | 1u << JSON_OBJECT | 1u << JSON_ARRAY);
        bool says = is_any(name, errors) && !str_is(value, "false") && !str_is(value, "0") &&
                    (plain || value.len > 0) && !(at->empty && value.len == 0);
        if (mgi_str_find(at->path, STR_LIT("[]")) != SIZE_MAX || !(says || denies(at)))
            continue;
        denied = true;
        mgi_fact(list, RANK_CORE, "body_says_error", NO_TIME, 0, "sss", id, at->path, value);
    }
    for (size_t i = 1; denied && i < shape->count; i++) {
        const struct shape_path *at = &shape->paths[i];
        if (text_at(at).len > 0 && is_any(mgi_path_name(at->path), words))
            mgi_fact(list, RANK_CORE, "body_says_error", NO_TIME, 0, "sss", id, at->path,
                     text_at(at));
    }
}

/* ---- what changed -------------------------------------------------------------------------- */

static const struct shape *earlier_answer(const struct fact_list *list, size_t index, size_t *which)
{
    for (size_t i = index; i-- > 0;)
        if (list->shapes[i].kind == BODY_JSON && list->capture->requests[i].status < 400 &&
            mgi_same_endpoint(list, i, index)) {
            *which = i;
            return &list->shapes[i];
        }
    return NULL;
}

/* Of a path that is gone, its parent has to be there with content: what is empty has no members. */
static bool really_missing(const struct shape *before, const struct shape *now, size_t index)
{
    size_t above = before->paths[index].parent;
    const struct shape_path *parent =
        above == SIZE_MAX ? NULL : mgi_shape_find(now, before->paths[above].path);
    return parent && !now->cut && parent->objects > 0 && (parent->types & (1u << JSON_OBJECT)) != 0;
}

/* The one member of the same type that stands beside where `was` stood, and did not before; NULL:
 * none, or several. */
static const struct shape_path *instead_of(const struct shape *before, const struct shape *now,
                                           size_t index)
{
    const struct shape_path *was = &before->paths[index], *found = NULL;
    struct str parent = was->parent == SIZE_MAX ? STR_LIT("") : before->paths[was->parent].path;
    for (size_t i = 1; i < now->count && parent.len > 0; i++) {
        const struct shape_path *at = &now->paths[i];
        if (at->parent == SIZE_MAX || !str_eq(now->paths[at->parent].path, parent) ||
            (at->types & was->types) == 0 || mgi_shape_find(before, at->path))
            continue;
        if (found)
            return NULL;
        found = at;
    }
    return found;
}

static void facts_of_change(struct fact_list *list, struct str id, size_t index)
{
    size_t which = 0, told = 0;
    const struct shape *now = &list->shapes[index];
    const struct shape *before = earlier_answer(list, index, &which);
    if (!before || list->capture->requests[index].status >= 400)
        return;
    struct str other = mgi_fact_id(list, "r", which + 1);
    for (size_t i = 0; i < before->count && told < CHANGES_TOLD; i++) {
        const struct shape_path *was = &before->paths[i];
        const struct shape_path *is = mgi_shape_find(now, was->path);
        bool missing = !is && really_missing(before, now, i);
        bool other_type = is && (was->types & is->types) == 0;
        if (!missing && !other_type)
            continue;
        told++;
        mgi_fact(list, RANK_HIGH, "body_changed", NO_TIME, 0, "ssszz", id, other, was->path,
                 mgi_shape_type(was->types), mgi_shape_type(is ? is->types : SHAPE_MISSING));
        const struct shape_path *other_name = missing ? instead_of(before, now, i) : NULL;
        if (other_name)
            mgi_fact(list, RANK_HIGH, "came_instead", NO_TIME, 0, "sss", id, was->path,
                     other_name->path);
    }
}

/* ---- what was sent ------------------------------------------------------------------------- */

static int hex_value(char c)
{
    return c >= '0' && c <= '9'                     ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                    : -1;
}

/* What forms do to text, undone; a '%' without its digits stands for itself. */
static void put_unescaped(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        int high = text.len - i > 2 && text.ptr[i] == '%' ? hex_value(text.ptr[i + 1]) : -1;
        int low = high >= 0 ? hex_value(text.ptr[i + 2]) : -1;
        if (low >= 0) {
            mgi_buf_putc(out, (char)(high * 16 + low));
            i += 2;
        } else {
            mgi_buf_putc(out, text.ptr[i] == '+' ? ' ' : text.ptr[i]);
        }
    }
}

/* a=1&b=2 as the shape of an object. */
static bool read_form(struct job *job, struct str text, struct shape *out)
{
    struct buf name, value;
    *out = (struct shape){ .kind = BODY_TEXT };
    out->paths = mgi_arena_calloc(job->arena, SENT_TOLD, sizeof *out->paths);
    mgi_buf_init(&name);
    mgi_buf_init(&value);
    while (out->paths && text.len > 0 && out->count < SENT_TOLD) {
        const char *end = memchr(text.ptr, '&', text.len);
        struct str pair = { text.ptr, end ? (size_t)(end - text.ptr) : text.len };
        text = end ? (struct str){ end + 1, text.len - pair.len - 1 } : STR_LIT("");
        size_t eq = mgi_str_find(pair, STR_LIT("="));
        if (eq == SIZE_MAX || eq == 0)
            continue;
        mgi_buf_clear(&name);
        mgi_buf_clear(&value);
        put_unescaped(&name, (struct str){ pair.ptr, eq });
        put_unescaped(&value, (struct str){ pair.ptr + eq + 1, pair.len - eq - 1 });
        char *path = mgi_arena_printf(job->arena, "$.%.*s",
                                      STR_ARG(mgi_utf8_prefix(mgi_buf_view(&name), 60)));
        struct shape_path *at = &out->paths[out->count++];
        at->path = path ? str_of(path) : STR_LIT("$");
        at->types = 1u << JSON_STRING;
        at->empty = value.len == 0;
        if (value.len > 0)
            at->values[0] = mgi_arena_str(job->arena, mgi_utf8_prefix(mgi_buf_view(&value), 60));
    }
    job->arena->oom |= name.oom || value.oom;
    mgi_buf_fini(&name);
    mgi_buf_fini(&value);
    return !job->arena->oom;
}

static void facts_of_sent(struct fact_list *list, struct str id, const struct request *r,
                          struct shape *out)
{
    struct shape shape = { 0 };
    struct str text = mgi_str_trim(mgi_sent_text(r), " \t\r\n");
    size_t query = mgi_str_find(r->url, STR_LIT("?"));
    if (text.len == 0 && query != SIZE_MAX) {
        size_t end = query + 1;
        while (end < r->url.len && r->url.ptr[end] != '#')
            end++;
        text = (struct str){ r->url.ptr + query + 1, end - query - 1 };
    }
    text = mgi_mask_kept_body(list->job->arena, text);
    if (text.len == 0)
        return;
    if (begins_like_json(text) ? !mgi_shape_read(list->job, text, false, &shape)
                               : !read_form(list->job, text, &shape))
        return;
    for (size_t i = 0; i < shape.count && i < SENT_TOLD; i++) {
        facts_of_types(list, id, "sent_type", &shape.paths[i], RANK_LOW);
        tell_id_word(list, shape.paths[i].path);
        if (shape.paths[i].empty)
            mgi_fact(list, RANK_HIGH, "sent_empty", NO_TIME, 0, "ss", id, shape.paths[i].path);
    }
    facts_of_values(list, id, "sent_value", &shape, SENT_TOLD, false);
    *out = shape;
}

void mgi_facts_bodies(struct fact_list *list)
{
    const struct capture *c = list->capture;
    for (size_t i = 0; i < c->request_count; i++) {
        const struct request *r = &c->requests[i];
        struct str id = mgi_fact_id(list, "r", r->number);
        enum rank rank = mgi_request_rank(r);
        struct shape *shape = &list->shapes[i], sent = { 0 };
        if (rank > RANK_LOW || r->resource == RES_SCRIPT || !list->looked_at[i])
            continue;
        if (!read_answer(list, r, shape))
            break;
        mgi_fact(list, rank, "body_kind", NO_TIME, 0, "sz", id, kind_name(shape->kind));
        facts_of_sent(list, id, r, &sent);
        mgi_facts_refusal(list, id, r, shape, &sent);
        if (shape->kind == BODY_INVALID)
            fact_of_cut(list, id, r);
        if (shape->kind != BODY_JSON)
            continue;
        facts_of_shape(list, id, r, shape);
        facts_of_spoken_errors(list, id, r, shape);
        facts_of_change(list, id, i);
    }
}
