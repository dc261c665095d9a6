/* What the code that asked reads of an answer, beside what the answer has: members that are taken,
 * and of those that are not there the name beside it that is spelled nearly so. */
#include "facts.h"
#include "source_forms.h"
#include "source_takes.h"

#include "base/near.h"

#define ASKED_MOST  60
#define CALLS_MOST  12
#define SAME_MOST   3
#define LOOKS_BYTES 600
#define PARTS_MOST  8
/* How far back a block is looked for, and its condition. */
#define BLOCK_BYTES     1500
#define CONDITION_BYTES 160

static struct str answer_path(struct fact_list *list, const struct take *t)
{
    bool list_first = t->len > 0 && t->path[0] == '[';
    char *path = mgi_arena_printf(list->job->arena, "$%s%.*s", t->len > 0 && !list_first ? "." : "",
                                  (int)t->len, t->path);
    return path ? str_of(path) : STR_LIT("$");
}

/* "$.items[]" of "$.items[].name"; empty: it has no member's name at its end. */
static struct str parent_path(struct str path)
{
    size_t end = mgi_str_ends(path, STR_LIT("[]")) ? path.len - 2 : path.len;
    while (end > 0 && path.ptr[end - 1] != '.' && path.ptr[end - 1] != ']')
        end--;
    return end > 0 && path.ptr[end - 1] == '.' ? (struct str){ path.ptr, end - 1 } : STR_LIT("");
}

static struct str name_behind(struct str path, struct str parent)
{
    return (struct str){ path.ptr + parent.len + 1, path.len - parent.len - 1 };
}

/* The same name at one other place of the answer. */
static void tell_elsewhere(struct fact_list *list, struct str id, const struct shape *shape,
                           struct str path, struct str name)
{
    struct str found = STR_LIT("");
    for (size_t i = 0; i < shape->count; i++) {
        struct str parent = parent_path(shape->paths[i].path);
        if (parent.len == 0 || mgi_str_ends(shape->paths[i].path, STR_LIT("]")) ||
            !str_eq(name_behind(shape->paths[i].path, parent), name))
            continue;
        if (found.len > 0)
            return;
        found = shape->paths[i].path;
    }
    if (found.len > 0)
        mgi_fact(list, RANK_HIGH, "name_elsewhere", NO_TIME, 0, "sss", id, path, found);
}

static void tell_near(struct fact_list *list, struct str id, const struct shape *shape,
                      struct str path)
{
    struct str parent = parent_path(path), best = STR_LIT("");
    size_t above = 0;
    while (above < shape->count && !str_eq(shape->paths[above].path, parent))
        above++;
    if (parent.len == 0 || above == shape->count || mgi_str_ends(path, STR_LIT("]")))
        return;
    struct near near = mgi_near(name_behind(path, parent));
    for (size_t i = 0; i < shape->count; i++) {
        const struct shape_path *at = &shape->paths[i];
        if (at->parent != above || at->path.len <= parent.len + 1 ||
            at->path.ptr[parent.len] != '.')
            continue;
        struct str name = name_behind(at->path, parent);
        if (mgi_is_respelled(near.wanted, name))
            best = at->path;
        else if (mgi_near_try(&near, name) && best.len == 0)
            best = at->path;
    }
    if (best.len > 0)
        mgi_fact(list, RANK_HIGH, "near_name", NO_TIME, 0, "sss", id, path, best);
    else
        tell_elsewhere(list, id, shape, path, near.wanted);
}

/* The answer has not what the path says, though it has what it should stand in. */
static bool is_missed(const struct shape *shape, struct str path)
{
    bool each = mgi_str_ends(path, STR_LIT("[]"));
    struct str whole = each ? (struct str){ path.ptr, path.len - 2 } : path,
               parent = parent_path(path);
    const struct shape_path *there = mgi_shape_find(shape, whole);
    const struct shape_path *in = parent.len > 0 ? mgi_shape_find(shape, parent) : NULL;
    if (shape->cut || mgi_shape_find(shape, path))
        return false;
    if (each && there)
        return (there->types & (1u << JSON_ARRAY)) == 0 && there->objects > 0;
    return in && (in->types & (1u << JSON_ARRAY | 1u << JSON_OBJECT)) != 0;
}

static size_t call_sites(const struct fact_list *list, const struct request *r,
                         struct call_site *out, const struct frame **frames)
{
    size_t count = 0;
    for (size_t i = 0; i < r->frame_count && count < CALLS_MOST; i++) {
        const struct frame *f = &r->frames[i], *before = i > 0 ? &r->frames[i - 1] : NULL;
        if (!mgi_source_place(list->capture, f->url, f->line, f->column, &out[count].place))
            break;
        out[count].same = before && f->function.len > 0 && str_eq(f->function, before->function) &&
                          str_eq(f->url, before->url);
        frames[count++] = f;
    }
    return count;
}

