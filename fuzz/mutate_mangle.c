#include "mutate_mangle.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MAX_TOKENS 2048
#define MAX_DEPTH  3
#define COUNT(a)   (sizeof(a) / sizeof((a)[0]))

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t len, size_t cap);

/* ---- tokens ------------------------------------------------------------------------------ */

enum class { PUNCTUATION, WORD, VARIABLE, NAME, NUMBER, TEXT, CLASSES };

struct token {
    const char *at;
    size_t len;
    enum class class;
};

struct mutation {
    uint64_t state;
    struct token tokens[MAX_TOKENS];
    size_t count;
    char *out;
    size_t len, cap;
};

static uint32_t next(struct mutation *m, uint32_t below)
{
    m->state = m->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(m->state >> 33) % below;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || c == ':' || c == '_';
}

static size_t word_length(const char *s, const char *end)
{
    const char *at = s + 1;
    while (at < end && (is_word(*at) || (*at == '.' && at + 1 < end && is_letter(at[1]))))
        at++;
    return (size_t)(at - s);
}

static size_t punctuation_length(const char *s, const char *end)
{
    static const char *const pairs[] = { ":-", "|>", "!=", "<=", ">=", "<-", "<+", "[-", "[+" };
    for (size_t i = 0; i < COUNT(pairs); i++)
        if (end - s >= 2 && memcmp(s, pairs[i], 2) == 0)
            return 2;
    return 1;
}

static struct token token_at(const char *s, const char *end)
{
    char c = *s;
    const char *at = s + 1;
    if (c == '"' || c == '\'' || c == '`') {
        while (at < end && *at != c)
            at += *at == '\\' && at + 1 < end ? 2 : 1;
        return (struct token){ s, (size_t)((at < end ? at + 1 : end) - s), TEXT };
    }
    if (c == '/' && at < end && is_word(*at)) {
        while (at < end && (is_word(*at) || *at == '/' || *at == '-'))
            at++;
        return (struct token){ s, (size_t)(at - s), NAME };
    }
    if ((c >= '0' && c <= '9') || (c == '-' && at < end && *at >= '0' && *at <= '9')) {
        while (at < end && (is_word(*at) || *at == '-' ||
                            (*at == '.' && at + 1 < end && at[1] >= '0' && at[1] <= '9')))
            at++;
        return (struct token){ s, (size_t)(at - s), NUMBER };
    }
    if (c == '_' || (c >= 'A' && c <= 'Z'))
        return (struct token){ s, c == '_' ? 1 : word_length(s, end), VARIABLE };
    if ((c >= 'a' && c <= 'z') || (c == ':' && at < end && is_letter(*at)))
        return (struct token){ s, word_length(s, end), WORD };
    return (struct token){ s, punctuation_length(s, end), PUNCTUATION };
}

static void read_tokens(struct mutation *m, const char *s, size_t len)
{
    const char *end = s + len;
    while (s < end && m->count < MAX_TOKENS) {
        if (*s == '#') {
            while (s < end && *s != '\n')
                s++;
        } else if ((unsigned char)*s <= ' ') {
            s++;
        } else {
            m->tokens[m->count] = token_at(s, end);
            s += m->tokens[m->count++].len;
        }
    }
}

static bool is(const struct token *t, const char *text)
{
    return t->len == strlen(text) && memcmp(t->at, text, t->len) == 0;
}

/* ---- output ------------------------------------------------------------------------------ */

static void put(struct mutation *m, const char *s, size_t len)
{
    if (len > m->cap - m->len)
        len = m->cap - m->len;
    memcpy(m->out + m->len, s, len);
    m->len += len;
}

static void put_token(struct mutation *m, const struct token *t)
{
    put(m, t->at, t->len);
    put(m, is(t, ".") ? "\n" : " ", 1);
}

static void put_range(struct mutation *m, size_t from, size_t to)
{
    for (size_t i = from; i < to && i < m->count; i++)
        put_token(m, &m->tokens[i]);
}

