/* What an answer that is an error says in its own words: "invalid CSRF token", "errors.title can't
 * be blank", the detail of problem+json. Words of the page, so they are short, on one line, and
 * without credentials; which of them count most is said by rules. */
#include "facts.h"

#include "base/near.h"
#include "trace_int.h"

#define WORDS_TOLD   6
#define WORDS_BYTES  120
#define WORDS_DEPTH  6
#define WORDS_READ   65536 /* bytes of a body */
#define NAMES_TOLD   6
#define QUOTED_LEAST 3

struct words {
    struct fact_list *list;
    struct str id;
    struct json_reader reader;
    struct str names[WORDS_DEPTH + 2]; /* of the members on the way, "" in arrays */
    struct str next;                   /* name of the member whose value comes next */
    int64_t told;
    const struct shape *sent;
    struct str about[NAMES_TOLD]; /* members that it names */
    size_t about_count;
};

static bool names_words(struct str name)
{
    static const char *const words[] = { "error",  "message", "msg",         "detail",
                                         "reason", "title",   "description", "error_description",
                                         "hint",   "cause",   "explanation", NULL };
    return mgi_str_same_as_any(name, words);
}

/* Below these every text is about what was refused. */
static bool holds_words(struct str name)
{
    static const char *const words[] = { "error",
                                         "errors",
                                         "details",
                                         "violations",
                                         "validation",
                                         "fielderrors",
                                         "field_errors",
                                         "messages",
                                         "invalid-params",
                                         "invalid_params",
                                         "invalidParams",
                                         "problems",
                                         "failures",
                                         "issues",
                                         "detail",
                                         "fields",
                                         "fieldErrors",
                                         "fieldViolations",
                                         "field_violations",
                                         "validationErrors",
                                         "validation_errors",
                                         "invalidParams",
                                         "invalid_params",
                                         "invalid-params",
                                         "problems",
                                         NULL };
    return mgi_str_same_as_any(name, words);
}

static bool is_no_word(struct str name)
{
    static const char *const words[] = { "code",   "type", "id",       "status", "path",
                                         "method", "url",  "instance", "trace",  "stack",
                                         "time",   "href", "link",     NULL };
    return mgi_str_same_as_any(name, words) || mgi_is_secret(name);
}

/* Members of a message that say which member it is about. */
static bool names_member(struct str name)
{
    static const char *const words[] = { "field",     "fields", "loc",     "property", "param",
                                         "parameter", "name",   "pointer", NULL };
    return mgi_str_same_as_any(name, words);
}

