/* Types: membership, conformance, joins and meets (mangle.md sections 5.1, 5.3, 5.4). Recursion
 * follows the nesting of source text, which the parser bounds. */
#include "mangle/check/type.h"

/* ---- making types ------------------------------------------------------------------------ */

const struct term *mgi_type_name(struct types *k, mangle_value name)
{
    struct term *t = mgi_arena_calloc(k->arena, 1, sizeof *t);
    if (!t) {
        k->oom = true;
        return k->any_type;
    }
    t->kind = TERM_CONST;
    t->value = name;
    return t;
}

const struct term *mgi_type_apply(struct types *k, const char *name, const struct term *const *args,
                                  uint32_t count)
{
    struct term *t = mgi_arena_calloc(k->arena, 1, sizeof *t);
    struct term *copies = mgi_arena_calloc(k->arena, (size_t)count + 1, sizeof *copies);
    if (!t || !copies) {
        k->oom = true;
        return k->any_type;
    }
    for (uint32_t i = 0; i < count; i++)
        copies[i] = *args[i];
    t->kind = TERM_APPLY;
    t->apply.name = str_of(name);
    t->apply.args = copies;
    t->apply.count = count;
    return t;
}

bool mgi_type_is(const struct term *t, const char *constructor)
{
    return t->kind == TERM_APPLY && str_is(t->apply.name, constructor);
}

static bool is_named(const struct term *t, mangle_value name)
{
    return t->kind == TERM_CONST && t->value == name;
}

static const struct term *argument(const struct term *t, uint32_t i)
{
    return &t->apply.args[i];
}

static mangle_value intern_type(struct types *k, mangle_values *values, const char *text)
{
    mangle_value v = mangle_name(values, text, strlen(text));
    k->oom |= v == MANGLE_NONE;
    return v;
}

bool mgi_type_is_base(const struct types *k, mangle_value v)
{
    return v == k->any || v == k->bot || v == k->number || v == k->float64 || v == k->string ||
           v == k->bytes || v == k->name || v == k->time || v == k->duration;
}

/* Name types of a bound; tags and variants of tagged unions do not count (M-TYPE-41). */
static void collect_prefixes(struct types *k, const struct term *t)
{
    if (t->kind == TERM_CONST && mangle_kind_of(k->values, t->value) == MANGLE_NAME &&
        !mgi_type_is_base(k, t->value)) {
        if (!mgi_arena_grow(k->arena, &k->prefixes, &k->prefix_cap, k->prefix_count + 1,
                            sizeof *k->prefixes))
            k->oom = true;
        else
            k->prefixes[k->prefix_count++] = t->value;
    }
    bool tagged = mgi_type_is(t, "fn:TaggedUnion");
    for (uint32_t i = 0; t->kind == TERM_APPLY && i < t->apply.count; i++)
        if (!tagged || (i && i % 2 == 0))
            collect_prefixes(k, argument(t, i));
}

bool mgi_types_open(struct types *k, const mangle_program *p, mangle_values *values,
                    struct arena *arena)
{
    *k = (struct types){ .p = p, .values = values, .arena = arena };
    k->any = intern_type(k, values, "/any");
    k->bot = intern_type(k, values, "/bot");
    k->number = intern_type(k, values, "/number");
    k->float64 = intern_type(k, values, "/float64");
    k->string = intern_type(k, values, "/string");
    k->bytes = intern_type(k, values, "/bytes");
    k->name = intern_type(k, values, "/name");
    k->time = intern_type(k, values, "/time");
    k->duration = intern_type(k, values, "/duration");
    k->any_type = mgi_type_name(k, k->any);
    k->bot_type = mgi_type_name(k, k->bot);
    return !k->oom;
}

bool mgi_types_init(struct types *k, mangle_program *p, struct arena *arena)
{
    if (!mgi_types_open(k, p, p->values, arena))
        return false;
    for (size_t i = 0; i < p->decl_count && !k->oom; i++)
        for (uint32_t row = 0; row < p->decls[i].bound_row_count; row++)
            for (uint32_t j = 0; j < p->decls[i].bound_counts[row]; j++)
                collect_prefixes(k, &p->decls[i].bounds[row][j]);
    return !k->oom;
}

/* ---- unions ------------------------------------------------------------------------------ */

/* A tagged union as the union of its structs; the tag's type is a singleton, or /name where a type
 * is to be accepted (M-TYPE-32). */
