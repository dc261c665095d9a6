/* What scripts read with something in its place, a.items ?? [], ({ name = 'unknown' }) => ..., and
 * do not find: by that name no answer has it where any code could reach it. Told is where an answer
 * has what is meant: below a member that no script knows (it was wrapped), or beside, under another
 * name that means the same and that no script knows. Only where nothing of that is on the page, and
 * what stands in its place is, if it can be seen. The way from the answer to that line is not
 * followed: constructors, reducers, generators and mappers lie between. */
#include "facts.h"
#include "source_int.h"

#define MEMBERS_MOST  400
#define READS_MOST    200
#define NAME_LEAST    3
#define LITERAL_BYTES 40
#define BACK_BYTES    400
#define VALUES_MOST   12
#define BODY_MOST     (256u * 1024)
#define TOLD_MOST     6
#define TEXT_LEAST    3

enum sort { LIST, OBJECT, TEXT, NUMBER };

/* A member of an answer. */
struct answered {
    struct str path, name;
    unsigned types;
    size_t request; /* its place in the capture */
};

/* A place that reads `name`, or takes `literal`. */
struct reading {
    const struct code_text *code;
    struct str name, literal;
    enum sort sort;
    size_t at;
};

struct fallbacks {
    struct fact_list *list;
    struct answered members[MEMBERS_MOST];
    size_t count, read, told;
    struct str page; /* all that stands there */
};

/* ---- what is read --------------------------------------------------------------------------- */

/* [], {}, 'unknown', 0. */
static bool read_literal(struct str s, size_t at, struct reading *r)
{
    at = past_blank(s, at);
    if (at + 1 >= s.len)
        return false;
    char c = s.ptr[at];
    if (c == '[' || c == '{') {
        r->sort = c == '[' ? LIST : OBJECT;
        return s.ptr[past_blank(s, at + 1)] == (c == '[' ? ']' : '}');
    }
    if (c >= '0' && c <= '9') {
        r->sort = NUMBER;
        r->literal = name_at(s, at);
        return true;
    }
    size_t end = at + 1;
    while (strchr("'\"`", c) && end < s.len && end - at < LITERAL_BYTES && s.ptr[end] != c)
        end++;
    r->sort = TEXT;
    r->literal = (struct str){ s.ptr + at + 1, end - at - 1 };
    return strchr("'\"`", c) && end < s.len && s.ptr[end] == c &&
           mgi_str_find(r->literal, STR_LIT("${")) == SIZE_MAX;
}

/* Does a list alone have that? */
static bool is_of_lists(struct str word)
{
    static const char *const names[] = { "map",  "forEach", "filter", "join",   "reduce",
                                         "find", "flatMap", "some",   "length", NULL };
    return mgi_str_is_any(word, names);
}

/* Is the bracket at `open` that of a pattern, ({ a = 1 }), const { a = 1 }, and none of a block? */
static bool opens_pattern(struct str s, size_t open)
{
    size_t end = back_blank(s, open), from = end;
    if (end == 0 || strchr("(,:[", s.ptr[end - 1]))
        return end > 0;
    while (from > 0 && is_name_char(s.ptr[from - 1]))
        from--;
    static const char *const words[] = { "const", "let", "var", NULL };
    return mgi_str_is_any((struct str){ s.ptr + from, end - from }, words);
}

/* Is what stands at `at` a name in a pattern of an object? */
static bool is_in_pattern(struct str s, size_t at)
{
    size_t before = back_blank(s, at);
    if (before == 0 || !strchr("{,", s.ptr[before - 1]))
        return false;
    int depth = 0;
    for (size_t i = before; i-- > 0 && before - i < BACK_BYTES;) {
        char c = s.ptr[i];
        if (strchr(")]}", c) && c)
            depth++;
        else if (strchr("([{", c) && c && depth-- == 0)
            return c == '{' && opens_pattern(s, i);
        else if (c == ';')
            return false;
    }
    return false;
}

/* Behind the name and the colon of a pattern: { a: b = 1 }, { a: { b } = {} }. */
static size_t past_alias(struct str s, size_t at)
{
    at = past_blank(s, at);
    if (at >= s.len || s.ptr[at] != '{')
        return past_blank(s, at + name_at(s, at).len);
    int depth = 0;
    for (size_t from = at; at < s.len && at - from < BACK_BYTES; at++) {
        depth += s.ptr[at] == '{';
        depth -= s.ptr[at] == '}';
        if (depth == 0)
            return past_blank(s, at + 1);
    }
    return s.len;
}

