/* Where the page shows `undefined` or the like: members that the scripts read of something, that
 * nothing in them makes and no answer has, and that an answer has in another spelling, which no
 * script reads. The way from the answer to that line is not followed: classes, stores and templates
 * lie between. */
#include "facts.h"

#include "base/near.h"
#include "source_int.h"

#define NAMES_MOST   120
#define NAME_BYTES   48
#define SPELT_TOLD   8
#define LEAST_LETTER 4

struct spelt {
    struct str name, path, other, url;
    size_t number; /* of the request */
    int64_t line;
    bool read, object;
    size_t rank; /* of `other`, lower is nearer: 0 the same but for its spelling */
};

struct spelling {
    struct fact_list *list;
    struct spelt names[NAMES_MOST];
    size_t count;
};

static bool shows_nothing_of_worth(struct fact_list *list)
{
    return mgi_is_shown(list, STR_LIT("undefined")) || mgi_is_shown(list, STR_LIT("NaN")) ||
           mgi_is_shown(list, STR_LIT("Invalid Date"));
}

static bool is_member(const struct spelling *s, struct str name)
{
    for (size_t i = 0; i < s->count; i++)
        if (str_eq(s->names[i].name, name))
            return true;
    return false;
}

static void take_members(struct spelling *s, size_t index)
{
    const struct shape *shape = &s->list->shapes[index];
    const struct request *r = &s->list->capture->requests[index];
    for (size_t i = 0; i < shape->count && s->count < NAMES_MOST; i++) {
        struct str name = mgi_path_name(shape->paths[i].path);
        if (name.len >= LEAST_LETTER && name.len < NAME_BYTES && !is_member(s, name))
            s->names[s->count++] =
                (struct spelt){ .name = name,
                                .path = shape->paths[i].path,
                                .number = r->number,
                                .object =
                                    strcmp(mgi_shape_type(shape->paths[i].types), "object") == 0 };
    }
}

/* Code that makes names of one spelling into another reads all of them so. */
static bool respells(struct str text)
{
    return mgi_contains(text, "_([a-z") || mgi_contains(text, "[_-]") ||
           mgi_contains(text, "camelCase") || mgi_contains(text, "camelize") ||
           mgi_contains(text, "toCamel");
}

/* Letters and figures alone, small. */
static struct str letters_of(struct str name, char *room)
{
    size_t len = 0;
    for (size_t i = 0; i < name.len && len < NAME_BYTES; i++)
        if (name.ptr[i] != '_' && name.ptr[i] != '$')
            room[len++] =
                (char)(name.ptr[i] >= 'A' && name.ptr[i] <= 'Z' ? name.ptr[i] | 0x20 : name.ptr[i]);
    return (struct str){ room, len };
}

/* 0 the same but for its spelling, 1 and 2 so many letters off, 3 the beginning of the other;
 * SIZE_MAX: another name. */
static size_t spelt_apart(struct str name, struct str other)
{
    char a[NAME_BYTES], b[NAME_BYTES];
    struct str x = letters_of(name, a), y = letters_of(other, b);
    if (str_eq(x, y))
        return 0;
    size_t off = x.len >= 6 ? mgi_edit_distance(x, y, x.len >= 9 ? 2 : 1) : SIZE_MAX;
    if (off != SIZE_MAX)
        return off;
    bool begins = mgi_str_starts(y, x) || mgi_str_starts(x, y);
    return begins && x.len >= 5 && y.len >= 5 ? 3 : SIZE_MAX;
}

static void try_name(struct spelling *s, const struct code_text *code, size_t at, struct str other)
{
    struct place place = { code->text, at };
    for (size_t i = 0; i < s->count; i++) {
        struct spelt *n = &s->names[i];
        size_t rank = n->read ? SIZE_MAX : spelt_apart(n->name, other);
        if (rank == SIZE_MAX || (n->other.len > 0 && n->rank <= rank))
            continue;
        n->other = other;
        n->url = code->url;
        n->line = mgi_place_line(&place);
        n->rank = rank;
    }
}

/* a.name, and not a.name = b, a.name(...). */
static bool is_reading(struct str text, size_t at, size_t len)
{
    if (at == 0 || text.ptr[at - 1] != '.' || (at > 1 && text.ptr[at - 2] == '.'))
        return false;
    size_t next = past_blank(text, at + len);
    if (next >= text.len)
        return true;
    if (text.ptr[next] == '(')
        return false;
    return text.ptr[next] != '=' || (next + 1 < text.len && strchr("=>", text.ptr[next + 1]));
}