static const struct term *untag(struct types *k, const struct term *t, bool singleton)
{
    uint32_t count = (t->apply.count - 1) / 2;
    const struct term **variants = mgi_arena_calloc(k->arena, (size_t)count + 1, sizeof *variants);
    for (uint32_t i = 0; variants && i < count; i++) {
        const struct term *value = argument(t, 1 + 2 * i), *fields = argument(t, 2 + 2 * i);
        const struct term **args =
            mgi_arena_calloc(k->arena, (size_t)fields->apply.count + 2, sizeof *args);
        if (!args) {
            variants = NULL;
            break;
        }
        args[0] = argument(t, 0);
        args[1] =
            singleton ? mgi_type_apply(k, "fn:Singleton", &value, 1) : mgi_type_name(k, k->name);
        for (uint32_t j = 0; j < fields->apply.count; j++)
            args[2 + j] = argument(fields, j);
        variants[i] = mgi_type_apply(k, "fn:Struct", args, fields->apply.count + 2);
    }
    if (!variants) {
        k->oom = true;
        return k->any_type;
    }
    return mgi_type_apply(k, "fn:Union", variants, count);
}

static bool same_type(const struct term *a, const struct term *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == TERM_CONST)
        return a->value == b->value;
    if (!str_eq(a->apply.name, b->apply.name) || a->apply.count != b->apply.count)
        return false;
    for (uint32_t i = 0; i < a->apply.count; i++)
        if (!same_type(argument(a, i), argument(b, i)))
            return false;
    return true;
}

/* ---- structs ----------------------------------------------------------------------------- */

/* The field at *at and *optional; moves *at past it. */
static bool next_field(const struct term *t, uint32_t *at, const struct term **label,
                       const struct term **type, bool *optional)
{
    if (*at >= t->apply.count)
        return false;
    const struct term *arg = argument(t, *at);
    *optional = mgi_type_is(arg, "fn:opt");
    *label = *optional ? argument(arg, 0) : arg;
    *type = *optional ? argument(arg, 1) : argument(t, *at + 1);
    *at += *optional ? 1 : 2;
    return true;
}

static const struct term *find_field(const struct term *t, mangle_value wanted, bool *optional)
{
    const struct term *label, *type;
    for (uint32_t at = 0; next_field(t, &at, &label, &type, optional);)
        if (label->kind == TERM_CONST && label->value == wanted)
            return type;
    return NULL;
}

static bool struct_conforms(struct types *k, const struct term *s, const struct term *t)
{
    const struct term *label, *type;
    bool optional, given_optional;
    for (uint32_t at = 0; next_field(t, &at, &label, &type, &optional);) {
        const struct term *given = find_field(s, label->value, &given_optional);
        if (!given || (given_optional && !optional)) {
            if (optional && !given)
                continue;
            return false;
        }
        if (!mgi_type_conforms(k, given, type))
            return false;
    }
    return true;
}

/* ---- conformance ------------------------------------------------------------------------- */

static bool name_conforms(const struct types *k, mangle_value s, mangle_value t)
{
    if (mgi_type_is_base(k, s) || (mgi_type_is_base(k, t) && t != k->name))
        return false;
    if (t == k->name)
        return true;
    struct str sub, whole;
    sub.ptr = mangle_text_of(k->values, s, &sub.len);
    whole.ptr = mangle_text_of(k->values, t, &whole.len);
    return sub.len > whole.len && sub.ptr[whole.len] == '/' && mgi_str_starts(sub, whole);
}

static bool each_conforms(struct types *k, const struct term *s, const struct term *t)
{
    if (s->apply.count != t->apply.count)
        return false;
    for (uint32_t i = 0; i < s->apply.count; i++)
        if (!mgi_type_conforms(k, argument(s, i), argument(t, i)))
            return false;
    return true;
}

static bool constructor_conforms(struct types *k, const struct term *s, const struct term *t)
{
    if (!str_eq(s->apply.name, t->apply.name))
        return false;
    if (mgi_type_is(s, "fn:Struct"))
        return struct_conforms(k, s, t);
    if (mgi_type_is(s, "fn:Map"))
        return mgi_type_conforms(k, argument(t, 0), argument(s, 0)) &&
               mgi_type_conforms(k, argument(s, 1), argument(t, 1));
    if (!mgi_type_is(s, "fn:Fun"))
        return each_conforms(k, s, t);
    if (s->apply.count != t->apply.count || !mgi_type_conforms(k, argument(s, 0), argument(t, 0)))
        return false;
    for (uint32_t i = 1; i < s->apply.count; i++)
        if (!mgi_type_conforms(k, argument(t, i), argument(s, i)))
            return false;
    return true;
}