static bool is_assignment(struct str s, size_t at)
{
    return at + 1 < s.len && s.ptr[at] == '=' && !strchr("=>", s.ptr[at + 1]);
}

/* Is the name at `at` read with something in its place? */
static bool reads_with_fallback(const struct code_text *code, size_t at, struct str name,
                                struct reading *r)
{
    struct str s = code->text;
    size_t next = past_blank(s, at + name.len);
    *r = (struct reading){ .code = code, .name = name, .at = at };
    if (next + 3 >= s.len)
        return false;
    if (s.ptr[at - 1] != '.') {
        if (!is_in_pattern(s, at))
            return false;
        next = s.ptr[next] == ':' ? past_alias(s, next + 1) : next;
        return is_assignment(s, next) && read_literal(s, next + 1, r);
    }
    if (at > 1 && s.ptr[at - 2] == '.')
        return false;
    if (stands_at(s, next, STR_LIT("??")) ||
        mgi_str_starts((struct str){ s.ptr + next, 2 }, STR_LIT("||")))
        return read_literal(s, next + 2, r);
    if (s.ptr[next] == '?' && s.ptr[next + 1] == '.') {
        r->sort = LIST;
        return is_of_lists(name_at(s, next + 2));
    }
    size_t from = mgi_chain_start(s, at + name.len), then = past_blank(s, next + 1);
    struct str asks = STR_LIT("Array.isArray(");
    r->sort = LIST;
    return s.ptr[next] == ')' && s.ptr[then] == '?' && from >= asks.len &&
           memcmp(s.ptr + from - asks.len, asks.ptr, asks.len) == 0;
}

/* ---- what is answered ----------------------------------------------------------------------- */

static void take_answered(struct fallbacks *f, size_t index)
{
    const struct shape *shape = &f->list->shapes[index];
    for (size_t i = 0; i < shape->count && f->count < MEMBERS_MOST; i++) {
        struct str name = mgi_path_name(shape->paths[i].path);
        if (name.len > 0)
            f->members[f->count++] = (struct answered){ .path = shape->paths[i].path,
                                                        .name = name,
                                                        .types = shape->paths[i].types,
                                                        .request = index };
    }
}

/* The path of the object around it: "$.items[]" of $.items[].name. */
static struct str around(struct str path)
{
    size_t end = path.len;
    while (end > 0 && path.ptr[end - 1] != '.')
        end--;
    return (struct str){ path.ptr, end > 0 ? end - 1 : 0 };
}

static bool is_named_place(const struct answered *m)
{
    return m->path.len > 0 && m->path.ptr[m->path.len - 1] != ']';
}

/* The outermost member around it that no script knows; empty: all are known. */
static struct str unknown_around(const struct fallbacks *f, struct str path)
{
    struct str found = STR_LIT("");
    for (struct str at = around(path); memchr(at.ptr, '.', at.len); at = around(at))
        if (!mgi_code_says(f->list, mgi_path_name(at), false))
            found = at;
    return found;
}

/* Does what stands beside it say that it only wraps what is meant? Then scripts know nothing of it.
 */
static bool is_wrapper(const struct fallbacks *f, const struct answered *m, struct str wrapper)
{
    struct str outside = around(wrapper);
    size_t known = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct answered *o = &f->members[i];
        bool beside =
            o->request == m->request && is_named_place(o) && str_eq(around(o->path), outside);
        if (!beside || !mgi_code_says(f->list, o->name, false))
            continue;
        known++;
        if (o->types & (1u << JSON_ARRAY | 1u << JSON_OBJECT))
            return false;
    }
    return known <= 1;
}

static bool is_of_sort(const struct answered *m, enum sort sort)
{
    unsigned number = 1u << JSON_INT | 1u << JSON_FLOAT, text = 1u << JSON_STRING;
    unsigned fits[] = { [LIST] = 1u << JSON_ARRAY,
                        [OBJECT] = 1u << JSON_OBJECT,
                        [TEXT] = text | number,
                        [NUMBER] = number };
    return is_named_place(m) && m->types != 0 && (m->types & ~fits[sort]) == 0;
}

/* ---- what is shown -------------------------------------------------------------------------- */

