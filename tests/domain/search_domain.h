/* A domain whose rules search texts, and what they find: for tests. */
#ifndef TESTS_DOMAIN_SEARCH_DOMAIN_H
#define TESTS_DOMAIN_SEARCH_DOMAIN_H

#include "domain/temp_domain.h"

static const char *const search_decl =
    "Decl found(Text, Key, Rank) descr [external(), mode('+', '-', '-')]\n"
    "  bound [/any, /string, /number].\n"
    "Decl worth(Text, Key, Rank, Score) descr [external(), mode('+', '-', '-', '-')]\n"
    "  bound [/any, /string, /number, /number].\n"
    "Decl about(Key, Text, More) bound [/string, /string, /any].\n"
    "hit(Key, Rank) :- seen(Text), found(Text, Key, Rank).\n"
    "hit_of(Key, Rank) :- seen(Text), found([Text, [\"branch\"]], Key, Rank).\n"
    "score(Key, Score) :- seen(Text), worth(Text, Key, _, Score).\n"
    "instruction(\"one\", Key) :- hit(Key, _).\n"
    "instruction(\"one\", Key) :- hit_of(Key, _).\n"
    "instruction(\"one\", Key) :- score(Key, _).\n";

static const char *const search_facts =
    "about(\"merge\", \"Merges one branch into another\", [\"mergeBranch\"]).\n"
    "about(\"commit\", \"Records changes of the index in the repository\", []).\n"
    "about(\"branch\", \"Lists, creates and deletes branches\", [\"listBranches\"]).\n"
    "about(\"mail\", \"Schickt Gr\xc3\xbc\xc3\x9f"
    "e als Brief\", []).\n"
    "about(\"mail\", \"and another line of the same key: tomato\", []).\n"
    "about(\"twin_b\", \"quince\", []).\n"
    "about(\"twin_a\", \"quince\", []).\n";

static const char *const search_yaml =
    "server: {name: s, version: 1.0.0}\n"
    "domain: {id: d, description: d}\n"
    "intents: [{name: go, description: g, required_facts: [seen]}]\n"
    "settings: {place: {type: path, default: here}, size: {type: number, default: 3}}\n"
    "actions: {plugins: [fxunit]}\n";

static inline void search_make(struct temp_domain *d, const char *external)
{
    char text[4096];
    temp_make(d);
    snprintf(text, sizeof text, "%s%s", search_yaml, external);
    temp_write(d, "domain.yaml", text);
    temp_write(d, "rules/domain/e.mg", search_decl);
    temp_write(d, "facts/about.mg", search_facts);
}

#define SEARCH_GOOD                                                                                \
    "external:\n"                                                                                  \
    "  found: {search: {over: about, limit: 3, ignore: [the, OF]}}\n"                              \
    "  worth: {search: {over: about, weights: [1, 0]}}\n"

/* "key rank key rank ..." of what `pred` holds when `text` was seen. */
static inline void search_ask(struct snapshot *s, const char *pred, const char *text,
                              struct buf *out)
{
    mangle_overlay *o;
    const struct mangle_fact *f;
    size_t count, len;
    struct mangle_error error = { 0 };
    mgi_buf_clear(out);
    assert_int_equal(mangle_overlay_new(s->base, &o), MANGLE_OK);
    mangle_value seen = mangle_string(mangle_overlay_values(o), text, strlen(text));
    assert_int_equal(
        mangle_overlay_add(o, mangle_pred_find(s->program, "seen", 1), &seen, 1, NULL, &error),
        MANGLE_OK);
    if (mangle_overlay_eval(o, 0, &(struct mangle_limits){ 0 }, NULL, &error) != MANGLE_OK)
        fail_msg("%s", error.message);
    assert_int_equal(mangle_overlay_facts(o, mangle_pred_find(s->program, pred, 2), &f, &count),
                     MANGLE_OK);
    for (size_t i = 0; i < count; i++) {
        const char *key = mangle_text_of(mangle_overlay_values(o), f[i].args[0], &len);
        mgi_buf_printf(out, "%s%.*s %lld", i ? " " : "", (int)len, key,
                       (long long)mangle_int_of(mangle_overlay_values(o), f[i].args[1]));
    }
    mangle_overlay_free(o);
}

static inline struct snapshot *search_load(const struct temp_domain *d)
{
    struct buf text = { 0 };
    struct snapshot *s = temp_load(d, NULL, true, &text);
    if (text.len > 0)
        fail_msg("%s", text.ptr);
    mgi_buf_fini(&text);
    return s;
}

#endif
