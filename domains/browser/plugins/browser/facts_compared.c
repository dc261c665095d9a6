/* A member that every answer has as a number, and that a script holds to be the very same (===) as
 * what it took from a field, an address, an attribute or storage, which is a text: by the texts of
 * the scripts alone, for a store or a state lies between. */
#include "facts.h"
#include "source_int.h"

#define COMPARED_TOLD 6
#define PLACES_LOOKED 200
#define GIVEN_BYTES   90

struct compared {
    struct fact_list *list;
    size_t told;
};

static struct str chain_after(struct str text, size_t at)
{
    size_t end = at;
    while (end < text.len && end - at < EXPRESSION_BYTES &&
           (is_name_char(text.ptr[end]) || strchr(".?", text.ptr[end])))
        end++;
    return (struct str){ text.ptr + at, end - at };
}

/* What has text by its nature. */
static bool gives_text(struct str expression)
{
    static const char *const sources[] = { ".value",        ".dataset.",  "getAttribute(",
                                           "getItem(",      ".hash",      "arams.get(",
                                           ".searchParams", ".innerText", ".textContent" };
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (mgi_str_find(expression, str_of(sources[i])) != SIZE_MAX)
            return true;
    return false;
}

/* A number is made of it there. */
static bool makes_number(struct str expression)
{
    static const char *const makers[] = { "Number", "parseInt", "parseFloat", "JSON.parse",
                                          "+",      "*",        "AsNumber",   "~~",
                                          "=>",     "===",      "length" };
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (mgi_str_find(expression, str_of(makers[i])) != SIZE_MAX)
            return true;
    return false;
}

static struct str given_at(struct str text, size_t at)
{
    size_t end = at;
    while (end < text.len && end - at < GIVEN_BYTES && !strchr(",;{}\n", text.ptr[end]))
        end++;
    return (struct str){ text.ptr + at, end - at };
}

/* Wherever a script gives the name something, it is a text: at least once, and never a number. */
static bool is_text_by_name(const struct compared *c, struct str name)
{
    bool found = false;
    for (size_t i = 0; i < c->list->code_count; i++) {
        struct str s = c->list->code[i].text;
        for (size_t at = 0; at + name.len + 1 < s.len; at++) {
            if (s.ptr[at] != name.ptr[0] || (at > 0 && is_name_char(s.ptr[at - 1])) ||
                !stands_at(s, at, name))
                continue;
            size_t next = past_blank(s, at + name.len);
            bool given = next + 1 < s.len && (s.ptr[next] == ':' || s.ptr[next] == '=') &&
                         !strchr("=>", s.ptr[next + 1]);
            struct str what = given ? given_at(s, next + 1) : STR_LIT("");
            if (given && gives_text(what) && makes_number(what))
                return false;
            found = found || (given && gives_text(what));
        }
    }
    return found;
}

static bool is_text(const struct compared *c, struct str chain)
{
    struct str name = mgi_path_name(chain);
    if (str_is(name, "value") && name.len < chain.len)
        return true;
    if (mgi_str_find(chain, STR_LIT(".dataset.")) != SIZE_MAX)
        return true;
    return name.len >= 2 && is_text_by_name(c, name);
}

/* The answers' member of this name is a number in all of them that have it: the last that has. */
static const struct shape_path *number_member(const struct compared *c, struct str name, size_t *of)
{
    const struct shape_path *found = NULL;
    for (size_t i = 0; i < c->list->capture->request_count; i++) {
        const struct shape *shape = &c->list->shapes[i];
        for (size_t j = 0; c->list->looked_at[i] && j < shape->count; j++) {
            const struct shape_path *p = &shape->paths[j];
            bool ends = p->path.len > name.len + 1 && str_eq(mgi_path_name(p->path), name) &&
                        p->path.ptr[p->path.len - name.len - 1] == '.';
            if (!ends)
                continue;
            if (strcmp(mgi_shape_type(p->types), "number") != 0)
                return NULL;
            found = p;
            *of = i;
        }
    }
    return found;
}

static void tell_compared(struct compared *c, const struct code_text *code, size_t at,
                          struct str member, struct str other)
{
    size_t of = 0;
    struct str name = mgi_path_name(member);
    const struct shape_path *p =
        name.len >= 2 && name.len < member.len ? number_member(c, name, &of) : NULL;
    struct place place = { code->text, at };
    if (!p || !is_text(c, other))
        return;
    c->told++;
    mgi_fact(c->list, RANK_HIGH, "code_reads_as", NO_TIME, 0, "sszsn",
             mgi_fact_id(c->list, "r", c->list->capture->requests[of].number), p->path, "same text",
             code->url, mgi_place_line(&place));
}

static void look_at_comparisons(struct compared *c, const struct code_text *code)
{
    struct str s = code->text;
    for (size_t at = 1, looked = 0; at + 3 < s.len && looked < PLACES_LOOKED; at++) {
        bool same = s.ptr[at + 1] == '=' && s.ptr[at + 2] == '=' &&
                    (s.ptr[at] == '=' || s.ptr[at] == '!') && s.ptr[at - 1] != '=';
        if (!same || c->told >= COMPARED_TOLD)
            continue;
        looked++;
        size_t end = back_blank(s, at), from = mgi_chain_start(s, end);
        struct str left = { s.ptr + from, end - from };
        struct str right = chain_after(s, past_blank(s, at + 3));
        size_t after = (size_t)(right.ptr - s.ptr) + right.len;
        bool calls = (after < s.len && s.ptr[after] == '(') || left.len == 0 || right.len == 0 ||
                     left.ptr[left.len - 1] == ')';
        if (calls)
            continue;
        size_t told = c->told;
        tell_compared(c, code, at, left, right);
        if (c->told == told)
            tell_compared(c, code, at, right, left);
        at += 2;
    }
}

void mgi_facts_compared(struct fact_list *list)
{
    struct compared c = { .list = list };
    for (size_t i = 0; i < list->code_count; i++)
        if (list->code[i].own)
            look_at_comparisons(&c, &list->code[i]);
}
