/* Scenarios: the YAML files in tests/ of a domain (docs/domain-format.md). A request in, and what
 * must and must not come out. */
#ifndef MGI_SCENARIO_SCENARIO_H
#define MGI_SCENARIO_SCENARIO_H

#include "domain/domain.h"

struct scenario_result {
    const char *file; /* relative to the domain folder */
    uint32_t line;
    struct str name;
    bool passed;
    const char **failures; /* one line each, for people */
    size_t failure_count;
};

struct scenario_report {
    struct scenario_result *items; /* in the order of files and lines */
    size_t count, passed;
};

struct scenario_options {
    const char *only;        /* run those whose names contain this; NULL: all */
    int64_t (*mono)(void *); /* for limits.max_compute_ms; NULL: no time limit */
    void *mono_context;
};

/* Run all scenarios of the snapshot's folder. Files that cannot be read are errors in `findings`.
 * The report lives in `arena`. False: memory. */
bool mgi_scenarios_run(struct snapshot *s, const struct scenario_options *options,
                       struct findings *findings, struct arena *arena, struct scenario_report *out);

#endif
