/* What the server says of itself. Its shape is docs/schemas' business (cases_whole.c); what is
 * looked at here is what a schema cannot say. */
#include "conformance/conformance_int.h"

static bool has_predicate(const struct probe *p, struct str name)
{
    const struct json *list = mgi_at(&p->manifest, "/facts_profile/predicates");
    for (uint32_t i = 0; list && i < list->count; i++)
        if (str_eq(mgi_text_at(&list->items[i], "/predicate"), name))
            return true;
    return false;
}

static void play_predicates_of_intents(struct probe *p)
{
    static const char *const lists[] = { "/required_facts", "/optional_facts" };
    const struct json *intents = mgi_at(&p->manifest, "/intents");
    mgi_probe_expect(p, intents && intents->count > 0, "no intents are listed");
    for (uint32_t i = 0; intents && i < intents->count; i++)
        for (size_t k = 0; k < 2; k++) {
            const struct json *names = mgi_at(&intents->items[i], lists[k]);
            for (uint32_t n = 0; names && n < names->count; n++)
                mgi_probe_expect(p,
                                 has_predicate(p, names->items[n].string) ||
                                     str_is(names->items[n].string, "fx_undeclared_but_listed"),
                                 "%.*s has no schema", STR_ARG(names->items[n].string));
        }
}

static void play_schemas_of_predicates(struct probe *p)
{
    const struct json *list = mgi_at(&p->manifest, "/facts_profile/predicates");
    mgi_probe_expect(p, list && list->count > 0, "no predicates are published");
    for (uint32_t i = 0; list && i < list->count; i++) {
        const struct json *one = &list->items[i];
        const struct json *types = mgi_at(one, "/arg_types"), *names = mgi_at(one, "/arg_names");
        int64_t arity = mgi_int_at(one, "/arity");
        struct str name = mgi_text_at(one, "/predicate");
        mgi_probe_expect(p, types && types->count == arity, "%.*s: arg_types for %d arguments",
                         STR_ARG(name), (int)arity);
        mgi_probe_expect(p, !names || names->count == arity, "%.*s: arg_names", STR_ARG(name));
        mgi_probe_expect(p, !mgi_str_starts(name, STR_LIT("_manglecp_")), "%.*s is reserved",
                         STR_ARG(name));
        for (size_t c = 0; c < name.len; c++)
            mgi_probe_expect(p, strchr("abcdefghijklmnopqrstuvwxyz0123456789_", name.ptr[c]),
                             "%.*s is not written in snake_case", STR_ARG(name));
    }
}

static void play_version(struct probe *p)
{
    const struct json *versions = mgi_at(&p->manifest, "/protocol/supported_versions");
    const struct json *refusal = mgi_probe_ask(
        p, "{'type':'intent_request','id':'$ID','manglecp':'1999-01-draft','payload':{}}");
    mgi_probe_expect(p, mgi_is_at(&p->manifest, "/protocol/manglecp", VERSION_TEXT), "the version");
    mgi_probe_refused(p, refusal, "unsupported_version");
    mgi_probe_expect(p, mgi_is_at(refusal, "/payload/details/requested_version", "1999-01-draft"),
                     "requested_version");
    const struct json *told = mgi_at(refusal, "/payload/details/supported_versions");
    mgi_probe_expect(p, !versions || (told && mgi_json_equal(versions, told, true)),
                     "supported_versions differ");
}

static bool is_semver(struct str v)
{
    size_t dots = 0, digits = 0;
    for (size_t i = 0; i < v.len && !strchr("-+", v.ptr[i]); i++) {
        bool dot = v.ptr[i] == '.';
        if ((!dot && (v.ptr[i] < '0' || v.ptr[i] > '9')) || (dot && digits == 0))
            return false;
        dots += dot;
        digits = dot ? 0 : digits + 1;
    }
    return dots == 2 && digits > 0;
}

static void play_semver(struct probe *p)
{
    mgi_probe_expect(p, is_semver(mgi_text_at(&p->manifest, "/server_version")),
                     "server_version does not follow SemVer");
}

static void play_level(struct probe *p)
{
    int64_t level = mgi_int_at(&p->manifest, "/protocol/conformance_level");
    mgi_probe_expect(p, level >= 1 && level <= 3, "conformance_level");
}

static void play_planned(struct probe *p)
{
    mgi_probe_expect(p, !mgi_is_at(&p->manifest, "/capabilities/rule_submission", "true"),
                     "rule_submission");
    mgi_probe_expect(p, !mgi_is_at(&p->manifest, "/capabilities/subscriptions", "true"),
                     "subscriptions");
}

/* One request for each listed intent, made of nothing but the manifest. */
static const char *facts_for(struct probe *p, const struct json *intent)
{
    const struct json *required = mgi_at(intent, "/required_facts");
    if (required && required->count > 0 && str_is(required->items[0].string, "fx_basic"))
        return BASIC;
    if (required && required->count > 0)
        return mgi_arena_printf(&p->memory, "{'pred':'%.*s','args':['x']}",
                                STR_ARG(required->items[0].string));
    return "";
}

static void play_each_intent(struct probe *p)
{
    const struct json *intents = mgi_at(&p->manifest, "/intents");
    for (uint32_t i = 0; intents && i < intents->count && !p->failed; i++) {
        struct str name = mgi_text_at(&intents->items[i], "/name");
        const char *intent = mgi_arena_printf(&p->memory, "%.*s", STR_ARG(name));
        if (str_is(name, "fx.runaway") || str_is(name, "fx.slow")) /* those are for limits */
            continue;
        const struct json *answer =
            mgi_probe_intent(p, intent, facts_for(p, &intents->items[i]), "");
        mgi_probe_is(p, answer, "intent_response");
    }
}

