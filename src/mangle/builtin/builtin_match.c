/* Predicates that test texts and take structures apart (M-PRED-4 to 13). Most fail, rather than
 * being an error, on a value of another kind: so they may stand before a test of the kind. */
#include "mangle/builtin/builtin_int.h"

/* A test holds once. */
static enum call_status match_once(bool holds, uint64_t *cursor)
{
    return holds && (*cursor)++ == 0 ? CALL_OK : CALL_FAIL;
}

/* ---- texts --------------------------------------------------------------------------------- */

static enum call_status match_prefix(struct call *c, mangle_value *args, uint64_t *cursor)
{
    if (mgi_call_expect(c, ":match_prefix", args[1], MANGLE_NAME))
        return CALL_ERROR;
    if (!call_is(c, args[0], MANGLE_NAME))
        return CALL_FAIL;
    struct str name = call_text(c, args[0]), prefix = call_text(c, args[1]);
    bool below =
        name.len > prefix.len && name.ptr[prefix.len] == '/' && mgi_str_starts(name, prefix);
    return match_once(below, cursor);
}

typedef bool text_test(struct str s, struct str pattern);

static bool text_contains(struct str s, struct str pattern)
{
    return mgi_str_find(s, pattern) != SIZE_MAX;
}

static enum call_status match_text(struct call *c, const char *name, text_test *test,
                                   const mangle_value *args, uint64_t *cursor)
{
    if (mgi_call_expect(c, name, args[1], MANGLE_STRING))
        return CALL_ERROR;
    if (!call_is(c, args[0], MANGLE_STRING))
        return CALL_FAIL;
    return match_once(test(call_text(c, args[0]), call_text(c, args[1])), cursor);
}

static enum call_status string_starts_with(struct call *c, mangle_value *args, uint64_t *cursor)
{
    return match_text(c, ":string:starts_with", mgi_str_starts, args, cursor);
}

static enum call_status string_ends_with(struct call *c, mangle_value *args, uint64_t *cursor)
{
    return match_text(c, ":string:ends_with", mgi_str_ends, args, cursor);
}

static enum call_status string_contains(struct call *c, mangle_value *args, uint64_t *cursor)
{
    return match_text(c, ":string:contains", text_contains, args, cursor);
}

static enum call_status filter_true(struct call *c, mangle_value *args, uint64_t *cursor)
{
    (void)c;
    return match_once(args[0] == VALUE_TRUE, cursor);
}

/* ---- structures ---------------------------------------------------------------------------- */

static enum call_status match_pair(struct call *c, mangle_value *args, uint64_t *cursor)
{
    if (!call_is(c, args[0], MANGLE_PAIR))
        return CALL_FAIL;
    mangle_pair_of(c->values, args[0], &args[1], &args[2]);
    return match_once(true, cursor);
}

static enum call_status match_cons(struct call *c, mangle_value *args, uint64_t *cursor)
{
    bool found = call_is(c, args[0], MANGLE_LIST) &&
                 mgi_value_uncons(c->values, args[0], &args[1], &args[2]);
    return match_once(found, cursor);
}

static enum call_status match_nil(struct call *c, mangle_value *args, uint64_t *cursor)
{
    (void)c;
    return match_once(args[0] == VALUE_NIL, cursor);
}

static enum call_status match_key(struct call *c, enum mangle_kind kind, mangle_value *args,
                                  uint64_t *cursor)
{
    if (!call_is(c, args[0], kind))
        return CALL_FAIL;
    args[2] = mgi_value_entry(c->values, args[0], args[1]);
    return match_once(args[2] != MANGLE_NONE, cursor);
}

static enum call_status match_entry(struct call *c, mangle_value *args, uint64_t *cursor)
{
    return match_key(c, MANGLE_MAP, args, cursor);
}

static enum call_status match_field(struct call *c, mangle_value *args, uint64_t *cursor)
{
    return match_key(c, MANGLE_STRUCT, args, cursor);
}

/* The cursor is the list that is left, plus one, or 0 at the first call. */
static enum call_status list_member(struct call *c, mangle_value *args, uint64_t *cursor)
{
    if (!call_is(c, args[1], MANGLE_LIST)) {
        if (c->negated) /* M-PRED-13 */
            return mgi_call_mismatch(c, "!:list:member", "a list", args[1]);
        return CALL_FAIL;
    }
    mangle_value left = *cursor ? (mangle_value)(*cursor - 1) : args[1];
    if (!mgi_value_uncons(c->values, left, &args[0], &left))
        return CALL_FAIL;
    *cursor = (uint64_t)left + 1;
    return CALL_OK;
}