/* ---- which member it is about -------------------------------------------------------------- */

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static char plain_char(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* The same but for case and underlines: due_date and dueDate. */
static bool is_spelled_alike(struct str a, struct str b)
{
    size_t i = 0, j = 0;
    for (;;) {
        while (i < a.len && (a.ptr[i] == '_' || a.ptr[i] == '-'))
            i++;
        while (j < b.len && (b.ptr[j] == '_' || b.ptr[j] == '-'))
            j++;
        if (i == a.len || j == b.len)
            return i == a.len && j == b.len;
        if (plain_char(a.ptr[i++]) != plain_char(b.ptr[j++]))
            return false;
    }
}

static struct str last_part(struct str path)
{
    size_t from = path.len;
    while (from > 0 && path.ptr[from - 1] != '.')
        from--;
    return (struct str){ path.ptr + from, path.len - from };
}

/* It was sent by that name, or by one that is spelled nearly so. */
static void compare_with_sent(struct words *w, struct str name)
{
    struct str alike = STR_LIT("");
    for (size_t i = 0; i < w->sent->count; i++) {
        struct str path = w->sent->paths[i].path, sent = last_part(path);
        if (str_eq(sent, name))
            return;
        if (is_spelled_alike(sent, name) || (name.len > 4 && mgi_edit_distance(sent, name, 1) <= 1))
            alike = path;
    }
    if (alike.len > 0)
        mgi_fact(w->list, RANK_CORE, "sent_near", NO_TIME, 0, "sss", w->id, alike, name);
}

/* "postal_code" of address.postal_code, address[postal_code], /address/postal_code. */
static struct str innermost(struct str name)
{
    size_t end = name.len;
    while (end > 0 && name.ptr[end - 1] == ']')
        end--;
    size_t from = end;
    while (from > 0 && is_name_char(name.ptr[from - 1]))
        from--;
    bool path = from > 0 && strchr("./[", name.ptr[from - 1]);
    return path ? (struct str){ name.ptr + from, end - from } : name;
}

static void tell_about(struct words *w, struct str name)
{
    name = innermost(name);
    if (name.len < 2 || name.len > 40 || w->about_count == NAMES_TOLD || mgi_is_secret(name))
        return;
    for (size_t i = 0; i < name.len; i++)
        if (!is_name_char(name.ptr[i]))
            return;
    for (size_t i = 0; i < w->about_count; i++)
        if (str_eq(w->about[i], name))
            return;
    w->about[w->about_count++] = name;
    mgi_fact(w->list, RANK_CORE, "refusal_about", NO_TIME, 0, "ss", w->id, name);
    compare_with_sent(w, name);
}

/* A path may be that of the address; or of a member, as it was sent. */
static void tell_sent(struct words *w, struct str path)
{
    struct str name = innermost(path);
    for (size_t i = 0; i < w->sent->count; i++)
        if (str_eq(last_part(w->sent->paths[i].path), name)) {
            tell_about(w, name);
            return;
        }
}

/* Words that are names: due_date, dueDate, 'title', and those that were sent. */
static bool is_name_in_text(const struct words *w, struct str text, size_t from, size_t end)
{
    struct str word = { text.ptr + from, end - from };
    bool quoted = from > 0 && end < text.len && strchr("'`", text.ptr[from - 1]) &&
                  text.ptr[end] == text.ptr[from - 1];
    bool inner = false;
    for (size_t i = 1; i < word.len; i++)
        inner |= word.ptr[i] == '_' || (word.ptr[i] >= 'A' && word.ptr[i] <= 'Z' &&
                                        word.ptr[i - 1] >= 'a' && word.ptr[i - 1] <= 'z');
    for (size_t i = 1; i < w->sent->count && !inner && !quoted; i++)
        inner = word.len > 2 && str_eq(last_part(w->sent->paths[i].path), word);
    return inner || quoted;
}

static void tell_names_in(struct words *w, struct str text)
{
    for (size_t at = 0; at < text.len;) {
        size_t end = at;
        while (end < text.len && is_name_char(text.ptr[end]))
            end++;
        if (end > at && is_name_in_text(w, text, at, end))
            tell_about(w,
                       mgi_arena_str(w->list->job->arena, (struct str){ text.ptr + at, end - at }));
        at = end > at ? end : at + 1;
    }
}

/* ---- its words ----------------------------------------------------------------------------- */

static void put_on_one_line(struct buf *out, struct str text)
{
    bool gap = false;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c <= ' ' || c == 0x7f) {
            gap = out->len > 0;
            continue;
        }
        if (gap)
            mgi_buf_putc(out, ' ');
        gap = false;
        mgi_buf_putc(out, c == '"' ? '\'' : (char)c);
    }
}

/* A word of its own there: neither part of a longer one nor of a longer number. */
static bool has_word(struct str text, struct str word)
{
    for (size_t at = 0; at + word.len <= text.len; at++) {
        size_t end = at + word.len;
        if (memcmp(text.ptr + at, word.ptr, word.len) == 0 &&
            (at == 0 || !is_name_char(text.ptr[at - 1])) &&
            (end == text.len || !is_name_char(text.ptr[end])))
            return true;
    }
    return false;
}

/* The very values that were sent, where its words have them. */
static void tell_quoted(struct words *w, struct str said)
{
    for (size_t i = 0; i < w->sent->count; i++) {
        const struct shape_path *sent = &w->sent->paths[i];
        for (size_t n = 0; n < 3 && sent->values[n].ptr; n++)
            if (sent->values[n].len >= QUOTED_LEAST && !mgi_is_secret(last_part(sent->path)) &&
                has_word(said, sent->values[n]))
                mgi_fact(w->list, RANK_CORE, "refusal_quotes", NO_TIME, 0, "ssss", w->id,
                         sent->path, sent->values[n], said);
    }
}

static void tell_words(struct words *w, struct str where, struct str text)
{
    struct buf line, masked;
    mgi_buf_init(&line);
    mgi_buf_init(&masked);
    put_on_one_line(&line, mgi_utf8_prefix(text, 4 * WORDS_BYTES));
    mgi_mask_text(&masked, mgi_buf_view(&line));
    w->list->job->arena->oom |= line.oom || masked.oom;
    if (masked.len > 0 && !masked.oom) {
        struct str said = mgi_utf8_prefix(mgi_buf_view(&masked), WORDS_BYTES);
        mgi_fact(w->list, RANK_CORE, "refusal_says", NO_TIME, 0, "snss", w->id, ++w->told, where,
                 mgi_arena_str(w->list->job->arena, said));
        tell_quoted(w, mgi_arena_str(w->list->job->arena, said));
        tell_names_in(w, said);
    }
    mgi_buf_fini(&line);
    mgi_buf_fini(&masked);
}

