/* A domain folder made for one test: a small good one, into which a test puts its own files. */
#ifndef TESTS_DOMAIN_TEMP_DOMAIN_H
#define TESTS_DOMAIN_TEMP_DOMAIN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "domains/unit.h"

struct temp_domain {
    char folder[64];
};

static inline void temp_write(const struct temp_domain *d, const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof full, "%s/%s", d->folder, path);
    for (char *c = full + strlen(d->folder) + 1; (c = strchr(c, '/')) != NULL; c++) {
        *c = '\0';
        mkdir(full, 0700);
        *c = '/';
    }
    FILE *f = fopen(full, "w");
    if (!f)
        abort();
    fputs(text, f);
    fclose(f);
}

static inline void temp_make(struct temp_domain *d)
{
    strcpy(d->folder, "/tmp/mangle-domain-XXXXXX");
    if (!mkdtemp(d->folder))
        abort();
    temp_write(d, "domain.yaml",
               "server: {name: s, version: 1.0.0}\n"
               "domain: {id: d, description: d}\n"
               "intents: [{name: go, description: g, required_facts: [seen]}]\n"
               "settings: {place: {type: path, default: here}, size: {type: number, default: 3}}\n"
               "actions: {plugins: [fxunit]}\n");
    temp_write(d, "rules/schema/s.mg",
               "Decl seen(What) descr [direction(\"input\")] bound [/string].\n"
               "Decl told(What) descr [direction(\"output\")] bound [/string].\n"
               "Decl glimpsed(What) temporal descr [direction(\"evidence\")] bound [/string].\n");
    temp_write(d, "rules/domain/d.mg",
               "tool_relevant_to_intent(\"one\", \"go\", 50) :- seen(_).\n");
    temp_write(d, "tools/t.yaml",
               "tool: one\n"
               "summary: s\n"
               "description: d\n"
               "input_schema: {type: object, properties: {q: {type: string}}}\n"
               "steps:\n"
               "  - {id: a, action: AID.FX.ECHO.v1, inputs: {label: {from: args.q}}}\n"
               "result: {x: {from: steps.a.output.label}}\n");
}

static inline void temp_remove(const struct temp_domain *d)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", d->folder);
    if (system(command) != 0)
        abort();
}

/* Loads it; *text gets one line `CODE file:line:column message` per finding, sorted. */
static inline struct snapshot *temp_load(const struct temp_domain *d, const char *const *set,
                                         bool lint, struct buf *text)
{
    static const char *const plugin_paths[] = { MGI_BUILD_DIR "/test-plugins" };
    struct domain_options options = {
        .actions = &unit_actions, .plugin_paths = plugin_paths, .plugin_path_count = 1, .set = set
    };
    while (set && set[options.set_count])
        options.set_count++;
    struct findings *findings = mgi_findings_new();
    struct snapshot *s = mgi_domain_load(d->folder, &options, findings);
    if (s && lint)
        mgi_domain_lint(s, findings);
    for (size_t i = 0; i < mgi_findings_count(findings); i++) {
        const struct finding *f = mgi_findings_get(findings, i);
        mgi_buf_printf(text, "%s %s:%u:%u %s\n", f->code, f->file, f->line, f->column, f->message);
    }
    mgi_findings_free(findings);
    return s;
}

#endif
