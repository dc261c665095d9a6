/* Functions on lists, pairs, maps and structs (12.3). */
#include "mangle/builtin/builtin_int.h"

/* ---- lists --------------------------------------------------------------------------------- */

static enum call_status list_make(struct call *c, const mangle_value *args, uint32_t count,
                                  mangle_value *out)
{
    return mgi_call_return(c, "fn:list", mangle_list(c->values, args, count), out);
}

static enum call_status list_cons(struct call *c, const mangle_value *args, uint32_t count,
                                  mangle_value *out)
{
    (void)count;
    if (mgi_call_expect(c, "fn:list:cons", args[1], MANGLE_LIST))
        return CALL_ERROR;
    return mgi_call_return(c, "fn:list:cons", mgi_value_cons(c->values, args[0], args[1]), out);
}

/* O(n): all cells are new, because their tail is. */
static enum call_status list_append(struct call *c, const mangle_value *args, uint32_t count,
                                    mangle_value *out)
{
    (void)count;
    if (mgi_call_expect(c, "fn:list:append", args[0], MANGLE_LIST))
        return CALL_ERROR;
    const mangle_value *items = mgi_call_items(c, args[0]);
    if (!items)
        return CALL_NOMEM;
    mangle_value list = mgi_value_cons(c->values, args[1], VALUE_NIL);
    for (size_t i = mangle_count_of(c->values, args[0]); i-- > 0 && list != MANGLE_NONE;)
        list = mgi_value_cons(c->values, items[i], list);
    return mgi_call_return(c, "fn:list:append", list, out);
}

static enum call_status list_get(struct call *c, const mangle_value *args, uint32_t count,
                                 mangle_value *out)
{
    int64_t index;
    (void)count;
    if (mgi_call_expect(c, "fn:list:get", args[0], MANGLE_LIST) ||
        mgi_call_int(c, "fn:list:get", args[1], MANGLE_NUMBER, &index))
        return CALL_ERROR;
    *out = index < 0 ? MANGLE_NONE : mgi_value_list_get(c->values, args[0], (uint64_t)index);
    if (*out == MANGLE_NONE)
        return mgi_call_error(c, "fn:list:get: index %lld is outside a list of %zu elements",
                              (long long)index, mangle_count_of(c->values, args[0]));
    return CALL_OK;
}

static enum call_status list_len(struct call *c, const mangle_value *args, uint32_t count,
                                 mangle_value *out)
{
    (void)count;
    if (mgi_call_expect(c, "fn:list:len", args[0], MANGLE_LIST))
        return CALL_ERROR;
    return mgi_call_return_number(c, mangle_count_of(c->values, args[0]), out);
}

static enum call_status list_contains(struct call *c, const mangle_value *args, uint32_t count,
                                      mangle_value *out)
{
    (void)count;
    if (mgi_call_expect(c, "fn:list:contains", args[0], MANGLE_LIST))
        return CALL_ERROR;
    mangle_value cursor = args[0], key, item;
    bool found = false;
    while (!found && mangle_next(c->values, &cursor, &key, &item))
        found = item == args[1];
    *out = mangle_bool(c->values, found);
    return CALL_OK;
}

/* ---- pairs --------------------------------------------------------------------------------- */

static enum call_status pair_make(struct call *c, const mangle_value *args, uint32_t count,
                                  mangle_value *out)
{
    (void)count;
    return mgi_call_return(c, "fn:pair", mangle_pair(c->values, args[0], args[1]), out);
}

static enum call_status tuple_make(struct call *c, const mangle_value *args, uint32_t count,
                                   mangle_value *out)
{
    mangle_value tuple = args[count - 1]; /* M-VAL-13: pairs nested to the right */
    for (uint32_t i = count - 1; i-- > 0 && tuple != MANGLE_NONE;)
        tuple = mangle_pair(c->values, args[i], tuple);
    return mgi_call_return(c, "fn:tuple", tuple, out);
}

/* ---- maps and structs ---------------------------------------------------------------------- */

typedef mangle_value map_constructor(mangle_values *t, const mangle_value *keys,
                                     const mangle_value *values, size_t count);

static enum call_status make_entries(struct call *c, const char *function, map_constructor *make,
                                     const mangle_value *args, uint32_t count, mangle_value *out)
{
    size_t entries = count / 2;
    mangle_value *keys = mgi_arena_alloc(c->scratch, 2 * entries * sizeof *keys);
    if (!keys)
        return CALL_NOMEM;
    mangle_value *values = keys + entries;
    for (size_t i = 0; i < entries; i++) {
        keys[i] = args[2 * i];
        values[i] = args[2 * i + 1];
    }
    return mgi_call_return(c, function, make(c->values, keys, values, entries), out);
}

static enum call_status get_entry(struct call *c, const char *function, enum mangle_kind kind,
                                  const mangle_value *args, mangle_value *out)
{
    if (mgi_call_expect(c, function, args[0], kind))
        return CALL_ERROR;
    *out = mgi_value_entry(c->values, args[0], args[1]);
    if (*out == MANGLE_NONE)
        return mgi_call_mismatch(c, function,
                                 kind == MANGLE_MAP ? "a key of the map" : "a label of the struct",
                                 args[1]);
    return CALL_OK;
}

static enum call_status map_make(struct call *c, const mangle_value *args, uint32_t count,
                                 mangle_value *out)
{
    return make_entries(c, "fn:map", mangle_map, args, count, out);
}