struct shown {
    struct fact_list *list;
    size_t known;
    bool any;
};

static void look_at_value(struct shown *s, const struct json *v, int depth)
{
    if (s->known >= VALUES_MOST || s->any || depth > 2)
        return;
    struct str text = v->type == JSON_STRING ? v->string : v->text;
    if (v->type == JSON_STRING ? text.len >= TEXT_LEAST
                               : v->type == JSON_INT || v->type == JSON_FLOAT) {
        s->known++;
        s->any = mgi_is_shown(s->list, text);
    }
    for (uint32_t i = 0; v->type == JSON_ARRAY && i < v->count; i++)
        look_at_value(s, &v->items[i], depth + 1);
    for (uint32_t i = 0; v->type == JSON_OBJECT && i < v->count; i++)
        if (v->members[i].value.type != JSON_INT)
            look_at_value(s, &v->members[i].value, depth + 1);
}

/* Looks at all that stands at `path`, of which the beginning is passed. */
static void look_along(struct shown *s, const struct json *v, struct str path)
{
    if (path.len == 0) {
        look_at_value(s, v, 0);
        return;
    }
    if (path.ptr[0] == '[' && path.len > 1) {
        for (uint32_t i = 0; v->type == JSON_ARRAY && i < v->count && i < VALUES_MOST; i++)
            look_along(s, &v->items[i], (struct str){ path.ptr + 2, path.len - 2 });
        return;
    }
    size_t end = 1;
    while (end < path.len && path.ptr[end] != '.' && path.ptr[end] != '[')
        end++;
    const struct json *next =
        v->type == JSON_OBJECT ? mgi_json_get_str(v, (struct str){ path.ptr + 1, end - 1 }) : NULL;
    if (next)
        look_along(s, next, (struct str){ path.ptr + end, path.len - end });
}

/* Nothing of what stands there is on the page; false, too, if nothing would be known there. */
static bool is_unshown(struct fallbacks *f, const struct answered *m)
{
    bool known, binary;
    struct shown s = { .list = f->list };
    struct str text = mgi_answer_text(&f->list->capture->requests[m->request], &known, &binary);
    struct json body;
    if (binary || text.len > BODY_MOST ||
        mgi_json_parse(f->list->job->arena, text, NULL, &body, NULL) != JSON_OK)
        return false;
    look_along(&s, &body, (struct str){ m->path.ptr + 1, m->path.len - 1 });
    return s.known > 0 && !s.any && !mgi_is_shown_enough(f->list);
}

static bool is_decimal(char c)
{
    return c >= '0' && c <= '9';
}

/* Does the page have what is taken in its place? A list in its place is not seen. */
static bool shows_literal(struct fallbacks *f, const struct reading *r)
{
    if (r->sort == LIST || r->sort == OBJECT)
        return true;
    for (size_t at = 0; r->sort == NUMBER && at + r->literal.len <= f->page.len; at++) {
        size_t end = at + r->literal.len;
        if (memcmp(f->page.ptr + at, r->literal.ptr, r->literal.len) == 0 &&
            (at == 0 || !strchr("0123456789.,:-", f->page.ptr[at - 1])) &&
            (end == f->page.len || !is_decimal(f->page.ptr[end])))
            return true;
    }
    return r->sort == TEXT && mgi_str_trim(r->literal, " ").len > 0 &&
           mgi_is_shown(f->list, r->literal);
}

/* ---- names that mean the same --------------------------------------------------------------- */

/* Names by which answers of all kinds call one thing, in one word. */
static const char *const kin[][12] = {
    { "amount", "price", "cost", "value" },
    { "total", "sum" },
    { "quantity", "pieces", "units" },
    { "name", "title", "label", "heading", "fullname", "displayname", "realname" },
    { "author", "writer", "creator" },
    { "text", "body", "content", "message" },
    { "date", "day" },
    { "image", "picture", "photo" },
    { "status", "state" },
    { "item", "result", "row", "list", "record", "entry", "entries", "element", "node", "children",
      "edge", "hit" },
    { "address", "location" },
    { "phone", "tel", "telephone", "mobile" },
    { "stop", "station", "halt" },
    { "user", "member", "customer", "person" },
};

/* The same, but for a plural. */
static bool is_word(struct str name, struct str word)
{
    struct str one = { name.ptr, name.len - mgi_str_ends(name, STR_LIT("s")) };
    return mgi_str_same(name, word) || mgi_str_same(one, word);
}