/* The functions that asked, innermost first, as far as their scripts are known. */
struct asked {
    struct call_site calls[CALLS_MOST];
    const struct frame *frames[CALLS_MOST];
    size_t count;
};

/* Where a take is: in the text of a call, which may be part of a file, or in one of the others. */
static struct str where_taken(const struct fact_list *list, const struct asked *asked,
                              const struct place *place, int64_t *line)
{
    *line = mgi_place_line(place);
    for (size_t i = 0; i < asked->count; i++)
        if (asked->calls[i].place.text.ptr == place->text.ptr) {
            *line += asked->frames[i]->line - mgi_place_line(&asked->calls[i].place);
            return asked->frames[i]->url;
        }
    return mgi_code_url(list, place->text);
}

/* The last parts of its path that are no ids, as code writes them, in their order. */
static size_t telling_parts(struct str path, struct str out[PARTS_MOST])
{
    size_t count = 0;
    for (size_t at = 0; at < path.len;) {
        size_t end = at + 1;
        while (end < path.len && path.ptr[end] != '/')
            end++;
        struct str part = { path.ptr + at + 1, end - at - 1 };
        bool tells = part.len > 1 && part.ptr[0] != '{' && !str_is(part, "api");
        if (tells && count == PARTS_MOST)
            memmove(out, out + 1, --count * sizeof *out);
        if (tells)
            out[count++] = part;
        at = end;
    }
    return count;
}

/* The function that asked in whose call the part stands; their number if there is none. */
static size_t asker_with(const struct asked *asked, struct str part)
{
    size_t i = 0;
    while (i < asked->count && !mgi_source_call_has(&asked->calls[i].place, part))
        i++;
    return i;
}

/* Asked for in list.forEach(async item => ...): nobody waits for what that gives. */
static void tell_not_waited_for(struct fact_list *list, struct str id, const struct asked *asked)
{
    for (size_t i = 0; i < asked->count; i++) {
        if (!mgi_source_in_for_each(&asked->calls[i].place))
            continue;
        mgi_fact(list, RANK_HIGH, "not_waited_for", NO_TIME, 0, "ssn", id, asked->frames[i]->url,
                 asked->frames[i]->line);
        return;
    }
}

/* Which of the functions that asked says what for, and what it does without an answer. */
static void tell_asker(struct fact_list *list, struct str id, struct str route,
                       const struct asked *asked)
{
    struct str parts[PARTS_MOST];
    size_t at = asked->count;
    enum stand_in kind = STAND_IN_NONE;
    /* The last part says most, where it stands in code: it may be what was asked for, not an id. */
    for (size_t n = telling_parts(route, parts); n > 0 && at == asked->count; n--)
        at = asker_with(asked, parts[n - 1]);
    if (at < asked->count)
        mgi_fact(list, RANK_USUAL, "asked_at", NO_TIME, 0, "ssn", id, asked->frames[at]->url,
                 asked->frames[at]->line);
    for (size_t i = 0; i < asked->count && kind == STAND_IN_NONE; i++)
        kind = asked->calls[i].same ? STAND_IN_NONE : mgi_source_stand_in(&asked->calls[i].place);
    if (kind != STAND_IN_NONE)
        mgi_fact(list, RANK_USUAL, "code_does_without", NO_TIME, 0, "sz", id,
                 kind == STAND_IN_VALUE   ? "value"
                 : kind == STAND_IN_PLACE ? "place"
                                          : "nothing");
}

/* What the code says in place of an answer that is an error. */
static void tell_instead(struct fact_list *list, struct str id, const struct request *r,
                         const struct asked *asked)
{
    if (r->status >= 400 || r->fault != FAULT_NONE)
        for (size_t i = 0; i < asked->count; i++)
            if (!asked->calls[i].same)
                mgi_facts_instead(list, id, r, &asked->calls[i].place);
}

/* $.data.items of an answer that has $.items: it is wrapped once more, or once less. */
static void tell_wrapped(struct fact_list *list, struct str id, const struct shape *shape,
                         const struct take *t, struct str path, struct str url, int64_t line)
{
    struct str parent = parent_path(path);
    size_t before = list->items.count;
    if (shape->cut || parent.len == 0 || mgi_str_ends(path, STR_LIT("]")) ||
        mgi_shape_find(shape, parent))
        return;
    tell_elsewhere(list, id, shape, path, name_behind(path, parent));
    if (list->items.count > before)
        mgi_fact(list, RANK_HIGH, t->guarded ? "code_asks_for" : "code_misses", NO_TIME, 0, "sssn",
                 id, path, url, line);
}

