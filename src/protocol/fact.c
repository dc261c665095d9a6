/* Facts from the wire, checked against the profile (protocol.md §2.6, §2.7, D-12 to D-19).
 *
 * Each fact is taken through the same steps: shape, predicate, direction, arguments, time, remarks.
 * The first fault of a fact is its violation; all faulty facts are reported (D-18, P-FACT-24). */
#include "protocol/fact.h"

#include <assert.h>

#include "base/near.h"
#include "protocol/error.h"
#include "protocol/wire_time.h"

#define PRED_NAME_MAX          128
#define DEFAULT_MAX_VIOLATIONS 50
#define SIMILAR_EDITS          2 /* a name that is further away is another one */
#define RESERVED_PREFIX        "_manglecp_"

bool mgi_pred_name_ok(struct str name)
{
    if (name.len == 0 || name.len > PRED_NAME_MAX || name.ptr[0] < 'a' || name.ptr[0] > 'z')
        return false;
    for (size_t i = 1; i < name.len; i++) {
        char c = name.ptr[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_')
            return false;
    }
    return true;
}

const struct pred_schema *mgi_profile_find(const struct fact_profile *p, struct str name)
{
    size_t low = 0, high = p->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (mgi_str_compare(p->schemas[middle].predicate, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->count && str_eq(p->schemas[low].predicate, name) ? &p->schemas[low] : NULL;
}

/* ---- one fact ------------------------------------------------------------------------------- */

/* Of predicates that passed take_predicate() the last ones are known: facts come in sorts. */
#define KNOWN 8
struct known_pred {
    struct str name; /* len 0: none */
    const struct pred_schema *schema;
};

/* What the steps share. `v` is the violation in the making: v.issue is NULL while all is well. */
struct decoding {
    struct arena *arena;
    mangle_values *values;
    const struct fact_profile *profile;
    const struct fact_rules *rules;
    int64_t now_ns;
    struct violation v;
    bool brief; /* the violation will only be counted: no suggestion is looked for */
    bool nomem;
    struct known_pred known[KNOWN];
};

static bool faulty(struct decoding *d, const char *issue, const char *message)
{
    d->v.issue = issue;
    d->v.message = message ? message : "does not fit";
    return false;
}

/* null equals absence for optional members (protocol.md part 2). */
static const struct json *member(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type != JSON_NULL ? v : NULL;
}

/* Of a fact; NULL: it is absent, or null. */
struct members {
    const struct json *pred, *args, *named, *t, *category, *source;
};

static void find_members(const struct json *fact, struct members *out)
{
    *out = (struct members){ 0 };
    for (uint32_t i = 0; i < fact->count; i++) {
        struct str name = fact->members[i].name;
        const struct json **slot = NULL;
        if (name.len == 4)
            slot = memcmp(name.ptr, "pred", 4) == 0   ? &out->pred
                   : memcmp(name.ptr, "args", 4) == 0 ? &out->args
                                                      : NULL;
        else if (name.len == 1 && *name.ptr == 't')
            slot = &out->t;
        else if (str_eq(name, STR_LIT("named_args")))
            slot = &out->named;
        else if (str_eq(name, STR_LIT("category")))
            slot = &out->category;
        else if (str_eq(name, STR_LIT("source")))
            slot = &out->source;
        if (slot && fact->members[i].value.type != JSON_NULL)
            *slot = &fact->members[i].value;
    }
}

static const char *json_kind(const struct json *v)
{
    switch (v->type) {
    case JSON_NULL:
        return "null";
    case JSON_BOOL:
        return "boolean";
    case JSON_INT:
    case JSON_FLOAT:
    case JSON_HUGE:
        return "number";
    case JSON_STRING:
        return "string";
    case JSON_ARRAY:
        return "list";
    default:
        return mgi_json_get(v, "_type") ? "number" : "map";
    }
}

static const char *arg_type_name(enum arg_type type)
{
    static const char *const names[] = { "any", "string", "number", "boolean" };
    return names[type];
}

/* Only declared predicates that a client may send are ever suggested (D-35). */
static const char *similar_predicate(const struct decoding *d, struct str name)
{
    const struct pred_schema *best = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < d->profile->count && !d->brief; i++) {
        const struct pred_schema *s = &d->profile->schemas[i];
        size_t distance = s->direction == DIRECTION_OUTPUT
                              ? SIZE_MAX
                              : mgi_edit_distance(s->predicate, name, SIMILAR_EDITS);
        if (distance < least) {
            least = distance;
            best = s;
        }
    }
    return best ? mgi_arena_printf(d->arena, "%.*s", STR_ARG(best->predicate)) : NULL;
}

static bool is_open_name(const struct decoding *d, struct str name)
{
    if (str_is(name, "disclosure_upgrade"))
        return true;
    for (size_t i = 0; i < d->rules->open_count; i++)
        if (str_eq(d->rules->open_names[i], name))
            return true;
    return false;
}

static bool check_predicate(struct decoding *d, struct str name, struct wire_fact *out)
{
    if (mgi_str_starts(name, STR_LIT(RESERVED_PREFIX)))
        return faulty(d, "reserved_predicate", "names that begin with _manglecp_ are the server's");
    if (!mgi_pred_name_ok(name))
        return faulty(d, "invalid_predicate_name",
                      "a predicate is named [a-z][a-z0-9_]*, with 128 characters at most");
    out->pred = name;
    out->schema = mgi_profile_find(d->profile, name);
    if (!out->schema && d->profile->closed && !is_open_name(d, name)) {
        d->v.suggestion = similar_predicate(d, name);
        return faulty(d, "unknown_predicate", "the manifest declares no such predicate");
    }
    if (out->schema && out->schema->direction == DIRECTION_OUTPUT && !d->rules->accept_output)
        return faulty(d, "direction_violation", "this predicate is an output of the server");
    return true;
}

static bool take_predicate(struct decoding *d, const struct json *pred, struct wire_fact *out)
{
    if (!pred || pred->type != JSON_STRING)
        return faulty(d, "invalid_predicate_name", "pred must be a string");
    struct str name = d->v.predicate = pred->string;
    if (name.len == 0)
        return check_predicate(d, name, out);
    struct known_pred *known =
        &d->known[(name.len + (unsigned char)name.ptr[0] + (unsigned char)name.ptr[name.len - 1]) %
                  KNOWN];
    if (str_eq(known->name, name)) {
        out->pred = name;
        out->schema = known->schema;
        return true;
    }
    if (!check_predicate(d, name, out))
        return false;
    *known = (struct known_pred){ name, out->schema };
    return true;
}

/* With several schemas of one name, the one whose arity fits. */
static bool choose_arity(struct decoding *d, struct wire_fact *out, uint32_t count)
{
    const struct pred_schema *first = out->schema;
    const struct pred_schema *end = d->profile->schemas + d->profile->count;
    if (!first && str_is(out->pred, "disclosure_upgrade") && count != 1) {
        d->v.expected_arity = 1;
        d->v.actual_arity = (int32_t)count;
        return faulty(d, "arity_mismatch", "disclosure_upgrade has one argument");
    }
    for (const struct pred_schema *s = first;
         s && s < end && str_eq(s->predicate, first->predicate); s++)
        if (s->arity == count) {
            out->schema = s;
            return true;
        }
    if (!first)
        return true;
    d->v.expected_arity = (int32_t)first->arity;
    d->v.actual_arity = (int32_t)count;
    return faulty(d, "arity_mismatch",
                  mgi_arena_printf(d->arena, "has %u argument%s where %u %s declared", count,
                                   count == 1 ? "" : "s", first->arity,
                                   first->arity == 1 ? "is" : "are"));
}

static bool type_fits(enum arg_type type, const struct json *v)
{
    switch (type) {
    case ARG_STRING:
        return v->type == JSON_STRING;
    case ARG_NUMBER:
        return v->type == JSON_INT || v->type == JSON_FLOAT || v->type == JSON_OBJECT /* wrapper */;
    case ARG_BOOLEAN:
        return v->type == JSON_BOOL;
    default:
        return true;
    }
}

static bool take_argument(struct decoding *d, const struct json *v, uint32_t index,
                          struct wire_fact *out)
{
    const struct pred_schema *s = out->schema;
    enum arg_type type = s && s->arg_types ? s->arg_types[index] : ARG_ANY;
    bool as_name = s && s->arg_is_name && s->arg_is_name[index];
    const char *issue, *why;
    d->v.argument_index = (int32_t)index;

    mangle_value value =
        mgi_value_from_json(d->values, v, as_name, d->rules->patterns, d->arena, &issue, &why);
    if (issue == mgi_issue_nomem) {
        d->nomem = true;
        return false;
    }
    if (issue) {
        if (as_name && v->type == JSON_STRING) {
            d->v.expected_type = "string";
            d->v.actual_type = "string";
            d->v.suggestion = mgi_arena_printf(d->arena, "/%.*s", STR_ARG(v->string));
        }
        return faulty(d, issue, mgi_arena_printf(d->arena, "argument %u: %s", index, why));
    }
    bool number_object = v->type == JSON_OBJECT && !mgi_json_get(v, "_type");
    if (value != MANGLE_NONE && (!type_fits(type, v) || (type == ARG_NUMBER && number_object))) {
        d->v.expected_type = arg_type_name(type);
        d->v.actual_type = json_kind(v);
        return faulty(d, "type_mismatch",
                      mgi_arena_printf(d->arena, "argument %u must be a %s, not a %s", index,
                                       d->v.expected_type, d->v.actual_type));
    }
    if (s && s->arg_is_integer && s->arg_is_integer[index] && v->type == JSON_FLOAT &&
        !d->rules->accept_output) {
        d->v.expected_type = "integer";
        d->v.actual_type = "float";
        d->v.suggestion = "Write an integer without decimal point and exponent.";
        return faulty(
            d, "type_mismatch",
            mgi_arena_printf(d->arena, "argument %u must be an integer, not a float", index));
    }
    out->args[index] = value;
    d->v.argument_index = -1;
    return true;
}

static bool take_positional(struct decoding *d, const struct json *args, struct wire_fact *out)
{
    if (args->type != JSON_ARRAY)
        return faulty(d, "invalid_fact_shape", "args must be an array");
    if (!choose_arity(d, out, args->count))
        return false;
    out->count = args->count;
    out->args = mgi_arena_alloc(d->arena, ((size_t)args->count + 1) * sizeof *out->args);
    if (!out->args) {
        d->nomem = true;
        return false;
    }
    for (uint32_t i = 0; i < args->count; i++)
        if (!take_argument(d, &args->items[i], i, out))
            return false;
    return true;
}

static uint32_t position_of(const struct pred_schema *s, struct str name)
{
    uint32_t i = 0;
    while (i < s->arity && !str_eq(s->arg_names[i], name))
        i++;
    return i;
}

static bool take_named(struct decoding *d, const struct json *named, struct wire_fact *out)
{
    const struct pred_schema *s = out->schema;
    if (named->type != JSON_OBJECT)
        return faulty(d, "invalid_fact_shape", "named_args must be an object");
    if (!d->profile->named_args || !s || !s->arg_names)
        return faulty(d, "named_args_unsupported", "this predicate declares no argument names");
    for (uint32_t i = 0; i < named->count; i++)
        if (position_of(s, named->members[i].name) == s->arity)
            return faulty(d, "unknown_named_arg",
                          mgi_arena_printf(d->arena, "no argument is called \"%s\"",
                                           mgi_show(d->arena, named->members[i].name, 60)));
    out->count = s->arity;
    out->args = mgi_arena_calloc(d->arena, (size_t)s->arity + 1, sizeof *out->args);
    if (!out->args) {
        d->nomem = true;
        return false;
    }
    for (uint32_t i = 0; i < s->arity; i++) {
        const struct json *v = mgi_json_get_str(named, s->arg_names[i]);
        if (!v)
            return faulty(d, "missing_named_arg",
                          mgi_arena_printf(d->arena, "the argument \"%.*s\" is missing",
                                           STR_ARG(s->arg_names[i])));
        if (!take_argument(d, v, i, out))
            return false;
    }
    return true;
}

static bool take_arguments(struct decoding *d, const struct json *args, const struct json *named,
                           struct wire_fact *out)
{
    if (args && named)
        return faulty(d, "args_and_named_args", "has both args and named_args");
    if (!args && !named)
        return faulty(d, "args_missing", "has neither args nor named_args");
    return args ? take_positional(d, args, out) : take_named(d, named, out);
}

static bool take_time(struct decoding *d, const struct json *t, struct wire_fact *out)
{
    out->t = MANGLE_ALWAYS;
    if (!t)
        return true;
    /* Where the list is closed, a name without a schema takes no annotation (D-16). */
    if (out->schema ? !out->schema->temporal : d->profile->closed || is_open_name(d, out->pred))
        return faulty(d, "temporal_not_accepted", "this predicate takes no t");
    const char *issue, *why;
    if (!mgi_wire_interval(t, d->profile->time_formats, d->now_ns, &out->t, &issue, &why))
        return faulty(d, issue, why);
    out->has_t = true;
    for (uint32_t i = 0; i < t->count; i++)
        out->says_now |= mgi_wire_is_now(&t->members[i].value);
    return true;
}

static bool take_category(struct decoding *d, const struct json *category, struct wire_fact *out)
{
    if (!category) {
        if (d->rules->need_category)
            return faulty(d, "invalid_category", "an asserted fact names its category");
        return true;
    }
    if (category->type != JSON_STRING ||
        (!str_is(category->string, "server") && !str_is(category->string, "session") &&
         !str_is(category->string, "derived")))
        return faulty(d, "invalid_category", "category is server, session or derived");
    out->category = category->string;
    return true;
}

static bool source_type_ok(struct str s)
{
    static const char *const words[] = { "server", "scan", "external", "client", "derived" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(s, words[i]))
            return true;
    return s.len > 2 && mgi_str_starts(s, STR_LIT("x-"));
}

static bool take_source(struct decoding *d, const struct json *source, struct wire_fact *out)
{
    out->source_type = STR_LIT("client");
    if (!source)
        return true;
    const struct json *type = member(source, "source_type");
    const struct json *id = member(source, "source_id");
    const struct json *at = member(source, "asserted_at");
    if (source->type != JSON_OBJECT || !type || type->type != JSON_STRING ||
        !source_type_ok(type->string))
        return faulty(d, "invalid_source",
                      "source_type is server, scan, external, client, derived or x-...");
    if (id && id->type != JSON_STRING)
        return faulty(d, "invalid_source", "source_id must be a string");
    if (at) {
        enum wire_time time =
            mgi_wire_time(at, d->profile->time_formats, &out->asserted_at_ns, NULL);
        if (time != WIRE_TIME_INSTANT && time != WIRE_TIME_NOW)
            return faulty(d, "invalid_source", "asserted_at must be an instant or \"now\"");
        out->dated = time == WIRE_TIME_INSTANT;
    }
    const struct json *signature = member(source, "signature");
    if (signature && signature->type != JSON_STRING)
        return faulty(d, "invalid_source", "signature must be a string");
    if (id)
        out->source_id = id->string;
    if (signature)
        out->signature = signature->string;
    out->source_type = type->string;
    return true;
}

static bool decode_fact(struct decoding *d, const struct json *fact, struct wire_fact *out)
{
    if (fact->type != JSON_OBJECT)
        return faulty(d, "invalid_fact_shape", "a fact is an object");
    struct members m;
    find_members(fact, &m);
    if (!take_predicate(d, m.pred, out) || !take_arguments(d, m.args, m.named, out) ||
        !take_time(d, m.t, out))
        return false;
    /* In a retract pattern only pred, args and t count (§2.14). */
    return d->rules->patterns ||
           (take_category(d, m.category, out) && take_source(d, m.source, out));
}

/* ---- all facts ------------------------------------------------------------------------------ */

static bool issue_seen(const struct fact_list *list, const char *issue)
{
    for (size_t i = list->violation_count; i-- > 0;)
        if (strcmp(list->violations[i].issue, issue) == 0)
            return true;
    return false;
}

static size_t most_violations(const struct fact_profile *profile)
{
    return profile->max_violations ? profile->max_violations : DEFAULT_MAX_VIOLATIONS;
}

static bool note_violation(struct decoding *d, struct fact_list *out, size_t *cap)
{
    size_t most = most_violations(d->profile);
    out->fault_count++;
    /* Beyond the cap the first of every kind is still kept: the kinds decide the code (D-18). */
    if (out->violation_count >= most && issue_seen(out, d->v.issue))
        return true;
    if (!mgi_arena_grow(d->arena, &out->violations, cap, out->violation_count + 1,
                        sizeof *out->violations))
        return false;
    out->violations[out->violation_count++] = d->v;
    return true;
}

static void begin_violation(struct decoding *d, uint32_t index)
{
    d->v = (struct violation){ .fact_index = index,
                               .predicate = STR_LIT(""),
                               .expected_arity = -1,
                               .actual_arity = -1,
                               .argument_index = -1 };
}

bool mgi_facts_decode(struct arena *arena, mangle_values *values,
                      const struct fact_profile *profile, const struct fact_rules *rules,
                      const struct json *facts, int64_t now_ns, struct fact_list *out)
{
    static const struct fact_rules no_rules;
    struct decoding d = { .arena = arena,
                          .values = values,
                          .profile = profile,
                          .rules = rules ? rules : &no_rules,
                          .now_ns = now_ns };
    size_t cap = 0;
    assert(facts->type == JSON_ARRAY);
    *out = (struct fact_list){ 0 };
    out->facts = mgi_arena_alloc(arena, ((size_t)facts->count + 1) * sizeof *out->facts);
    if (!out->facts)
        return false;
    begin_violation(&d, 0);
    for (uint32_t i = 0; i < facts->count; i++) {
        struct wire_fact *fact = &out->facts[out->count];
        *fact = (struct wire_fact){ 0 };
        if (decode_fact(&d, &facts->items[i], fact)) {
            out->count++;
            d.v.fact_index = i + 1; /* all that a good fact leaves in it */
            d.v.predicate = STR_LIT("");
        } else if (d.nomem || !note_violation(&d, out, &cap)) {
            return false;
        } else {
            begin_violation(&d, i + 1);
            d.brief = out->violation_count >= most_violations(profile);
        }
    }
    return !arena->oom;
}

int mgi_violations_code(const struct violation *v, size_t count, size_t fault_count)
{
    static const struct {
        const char *issue;
        enum wire_code code;
    } codes[] = {
        { "unknown_predicate", WIRE_UNKNOWN_PREDICATE },
        { "arity_mismatch", WIRE_ARITY_MISMATCH },
        { "type_mismatch", WIRE_TYPE_MISMATCH },
        { "reserved_predicate", WIRE_RESERVED_PREDICATE },
    };
    (void)fault_count;
    for (size_t i = 1; i < count; i++)
        if (strcmp(v[i].issue, v[0].issue) != 0)
            return WIRE_INVALID_FACTS;
    for (size_t i = 0; count > 0 && i < sizeof codes / sizeof *codes; i++)
        if (strcmp(v[0].issue, codes[i].issue) == 0)
            return (int)codes[i].code;
    return WIRE_INVALID_FACTS;
}

void mgi_violations_write(struct json_writer *w, const struct violation *v, size_t count)
{
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < count; i++) {
        mgi_jw_begin_object(w);
        mgi_jw_member_int(w, "fact_index", v[i].fact_index);
        mgi_jw_member_str(w, "predicate", v[i].predicate);
        mgi_jw_member_cstr(w, "issue", v[i].issue);
        mgi_jw_member_cstr(w, "message", v[i].message);
        if (v[i].expected_arity >= 0)
            mgi_jw_member_int(w, "expected_arity", v[i].expected_arity);
        if (v[i].actual_arity >= 0)
            mgi_jw_member_int(w, "actual_arity", v[i].actual_arity);
        if (v[i].argument_index >= 0)
            mgi_jw_member_int(w, "argument_index", v[i].argument_index);
        if (v[i].expected_type)
            mgi_jw_member_cstr(w, "expected_type", v[i].expected_type);
        if (v[i].actual_type)
            mgi_jw_member_cstr(w, "actual_type", v[i].actual_type);
        if (v[i].suggestion)
            mgi_jw_member_cstr(w, "suggestion", v[i].suggestion);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}