static bool is_of_kin(const char *const group[12], struct str name)
{
    for (size_t i = 0; i < 12 && group[i]; i++)
        if (is_word(name, str_of(group[i])))
            return true;
    return false;
}

/* Is it one word? */
static bool is_plain_name(struct str name)
{
    for (size_t i = 1; i < name.len; i++)
        if (name.ptr[i] < 'a' || name.ptr[i] > 'z')
            return false;
    return true;
}

/* price of unitPrice; not count of pageCount, which may count anything. */
static bool is_bare_of(struct str bare, struct str name)
{
    static const char *const anything[] = { "count", "id",   "index", "page", "size", "number",
                                            "limit", "type", "url",   "key",  NULL };
    struct str word =
        is_plain_name(bare) && !is_plain_name(name) ? mgi_shared_word(bare, name) : STR_LIT("");
    return word.len > 0 && !mgi_str_same_as_any(word, anything);
}

/* qty of quantity: its letters in their order, the first and the last its own. */
static bool abbreviates(struct str brief, struct str whole)
{
    if (brief.len < 2 || brief.len + 2 > whole.len || brief.ptr[0] != whole.ptr[0] ||
        brief.ptr[brief.len - 1] != whole.ptr[whole.len - 1])
        return false;
    size_t at = 0;
    for (size_t i = 0; i < whole.len && at < brief.len; i++)
        at += brief.ptr[at] == whole.ptr[i];
    return at == brief.len;
}

static bool mean_the_same(struct str a, struct str b)
{
    if (is_word(a, b) || is_word(b, a) || is_bare_of(a, b) || is_bare_of(b, a) ||
        mgi_is_respelled(a, b) || abbreviates(a, b) || abbreviates(b, a))
        return true;
    for (size_t i = 0; i < sizeof kin / sizeof *kin; i++)
        if (is_of_kin(kin[i], a) && is_of_kin(kin[i], b))
            return true;
    return false;
}

/* Names that say only that something is in it. */
static bool is_container(struct str name)
{
    static const char *const names[] = { "data",    "item",   "result",  "row",     "list",
                                         "record",  "entry",  "entries", "content", "payload",
                                         "value",   "hit",    "doc",     "object",  "collection",
                                         "element", "member", "node",    "body",    NULL };
    struct str one = { name.ptr, name.len - mgi_str_ends(name, STR_LIT("s")) };
    return mgi_str_same_as_any(name, names) || mgi_str_same_as_any(one, names);
}

/* Lists that are called by what holds them, .data of items; or by what was asked for, .beds of
 * items of /wards/4/beds. */
static bool hold_the_same(const struct fallbacks *f, const struct reading *r,
                          const struct answered *m)
{
    struct str file = mgi_url_file(f->list->capture->requests[m->request].url);
    return r->sort == LIST && is_container(m->name) &&
           (is_container(r->name) || is_word(file, r->name));
}

/* ---- what is told --------------------------------------------------------------------------- */

static bool tell_fallback(struct fallbacks *f, const struct reading *r, const struct answered *m,
                          const char *how)
{
    struct place place = { r->code->text, r->at };
    f->told++;
    mgi_fact(f->list, RANK_HIGH, "fallback_taken", NO_TIME, 0, "ssszsn",
             mgi_fact_id(f->list, "r", f->list->capture->requests[m->request].number), m->path,
             r->name, how, r->code->url, mgi_place_line(&place));
    return true;
}

/* user.profile?.city ?? '': no answer has a profile at all. */
static bool is_of_nothing(const struct fallbacks *f, const struct reading *r)
{
    struct str s = r->code->text;
    size_t end = r->at - 1;
    end -= end > 0 && s.ptr[end - 1] == '?';
    size_t from = end;
    while (from > 0 && is_name_char(s.ptr[from - 1]))
        from--;
    struct str owner = { s.ptr + from, end - from };
    if (owner.len < NAME_LEAST || from == 0 || s.ptr[from - 1] != '.')
        return false;
    for (size_t i = 0; i < f->count; i++)
        if (str_eq(f->members[i].name, owner))
            return false;
    return true;
}

