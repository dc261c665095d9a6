/* Words of answers that no script of the page knows, told without following code: a member's name,
 * where a script reads one that is the same but for case and what joins its words; and one of the
 * words by which the items of a list differ (their state, their kind), where scripts know the
 * others. */
#include "facts.h"
#include "source_int.h"

#define ANSWERS_MOST 60
#define ANSWER_BYTES (256u * 1024)
#define NAMES_MOST   64
#define NAME_LEAST   4
#define ITEMS_LOOKED 200
#define CHOICES_MOST 8
#define CHOICE_BYTES 30
#define TOLD_MOST    6
#define LOOKED_MOST  256 /* names that were looked for */

/* ---- names ------------------------------------------------------------------------------------
 */

/* A member that no script knows, $.lines[].unit_price of the request at `index`. */
struct unread {
    size_t index;
    struct str path, name;
};

/* "/_", "[_", "_]", "'_'", "-_": code that joins words, or takes them apart. */
static bool has_joint(struct str s)
{
    const char *end = s.ptr + s.len;
    for (const char *at = s.ptr; (at = memchr(at, '_', (size_t)(end - at))); at++) {
        char before = at > s.ptr ? at[-1] : ' ', after = at + 1 < end ? at[1] : ' ';
        if (strchr("/[-", before) || after == ']' || (before == after && strchr("'\"", before)))
            return true;
    }
    return false;
}

/* Code that makes other names of all names knows them all. */
static bool renames_all(const struct fact_list *list)
{
    for (size_t i = 0; i < list->code_count; i++) {
        struct str text = list->code[i].text;
        bool joins = list->code[i].script &&
                     (has_joint(text) || mgi_str_find(text, STR_LIT("capitalize")) != SIZE_MAX);
        if (joins || mgi_contains(text, "camel") || mgi_contains(text, "snake"))
            return true;
    }
    return false;
}

static bool is_joined(struct str name)
{
    for (size_t i = 1; i < name.len; i++)
        if (name.ptr[i] == '_' || (name.ptr[i] >= 'A' && name.ptr[i] <= 'Z'))
            return true;
    return false;
}

static bool is_one_of(struct str name, const struct str *names, size_t count)
{
    while (count > 0 && !str_eq(names[count - 1], name))
        count--;
    return count > 0;
}

static size_t find_unread(struct fact_list *list, struct unread out[NAMES_MOST])
{
    size_t count = 0, looked = 0;
    struct str looked_for[LOOKED_MOST];
    for (size_t r = 0; r < list->capture->request_count; r++) {
        const struct request *request = &list->capture->requests[r];
        const struct shape *shape = &list->shapes[r];
        if (!list->looked_at[r] || request->resource != RES_DATA || request->status >= 400 ||
            shape->kind != BODY_JSON)
            continue;
        for (size_t i = 0; i < shape->count && count < NAMES_MOST; i++) {
            struct str name = mgi_path_name(shape->paths[i].path);
            if (name.len < NAME_LEAST || !is_joined(name) || looked == LOOKED_MOST ||
                is_one_of(name, looked_for, looked))
                continue;
            looked_for[looked++] = name;
            if (!mgi_code_says(list, name, false))
                out[count++] = (struct unread){ r, shape->paths[i].path, name };
        }
    }
    return count;
}

static bool is_answered(const struct fact_list *list, struct str name)
{
    for (size_t r = 0; r < list->capture->request_count; r++)
        for (size_t i = 0; list->looked_at[r] && i < list->shapes[r].count; i++)
            if (str_eq(mgi_path_name(list->shapes[r].paths[i].path), name))
                return true;
    return false;
}