static enum call_status map_get(struct call *c, const mangle_value *args, uint32_t count,
                                mangle_value *out)
{
    (void)count;
    return get_entry(c, "fn:map:get", MANGLE_MAP, args, out);
}

static enum call_status struct_make(struct call *c, const mangle_value *args, uint32_t count,
                                    mangle_value *out)
{
    return make_entries(c, "fn:struct", mangle_struct, args, count, out);
}

static enum call_status struct_get(struct call *c, const mangle_value *args, uint32_t count,
                                   mangle_value *out)
{
    (void)count;
    return get_entry(c, "fn:struct:get", MANGLE_STRUCT, args, out);
}

const struct function mgi_functions_structure[] = {
    { .name = "fn:list",
      .max_args = BUILTIN_VARIADIC,
      .apply = list_make,
      .typing = TYPING_LIST,
      .type = "X... -> fn:List(X)",
      .doc = "The list of the arguments; also written [x, y].",
      .example = { "p(Y) :- n(X), Y = fn:list(X, 2).", "n(1).", "p([1, 2])." } },
    { .name = "fn:list:cons",
      .min_args = 2,
      .max_args = 2,
      .apply = list_cons,
      .type = "X, fn:List(X) -> fn:List(X)",
      .doc = "The list with the value in front.",
      .example = { "p(Y) :- l(X), Y = fn:list:cons(0, X).", "l([1, 2]).", "p([0, 1, 2])." } },
    { .name = "fn:list:append",
      .min_args = 2,
      .max_args = 2,
      .apply = list_append,
      .type = "fn:List(X), X -> fn:List(X)",
      .doc = "The list with the value at the end.",
      .example = { "p(Y) :- l(X), Y = fn:list:append(X, 3).", "l([1, 2]).", "p([1, 2, 3])." } },
    { .name = "fn:list:get",
      .min_args = 2,
      .max_args = 2,
      .apply = list_get,
      .type = "fn:List(X), /number -> X",
      .doc = "The element at an index, which starts at 0; outside the list it is an error.",
      .example = { "p(Y) :- l(X), Y = fn:list:get(X, 1).", "l([\"a\", \"b\"]).", "p(\"b\")." } },
    { .name = "fn:list:len",
      .min_args = 1,
      .max_args = 1,
      .apply = list_len,
      .type = "fn:List(X) -> /number",
      .doc = "The number of elements.",
      .example = { "p(Y) :- l(X), Y = fn:list:len(X).", "l([7, 8]).", "p(2)." } },
    { .name = "fn:list:contains",
      .min_args = 2,
      .max_args = 2,
      .apply = list_contains,
      .type = "fn:List(X), X -> /name",
      .doc = "/true if the value is an element of the list, else /false.",
      .example = { "p(Y) :- l(X), Y = fn:list:contains(X, 8).", "l([7, 8]).", "p(/true)." } },
    { .name = "fn:pair",
      .min_args = 2,
      .max_args = 2,
      .apply = pair_make,
      .typing = TYPING_TUPLE,
      .type = "X, Y -> fn:Pair(X, Y)",
      .doc = "The pair of two values.",
      .example = { "p(Y) :- n(X), Y = fn:pair(X, \"a\").", "n(1).", "p(fn:pair(1, \"a\"))." } },
    { .name = "fn:tuple",
      .min_args = 1,
      .max_args = BUILTIN_VARIADIC,
      .apply = tuple_make,
      .typing = TYPING_TUPLE,
      .type = "X... -> /any",
      .doc =
          "Pairs nested to the right: of a, b and c the pair of a and the pair of b and c; of one "
          "value, the value.",
      .example = { "p(Y) :- n(X), Y = fn:tuple(X, 2, 3).", "n(1).",
                   "p(fn:pair(1, fn:pair(2, 3)))." } },
    { .name = "fn:map",
      .max_args = BUILTIN_VARIADIC,
      .even_args = true,
      .apply = map_make,
      .typing = TYPING_MAP,
      .type = "K, V... -> fn:Map(K, V)",
      .doc = "The map of keys and values, given in turn; the last of equal keys wins.",
      .example = { "p(Y) :- n(X), Y = fn:map(\"k\", X).", "n(1).", "p([\"k\" : 1])." } },
    { .name = "fn:map:get",
      .min_args = 2,
      .max_args = 2,
      .apply = map_get,
      .type = "fn:Map(K, V), K -> V",
      .doc = "The value under a key; a missing key is an error.",
      .example = { "p(Y) :- m(X), Y = fn:map:get(X, \"k\").", "m([\"k\" : 1]).", "p(1)." } },
    { .name = "fn:struct",
      .max_args = BUILTIN_VARIADIC,
      .even_args = true,
      .apply = struct_make,
      .typing = TYPING_STRUCT,
      .type = "K, V... -> /any",
      .doc = "The struct of labels and values, given in turn; also written {/label : value}.",
      .example = { "p(Y) :- n(X), Y = fn:struct(/k, X).", "n(1).", "p({/k : 1})." } },
    { .name = "fn:struct:get",
      .min_args = 2,
      .max_args = 2,
      .apply = struct_get,
      .typing = TYPING_FIELD,
      .type = "/any, /name -> /any",
      .doc = "The value of a field; a missing label is an error.",
      .example = { "p(Y) :- s(X), Y = fn:struct:get(X, /k).", "s({/k : 1}).", "p(1)." } },
    { 0 },
};
