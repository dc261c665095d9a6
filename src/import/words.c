/* Words of names and texts: see words.h. */
#include "import/words.h"

#define WORD_BYTES 40 /* a longer one is cut: it is no word */

/* ---- splitting --------------------------------------------------------------------------------
 */

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || is_upper(c);
}

static bool is_word_byte(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9');
}

/* Does a word begin at `i`, which continues one by its bytes? readFile, HTTPServer. */
static bool turns(struct str s, size_t i)
{
    bool before = is_upper(s.ptr[i - 1]), here = is_upper(s.ptr[i]);
    bool small_next = i + 1 < s.len && is_letter(s.ptr[i + 1]) && !is_upper(s.ptr[i + 1]);
    return here && is_letter(s.ptr[i - 1]) && (!before || small_next);
}

static struct str lowered(struct arena *arena, struct str word)
{
    size_t len = word.len < WORD_BYTES ? word.len : WORD_BYTES;
    char *out = mgi_arena_alloc(arena, len + 1);
    for (size_t i = 0; out && i < len; i++)
        out[i] = is_upper(word.ptr[i]) ? (char)(word.ptr[i] - 'A' + 'a') : word.ptr[i];
    if (out)
        out[len] = '\0';
    return (struct str){ out, out ? len : 0 };
}

size_t mgi_import_split(struct arena *arena, struct str name, struct str *out, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < name.len && count < most;) {
        size_t begin = i;
        if (!is_word_byte(name.ptr[i])) {
            i++;
            continue;
        }
        for (i++; i < name.len && is_word_byte(name.ptr[i]) && !turns(name, i);)
            i++;
        struct str word = lowered(arena, (struct str){ name.ptr + begin, i - begin });
        if (word.ptr)
            out[count++] = word;
    }
    return count;
}

bool mgi_import_has_word(const struct import_words *w, const char *word)
{
    for (size_t i = 0; i < w->count; i++)
        if (str_is(w->words[i], word))
            return true;
    return false;
}

/* ---- verb -------------------------------------------------------------------------------------
 */

/* A merge request or a pull request, which something else is done with. */
static bool is_request(const struct str *words, size_t count, size_t i)
{
    return i > 0 && i + 1 < count && (str_is(words[i], "merge") || str_is(words[i], "pull")) &&
           (str_is(words[i + 1], "request") || str_is(words[i + 1], "requests"));
}

/* The first word that can be nothing but a verb; else the first that can be one. */
static const struct import_verb *verb_in(const struct str *words, size_t count)
{
    const struct import_verb *weak = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct import_verb *verb =
            is_request(words, count, i) ? NULL : mgi_import_verb(words[i]);
        if (verb && !verb->weak)
            return verb;
        if (verb && !weak)
            weak = verb;
    }
    return weak;
}

/* "Lists", "fetches", "applies": the third person, as descriptions have it. */
static const struct import_verb *verb_of(struct str word)
{
    const struct import_verb *verb = mgi_import_verb(word);
    char y[WORD_BYTES];
    if (verb || word.len < 3 || word.len >= sizeof y || word.ptr[word.len - 1] != 's')
        return verb;
    word.len--;
    verb = mgi_import_verb(word);
    if (verb || word.ptr[word.len - 1] != 'e')
        return verb;
    word.len--;
    verb = mgi_import_verb(word);
    if (verb || word.ptr[word.len - 1] != 'i')
        return verb;
    memcpy(y, word.ptr, word.len);
    y[word.len - 1] = 'y';
    return mgi_import_verb((struct str){ y, word.len });
}

/* A name without a verb: what the text begins with. */
static const struct import_verb *verb_of_text(struct arena *arena, struct str text)
{
    struct str words[3];
    size_t count = mgi_import_split(arena, text, words, 3);
    for (size_t i = 0; i < count; i++) {
        const struct import_verb *verb = verb_of(words[i]);
        if (verb)
            return verb;
    }
    return NULL;
}

/* ---- objects ----------------------------------------------------------------------------------
 */

static bool is_filler(struct str word)
{
    static const char *const fillers[] = { "a",    "an",   "the",   "of",   "for",
                                           "to",   "in",   "on",    "with", "by",
                                           "and",  "or",   "from",  "at",   "as",
                                           "all",  "more", "api",   "mcp",  "multiple",
                                           "many", "tool", "tools", "into", NULL };
    for (size_t i = 0; fillers[i]; i++)
        if (str_is(word, fillers[i]))
            return true;
    return false;
}

static bool ends(struct str word, const char *suffix)
{
    return word.len > strlen(suffix) && mgi_str_ends(word, str_of(suffix));
}

/* In place, for plurals that follow the rule. */
static struct str singular(struct arena *arena, struct str word)
{
    static const char *const es[] = { "ches", "shes", "sses", "xes", NULL };
    if (ends(word, "ies") && word.len > 4)
        return str_of(mgi_arena_printf(arena, "%.*sy", (int)word.len - 3, word.ptr));
    for (size_t i = 0; es[i]; i++)
        if (ends(word, es[i]))
            return (struct str){ word.ptr, word.len - 2 };
    if (ends(word, "s") && word.len > 3 && !ends(word, "ss") && !ends(word, "us") &&
        !ends(word, "is"))
        return (struct str){ word.ptr, word.len - 1 };
    return word;
}

static void add_object(struct import_words *w, struct str object)
{
    for (size_t i = 0; i < w->object_count; i++)
        if (str_eq(w->objects[i], object))
            return;
    if (w->object_count < IMPORT_OBJECTS)
        w->objects[w->object_count++] = object;
}

/* What is left of the name without its verb: each word, and the phrase. */
static bool find_objects(struct arena *arena, struct import_words *w)
{
    struct buf phrase = { 0 };
    size_t in_phrase = 0;
    bool verb_seen = false;
    for (size_t i = 0; i < w->count; i++) {
        bool is_verb = w->verb && str_is(w->words[i], w->verb->word) && !verb_seen;
        verb_seen |= is_verb;
        if ((is_verb && !w->verb->weak) || is_filler(w->words[i]) || w->words[i].len < 2)
            continue;
        struct str word = singular(arena, w->words[i]);
        if (w->object_count < IMPORT_OBJECTS - 1)
            add_object(w, word);
        mgi_buf_puts(&phrase, in_phrase++ ? "_" : "");
        mgi_buf_str(&phrase, word);
    }
    if (in_phrase > 1)
        add_object(w, mgi_arena_str(arena, mgi_buf_view(&phrase)));
    bool good = !phrase.oom && !arena->oom;
    mgi_buf_fini(&phrase);
    return good;
}

bool mgi_import_words(struct arena *arena, struct str server, struct str name, struct str text,
                      struct import_words *out)
{
    struct str own[IMPORT_WORDS], all[IMPORT_WORDS];
    size_t own_count = mgi_import_split(arena, server, own, IMPORT_WORDS);
    size_t count = mgi_import_split(arena, name, all, IMPORT_WORDS);
    size_t skip = 0;
    *out = (struct import_words){ 0 };
    while (skip < own_count && skip + 1 < count && str_eq(own[skip], all[skip]))
        skip++;
    for (size_t i = skip; i < count; i++)
        out->words[out->count++] = all[i];
    out->verb = verb_in(out->words, out->count);
    out->verb_in_name = out->verb != NULL;
    if (!out->verb)
        out->verb = verb_of_text(arena, text);
    return find_objects(arena, out) && !arena->oom;
}