static void tell_respelled(struct fact_list *list, const struct unread *u, struct str name,
                           const struct code_text *code, size_t at)
{
    struct str id = mgi_fact_id(list, "r", list->capture->requests[u->index].number);
    struct place place = { code->text, at };
    char *path = mgi_arena_printf(list->job->arena, "%.*s%.*s", (int)(u->path.len - u->name.len),
                                  u->path.ptr, STR_ARG(name));
    if (!path)
        return;
    mgi_fact(list, RANK_HIGH, "code_misses", NO_TIME, 0, "szsn", id, path, code->url,
             mgi_place_line(&place));
    mgi_fact(list, RANK_HIGH, "near_name", NO_TIME, 0, "szs", id, path, u->path);
    mgi_fact(list, RANK_HIGH, "name_unread", NO_TIME, 0, "ss", id, u->path);
}

/* ".name" where it is read: no call, and nothing is given to it. */
static struct str read_at(struct str s, size_t at)
{
    if (s.ptr[at] != '.' || at == 0 ||
        !(is_name_char(s.ptr[at - 1]) || strchr(")]?", s.ptr[at - 1])))
        return STR_LIT("");
    struct str name = name_at(s, at + 1);
    size_t after = past_blank(s, at + 1 + name.len);
    bool given = after + 1 < s.len && s.ptr[after] == '=' && s.ptr[after + 1] != '=';
    return given || (after < s.len && s.ptr[after] == '(') ? STR_LIT("") : name;
}

static void facts_of_names(struct fact_list *list)
{
    struct unread unread[NAMES_MOST];
    size_t told = 0, count = find_unread(list, unread);
    if (count > 0 && renames_all(list))
        return;
    for (size_t t = 0; count > 0 && t < list->code_count; t++) {
        struct str s = list->code[t].text;
        for (size_t at = 0; list->code[t].script && at + NAME_LEAST < s.len && told < TOLD_MOST;
             at++) {
            struct str name = read_at(s, at);
            for (size_t i = 0; name.len >= NAME_LEAST - 1 && i < count && told < TOLD_MOST; i++) {
                if (!unread[i].name.ptr || !mgi_is_respelled(name, unread[i].name))
                    continue;
                bool tells = !is_answered(list, name) && !mgi_code_makes(list, name);
                if (tells)
                    tell_respelled(list, &unread[i], name, &list->code[t], at + 1);
                unread[i].name.ptr = NULL;
                told += tells;
            }
        }
    }
}

/* ---- choices ----------------------------------------------------------------------------------
 */

/* The words that the items of a list have at one member. */
struct choices {
    struct str words[CHOICES_MOST];
    bool known[CHOICES_MOST];
    size_t count;
};

static bool is_choice_name(struct str name)
{
    static const char *const names[] = { "status", "state",    "type",    "kind",     "phase",
                                         "stage",  "severity", "level",   "priority", "role",
                                         "mode",   "result",   "outcome", NULL };
    for (size_t i = 0; names[i]; i++) {
        size_t len = strlen(names[i]);
        struct str end =
            name.len >= len ? (struct str){ name.ptr + name.len - len, len } : STR_LIT("");
        if (end.len > 0 && mgi_contains(end, names[i]))
            return true;
    }
    return false;
}

static bool is_choice(struct str word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!is_name_char(word.ptr[i]) && word.ptr[i] != '-')
            return false;
    return word.len > 1 && word.len <= CHOICE_BYTES;
}

/* False: these are no choices. */
static bool find_choices(struct fact_list *list, const struct json *items, const char *name,
                         struct choices *out)
{
    out->count = 0;
    for (uint32_t i = 0; i < items->count; i++) {
        struct str word = mgi_member_string(&items->items[i], name);
        size_t n = 0;
        while (n < out->count && !str_eq(out->words[n], word))
            n++;
        if (n < out->count)
            continue;
        if (n == CHOICES_MOST || !is_choice(word))
            return false;
        out->known[n] = mgi_code_says(list, word, true);
        out->words[out->count++] = word;
    }
    return out->count > 1;
}

