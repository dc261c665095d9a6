/* Configurations of others: what is put in and taken out again leaves the bytes that were there,
 * and nothing else of the text means anything else in between. The first byte says which form. */
#include <stdint.h>
#include <stdlib.h>

#include "splice/splice.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char entry_text[] =
    "{\"command\":\"/usr/bin/m\",\"args\":[\"mcp\",\"/a \\u00e9\\\\b\"],"
    "\"env\":{\"A b\":\"${A}\"},\"timeout\":5,\"on\":true}";

static void expect(bool good)
{
    if (!good)
        abort();
}

/* What is beside the entry. */
static void same_others(const struct json *a, const struct json *b,
                        const struct splice_place *place)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const struct json_member *m = &a->members[i];
        const struct json *other = mgi_json_get_str(b, m->name);
        expect(other != NULL);
        if (!str_eq(m->name, place->section)) {
            expect(mgi_json_equal(&m->value, other, true));
            continue;
        }
        for (uint32_t k = 0; k < m->value.count; k++) {
            const struct json_member *e = &m->value.members[k];
            if (str_eq(e->name, place->name))
                continue;
            const struct json *there = mgi_json_get_str(other, e->name);
            expect(there && mgi_json_equal(&e->value, there, true));
        }
    }
}

static void round_trip(enum splice_form form, struct str text, const struct splice_place *place,
                       const struct json *before, struct arena *arena)
{
    struct buf with = { 0 }, without = { 0 }, again = { 0 };
    struct splice_fault fault;
    struct json value, after;
    bool made;
    mgi_json_parse(arena, STR_LIT(entry_text), NULL, &value, NULL);
    bool there = mgi_json_get_str(mgi_json_get_str(before, place->section), place->name) != NULL;
    if (mgi_splice_put(form, text, place, &value, &with, &made, &fault) == SPLICE_DONE) {
        expect(!mgi_splice_read(form, mgi_buf_view(&with), arena, &after, &fault));
        same_others(before, &after, place);
        expect(!mgi_splice_put(form, mgi_buf_view(&with), place, &value, &again, NULL, &fault));
        expect(str_eq(mgi_buf_view(&again), mgi_buf_view(&with)));
        enum splice_status st =
            mgi_splice_take(form, mgi_buf_view(&with), place, made, &without, &fault);
        expect(there || !st);
        /* Of an empty text an object was made behind what stood there, and an object it stays. */
        bool was_empty = form != SPLICE_TOML && mgi_str_starts(mgi_buf_view(&with), text);
        if (!there && !was_empty)
            expect(str_eq(mgi_buf_view(&without), text));
    }
    mgi_buf_fini(&with);
    mgi_buf_fini(&without);
    mgi_buf_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena arena;
    struct json root;
    struct splice_fault fault;
    struct buf out = { 0 };
    if (size == 0)
        return 0;
    enum splice_form form = (enum splice_form)(bytes[0] % 3);
    struct str text = { (const char *)bytes + 1, size - 1 };
    const struct splice_place place = { STR_LIT("mcp_servers"), STR_LIT("x") };
    mgi_arena_init(&arena, 0);
    if (mgi_splice_read(form, text, &arena, &root, &fault) == SPLICE_DONE) {
        enum splice_status st = mgi_splice_take(form, text, &place, false, &out, &fault);
        if (st == SPLICE_DONE) {
            struct json after;
            expect(!mgi_splice_read(form, mgi_buf_view(&out), &arena, &after, &fault));
            same_others(&after, &root, &place);
        }
        round_trip(form, text, &place, &root, &arena);
    } else {
        expect(fault.message[0] != '\0');
    }
    mgi_buf_fini(&out);
    mgi_arena_fini(&arena);
    return 0;
}
