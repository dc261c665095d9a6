/* Any JSON as the facts of a request: what is accepted is accepted again after it was written. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "mangle/value/value.h"
#include "protocol/fact.h"
#include "protocol/wire_time.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static enum arg_type types[] = { ARG_STRING, ARG_NUMBER, ARG_BOOLEAN, ARG_ANY };
static bool names[] = { false, false, false, true };
static struct str arg_names[] = { { "a", 1 }, { "b", 1 }, { "c", 1 }, { "d", 1 } };

static const struct pred_schema schemas[] = {
    { .predicate = { "p", 1 }, .arity = 1, .temporal = true },
    { .predicate = { "q", 1 },
      .arity = 4,
      .arg_types = types,
      .arg_is_name = names,
      .arg_names = arg_names },
};

static void write_facts(struct buf *out, const mangle_values *values, const struct fact_list *list)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < list->count; i++) {
        const struct wire_fact *f = &list->facts[i];
        mgi_fact_write(&w, values, f->pred, f->args, f->count, &f->t, "session", "client");
    }
    mgi_jw_end_array(&w);
}

static void check_again(struct arena *arena, mangle_values *values,
                        const struct fact_profile *profile, const struct fact_list *list)
{
    struct buf out = { 0 };
    struct json again;
    struct fact_list second;
    write_facts(&out, values, list);
    if (mgi_json_parse(arena, mgi_buf_view(&out), NULL, &again, NULL) != 0 ||
        !mgi_facts_decode(arena, values, profile, NULL, &again, 42, &second) ||
        second.count != list->count)
        abort();
    for (size_t i = 0; i < list->count; i++)
        for (uint32_t k = 0; k < list->facts[i].count; k++)
            if (list->facts[i].args[k] != second.facts[i].args[k])
                abort();
    mgi_buf_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct fact_profile profile = {
        .schemas = schemas,
        .count = 2,
        .closed = len % 2 == 0,
        .time_formats = WIRE_TIME_RFC3339 | WIRE_TIME_EPOCH_MS | WIRE_TIME_EPOCH_NS,
        .named_args = true,
    };
    struct json_options depth = { .max_depth = 60 }; /* a fact adds four levels of its own */
    struct arena arena;
    struct json facts;
    struct fact_list list;
    mgi_arena_init(&arena, 0);
    mangle_values *values = mgi_values_new(NULL, 0);
    struct str text = { (const char *)bytes, len };
    if (values && mgi_json_parse(&arena, text, &depth, &facts, NULL) == 0 &&
        facts.type == JSON_ARRAY &&
        mgi_facts_decode(&arena, values, &profile, NULL, &facts, 42, &list))
        check_again(&arena, values, &profile, &list);
    mgi_values_free(values);
    mgi_arena_fini(&arena);
    return 0;
}