static void find_others(struct spelling *s, const struct code_text *code)
{
    struct str text = code->text;
    for (size_t at = 1; at < text.len; at++) {
        if (!is_name_char(text.ptr[at]) || is_name_char(text.ptr[at - 1]))
            continue;
        struct str token = name_at(text, at);
        if (token.len >= LEAST_LETTER && token.len < NAME_BYTES &&
            is_reading(text, at, token.len) && !is_member(s, token))
            try_name(s, code, at, token);
        at += token.len - 1;
    }
}

/* The code itself makes it: name:, .name =, get name(, name(). */
static bool is_made_by_code(const struct spelling *s, struct str name)
{
    for (size_t i = 0; i < s->list->code_count; i++) {
        struct str text = s->list->code[i].text;
        for (size_t at = 0; at + name.len < text.len; at++) {
            if (text.ptr[at] != name.ptr[0] || (at > 0 && is_name_char(text.ptr[at - 1])) ||
                !stands_at(text, at, name))
                continue;
            size_t next = past_blank(text, at + name.len);
            char c = next < text.len ? text.ptr[next] : ' ';
            bool equals = c == '=' && next + 1 < text.len && text.ptr[next + 1] != '=';
            if (c == ':' || c == '(' || equals)
                return true;
        }
    }
    return false;
}

static void tell_spelt(struct spelling *s)
{
    for (size_t i = 0, told = 0; i < s->count && told < SPELT_TOLD; i++) {
        const struct spelt *n = &s->names[i];
        if (n->other.len == 0 || is_made_by_code(s, n->other))
            continue;
        told++;
        mgi_fact(s->list, RANK_HIGH, "spelt_otherwise", NO_TIME, 0, "sssszn",
                 mgi_fact_id(s->list, "r", n->number), n->path, n->other, n->url,
                 n->rank == 0 ? "same" : "near", n->line);
    }
}

/* ---- objects in the place of texts ------------------------------------------------------------
 */

static bool ends_text(struct str text, size_t end, const char *word)
{
    size_t len = strlen(word);
    return len <= end && memcmp(text.ptr + end - len, word, len) == 0;
}

/* "..." + a.name, ${a.name}, x.textContent = a.name. */
static bool is_put_into_text(struct str text, size_t at, size_t len)
{
    static const char *const before[] = {
        "+",           "${",       "textContent =", "innerText =",
        "innerHTML =", ".append(", "new Option(",   "createTextNode("
    };
    size_t start = back_blank(text, mgi_chain_start(text, at + len));
    size_t next = past_blank(text, at + len);
    char c = next < text.len ? text.ptr[next] : ' ';
    if (strchr(".[(", c) || (c == '?' && next + 1 < text.len && text.ptr[next + 1] == '.'))
        return false;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (ends_text(text, start, before[i]))
            return !ends_text(text, start, "++");
    return c == '+' && next + 1 < text.len && text.ptr[next + 1] != '+';
}

static bool tell_object(struct spelling *s, const struct spelt *n, const struct code_text *code)
{
    struct str text = code->text;
    for (size_t at = 1; at + n->name.len < text.len; at++) {
        if (text.ptr[at - 1] != '.' || text.ptr[at] != n->name.ptr[0] ||
            !stands_at(text, at, n->name) || !is_put_into_text(text, at, n->name.len))
            continue;
        struct place place = { text, at };
        mgi_fact(s->list, RANK_HIGH, "object_as_text", NO_TIME, 0, "sssn",
                 mgi_fact_id(s->list, "r", n->number), n->path, code->url, mgi_place_line(&place));
        return true;
    }
    return false;
}

static void tell_objects(struct spelling *s)
{
    for (size_t i = 0, told = 0; i < s->count && told < SPELT_TOLD; i++)
        for (size_t t = 0; s->names[i].object && t < s->list->code_count; t++)
            told += s->list->code[t].own && tell_object(s, &s->names[i], &s->list->code[t]);
}

void mgi_facts_spelt(struct fact_list *list)
{
    struct spelling *s = mgi_arena_calloc(list->job->arena, 1, sizeof *s);
    bool nothing = shows_nothing_of_worth(list), object = mgi_is_shown(list, STR_LIT("[object "));
    if (!s || (!nothing && !object))
        return;
    s->list = list;
    for (size_t i = 0; i < list->capture->request_count; i++)
        if (list->looked_at[i])
            take_members(s, i);
    if (object)
        tell_objects(s);
    for (size_t i = 0; i < list->code_count; i++)
        if (!nothing || (list->code[i].own && respells(list->code[i].text)))
            return;
    for (size_t i = 0; i < s->count; i++)
        s->names[i].read = mgi_code_says(list, s->names[i].name, false);
    for (size_t i = 0; i < list->code_count; i++)
        if (list->code[i].own)
            find_others(s, &list->code[i]);
    tell_spelt(s);
}
