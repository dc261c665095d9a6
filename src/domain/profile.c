/* The facts profile: what the manifest says of each predicate that clients see, from the Decls. And
 * the same of what actions tell the effects rules (direction evidence), which is a profile of its
 * own, so that nothing that reads the other can let a client see or send it. */
#include <ctype.h>
#include <stdlib.h>

#include "domain/domain_int.h"
#include "protocol/wire_time.h"

struct str mgi_snake_case(struct arena *a, const char *name)
{
    struct buf out = { 0 };
    for (const char *c = name; *c; c++) {
        bool upper = isupper((unsigned char)*c);
        bool after_lower = c > name && !isupper((unsigned char)c[-1]);
        if (upper && after_lower)
            mgi_buf_putc(&out, '_');
        mgi_buf_putc(&out, (char)tolower((unsigned char)*c));
    }
    struct str s = out.oom ? (struct str){ 0 } : mgi_arena_str(a, mgi_buf_view(&out));
    mgi_buf_fini(&out);
    return s;
}

bool mgi_bound_is_name(const char *bound)
{
    static const char *const others[] = { "/any",   "/bot",  "/number",   "/float64", "/string",
                                          "/bytes", "/time", "/duration", NULL };
    if (bound[0] != '/' || strchr(bound, ' ') || strchr(bound, '|'))
        return false;
    for (const char *const *o = others; *o; o++)
        if (strcmp(bound, *o) == 0)
            return false;
    return true;
}

/* True if every type named in `bound` is one of the two. */
static bool only_types(const char *bound, const char *a, const char *b)
{
    const char *c = bound;
    size_t seen = 0;
    while ((c = strchr(c, '/')) != NULL) {
        size_t len = strcspn(c, " ,()|<>");
        if (!(len == strlen(a) && memcmp(c, a, len) == 0) &&
            !(len == strlen(b) && memcmp(c, b, len) == 0))
            return false;
        c += len;
        seen++;
    }
    return seen > 0 && !strstr(bound, "fn:List") && !strstr(bound, "fn:Map") &&
           !strstr(bound, "fn:Pair") && !strstr(bound, "fn:Tuple") && !strstr(bound, "fn:Struct");
}

static enum arg_type type_of_bound(const char *bound)
{
    if (mgi_bound_is_name(bound) || only_types(bound, "/string", "/string"))
        return ARG_STRING;
    if (only_types(bound, "/number", "/float64"))
        return ARG_NUMBER;
    return only_types(bound, "/true", "/false") ? ARG_BOOLEAN : ARG_ANY;
}

static bool type_of_word(const char *word, enum arg_type *out)
{
    static const char *const words[] = { "any", "string", "number", "boolean" };
    for (int i = 0; word && i < 4; i++)
        if (strcmp(word, words[i]) == 0) {
            *out = (enum arg_type)i;
            return true;
        }
    return false;
}

static bool fill_types(struct loading *l, mangle_pred pred, const struct mangle_pred_view *v,
                       struct pred_schema *out)
{
    const mangle_program *p = l->s->program;
    struct arena *a = &l->s->arena;
    out->arg_types = mgi_arena_calloc(a, v->arity + 1, sizeof *out->arg_types);
    out->arg_is_name = mgi_arena_calloc(a, v->arity + 1, sizeof *out->arg_is_name);
    out->arg_is_integer = mgi_arena_calloc(a, v->arity + 1, sizeof *out->arg_is_integer);
    if (!out->arg_types || !out->arg_is_name || !out->arg_is_integer)
        return false;
    out->has_arg_types = true;
    bool wire = mgi_descriptor_text(p, pred, "wire", 0) != NULL;
    for (uint32_t i = 0; i < v->arity; i++) {
        const char *bound = mangle_pred_bound(p, pred, i);
        out->arg_is_name[i] = mgi_bound_is_name(bound);
        out->arg_is_integer[i] = strcmp(bound, "/number") == 0;
        out->arg_types[i] = type_of_bound(bound);
        if (wire && !type_of_word(mgi_descriptor_text(p, pred, "wire", i), &out->arg_types[i]))
            mgi_findings_add(l->yaml.findings, MANGLE_ERROR, "WIRE", v->file, v->line, 1, NULL,
                             "wire(...) of %s names \"string\", \"number\", \"boolean\" or \"any\" "
                             "for each argument",
                             v->name);
    }
    return true;
}

static bool fill_names(struct loading *l, mangle_pred pred, const struct mangle_pred_view *v,
                       struct pred_schema *out)
{
    mangle_value none[1];
    if (!v->arg_names ||
        mangle_pred_descriptor(l->s->program, pred, "positional", none, 1) != SIZE_MAX)
        return true;
    struct str *names = mgi_arena_calloc(&l->s->arena, v->arity + 1, sizeof *names);
    if (!names)
        return false;
    for (uint32_t i = 0; i < v->arity; i++) {
        names[i] = mgi_snake_case(&l->s->arena, v->arg_names[i]);
        if (!names[i].ptr)
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (str_eq(names[i], names[k]))
                mgi_findings_add(l->yaml.findings, MANGLE_ERROR, "ARG_NAMES", v->file, v->line, 1,
                                 "Rename one, or say positional().",
                                 "two arguments of %s are called %.*s", v->name, STR_ARG(names[i]));
    }
    out->arg_names = names;
    return true;
}