/* Is anything of an item's own words to be seen, beside the one that it is told apart by? */
static bool is_item_shown(struct fact_list *list, const struct json *item, const char *name)
{
    for (uint32_t i = 0; item->type == JSON_OBJECT && i < item->count; i++) {
        const struct json *v = &item->members[i].value;
        if (v->type == JSON_STRING && v->string.len > 2 && !str_is(item->members[i].name, name) &&
            mgi_is_shown(list, v->string))
            return true;
    }
    return false;
}

/* Of items with that word nothing is to be seen, of others something is: "unshown"; of these, too:
 * "shown"; else it says nothing. */
static const char *how_shown(struct fact_list *list, const struct json *items, const char *name,
                             struct str word)
{
    size_t with[2] = { 0 }, others[2] = { 0 };
    for (uint32_t i = 0; i < items->count; i++) {
        bool shown = is_item_shown(list, &items->items[i], name);
        if (str_eq(mgi_member_string(&items->items[i], name), word))
            with[shown]++;
        else
            others[shown]++;
    }
    if (others[0] > 0 || others[1] == 0 || mgi_is_shown_enough(list))
        return NULL;
    return with[1] == 0 ? "unshown" : "shown";
}

static void facts_of_choices(struct fact_list *list, const struct json *items, struct str id,
                             struct str path, const char *name)
{
    struct choices choices;
    size_t unknown = 0, at = 0;
    if (!find_choices(list, items, name, &choices))
        return;
    for (size_t i = 0; i < choices.count; i++)
        if (!choices.known[i]) {
            unknown++;
            at = i;
        }
    const char *how = unknown == 1 ? how_shown(list, items, name, choices.words[at]) : NULL;
    if (how && choices.count == 2 && strcmp(how, "unshown") == 0)
        return; /* one word alone may be all that is asked for */
    char *whole = mgi_arena_printf(list->job->arena, "%.*s.%s", STR_ARG(path), name);
    if (how && whole)
        mgi_fact(list, RANK_HIGH, "choice_unknown", NO_TIME, 0, "szszs", id, whole,
                 choices.words[at], how, choices.words[at == 0]);
}

/* ---- in other letters -------------------------------------------------------------------------
 */

/* Where a script holds something to be that word in other letters: === 'open', case 'open'. */
static bool find_cased(const struct code_text *code, struct str word, struct str *other,
                       struct place *out)
{
    struct str s = code->text;
    for (size_t at = 1; at + word.len < s.len; at++) {
        struct str found = { s.ptr + at, word.len };
        if (!strchr("'\"`", s.ptr[at - 1]) || s.ptr[at + word.len] != s.ptr[at - 1] ||
            !mgi_str_same(found, word) || str_eq(found, word))
            continue;
        size_t before = back_blank(s, at - 1), after = past_blank(s, at + word.len + 1);
        bool compared = before > 4 && ((s.ptr[before - 1] == '=' && s.ptr[before - 2] == '=') ||
                                       stands_at(s, before - 4, STR_LIT("case")));
        if (!compared &&
            !mgi_str_starts((struct str){ s.ptr + after, s.len - after }, STR_LIT("==")))
            continue;
        *other = found;
        *out = (struct place){ s, at };
        return true;
    }
    return false;
}

/* Code that makes small or great letters of words compares as it should. */
static bool changes_letters(const struct fact_list *list)
{
    static const char *const calls[] = { "toLowerCase", "toUpperCase", "toLocaleLowerCase",
                                         "toLocaleUpperCase", NULL };
    for (size_t i = 0; i < list->code_count; i++)
        for (size_t k = 0; list->code[i].own && calls[k]; k++)
            if (mgi_str_find(list->code[i].text, str_of(calls[k])) != SIZE_MAX)
                return true;
    return false;
}

static size_t items_with(const struct json *items, const char *name, struct str word)
{
    size_t count = 0;
    for (uint32_t i = 0; i < items->count; i++)
        count += str_eq(mgi_member_string(&items->items[i], name), word);
    return count;
}

