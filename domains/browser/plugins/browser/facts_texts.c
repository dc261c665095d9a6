/* The texts that the files of facts look through, gathered once: the page's code, each script and
 * document as it came last; what stands on the page; the words of all code. */
#include "facts.h"
#include "source_int.h"

#define PATCH_BYTES     40
#define LEAST_BYTES     4
#define WORD_BYTES      60 /* longer ones are looked for as joined ones are */
#define WORD_SLOTS_MOST (256u * 1024)
/* Of all that is shown, as often as it is searched. */
#define SHOWN_BYTES_MOST (24u * 1024 * 1024)
/* Texts that are searched for a joined word; beyond that every word is known. */
#define JOINED_LOOKED_MOST 2000
#define SCANNED_MOST       (1024u * 1024 * 1024)

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

bool mgi_facts_texts(struct fact_list *list)
{
    const struct capture *c = list->capture;
    struct str own = mgi_url_origin(c->url);
    list->code = mgi_arena_calloc(list->job->arena, CODE_TEXTS_MOST, sizeof *list->code);
    for (size_t i = 0; list->code && i < c->request_count; i++) {
        const struct request *r = &c->requests[i];
        bool known, binary, script = r->resource == RES_SCRIPT;
        struct str text = mgi_answer_text(r, &known, &binary);
        if ((!script && r->resource != RES_DOCUMENT) || binary || text.len == 0)
            continue;
        size_t at = 0;
        while (at < list->code_count && !str_eq(list->code[at].url, r->url))
            at++;
        if (at == CODE_TEXTS_MOST) {
            list->code_lost = true;
            continue;
        }
        list->code_count += at == list->code_count;
        list->code[at] = (struct code_text){ .url = r->url,
                                             .text = mgi_utf8_prefix(text, CODE_BYTES),
                                             .script = script,
                                             .own = str_eq(mgi_url_origin(r->url), own) };
        list->code_lost = list->code_lost || text.len > CODE_BYTES;
    }
    return list->code;
}

struct str mgi_page_text(const struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0; i < more->shown.count; i++)
        if (str_is(more->shown.items[i].kind, "text"))
            return more->shown.items[i].text;
    return STR_LIT("");
}

bool mgi_is_shown(struct fact_list *list, struct str text)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0; i < more->shown.count && !mgi_is_shown_enough(list); i++) {
        list->shown_looked += more->shown.items[i].text.len + 1;
        if (mgi_str_find(more->shown.items[i].text, text) != SIZE_MAX)
            return true;
    }
    return false;
}

bool mgi_is_shown_enough(const struct fact_list *list)
{
    return list->shown_looked > SHOWN_BYTES_MOST;
}

struct str mgi_path_name(struct str path)
{
    size_t end = path.len;
    while (end > 0 && !is_name_char(path.ptr[end - 1]))
        end--;
    size_t from = end;
    while (from > 0 && is_name_char(path.ptr[from - 1]))
        from--;
    return (struct str){ path.ptr + from, end - from };
}

struct str mgi_next_line(struct str *rest)
{
    const char *end = rest->len > 0 ? memchr(rest->ptr, '\n', rest->len) : NULL;
    size_t len = end ? (size_t)(end - rest->ptr) : rest->len;
    struct str line = { rest->ptr, len };
    *rest = end ? (struct str){ end + 1, rest->len - len - 1 } : STR_LIT("");
    return mgi_str_trim(line, " \t\r");
}

static size_t past_joint(struct str name, size_t at)
{
    while (at < name.len && (name.ptr[at] == '_' || name.ptr[at] == '-'))
        at++;
    return at;
}

bool mgi_is_respelled(struct str a, struct str b)
{
    size_t i = past_joint(a, 0), j = past_joint(b, 0);
    while (i < a.len && j < b.len) {
        if (small(a.ptr[i]) != small(b.ptr[j]))
            return false;
        i = past_joint(a, i + 1);
        j = past_joint(b, j + 1);
    }
    return i == a.len && j == b.len;
}

/* ---- words of code ----------------------------------------------------------------------------
 */

/* Hashes of words; one that is 0 is taken for 1. */
struct word_set {
    uint64_t *slots;
    size_t count, room; /* a power of 2 */
    bool lost;          /* there were more than is kept */
};

enum letters { AS_WRITTEN, SMALL_LETTERS };

static uint64_t hash_of(struct str word, enum letters letters)
{
    char text[WORD_BYTES];
    if (letters == AS_WRITTEN)
        return mgi_hash_bytes(word.ptr, word.len, AS_WRITTEN) | 1;
    for (size_t i = 0; i < word.len; i++)
        text[i] = small(word.ptr[i]);
    return mgi_hash_bytes(text, word.len, SMALL_LETTERS) | 1;
}