static void say(struct mutation *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct mutation *m, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n > 0)
        put(m, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

/* ---- new text ---------------------------------------------------------------------------- */

static const char *const words[] = {
    "p",
    "q",
    "r",
    "edge",
    "path",
    "fn:plus",
    "fn:list",
    "fn:list:get",
    "fn:sum",
    "fn:count",
    "fn:collect",
    "fn:group_by",
    "fn:map",
    "fn:struct",
    "fn:pair",
    "fn:time:now",
    "fn:div",
    "fn:string:concat",
    "fn:time:parse_rfc3339",
    "fn:duration:parse",
    "fn:max",
    "fn:avg",
    "fn:pick_any",
    "fn:map:get",
    "fn:struct:get",
    "fn:interval:start",
    ":match_prefix",
    ":match_pair",
    ":match_cons",
    ":match_field",
    ":match_entry",
    ":list:member",
    ":time:lt",
    ":interval:overlaps",
    ":string:contains",
    ":within_distance",
    ":filter",
    "temporal",
    "now",
    "fundep",
    "merge",
    "mode",
    "deferred",
    "external",
    "doc",
    "arg",
    "reflects",
    "private",
};
static const char *const variables[] = { "X", "Y", "Z", "_", "T", "S", "N", "L" };
static const char *const names[] = { "/a",      "/b",    "/a/b", "/true", "/number",
                                     "/string", "/name", "/any", "/time", "/hour" };
static const char *const numbers[] = { "0",
                                       "1",
                                       "-1",
                                       "2",
                                       "1.5",
                                       "9223372036854775807",
                                       "-9223372036854775808",
                                       "2024-01-01",
                                       "5m",
                                       "1h",
                                       "2024-06-10T12:00:00Z",
                                       "300000" };
static const char *const texts[] = {
    "\"\"",  "\"a\"", "'b'",    "b\"\\x00\"", "\"2024-01-01T00:00:00Z\"", "\"Europe/Berlin\"",
    "\"+\"", "\"-\"", "\"90s\""
};
static const struct {
    const char *const *items;
    uint32_t count;
} pools[CLASSES] = {
    [WORD] = { words, COUNT(words) }, [VARIABLE] = { variables, COUNT(variables) },
    [NAME] = { names, COUNT(names) }, [NUMBER] = { numbers, COUNT(numbers) },
    [TEXT] = { texts, COUNT(texts) },
};
static const char *const comparisons[] = { "=", "!=", "<", "<=", ">", ">=" };
static const char *const windows[] = { "<-", "[-", "<+", "[+" };

static const char *any_of(struct mutation *m, enum class class)
{
    return pools[class].items[next(m, pools[class].count)];
}

/* One of the class from the text itself, or from the pool. */
static struct token another(struct mutation *m, enum class class)
{
    for (int i = 0; i < 4 && m->count > 0 && next(m, 4) != 0; i++) {
        struct token t = m->tokens[next(m, (uint32_t)m->count)];
        if (t.class == class)
            return t;
    }
    const char *s = any_of(m, class);
    return (struct token){ s, strlen(s), class };
}

static void new_term(struct mutation *m, int depth)
{
    static const char *const functions[] = { "fn:plus",         "fn:list",  "fn:pair",
                                             "fn:minus",        "fn:mult",  "fn:div",
                                             "fn:max",          "fn:tuple", "fn:float:plus",
                                             "fn:string:concat" };
    switch (next(m, depth > 0 ? 9 : 6)) {
    case 0:
    case 1:
        say(m, "%s ", any_of(m, VARIABLE));
        break;
    case 2:
        say(m, "%s ", any_of(m, NAME));
        break;
    case 3:
        say(m, "%u ", next(m, 8));
        break;
    case 4:
        say(m, "%s ", any_of(m, TEXT));
        break;
    case 5: {
        struct token t = another(m, (enum class)(NAME + next(m, 3)));
        put_token(m, &t);
        break;
    }
    case 6:
        say(m, "%s( ", functions[next(m, COUNT(functions))]);
        new_term(m, depth - 1);
        say(m, ", ");
        new_term(m, depth - 1);
        say(m, ") ");
        break;
    case 7:
        say(m, "[ ");
        new_term(m, depth - 1);
        say(m, ", ");
        new_term(m, depth - 1);
        say(m, "] ");
        break;
    default:
        say(m, "{ %s : ", any_of(m, NAME));
        new_term(m, depth - 1);
        say(m, "} ");
    }
}

static void new_annotation(struct mutation *m)
{
    static const char *const bounds[] = {
        "_", "now", "S", "T", "X", "2024-01-01", "2024-06-10T12:00:00Z", "2024-06-09"
    };
    const char *first = bounds[next(m, COUNT(bounds))];
    if (next(m, 2))
        say(m, "@[ %s ] ", first);
    else
        say(m, "@[ %s , %s ] ", first, bounds[next(m, COUNT(bounds))]);
}

static void new_atom(struct mutation *m, int depth)
{
    struct token name = another(m, WORD);
    put_token(m, &name);
    uint32_t arity = next(m, 4);
    say(m, "( ");
    for (uint32_t i = 0; i < arity; i++) {
        if (i)
            say(m, ", ");
        new_term(m, depth);
    }
    say(m, ") ");
}

static void new_premise(struct mutation *m)
{
    switch (next(m, 6)) {
    case 0:
        new_term(m, 1);
        say(m, "%s ", comparisons[next(m, COUNT(comparisons))]);
        new_term(m, 1);
        break;
    case 1:
        say(m, "! ");
        new_atom(m, 1);
        break;
    case 2:
        say(m, "%s [ %us , %uh ] ", windows[next(m, COUNT(windows))], next(m, 4), next(m, 50));
        new_atom(m, 0);
        break;
    case 3:
        new_atom(m, 0);
        new_annotation(m);
        break;
    default:
        new_atom(m, 1);
    }
}

/* Predicates that need a Decl of a certain form and rules that fit it: too much to hit by chance.
 */
static void new_kind(struct mutation *m)
{
    static const char *const kinds[] = {
        "Decl least(A, B, C) descr [mode('+', '+', '-'), deferred()].\n"
        "least(A, B, C) :- A < B, C = A. least(A, B, C) :- B <= A, C = B.\n"
        "Decl best(X, C) descr [fundep([X], [C]), merge([C], \"least\")].\n"
        "best(X, 3) :- p(X). best(X, N) :- best(X, M), M > 0, N = fn:minus(M, 1), q(M).\n"
        "seen(X, C) :- best(X, C), !q(C).\n",
        "Decl down(N, M) descr [mode('+', '-'), deferred()].\n"
        "down(0, 0). down(N, M) :- N > 0, N < 9, P = fn:minus(N, 1), down(P, M).\n"
        "end(X, M) :- p(X), down(X, M). none(X) :- p(X), !down(X, _).\n"
        "sum(S) :- p(X), down(X, M) |> do fn:group_by(), let S = fn:sum(M).\n",
        "Decl kept(X) descr [mode('+'), deferred()].\n"
        "kept(X) :- q(X) |> do fn:group_by(X), let N = fn:count().\n"
        "late(X) :- p(X), kept(X), <-[0s, 90m] r(X).\n",
        "Decl asked(K, V) descr [mode('+', '-'), external()].\n"
        "asked(1, 2). asked(2, 3). way(X, Y) :- p(X), asked(X, Y). way(X, Z) :- way(X, Y), "
        "asked(Y, "
        "Z).\n",
    };
    const char *kind = kinds[next(m, COUNT(kinds))];
    put(m, kind, strlen(kind));
}

static void new_clause(struct mutation *m)
{
    if (next(m, 12) == 0) {
        new_kind(m);
        return;
    }
    static const char *const reducers[] = { "fn:sum(X)",      "fn:count()",
                                            "fn:collect(X)",  "fn:max(Y)",
                                            "fn:avg(X)",      "fn:collect_distinct(X, Y)",
                                            "fn:pick_any(X)", "fn:collect_to_map(X, Y)" };
    if (next(m, 5) == 0) {
        struct token name = another(m, WORD);
        say(m, "Decl ");
        put_token(m, &name);
        say(m, "( X %s) %s", next(m, 2) ? ", Y " : "", next(m, 2) ? "temporal " : "");
        if (next(m, 2))
            say(m, "bound [ %s %s] ", any_of(m, NAME), next(m, 2) ? ", /number " : "");
        say(m, ".\n");
        return;
    }
    new_atom(m, MAX_DEPTH);
    if (next(m, 4) == 0)
        new_annotation(m);
    uint32_t premises = next(m, 4);
    for (uint32_t i = 0; i < premises; i++) {
        say(m, i ? ", " : ":- ");
        new_premise(m);
    }
    if (premises && next(m, 4) == 0)
        say(m, "|> do fn:group_by( %s ), let N = %s ", any_of(m, VARIABLE),
            reducers[next(m, COUNT(reducers))]);
    else if (premises && next(m, 6) == 0)
        say(m, "|> let N = fn:plus( X , %u ) ", next(m, 4));
    say(m, ".\n");
}

/* ---- changes ----------------------------------------------------------------------------- */

static bool opens(const struct token *t)
{
    return t->class == PUNCTUATION &&
           (is(t, "(") || is(t, "[") || is(t, "{") || is(t, "[-") || is(t, "[+"));
}

static bool closes(const struct token *t)
{
    return t->class == PUNCTUATION && (is(t, ")") || is(t, "]") || is(t, "}"));
}

/* The end of the element that starts at `from`: a comma, a full stop or a closing bracket. */
static size_t element_end(const struct mutation *m, size_t from)
{
    int depth = 0;
    for (size_t i = from; i < m->count; i++) {
        const struct token *t = &m->tokens[i];
        if (depth == 0 && (is(t, ",") || is(t, ".") || is(t, ":-") || is(t, "|>") || closes(t)))
            return i;
        depth += opens(t) - closes(t);
    }
    return m->count;
}

/* A place where an element starts: the beginning, or after a comma, a bracket or `:-`. */
static size_t element_start(struct mutation *m)
{
    size_t at = m->count ? next(m, (uint32_t)m->count) : 0;
    while (at > 0 && !is(&m->tokens[at - 1], ",") && !is(&m->tokens[at - 1], ":-") &&
           !is(&m->tokens[at - 1], ".") && !opens(&m->tokens[at - 1]))
        at--;
    return at;
}

static void find_clause(struct mutation *m, size_t *from, size_t *to)
{
    size_t at = m->count ? next(m, (uint32_t)m->count) : 0;
    *from = at;
    while (*from > 0 && !is(&m->tokens[*from - 1], "."))
        --*from;
    *to = at;
    while (*to < m->count && !is(&m->tokens[*to], "."))
        ++*to;
    *to = *to < m->count ? *to + 1 : m->count;
}

static void exchange_tokens(struct mutation *m)
{
    uint32_t some = 1 + next(m, 3);
    for (uint32_t i = 0; i < some && m->count; i++) {
        struct token *t = &m->tokens[next(m, (uint32_t)m->count)];
        if (t->class != PUNCTUATION)
            *t = another(m, next(m, 4) ? t->class : (enum class)(WORD + next(m, CLASSES - WORD)));
    }
    put_range(m, 0, m->count);
}

static void change_element(struct mutation *m, uint32_t how)
{
    size_t from = element_start(m), to = element_end(m, from);
    put_range(m, 0, from);
    if (how == 0) { /* another term in its place */
        new_term(m, MAX_DEPTH);
    } else if (how == 1) { /* another premise */
        new_premise(m);
    } else if (how == 2) { /* one more */
        put_range(m, from, to);
        say(m, ", ");
        new_premise(m);
    } else if (how == 3) { /* twice */
        put_range(m, from, to);
        say(m, ", ");
        put_range(m, from, to);
    } else if (how == 4 && to < m->count && is(&m->tokens[to], ",")) { /* without it */
        to++;
    } else { /* with something before or after it */
        if (next(m, 2))
            say(m, "! ");
        put_range(m, from, to);
        if (next(m, 2))
            new_annotation(m);
    }
    put_range(m, to, m->count);
}

static void change_clauses(struct mutation *m, uint32_t how)
{
    size_t from, to, from2, to2;
    find_clause(m, &from, &to);
    find_clause(m, &from2, &to2);
    if (how == 0) { /* without one */
        put_range(m, 0, from);
        put_range(m, to, m->count);
    } else if (how == 1 && to <= from2) { /* two exchanged */
        put_range(m, 0, from);
        put_range(m, from2, to2);
        put_range(m, to, from2);
        put_range(m, from, to);
        put_range(m, to2, m->count);
    } else if (how == 2) { /* the head of one with the body of another */
        size_t arrow = from2;
        while (arrow < to2 && !is(&m->tokens[arrow], ":-"))
            arrow++;
        put_range(m, 0, m->count);
        put_range(m, from, element_end(m, from));
        put_range(m, arrow, to2);
    } else {
        put_range(m, 0, m->count);
        new_clause(m);
    }
}

size_t mutate_mangle(uint8_t *bytes, size_t len, size_t cap, unsigned seed)
{
    static char text[1 << 16], made[1 << 16];
    static struct mutation m;
    m.state = seed;
    if (len > sizeof text || next(&m, 5) == 0)
        return LLVMFuzzerMutate(bytes, len, cap);
    memcpy(text, bytes, len);
    m.count = m.len = 0;
    m.out = made;
    m.cap = cap < sizeof made ? cap : sizeof made;
    read_tokens(&m, text, len);
    uint32_t kind = next(&m, 10);
    if (kind < 3)
        exchange_tokens(&m);
    else if (kind < 7)
        change_element(&m, next(&m, 6));
    else
        change_clauses(&m, next(&m, 4));
    memcpy(bytes, made, m.len);
    return m.len;
}
