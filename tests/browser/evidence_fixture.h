/* Looking for facts in evidence. Include after plugin_fixture.h or fake_host.h. */
#ifndef TESTS_BROWSER_EVIDENCE_FIXTURE_H
#define TESTS_BROWSER_EVIDENCE_FIXTURE_H

/* Is there a fact with these arguments? "*" stands for anything, numbers are written as text. */
static inline bool has_fact(const struct json *facts, const char *pred, const char *const *args)
{
    for (size_t i = 0; i < facts->count; i++) {
        const struct json *given = mgi_json_get(&facts->items[i], "args");
        size_t n = 0;
        if (!str_is(mgi_member_string(&facts->items[i], "pred"), pred))
            continue;
        for (; args[n] && n < given->count; n++) {
            const struct json *a = &given->items[n];
            struct str text = a->type == JSON_STRING ? a->string : a->text;
            if (strcmp(args[n], "*") != 0 && !str_is(text, args[n]))
                break;
        }
        if (!args[n] && n == given->count)
            return true;
    }
    return false;
}
#define HAS(facts, pred, ...) has_fact(facts, pred, (const char *const[]){ __VA_ARGS__, NULL })

static inline size_t count_facts(const struct json *facts, const char *pred)
{
    size_t count = 0;
    for (size_t i = 0; i < facts->count; i++)
        count += str_is(mgi_member_string(&facts->items[i], "pred"), pred);
    return count;
}

#endif