/* Of the items with a word nothing is on the page, and scripts know it in other letters alone. */
static void facts_of_cases(struct fact_list *list, const struct json *items, struct str id,
                           struct str path, const char *name)
{
    for (uint32_t i = 0; i < items->count; i++) {
        struct str word = mgi_member_string(&items->items[i], name), other;
        struct place place;
        size_t shown = 0;
        if (!is_choice(word) || mgi_code_says(list, word, false) ||
            !mgi_code_says(list, word, true) || items_with(items, name, word) < 2)
            continue;
        for (uint32_t n = 0; n < items->count; n++)
            shown += str_eq(mgi_member_string(&items->items[n], name), word) &&
                     is_item_shown(list, &items->items[n], name);
        for (size_t k = 0; shown == 0 && !mgi_is_shown_enough(list) && k < list->code_count; k++) {
            const struct code_text *code = &list->code[k];
            char *whole = mgi_arena_printf(list->job->arena, "%.*s.%s", STR_ARG(path), name);
            if (!code->own || !whole || !find_cased(code, word, &other, &place))
                continue;
            mgi_fact(list, RANK_HIGH, "choice_cased", NO_TIME, 0, "szsssn", id, whole, word, other,
                     code->url, mgi_place_line(&place));
            return;
        }
    }
}

static void facts_of_items(struct fact_list *list, const struct json *items, struct str id,
                           const char *path)
{
    const struct json *first = items->count > 1 ? &items->items[0] : NULL;
    if (!first || first->type != JSON_OBJECT || items->count > ITEMS_LOOKED)
        return;
    for (uint32_t i = 0; i < first->count; i++) {
        struct str name = first->members[i].name;
        char *text = mgi_arena_printf(list->job->arena, "%.*s", STR_ARG(name));
        if (text && is_choice_name(name) && first->members[i].value.type == JSON_STRING) {
            facts_of_choices(list, items, id, str_of(path), text);
            if (!changes_letters(list))
                facts_of_cases(list, items, id, str_of(path), text);
        }
    }
}

/* The same of one thing. */
static void facts_of_thing(struct fact_list *list, const struct json *thing, struct str id,
                           const char *path)
{
    for (uint32_t i = 0; i < thing->count; i++) {
        const struct json_member *m = &thing->members[i];
        if (m->value.type != JSON_STRING || !is_choice_name(m->name) ||
            !is_choice(m->value.string) || mgi_code_says(list, m->value.string, true))
            continue;
        char *whole = mgi_arena_printf(list->job->arena, "%s.%.*s", path, STR_ARG(m->name));
        if (whole)
            mgi_fact(list, RANK_USUAL, "word_unknown", NO_TIME, 0, "szs", id, whole,
                     m->value.string);
    }
}

/* The answer itself, a member of it, or one of its data that is a list. */
static void facts_of_lists(struct fact_list *list, size_t r)
{
    bool known, binary;
    struct str text = mgi_answer_text(&list->capture->requests[r], &known, &binary);
    struct str id = mgi_fact_id(list, "r", list->capture->requests[r].number);
    struct json body;
    if (binary || text.len == 0 || text.len > ANSWER_BYTES ||
        mgi_json_parse(list->job->arena, text, NULL, &body, NULL) != JSON_OK)
        return;
    const struct json *in = &body, *data = mgi_json_get(&body, "data");
    const char *above = "$";
    if (body.type == JSON_OBJECT && data && data->type != JSON_STRING) {
        in = data;
        above = "$.data";
    }
    if (in->type == JSON_ARRAY)
        facts_of_items(list, in, id, data ? "$.data[]" : "$[]");
    if (in->type == JSON_OBJECT)
        facts_of_thing(list, in, id, above);
    for (uint32_t i = 0; in->type == JSON_OBJECT && i < in->count; i++) {
        char *path =
            mgi_arena_printf(list->job->arena, "%s.%.*s[]", above, STR_ARG(in->members[i].name));
        if (path && in->members[i].value.type == JSON_ARRAY)
            facts_of_items(list, &in->members[i].value, id, path);
    }
}