static int compare_schemas(const void *x, const void *y)
{
    const struct pred_schema *a = x, *b = y;
    int c = mgi_str_compare(a->predicate, b->predicate);
    return c ? c : (a->arity > b->arity) - (a->arity < b->arity);
}

static enum direction direction_of(const char *word)
{
    return strcmp(word, "input") == 0    ? DIRECTION_INPUT
           : strcmp(word, "output") == 0 ? DIRECTION_OUTPUT
                                         : DIRECTION_BOTH;
}

/* Those that clients see; or those that are `evidence`. */
static bool fill_schemas(struct loading *l, bool evidence, struct fact_profile *out)
{
    const mangle_program *p = l->s->program;
    size_t preds = mangle_program_pred_count(p);
    struct pred_schema *list = mgi_arena_calloc(&l->s->arena, preds + 1, sizeof *list);
    if (!list)
        return false;
    for (mangle_pred i = 0; i < preds; i++) {
        const char *direction = mgi_descriptor_text(p, i, "direction", 0);
        if (!direction || (strcmp(direction, "evidence") == 0) != evidence)
            continue;
        struct mangle_pred_view v = mangle_program_pred(p, i);
        struct pred_schema *one = &list[out->count++];
        one->predicate = str_of(v.name);
        one->arity = v.arity;
        one->temporal = v.temporal;
        one->pred = i;
        one->description = str_of(v.doc);
        one->vouched = mangle_pred_is_vouched(p, i);
        one->direction = evidence ? DIRECTION_INPUT : direction_of(direction);
        if (!fill_types(l, i, &v, one) || !fill_names(l, i, &v, one))
            return false;
    }
    if (out->count > 1)
        qsort(list, out->count, sizeof *list, compare_schemas);
    out->schemas = list;
    return true;
}

/* Names of required_facts and optional_facts: internal ones are a mistake, unknown ones are noted.
 */
static void check_intent_facts(struct loading *l)
{
    const struct domain_settings *d = &l->s->settings;
    const mangle_program *p = l->s->program;
    for (size_t i = 0; i < d->intent_count; i++)
        for (size_t k = 0; k < d->intents[i].required_count + d->intents[i].optional_count; k++) {
            const struct intent_entry *e = &d->intents[i];
            struct str name = k < e->required_count ? e->required_facts[k]
                                                    : e->optional_facts[k - e->required_count];
            const struct pred_schema *schema = mgi_profile_find(&l->s->profile, name);
            bool internal = schema && schema->direction == DIRECTION_OUTPUT, known = schema;
            for (mangle_pred q = 0; !known && q < mangle_program_pred_count(p); q++)
                known = internal = str_is(name, mangle_program_pred(p, q).name);
            if (internal)
                mgi_findings_add(l->yaml.findings, MANGLE_ERROR, "INTENT_FACT", "domain.yaml", 0, 0,
                                 "Declare it in rules/schema with direction(\"input\").",
                                 "intent %.*s asks for %.*s, which clients may not send",
                                 STR_ARG(e->name), STR_ARG(name));
            else if (!known)
                mgi_findings_add(l->yaml.findings, MANGLE_WARNING, "INTENT_FACT", "domain.yaml", 0,
                                 0, "Declare it in rules/schema with direction(\"input\").",
                                 "intent %.*s asks for %.*s, which no rule can read",
                                 STR_ARG(e->name), STR_ARG(name));
        }
}

struct fact_profile mgi_profile_begin(const struct domain_settings *d)
{
    return (struct fact_profile){
        .closed = true,
        .time_formats = WIRE_TIME_RFC3339 | (d->epoch_ms ? WIRE_TIME_EPOCH_MS : 0) |
                        (d->epoch_ns ? WIRE_TIME_EPOCH_NS : 0),
        .named_args = true,
        .max_violations = 100,
    };
}

static bool is_of_evidence(const struct snapshot *s, mangle_pred pred)
{
    const struct fact_profile *p = &s->evidence;
    for (size_t i = 0; i < p->count; i++)
        if (p->schemas[i].pred == pred)
            return true;
    return false;
}

bool mgi_load_profile(struct loading *l)
{
    struct snapshot *s = l->s;
    if (!s->program)
        return true;
    s->profile = mgi_profile_begin(&s->settings);
    s->evidence = s->profile;
    s->evidence.time_formats = WIRE_TIME_RFC3339 | WIRE_TIME_EPOCH_MS | WIRE_TIME_EPOCH_NS;
    if (!fill_schemas(l, false, &s->profile) || !fill_schemas(l, true, &s->evidence))
        return false;
    for (mangle_pred i = 0; i < mangle_program_pred_count(s->program) && !s->reads_time; i++)
        s->reads_time = mangle_program_pred(s->program, i).temporal && !is_of_evidence(s, i);
    check_intent_facts(l);
    return true;
}
