/* A small profile and a value table, for tests that decode facts. */
#ifndef TEST_PROTOCOL_FACT_FIXTURE_H
#define TEST_PROTOCOL_FACT_FIXTURE_H

#include <stdio.h>
#include <string.h>

#include "mangle/value/value.h"
#include "protocol/fact.h"
#include "protocol/wire_time.h"

struct fixture {
    struct arena arena;
    mangle_values *values;
    struct pred_schema schemas[7];
    struct fact_profile profile;
    enum arg_type types[4];
    bool names[4], integers[4];
    struct str arg_names[4];
};

static inline void fixture_init(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    mgi_arena_init(&f->arena, 0);
    f->values = mgi_values_new(NULL, 0);
    f->types[0] = ARG_STRING;
    f->types[1] = ARG_NUMBER;
    f->types[2] = ARG_BOOLEAN;
    f->types[3] = ARG_ANY;
    f->names[0] = f->integers[0] = true;
    f->arg_names[0] = STR_LIT("tag");
    f->arg_names[1] = STR_LIT("n");
    f->arg_names[2] = STR_LIT("on");
    f->arg_names[3] = STR_LIT("x");
    f->schemas[0] = (struct pred_schema){
        .predicate = STR_LIT("basic"), .arity = 4, .arg_types = f->types, .arg_names = f->arg_names
    };
    f->schemas[1] =
        (struct pred_schema){ .predicate = STR_LIT("event"), .arity = 2, .temporal = true };
    f->schemas[2] = (struct pred_schema){ .predicate = STR_LIT("flag"), .arg_names = f->arg_names };
    f->schemas[3] = (struct pred_schema){ .predicate = STR_LIT("noname"), .arity = 1 };
    f->schemas[4] = (struct pred_schema){ .predicate = STR_LIT("outcome"),
                                          .arity = 1,
                                          .direction = DIRECTION_OUTPUT };
    f->schemas[5] = (struct pred_schema){
        .predicate = STR_LIT("state"), .arity = 1, .arg_types = f->types, .arg_is_name = f->names
    };
    f->schemas[6] = (struct pred_schema){ .predicate = STR_LIT("tally"),
                                          .arity = 1,
                                          .arg_types = f->types + 1,
                                          .arg_is_integer = f->integers };
    f->profile = (struct fact_profile){ .schemas = f->schemas,
                                        .count = 7,
                                        .closed = true,
                                        .time_formats = WIRE_TIME_RFC3339,
                                        .named_args = true };
}

static inline void fixture_fini(struct fixture *f)
{
    mgi_values_free(f->values);
    mgi_arena_fini(&f->arena);
}

static inline void decode_with(struct fixture *f, const struct fact_rules *rules, const char *text,
                               struct fact_list *out)
{
    struct json facts;
    assert_int_equal(mgi_json_parse(&f->arena, str_of(text), NULL, &facts, NULL), JSON_OK);
    assert_true(mgi_facts_decode(&f->arena, f->values, &f->profile, rules, &facts, 42, out));
}

static inline void decode(struct fixture *f, const char *text, struct fact_list *out)
{
    static const struct str open[] = { { "undeclared_but_required", 23 } };
    struct fact_rules rules = { .open_names = open, .open_count = 1 };
    decode_with(f, &rules, text, out);
}

#endif