/* "19.90": what is added to it is put behind it. */
static bool is_number_in_text(const struct shape_path *at)
{
    if (!at || at->types != 1u << JSON_STRING || !at->values[0].ptr)
        return false;
    for (size_t n = 0; n < 3 && at->values[n].ptr; n++)
        for (size_t i = 0; i < at->values[n].len; i++)
            if (!strchr("0123456789.-", at->values[n].ptr[i]))
                return false;
    return true;
}

static bool is_figure(char c)
{
    return c >= '0' && c <= '9';
}

/* 31.05.2024, 31/05/2024, 2024-W20, 20240531, 1717113600 as a text, 18:30: texts that a Date is not
 * made of. (05.06.2024 is taken for the sixth of May.) */
static bool is_no_date(struct str s)
{
    size_t figures = 0;
    while (figures < s.len && is_figure(s.ptr[figures]))
        figures++;
    if (s.len < 5 || figures == 0)
        return false;
    if (figures == s.len)
        return s.len > 6;
    char mark = s.ptr[figures];
    if (figures <= 2 && mark == ':')
        return mgi_str_find(s, STR_LIT("-")) == SIZE_MAX;
    if (figures == 2 && (mark == '.' || mark == '/' || mark == '-'))
        return (s.ptr[0] == '1' && s.ptr[1] > '2') || s.ptr[0] > '1';
    return figures == 4 && mark == '-' && s.ptr[5] == 'W';
}

static void tell_no_date(struct fact_list *list, struct str id, const struct shape *shape,
                         struct str path)
{
    const struct shape_path *at = mgi_shape_find(shape, path);
    for (size_t n = 0; at && (at->types & (1u << JSON_STRING)) && n < 3 && at->values[n].ptr; n++)
        if (is_no_date(at->values[n])) {
            mgi_fact(list, RANK_HIGH, "unreadable_date", NO_TIME, 0, "sss", id, path,
                     at->values[n]);
            return;
        }
}

/* Does it ask for a refusal: status === 409, status >= 400, !x.ok? */
static bool asks_for_refusal(struct str condition)
{
    static const char *const marks[] = {
        "status === 4", "status == 4", "status === 5", "status == 5", "status >= 4",
        "status > 399", NULL
    };
    for (size_t i = 0; marks[i]; i++)
        if (mgi_str_find(condition, str_of(marks[i])) != SIZE_MAX)
            return true;
    return mgi_str_find(condition, STR_LIT("!")) != SIZE_MAX &&
           mgi_str_find(condition, STR_LIT(".ok)")) != SIZE_MAX;
}

/* Before the block that begins at `open`: the condition of its if; empty: it is of none. */
static struct str condition_of(struct str s, size_t open)
{
    size_t end = back_blank(s, open);
    int depth = 0;
    for (size_t i = end;
         end > 0 && s.ptr[end - 1] == ')' && i-- > 0 && end - i < CONDITION_BYTES;) {
        depth += s.ptr[i] == ')';
        depth -= s.ptr[i] == '(';
        if (depth == 0)
            return mgi_form_word_before(s, i, "if") ? (struct str){ s.ptr + i, end - i }
                                                    : STR_LIT("");
    }
    return STR_LIT("");
}

/* What is read in the block of "if (x.status === 409)" is read of a refusal. */
static bool is_of_refusal(const struct place *place)
{
    struct str s = place->text;
    int depth = 0;
    for (size_t i = place->at; i-- > 0 && place->at - i < BLOCK_BYTES;) {
        depth += s.ptr[i] == '}';
        if (s.ptr[i] != '{')
            continue;
        if (depth == 0 && asks_for_refusal(condition_of(s, i)))
            return true;
        depth -= depth > 0;
    }
    return false;
}