bool mgi_type_conforms(struct types *k, const struct term *s, const struct term *t)
{
    if (same_type(s, t) || is_named(t, k->any) || is_named(s, k->bot))
        return true;
    if (mgi_type_is(s, "fn:TaggedUnion"))
        s = untag(k, s, true);
    if (mgi_type_is(t, "fn:TaggedUnion"))
        t = untag(k, t, false);
    if (mgi_type_is(s, "fn:Union")) {
        for (uint32_t i = 0; i < s->apply.count; i++)
            if (!mgi_type_conforms(k, argument(s, i), t))
                return false;
        return true;
    }
    if (mgi_type_is(t, "fn:Union")) {
        for (uint32_t i = 0; i < t->apply.count; i++)
            if (mgi_type_conforms(k, s, argument(t, i)))
                return true;
        return false;
    }
    if (mgi_type_is(s, "fn:Singleton"))
        return argument(s, 0)->kind == TERM_CONST && mgi_type_has(k, t, argument(s, 0)->value);
    if (s->kind == TERM_CONST && t->kind == TERM_CONST)
        return name_conforms(k, s->value, t->value);
    return s->kind == TERM_APPLY && t->kind == TERM_APPLY && constructor_conforms(k, s, t);
}

/* ---- membership -------------------------------------------------------------------------- */

static bool named_type_has(const struct types *k, mangle_value type, mangle_value v)
{
    enum mangle_kind kind = mangle_kind_of(k->values, v);
    if (type == k->any)
        return true;
    if (type == k->bot)
        return false;
    if (mgi_type_is_base(k, type)) {
        mangle_value of_kind[] = {
            [MANGLE_NAME] = k->name,        [MANGLE_STRING] = k->string, [MANGLE_BYTES] = k->bytes,
            [MANGLE_NUMBER] = k->number,    [MANGLE_FLOAT] = k->float64, [MANGLE_TIME] = k->time,
            [MANGLE_DURATION] = k->duration
        };
        return (size_t)kind < sizeof of_kind / sizeof *of_kind && of_kind[kind] == type;
    }
    return kind == MANGLE_NAME && v != type && name_conforms(k, v, type);
}

/* What is checked before a run may have more labels than the type (M-TYPE-71), what is checked at
 * run time not (M-TYPE-10). */
static bool struct_has(struct types *k, const struct term *t, mangle_value v)
{
    const struct term *label, *type;
    bool optional;
    size_t known = 0;
    if (mangle_kind_of(k->values, v) != MANGLE_STRUCT)
        return false;
    for (uint32_t at = 0; next_field(t, &at, &label, &type, &optional);) {
        mangle_value field = mgi_value_entry(k->values, v, label->value);
        if (field == MANGLE_NONE ? !optional : !mgi_type_has(k, type, field))
            return false;
        known += field != MANGLE_NONE;
    }
    return !k->exact || known == mangle_count_of(k->values, v);
}

/* Every element of a list, or every entry of a map. */
static bool elements_have(struct types *k, const struct term *t, mangle_value v)
{
    bool map = mgi_type_is(t, "fn:Map");
    if (mangle_kind_of(k->values, v) != (map ? MANGLE_MAP : MANGLE_LIST))
        return false;
    mangle_value cursor = v, key, value;
    while (mangle_next(k->values, &cursor, &key, &value))
        if ((map && !mgi_type_has(k, argument(t, 0), key)) ||
            !mgi_type_has(k, argument(t, map), value))
            return false;
    return true;
}

bool mgi_type_has(struct types *k, const struct term *t, mangle_value v)
{
    if (t->kind == TERM_CONST)
        return named_type_has(k, t->value, v);
    if (mgi_type_is(t, "fn:TaggedUnion"))
        t = untag(k, t, true);
    if (mgi_type_is(t, "fn:Union")) {
        for (uint32_t i = 0; i < t->apply.count; i++)
            if (mgi_type_has(k, argument(t, i), v))
                return true;
        return false;
    }
    if (mgi_type_is(t, "fn:Singleton"))
        return argument(t, 0)->kind == TERM_CONST && argument(t, 0)->value == v;
    if (mgi_type_is(t, "fn:List") || mgi_type_is(t, "fn:Map"))
        return elements_have(k, t, v);
    if (mgi_type_is(t, "fn:Struct"))
        return struct_has(k, t, v);
    if (!mgi_type_is(t, "fn:Pair") || mangle_kind_of(k->values, v) != MANGLE_PAIR)
        return false;
    mangle_value first, second;
    mangle_pair_of(k->values, v, &first, &second);
    return mgi_type_has(k, argument(t, 0), first) && mgi_type_has(k, argument(t, 1), second);
}