/* ---- shown as it is answered ------------------------------------------------------------------
 */

static bool tells_hundredths(struct str name)
{
    static const char *const ends[] = { "cents", "Cents", "minor",  "Minor", "_ct",
                                        "pence", "Pence", "rappen", NULL };
    for (size_t i = 0; ends[i]; i++)
        if (mgi_str_ends(name, str_of(ends[i])))
            return true;
    return false;
}

/* 1250 with `mark` before its last three figures, and ".00" or ",00" behind it. */
static bool is_shown_whole(const struct fact_list *list, struct str value, char mark, char point)
{
    char text[40];
    size_t len = 0;
    for (size_t i = 0; i < value.len; i++) {
        if (mark && i > 0 && (value.len - i) % 3 == 0)
            text[len++] = mark;
        text[len++] = value.ptr[i];
    }
    text[len++] = point;
    text[len++] = '0';
    text[len++] = '0';
    struct str wanted = { text, len };
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0; i < more->shown.count; i++) {
        struct str s = more->shown.items[i].text;
        size_t at = mgi_str_find(s, wanted);
        if (at != SIZE_MAX && (at == 0 || !strchr("0123456789.,", s.ptr[at - 1])))
            return true;
    }
    return false;
}

static bool is_price(struct str value)
{
    for (size_t i = 0; i < value.len; i++)
        if (value.ptr[i] < '0' || value.ptr[i] > '9')
            return false;
    return value.len > 2 && value.len < 10;
}

static void facts_of_hundredths(struct fact_list *list, size_t r)
{
    for (size_t i = 0; i < list->shapes[r].count; i++) {
        const struct shape_path *p = &list->shapes[r].paths[i];
        struct str value = p->values[0];
        if (!value.ptr || !is_price(value) || !tells_hundredths(mgi_path_name(p->path)))
            continue;
        if (is_shown_whole(list, value, '\0', '.') || is_shown_whole(list, value, ',', '.') ||
            is_shown_whole(list, value, '\0', ',') || is_shown_whole(list, value, '.', ','))
            mgi_fact(list, RANK_HIGH, "shown_whole", NO_TIME, 0, "sss",
                     mgi_fact_id(list, "r", list->capture->requests[r].number), p->path, value);
    }
}

/* shop.title: what looks like the key of a text, and stands in the page's files as one. */
static bool is_key(struct fact_list *list, struct str line)
{
    size_t dots = 0;
    for (size_t i = 0; i < line.len; i++) {
        dots += line.ptr[i] == '.';
        if (line.ptr[i] != '.' && !is_name_char(line.ptr[i]))
            return false;
    }
    bool begins = line.len > 4 && line.len < 60 && line.ptr[0] >= 'a' && line.ptr[0] <= 'z';
    return begins && dots > 0 && line.ptr[line.len - 1] != '.' && mgi_code_says(list, line, false);
}

static void facts_of_keys(struct fact_list *list)
{
    struct str rest = mgi_page_text(list), first = STR_LIT("");
    int64_t count = 0;
    while (rest.len > 0) {
        struct str line = mgi_next_line(&rest);
        if (!is_key(list, line))
            continue;
        first = count == 0 ? line : first;
        count++;
    }
    if (count > 1)
        mgi_fact(list, RANK_HIGH, "shown_key", NO_TIME, 0, "sn", first, count);
}

void mgi_facts_words(struct fact_list *list)
{
    const struct capture *c = list->capture;
    size_t looked = 0;
    if (list->code_count == 0)
        return;
    facts_of_names(list);
    facts_of_keys(list);
    for (size_t r = 0; r < c->request_count && looked < ANSWERS_MOST; r++)
        if (list->looked_at[r] && c->requests[r].resource == RES_DATA &&
            c->requests[r].status < 400 && list->shapes[r].kind == BODY_JSON &&
            str_is(c->requests[r].method, "GET")) {
            looked++;
            facts_of_lists(list, r);
            facts_of_hundredths(list, r);
        }
}
