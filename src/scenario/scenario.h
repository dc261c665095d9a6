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
    int64_t duration_ns; /* 0 without a clock */
    const char *why_not; /* JSON array: of the tools that options.why_not names; NULL: none */
};

struct rule_reach { /* a rule of the domain's own */
    const char *file, *text;
    uint32_t line;
    size_t scenarios; /* in how many it fired */
};

struct tool_reach {
    struct str name;
    size_t shown, invoked; /* in how many scenarios; how many invocations got past the gates */
};

struct scenario_report {
    struct scenario_result *items; /* in the order of files and lines */
    size_t count, passed;
    struct rule_reach *rules; /* in the order of files and lines; if coverage was asked for */
    size_t rule_count;
    struct tool_reach *tools; /* by name; the same */
    size_t tool_count;
};

struct scenario_options {
    const char *only;        /* run those whose names contain this; NULL: all */
    int64_t (*mono)(void *); /* for limits.max_compute_ms and durations; NULL: no time limit */
    void *mono_context;
    bool coverage;              /* which rules fired, which tools were shown and invoked */
    const char *const *why_not; /* tools: why did each scenario not choose them? */
    size_t why_not_count;
};

/* Run all scenarios of the snapshot's folder. Files that cannot be read are errors in `findings`.
 * The report lives in `arena`, its rules in the snapshot, too. False: memory, and the findings say
 * so. */
bool mgi_scenarios_run(struct snapshot *s, const struct scenario_options *options,
                       struct findings *findings, struct arena *arena, struct scenario_report *out);

#endif