/* ---- joins and meets --------------------------------------------------------------------- */

/* Alternatives of a type: those of a union, or itself. */
static uint32_t alternative_count(const struct term *t)
{
    return mgi_type_is(t, "fn:Union") ? t->apply.count : 1;
}

static const struct term *alternative(const struct term *t, uint32_t i)
{
    return mgi_type_is(t, "fn:Union") ? argument(t, i) : t;
}

/* What is put together here: `t`, widened so that it also shows what else `s`, which conforms to
 * it, has. A struct conforms to one with fewer labels, but its other fields must not be forgotten:
 * they become optional ones of `t`. Returns `t` itself if it shows all. */
static const struct term *absorb(struct types *k, const struct term *s, const struct term *t);

/* A field that is to be in a joined struct. */
struct joined_field {
    const struct term *label, *type;
    bool optional;
};

static const struct term *make_struct(struct types *k, const struct joined_field *fields,
                                      uint32_t count)
{
    const struct term **args = mgi_arena_calloc(k->arena, 2 * (size_t)count + 1, sizeof *args);
    uint32_t n = 0;
    if (!args) {
        k->oom = true;
        return k->any_type;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct term *pair[2] = { fields[i].label, fields[i].type };
        if (fields[i].optional) {
            args[n++] = mgi_type_apply(k, "fn:opt", pair, 2);
            continue;
        }
        args[n++] = pair[0];
        args[n++] = pair[1];
    }
    return mgi_type_apply(k, "fn:Struct", args, n);
}

static const struct term *absorb_struct(struct types *k, const struct term *s, const struct term *t)
{
    size_t most = (size_t)s->apply.count + t->apply.count;
    struct joined_field *fields = mgi_arena_calloc(k->arena, most + 1, sizeof *fields);
    const struct term *label, *type;
    bool optional, other, grown = false;
    uint32_t count = 0;
    if (!fields) {
        k->oom = true;
        return k->any_type;
    }
    for (uint32_t at = 0; next_field(t, &at, &label, &type, &optional); count++) {
        const struct term *given = find_field(s, label->value, &other);
        const struct term *both = given ? absorb(k, given, type) : type;
        fields[count] = (struct joined_field){ label, both, optional };
        grown |= both != type;
    }
    for (uint32_t at = 0; next_field(s, &at, &label, &type, &optional);) {
        if (find_field(t, label->value, &other))
            continue;
        fields[count++] = (struct joined_field){ label, type, true };
        grown = true;
    }
    return grown ? make_struct(k, fields, count) : t;
}

/* Of lists and pairs, argument by argument; of maps, their values. */
static const struct term *absorb_parts(struct types *k, const struct term *s, const struct term *t)
{
    const struct term *parts[2];
    uint32_t count = t->apply.count;
    bool grown = false;
    for (uint32_t i = 0; i < count; i++) {
        bool key = i == 0 && mgi_type_is(t, "fn:Map");
        parts[i] = key ? argument(t, i) : absorb(k, argument(s, i), argument(t, i));
        grown |= parts[i] != argument(t, i);
    }
    return grown ? mgi_type_apply(k,
                                  mgi_type_is(t, "fn:Map")    ? "fn:Map"
                                  : mgi_type_is(t, "fn:Pair") ? "fn:Pair"
                                                              : "fn:List",
                                  parts, count)
                 : t;
}

/* Into the alternative that it conforms to. */
static const struct term *absorb_into_union(struct types *k, const struct term *s,
                                            const struct term *t)
{
    uint32_t at = 0;
    while (at < t->apply.count && !mgi_type_conforms(k, s, argument(t, at)))
        at++;
    const struct term *one = at < t->apply.count ? absorb(k, s, argument(t, at)) : NULL;
    if (!one || one == argument(t, at))
        return t;
    const struct term **args = mgi_arena_calloc(k->arena, t->apply.count, sizeof *args);
    if (!args) {
        k->oom = true;
        return k->any_type;
    }
    for (uint32_t i = 0; i < t->apply.count; i++)
        args[i] = i == at ? one : argument(t, i);
    return mgi_type_apply(k, "fn:Union", args, t->apply.count);
}