static void tell_take(struct fact_list *list, struct str id, const struct shape *shape,
                      const struct take *t, struct str url, int64_t line)
{
    static const char *const uses[] = {
        [TAKE_AS_DATE] = "date",        [TAKE_AS_NUMBER] = "number",        [TAKE_SAME] = "same",
        [TAKE_SAME_TEXT] = "same text", [TAKE_SAME_NUMBER] = "same number", [TAKE_ADDED] = "sum",
        [TAKE_AS_LIST] = "list"
    };
    struct str path = answer_path(list, t);
    if (t->how == TAKE_ADDED && !is_number_in_text(mgi_shape_find(shape, path)))
        return;
    if (t->how == TAKE_AS_DATE)
        tell_no_date(list, id, shape, path);
    if (t->how == TAKE_HANDED_ON)
        mgi_fact(list, RANK_USUAL, "code_hands_on", NO_TIME, 0, "ss", id, path);
    else if (t->how != TAKE_READ)
        mgi_fact(list, RANK_USUAL, "code_reads_as", NO_TIME, 0, "sszsn", id, path, uses[t->how],
                 url, line);
    else if (mgi_shape_find(shape, path))
        mgi_fact(list, RANK_USUAL, "code_takes", NO_TIME, 0, "sssn", id, path, url, line);
    else if (is_missed(shape, path)) {
        mgi_fact(list, RANK_HIGH, t->guarded ? "code_asks_for" : "code_misses", NO_TIME, 0, "sssn",
                 id, path, url, line);
        tell_near(list, id, shape, path);
    } else {
        tell_wrapped(list, id, shape, t, path, url, line);
    }
}

/* Where the reading of the answer is not found: does the file that asks choose how to read one by
 * its type? */
static bool goes_by_type(const struct asked *asked)
{
    struct str s = asked->count > 0 ? asked->calls[0].place.text : STR_LIT("");
    return mgi_contains(s, "content-type") && mgi_str_find(s, STR_LIT(".json(")) != SIZE_MAX &&
           mgi_str_find(s, STR_LIT(".text(")) != SIZE_MAX &&
           mgi_str_find(s, STR_LIT("headers.get")) != SIZE_MAX;
}

/* if (response.status === 200): what has nothing in it is not read. */
static bool looks_for_200(const struct asked *asked)
{
    const struct place *p = &asked->calls[0].place;
    if (asked->count == 0)
        return false;
    size_t end = mgi_form_block_end(p->text, p->at), most = p->at + LOOKS_BYTES;
    end = end < most ? end : most < p->text.len ? most : p->text.len;
    struct str rest = { p->text.ptr + p->at, end > p->at ? end - p->at : 0 };
    return mgi_str_find(rest, STR_LIT("== 200")) != SIZE_MAX;
}

/* `scripts` are the texts of all scripts. */
static void tell_asked(struct fact_list *list, const struct request *r, const struct shape *shape,
                       const struct str *scripts, size_t count)
{
    struct asked asked;
    struct takes takes;
    struct str id = mgi_fact_id(list, "r", r->number);
    asked.count = call_sites(list, r, asked.calls, asked.frames);
    tell_asker(list, id, list->routes[r - list->capture->requests], &asked);
    tell_not_waited_for(list, id, &asked);
    tell_instead(list, id, r, &asked);
    if (asked.count > 0)
        mgi_facts_discarded(list, id, &asked.calls[0].place);
    if (shape->kind == BODY_JSON && r->status >= 400)
        mgi_facts_reasons(list, id, scripts, count, shape);
    mgi_source_takes(asked.calls, asked.count, scripts, count, &takes);
    bool guarded = takes.json_guarded || (r->status == 204 && looks_for_200(&asked));
    if (takes.json)
        mgi_fact(list, RANK_USUAL, guarded ? "code_may_read_json" : "code_reads_json", NO_TIME, 0,
                 "s", id);
    if ((takes.json && takes.json_by_type) || (!takes.json && goes_by_type(&asked)))
        mgi_fact(list, RANK_USUAL, "code_goes_by_type", NO_TIME, 0, "s", id);
    for (size_t i = 0; i < takes.count && shape->kind == BODY_JSON && r->status < 400; i++) {
        int64_t line;
        struct str url = where_taken(list, &asked, &takes.items[i].place, &line);
        if (!is_of_refusal(&takes.items[i].place))
            tell_take(list, id, shape, &takes.items[i], url, line);
    }
}

void mgi_facts_takes(struct fact_list *list)
{
    const struct capture *c = list->capture;
    struct str scripts[CODE_TEXTS_MOST];
    size_t count = mgi_code_scripts(list, scripts);
    for (size_t i = 0, asked = 0; i < c->request_count && asked < ASKED_MOST; i++) {
        size_t same = 0;
        if (!list->looked_at[i] || c->requests[i].resource != RES_DATA)
            continue;
        for (size_t j = 0; j < i && same < SAME_MOST; j++)
            same += list->looked_at[j] && c->requests[j].status == c->requests[i].status &&
                    mgi_same_endpoint(list, i, j);
        if (same == SAME_MOST)
            continue;
        tell_asked(list, &c->requests[i], &list->shapes[i], scripts, count);
        asked++;
    }
}