/* Where it is, or the free slot where it would be. */
static uint64_t *slot_of(const struct word_set *set, uint64_t hash)
{
    size_t at = (size_t)(hash >> 1) & (set->room - 1);
    while (set->slots[at] != 0 && set->slots[at] != hash)
        at = (at + 1) & (set->room - 1);
    return &set->slots[at];
}

static bool grow(struct fact_list *list, struct word_set *set)
{
    struct word_set more = { .room = set->room > 0 ? set->room * 4 : 4096, .count = set->count };
    more.slots = more.room <= WORD_SLOTS_MOST
                     ? mgi_arena_calloc(list->job->arena, more.room, sizeof *more.slots)
                     : NULL;
    if (!more.slots)
        return false;
    for (size_t i = 0; i < set->room; i++)
        if (set->slots[i] != 0)
            *slot_of(&more, set->slots[i]) = set->slots[i];
    *set = more;
    return true;
}

static void add_word(struct fact_list *list, struct word_set *set, uint64_t hash)
{
    if (set->count * 4 >= set->room * 3 && !grow(list, set)) {
        set->lost = true;
        return;
    }
    uint64_t *slot = slot_of(set, hash);
    set->count += *slot == 0;
    *slot = hash;
}

static void add_words(struct fact_list *list, struct word_set *set, struct str text)
{
    for (size_t at = 0; at < text.len && !set->lost; at++) {
        struct str word = name_at(text, at);
        if (word.len > 0 && word.len <= WORD_BYTES) {
            add_word(list, set, hash_of(word, AS_WRITTEN));
            add_word(list, set, hash_of(word, SMALL_LETTERS));
        }
        at += word.len;
    }
}

static const struct word_set *words_of_code(struct fact_list *list)
{
    if (list->words)
        return list->words;
    struct word_set *set = mgi_arena_calloc(list->job->arena, 1, sizeof *set);
    for (size_t i = 0; set && i < list->code_count; i++)
        add_words(list, set, list->code[i].text);
    return list->words = set;
}

/* Joined words, a-b and a.b, are looked for each time: they are few. */
static bool is_in(struct str text, struct str word, enum letters letters)
{
    for (size_t at = 0; at + word.len <= text.len; at++) {
        if (small(text.ptr[at]) != small(word.ptr[0]) ||
            (at > 0 && is_name_char(text.ptr[at - 1])) ||
            (at + word.len < text.len && is_name_char(text.ptr[at + word.len])))
            continue;
        struct str found = { text.ptr + at, word.len };
        if (letters == AS_WRITTEN ? str_eq(found, word) : mgi_str_same(found, word))
            return true;
    }
    return false;
}

bool mgi_may_scan(struct fact_list *list, struct str text)
{
    if (list->scanned > SCANNED_MOST || text.len > SCANNED_MOST - list->scanned)
        return false;
    list->scanned += text.len;
    return true;
}

bool mgi_code_says(struct fact_list *list, struct str word, bool any_case)
{
    enum letters letters = any_case ? SMALL_LETTERS : AS_WRITTEN;
    bool joined = name_at(word, 0).len < word.len || word.len > WORD_BYTES;
    if (list->code_lost || word.len == 0)
        return true;
    if (!joined) {
        const struct word_set *set = words_of_code(list);
        return !set || set->lost || set->room == 0 || *slot_of(set, hash_of(word, letters)) != 0;
    }
    for (size_t i = 0; i < list->code_count; i++)
        if (list->joined_looked++ >= JOINED_LOOKED_MOST || is_in(list->code[i].text, word, letters))
            return true;
    return false;
}

size_t mgi_code_scripts(const struct fact_list *list, struct str out[CODE_TEXTS_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < list->code_count; i++)
        if (list->code[i].script)
            out[count++] = list->code[i].text;
    return count;
}

struct str mgi_code_url(const struct fact_list *list, struct str text)
{
    for (size_t i = 0; i < list->code_count; i++)
        if (list->code[i].text.ptr == text.ptr)
            return list->code[i].url;
    return STR_LIT("");
}

struct str mgi_script_with(struct fact_list *list, struct str text, int64_t *line)
{
    text = mgi_utf8_prefix(text, PATCH_BYTES);
    for (size_t i = 0; text.len > LEAST_BYTES && i < list->code_count; i++) {
        struct place place = { list->code[i].text, mgi_str_find(list->code[i].text, text) };
        if (place.at == SIZE_MAX)
            continue;
        *line = mgi_place_line(&place);
        return list->code[i].url;
    }
    return STR_LIT("");
}

bool mgi_code_makes(const struct fact_list *list, struct str name)
{
    for (size_t i = 0; i < list->code_count; i++)
        if (mgi_source_makes(list->code[i].text, name))
            return true;
    return false;
}