/* By that name it stands below what no script knows, and nowhere else. */
static bool look_below(struct fallbacks *f, const struct reading *r, bool *named)
{
    const struct answered *found = NULL;
    for (size_t i = 0; i < f->count; i++) {
        const struct answered *m = &f->members[i];
        if (!str_eq(m->name, r->name) || !is_named_place(m))
            continue;
        *named = true;
        struct str wrapper = unknown_around(f, m->path);
        if (wrapper.len == 0)
            return false;
        found = !found && is_of_sort(m, r->sort) && is_wrapper(f, m, wrapper) ? m : found;
    }
    bool taken = found && (shows_literal(f, r) || (r->literal.len == 0 && is_of_nothing(f, r)));
    return taken && is_unshown(f, found) && tell_fallback(f, r, found, "below");
}

/* Does a script fill it with something of its own: { name: made() }, .name = made()? */
static bool is_filled_by_code(const struct fallbacks *f, struct str name)
{
    for (size_t i = 0; i < f->list->code_count; i++) {
        struct str s = f->list->code[i].text;
        for (size_t at = 1; at + name.len + 2 < s.len; at++) {
            if (s.ptr[at] != name.ptr[0] || is_name_char(s.ptr[at - 1]) || !stands_at(s, at, name))
                continue;
            size_t next = past_blank(s, at + name.len), end = next + 1;
            if ((s.ptr[next] != ':' || s.ptr[at - 1] == '.' || is_in_pattern(s, at)) &&
                !(s.ptr[at - 1] == '.' && is_assignment(s, next)))
                continue;
            while (end < s.len && !strchr(",;}\n", s.ptr[end]))
                end++;
            struct str value =
                mgi_str_trim((struct str){ s.ptr + next + 1, end - next - 1 }, " \t\r");
            static const char *const nothing[] = { "[]",   "{}", "{",     "''", "\"\"",
                                                   "null", "[",  "false", "0",  NULL };
            if (mgi_str_find(value, name) == SIZE_MAX && !mgi_str_is_any(value, nothing))
                return true;
        }
    }
    return false;
}

/* By that name no answer has it; one that means the same stands where code looks, and no script
 * knows it. */
static bool look_beside(struct fallbacks *f, const struct reading *r)
{
    const struct answered *found = NULL;
    bool same = false;
    for (size_t i = 0; i < f->count; i++) {
        const struct answered *m = &f->members[i];
        bool many = r->sort == TEXT && is_of_sort(m, LIST); /* one became a list */
        if ((!many && !is_of_sort(m, r->sort)) || mgi_code_says(f->list, m->name, false) ||
            unknown_around(f, m->path).len > 0 ||
            !(mean_the_same(m->name, r->name) || hold_the_same(f, r, m)))
            continue;
        if (found) /* which of them is not known */
            return false;
        found = m;
        same = mean_the_same(m->name, r->name);
    }
    return found && !is_filled_by_code(f, r->name) && shows_literal(f, r) && is_unshown(f, found) &&
           tell_fallback(f, r, found, same ? "beside" : "held");
}

static void find_fallbacks(struct fallbacks *f, const struct code_text *code)
{
    struct str s = code->text;
    for (size_t at = 1; at < s.len && f->read < READS_MOST && f->told < TOLD_MOST; at++) {
        if (!is_name_char(s.ptr[at]) || is_name_char(s.ptr[at - 1]))
            continue;
        struct str name = name_at(s, at);
        struct reading r;
        bool named = false;
        if (name.len >= NAME_LEAST && reads_with_fallback(code, at, name, &r)) {
            f->read++;
            if (!look_below(f, &r, &named) && !named)
                look_beside(f, &r);
        }
        at += name.len - 1;
    }
}

void mgi_facts_fallbacks(struct fact_list *list)
{
    struct fallbacks *f = mgi_arena_calloc(list->job->arena, 1, sizeof *f);
    if (!f)
        return;
    f->list = list;
    f->page = mgi_page_text(list);
    for (size_t i = 0; i < list->capture->request_count; i++) {
        const struct request *r = &list->capture->requests[i];
        if (list->looked_at[i] && r->resource == RES_DATA && r->status < 300 &&
            list->shapes[i].kind == BODY_JSON)
            take_answered(f, i);
    }
    for (size_t i = 0; f->page.len > 0 && f->count > 0 && i < list->code_count; i++)
        if (list->code[i].own)
            find_fallbacks(f, &list->code[i]);
}