const struct builtin_pred mgi_preds_match[] = {
    { .name = ":match_prefix",
      .arity = 2,
      .next = match_prefix,
      .single = true,
      .typing = TYPING_PREFIX,
      .type = "/name, /name",
      .doc = "The first name extends the second by at least one part.",
      .example = { "p(X) :- n(X), :match_prefix(X, /a).", "n(/a/b). n(/a). n(/ab/c).",
                   "p(/a/b)." } },
    { .name = ":string:starts_with",
      .arity = 2,
      .next = string_starts_with,
      .single = true,
      .type = "/string, /string",
      .doc = "The first string begins with the second.",
      .example = { "p(X) :- w(X), :string:starts_with(X, \"ma\").", "w(\"mango\"). w(\"fig\").",
                   "p(\"mango\")." } },
    { .name = ":string:ends_with",
      .arity = 2,
      .next = string_ends_with,
      .single = true,
      .type = "/string, /string",
      .doc = "The first string ends with the second.",
      .example = { "p(X) :- w(X), :string:ends_with(X, \"go\").", "w(\"mango\"). w(\"fig\").",
                   "p(\"mango\")." } },
    { .name = ":string:contains",
      .arity = 2,
      .next = string_contains,
      .single = true,
      .type = "/string, /string",
      .doc = "The second string occurs in the first.",
      .example = { "p(X) :- w(X), :string:contains(X, \"ang\").", "w(\"mango\"). w(\"fig\").",
                   "p(\"mango\")." } },
    { .name = ":filter",
      .arity = 1,
      .next = filter_true,
      .single = true,
      .cannot_fail_on_kind = true,
      .type = "/any",
      .doc = "The expression is /true.",
      .example = { "p(X) :- l(X), :filter(fn:list:contains(X, 1)).", "l([1, 2]). l([3]).",
                   "p([1, 2])." } },
    { .name = ":match_pair",
      .arity = 3,
      .modes = { MODE_IN, MODE_OUT, MODE_OUT },
      .next = match_pair,
      .single = true,
      .cannot_fail_on_kind = true,
      .type = "fn:Pair(X, Y), X, Y",
      .doc = "The value is the pair of the other two.",
      .example = { "p(X) :- v(V), :match_pair(V, X, _).", "v(fn:pair(1, 2)). v(3).", "p(1)." } },
    { .name = ":match_cons",
      .arity = 3,
      .modes = { MODE_IN, MODE_OUT, MODE_OUT },
      .next = match_cons,
      .single = true,
      .cannot_fail_on_kind = true,
      .type = "fn:List(X), X, fn:List(X)",
      .doc = "The value is a list with this head and this tail.",
      .example = { "p(H, T) :- v(V), :match_cons(V, H, T).", "v([1, 2, 3]). v([]).",
                   "p(1,[2, 3])." } },
    { .name = ":match_nil",
      .arity = 1,
      .next = match_nil,
      .single = true,
      .cannot_fail_on_kind = true,
      .type = "fn:List(X)",
      .doc = "The value is the empty list.",
      .example = { "p(N) :- v(N, V), :match_nil(V).", "v(1, [2]). v(2, []).", "p(2)." } },
    { .name = ":match_entry",
      .arity = 3,
      .modes = { MODE_IN, MODE_IN, MODE_OUT },
      .next = match_entry,
      .single = true,
      .cannot_fail_on_kind = true,
      .type = "fn:Map(K, V), K, V",
      .doc = "The value is a map that has this key, with this value.",
      .example = { "p(X) :- v(V), :match_entry(V, \"k\", X).", "v([\"k\" : 1]). v([\"j\" : 2]).",
                   "p(1)." } },
    { .name = ":match_field",
      .arity = 3,
      .modes = { MODE_IN, MODE_IN, MODE_OUT },
      .next = match_field,
      .single = true,
      .cannot_fail_on_kind = true,
      .typing = TYPING_FIELD,
      .type = "/any, /name, /any",
      .doc = "The value is a struct that has this label, with this value.",
      .example = { "p(X) :- v(V), :match_field(V, /k, X).", "v({/k : 1}). v({/j : 2}).",
                   "p(1)." } },
    { .name = ":list:member",
      .arity = 2,
      .modes = { MODE_OUT, MODE_IN },
      .next = list_member,
      .cannot_fail_on_kind = true,
      .negation_fails_on_kind = true,
      .type = "X, fn:List(X)",
      .doc = "The value is an element of the list.",
      .example = { "p(X) :- l(L), :list:member(X, L).", "l([7]).", "p(7)." } },
    { 0 },
};