static const struct term *absorb(struct types *k, const struct term *s, const struct term *t)
{
    if (s->kind != TERM_APPLY || t->kind != TERM_APPLY || same_type(s, t))
        return t;
    if (mgi_type_is(s, "fn:Union")) {
        for (uint32_t i = 0; i < s->apply.count; i++)
            t = absorb(k, argument(s, i), t);
        return t;
    }
    if (mgi_type_is(t, "fn:Union"))
        return absorb_into_union(k, s, t);
    if (!str_eq(s->apply.name, t->apply.name))
        return t; /* of a tagged union, which was declared */
    if (mgi_type_is(t, "fn:Struct"))
        return absorb_struct(k, s, t);
    bool parts = mgi_type_is(t, "fn:List") || mgi_type_is(t, "fn:Pair") || mgi_type_is(t, "fn:Map");
    return parts ? absorb_parts(k, s, t) : t;
}

bool mgi_type_covers(struct types *k, const struct term *t, const struct term *s)
{
    return mgi_type_conforms(k, s, t) && absorb(k, s, t) == t;
}

const struct term *mgi_type_join(struct types *k, const struct term *a, const struct term *b)
{
    if (mgi_type_conforms(k, a, b))
        return absorb(k, a, b);
    if (mgi_type_conforms(k, b, a))
        return absorb(k, b, a);
    uint32_t count = 0, total = alternative_count(a) + alternative_count(b);
    const struct term **kept = mgi_arena_calloc(k->arena, total, sizeof *kept);
    if (!kept) {
        k->oom = true;
        return k->any_type;
    }
    for (uint32_t i = 0; i < alternative_count(a); i++) {
        if (mgi_type_conforms(k, alternative(a, i), b))
            b = absorb(k, alternative(a, i), b);
        else
            kept[count++] = alternative(a, i);
    }
    for (uint32_t i = 0; i < alternative_count(b); i++)
        kept[count++] = alternative(b, i);
    return count == 1 ? kept[0] : mgi_type_apply(k, "fn:Union", kept, count);
}

const struct term *mgi_type_meet(struct types *k, const struct term *a, const struct term *b)
{
    if (mgi_type_conforms(k, a, b))
        return a;
    if (mgi_type_conforms(k, b, a))
        return b;
    if (mgi_type_is(a, "fn:TaggedUnion"))
        a = untag(k, a, true);
    if (mgi_type_is(b, "fn:TaggedUnion"))
        b = untag(k, b, true);
    if (!mgi_type_is(a, "fn:Union") && !mgi_type_is(b, "fn:Union"))
        return NULL;
    const struct term *found = NULL;
    for (uint32_t i = 0; i < alternative_count(a); i++) {
        for (uint32_t j = 0; j < alternative_count(b); j++) {
            const struct term *m = mgi_type_meet(k, alternative(a, i), alternative(b, j));
            if (m)
                found = found ? mgi_type_join(k, found, m) : m;
        }
    }
    return found;
}

const struct term *mgi_type_field(struct types *k, const struct term *t, mangle_value label)
{
    bool optional;
    if (is_named(t, k->any))
        return k->any_type;
    if (mgi_type_is(t, "fn:TaggedUnion"))
        t = untag(k, t, true);
    if (mgi_type_is(t, "fn:Struct"))
        return find_field(t, label, &optional);
    const struct term *found = NULL;
    for (uint32_t i = 0; mgi_type_is(t, "fn:Union") && i < t->apply.count; i++) {
        const struct term *one = mgi_type_field(k, argument(t, i), label);
        if (one)
            found = found ? mgi_type_join(k, found, one) : one;
    }
    return found;
}

/* ---- types of values and of bounds ------------------------------------------------------- */

static const struct term *type_of_name(struct types *k, mangle_value v)
{
    mangle_value best = k->name;
    size_t longest = 0, len;
    for (size_t i = 0; i < k->prefix_count; i++) {
        mangle_text_of(k->values, k->prefixes[i], &len);
        if (len > longest && v != k->prefixes[i] && name_conforms(k, v, k->prefixes[i])) {
            longest = len;
            best = k->prefixes[i];
        }
    }
    return mgi_type_name(k, best);
}

static const struct term *type_of_entries(struct types *k, mangle_value v, bool map)
{
    const struct term *parts[2] = { k->bot_type, k->bot_type };
    mangle_value cursor = v, key, value;
    while (!k->oom && mangle_next(k->values, &cursor, &key, &value)) {
        if (map)
            parts[0] = mgi_type_join(k, parts[0], mgi_type_of_value(k, key));
        parts[1] = mgi_type_join(k, parts[1], mgi_type_of_value(k, value));
    }
    return map ? mgi_type_apply(k, "fn:Map", parts, 2) : mgi_type_apply(k, "fn:List", parts + 1, 1);
}