static void play_one_fact_more(struct probe *p)
{
    mgi_probe_is(p, mgi_probe_intent(p, "fx.pair", "", ""), "intent_response");
    mgi_probe_is(p,
                 mgi_probe_intent(p, "fx.pair", "{'pred':'fx_score','args':['fx_pair_a',80]}", ""),
                 "intent_response");
}

static void play_time_formats(struct probe *p)
{
    const struct json *formats = mgi_at(&p->manifest, "/facts_profile/time_formats");
    bool rfc = false;
    for (uint32_t i = 0; formats && i < formats->count; i++)
        rfc |= str_is(formats->items[i].string, "rfc3339");
    mgi_probe_expect(p, rfc, "rfc3339 is not among the time formats");
}

static void play_endpoints(struct probe *p)
{
    mgi_probe_expect(p,
                     mgi_text_at(&p->manifest, "/endpoints/intent_eval").len > 0 &&
                         mgi_text_at(&p->manifest, "/endpoints/macro_invoke").len > 0,
                     "no endpoints");
}

static void play_flags(struct probe *p)
{
    mgi_probe_expect(p, mgi_is_at(&p->manifest, "/capabilities/named_args", "true"), "named_args");
    mgi_probe_expect(p, mgi_is_at(&p->manifest, "/capabilities/temporal", "true"), "temporal");
}

static void play_limits_told(struct probe *p)
{
    mgi_probe_expect(p, mgi_int_at(&p->manifest, "/limits/max_message_bytes") >= 16777216,
                     "max_message_bytes");
    mgi_probe_expect(p, mgi_int_at(&p->manifest, "/limits/max_facts_per_request") > 0, "facts");
    mgi_probe_expect(p, mgi_int_at(&p->manifest, "/limits/max_derived_facts") > 0, "derived");
}

static bool is_marked(const struct probe *p, const char *name, bool *marked)
{
    const struct json *list = mgi_at(&p->manifest, "/capabilities/external_predicates");
    for (uint32_t i = 0; list && list->type == JSON_ARRAY && i < list->count; i++)
        if (mgi_is_at(&list->items[i], "/predicate", name)) {
            *marked = mgi_is_at(&list->items[i], "/deterministic", "false");
            return true;
        }
    return false;
}

static void play_external(struct probe *p)
{
    bool marked = false;
    mgi_probe_expect(p, is_marked(p, "fx_words", &marked) && marked,
                     "fx_words is not marked as not deterministic");
    mgi_probe_expect(p, is_marked(p, "fx_colour", &marked) && !marked,
                     "fx_colour is not told, or marked, too");
}

static void play_unlisted(struct probe *p)
{
    const struct json *answer = mgi_probe_intent(p, "zz.nothing", "", "");
    const struct json *tools = mgi_at(answer, "/payload/macro_tools");
    mgi_probe_expect(p, tools && tools->type == JSON_ARRAY && tools->count == 0, "not empty: %s",
                     mgi_tool_names(p, answer));
}

static void play_missing_fact(struct probe *p)
{
    const struct json *answer = mgi_probe_intent(p, "fx.echo", "", "");
    mgi_probe_refused(p, answer, "invalid_facts");
    mgi_probe_expect(p, mgi_is_at(answer, "/payload/details/missing_facts/0", "fx_basic"),
                     "missing_facts does not name fx_basic");
}

const struct test_case mgi_cases_manifest[] = {
    { "P-MAN-6 P-MAN-7 P-ENV-9 P-LEVEL-10", "the versions are those of the refusal of another one",
      OVER_ANY, 0, play_version },
    { "P-MAN-5", "server_version follows SemVer", OVER_ANY, 0, play_semver },
    { "P-MAN-8 P-LEVEL-1", "a level is stated", OVER_ANY, 0, play_level },
    { "P-MAN-29", "nothing is promised that this draft does not have", OVER_ANY, 0, play_planned },
    { "P-MAN-15 P-SCHEMA-10", "predicates of the listed intents have schemas", OVER_ANY, 0,
      play_predicates_of_intents },
    { "P-SCHEMA-1 P-SCHEMA-2 P-SCHEMA-3 P-SCHEMA-4 P-SCHEMA-6 P-MAN-19 P-FACT-3 P-FACT-4",
      "predicates are published with their types", OVER_ANY, 0, play_schemas_of_predicates },
    { "P-MAN-2 P-MAN-16", "each listed intent is served", OVER_ANY, 0, play_each_intent },
    { "P-MAN-32", "an optional fact may be sent, or not", OVER_ANY, 0, play_one_fact_more },
    { "P-TIME-6", "RFC 3339 is among the time formats", OVER_ANY, 0, play_time_formats },
    { "P-MAN-13", "the endpoints are there", OVER_HTTP, 0, play_endpoints },
    { "P-FACT-16 P-MAN-21", "named arguments and time are announced, for they work", OVER_ANY, 0,
      play_flags },
    { "P-MAN-25 P-BUDGET-1", "the limits are told", OVER_ANY, 0, play_limits_told },
    { "P-DET-5 P-MAN-23 P-MAN-24", "what is not deterministic is marked", OVER_ANY, 0,
      play_external },
    { "P-EVAL-10 P-MAN-18 P-EVAL-12", "an intent that nobody knows has no tools", OVER_ANY, 0,
      play_unlisted },
    { "P-MAN-17", "a required fact that is missing is named", OVER_ANY, 0, play_missing_fact },
    { 0 },
};