/* "errors.title"; in an array the name of the array. */
static void put_where(struct buf *out, const struct words *w, size_t depth)
{
    for (size_t i = 0; i <= depth; i++) {
        if (w->names[i].len == 0)
            continue;
        if (out->len > 0)
            mgi_buf_putc(out, '.');
        mgi_buf_str(out, mgi_utf8_prefix(w->names[i], 40));
    }
}

/* "title" of {"errors": {"title": ...}}: there names are those of members, whatever they are. */
static struct str member_below(const struct words *w, size_t depth)
{
    static const char *const words[] = { "message", "msg", "detail", "code", "type", NULL };
    for (size_t i = 0; i < depth; i++)
        if (holds_words(w->names[i]) && mgi_str_ends(w->names[i], STR_LIT("s")))
            return mgi_str_same_as_any(w->names[i + 1], words) ? STR_LIT("") : w->names[i + 1];
    return STR_LIT("");
}

static void look_at_text(struct words *w)
{
    struct buf where;
    size_t depth = (size_t)w->reader.depth;
    struct str last = STR_LIT("");
    bool below = false;
    if (depth > WORDS_DEPTH)
        return;
    w->names[depth] = w->next;
    for (size_t i = 0; i <= depth; i++) {
        below |= holds_words(w->names[i]);
        last = w->names[i].len > 0 ? w->names[i] : last;
    }
    if (below && str_is(last, "path"))
        tell_sent(w, mgi_json_reader_string(&w->reader, w->list->job->arena));
    else if (below && names_member(last))
        tell_about(w, mgi_json_reader_string(&w->reader, w->list->job->arena));
    else
        tell_about(w, member_below(w, depth));
    if (is_no_word(last) || names_member(last) || !(below || names_words(last)))
        return;
    mgi_buf_init(&where);
    put_where(&where, w, depth);
    w->list->job->arena->oom |= where.oom;
    if (!where.oom)
        tell_words(w, mgi_arena_str(w->list->job->arena, mgi_buf_view(&where)),
                   mgi_json_reader_string(&w->reader, w->list->job->arena));
    mgi_buf_fini(&where);
}

static void words_of_json(struct words *w, struct str text)
{
    mgi_json_reader_init(&w->reader, text, 0);
    while (w->told < WORDS_TOLD && !w->list->job->arena->oom) {
        enum json_event event = mgi_json_reader_next(&w->reader);
        if (event == JSON_EV_END || event == JSON_EV_ERROR)
            return;
        if (event == JSON_EV_KEY) {
            w->next = mgi_json_reader_string(&w->reader, w->list->job->arena);
            continue;
        }
        if (event == JSON_EV_OBJECT_BEGIN || event == JSON_EV_ARRAY_BEGIN) {
            /* The container is one level deeper than its name. */
            size_t above = w->reader.depth > 0 ? (size_t)w->reader.depth - 1 : 0;
            if (above <= WORDS_DEPTH)
                w->names[above] = w->next;
        } else if (event == JSON_EV_STRING) {
            look_at_text(w);
        }
        w->next = STR_LIT("");
    }
}

/* Pages that servers make of errors say what happened in their title. */
static struct str title_of(struct str page)
{
    size_t from = mgi_str_find(page, STR_LIT("<title>"));
    if (from == SIZE_MAX)
        return STR_LIT("");
    struct str rest = { page.ptr + from + 7, page.len - from - 7 };
    size_t end = mgi_str_find(rest, STR_LIT("</title>"));
    return end == SIZE_MAX ? STR_LIT("") : (struct str){ rest.ptr, end };
}

static struct str first_line(struct str text)
{
    const char *end = memchr(text.ptr, '\n', text.len);
    return end ? (struct str){ text.ptr, (size_t)(end - text.ptr) } : text;
}

void mgi_facts_refusal(struct fact_list *list, struct str id, const struct request *r,
                       const struct shape *shape, const struct shape *sent)
{
    struct words w = { .list = list, .id = id, .sent = sent };
    bool known, binary;
    struct str text = mgi_str_trim(mgi_answer_text(r, &known, &binary), " \t\r\n");
    if (r->status < 400 || !known || binary || text.len == 0)
        return;
    text = mgi_utf8_prefix(text, WORDS_READ);
    if (shape->kind == BODY_JSON)
        words_of_json(&w, text);
    else if (shape->kind == BODY_HTML)
        tell_words(&w, STR_LIT("title"), title_of(text));
    else if (shape->kind == BODY_TEXT)
        tell_words(&w, STR_LIT(""), first_line(text));
}