static const struct term *type_of_struct(struct types *k, mangle_value v)
{
    size_t count = mangle_count_of(k->values, v), n = 0;
    const struct term **args = mgi_arena_calloc(k->arena, 2 * count + 1, sizeof *args);
    mangle_value cursor = v, key, value;
    if (!args) {
        k->oom = true;
        return k->any_type;
    }
    while (n < 2 * count && mangle_next(k->values, &cursor, &key, &value)) {
        args[n++] = mgi_type_name(k, key);
        args[n++] = mgi_type_of_value(k, value);
    }
    return mgi_type_apply(k, "fn:Struct", args, (uint32_t)n);
}

const struct term *mgi_type_of_value(struct types *k, mangle_value v)
{
    switch (mangle_kind_of(k->values, v)) {
    case MANGLE_NAME:
        return type_of_name(k, v);
    case MANGLE_STRING:
        return mgi_type_name(k, k->string);
    case MANGLE_BYTES:
        return mgi_type_name(k, k->bytes);
    case MANGLE_NUMBER:
        return mgi_type_name(k, k->number);
    case MANGLE_FLOAT:
        return mgi_type_name(k, k->float64);
    case MANGLE_TIME:
        return mgi_type_name(k, k->time);
    case MANGLE_DURATION:
        return mgi_type_name(k, k->duration);
    case MANGLE_LIST:
        return type_of_entries(k, v, false);
    case MANGLE_MAP:
        return type_of_entries(k, v, true);
    case MANGLE_STRUCT:
        return type_of_struct(k, v);
    case MANGLE_PAIR:
        break;
    }
    mangle_value first, second;
    mangle_pair_of(k->values, v, &first, &second);
    const struct term *parts[2] = { mgi_type_of_value(k, first), mgi_type_of_value(k, second) };
    return mgi_type_apply(k, "fn:Pair", parts, 2);
}

/* fn:Tuple(a, b, c) is fn:Pair(a, fn:Pair(b, c)) (M-TYPE-7). */
static const struct term *nest_tuple(struct types *k, const struct term *const *args,
                                     uint32_t count)
{
    const struct term *t = args[count - 1];
    for (uint32_t i = count - 1; i > 0; i--) {
        const struct term *pair[2] = { args[i - 1], t };
        t = mgi_type_apply(k, "fn:Pair", pair, 2);
    }
    return t;
}

/* "q" stands for the type of q's column (M-DECL-31); circles were refused before. */
static const struct term *type_of_reference(struct types *k, mangle_value name)
{
    struct str text;
    text.ptr = mangle_text_of(k->values, name, &text.len);
    mangle_pred pred = mgi_pred_find(k->p, text, 1);
    const struct decl *d = pred == MANGLE_NO_PRED ? NULL : k->p->preds[pred].decl;
    if (!d || !d->bound_row_count)
        return k->any_type;
    const struct term *t = k->bot_type;
    for (uint32_t i = 0; i < d->bound_row_count; i++)
        t = mgi_type_join(k, t, mgi_type_of_bound(k, &d->bounds[i][0]));
    return t;
}

const struct term *mgi_type_of_bound(struct types *k, const struct term *bound)
{
    if (bound->kind == TERM_VAR)
        return k->any_type; /* M-TYPE-72 */
    if (bound->kind == TERM_CONST)
        return mangle_kind_of(k->values, bound->value) == MANGLE_STRING
                   ? type_of_reference(k, bound->value)
                   : bound;
    if (mgi_type_is(bound, "fn:Singleton"))
        return bound;
    uint32_t count = bound->apply.count;
    const struct term **args = mgi_arena_calloc(k->arena, (size_t)count + 1, sizeof *args);
    if (!args) {
        k->oom = true;
        return k->any_type;
    }
    for (uint32_t i = 0; i < count; i++)
        args[i] = mgi_type_of_bound(k, argument(bound, i));
    if (mgi_type_is(bound, "fn:Tuple"))
        return nest_tuple(k, args, count);
    char *name = mgi_arena_printf(k->arena, "%.*s", STR_ARG(bound->apply.name));
    if (!name)
        k->oom = true;
    return name ? mgi_type_apply(k, name, args, count) : k->any_type;
}
