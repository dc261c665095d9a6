/* manglecp check: everything that is wrong with a domain folder, in one run. */
#include "actions/enforcement.h"
#include "cli/cli_errors.h"
#include "cli/manglecp_commands.h"
#include "cli/manglecp_host.h"
#include "cli/manglecp_sarif.h"

const struct cli_command mgi_command_check = {
    .name = "manglecp check",
    .usage = "DOMAIN [OPTIONS]",
    .help = "Check a domain folder: rules, tools, actions, schemas, skills.",
    .run = mgi_run_check,
    .more =
        "It loads the folder, then looks at types, and at names and predicates that lead nowhere.\n"
        "--format json is one list of findings; sarif is SARIF 2.1.0, for code hosts and editors.\n"
        "\n"
        "Exit status: 0 it loads, 1 something is wrong with it, 2 usage, memory that ran out.\n",
};

static void write_text(struct buf *out, const char *folder, struct findings *f)
{
    (void)folder;
    mgi_findings_print(out, f);
    size_t errors = mgi_findings_errors(f), warnings = mgi_findings_count(f) - errors;
    mgi_buf_printf(out, "%zu error%s, %zu warning%s", errors, errors == 1 ? "" : "s", warnings,
                   warnings == 1 ? "" : "s");
    if (errors + warnings > 0)
        mgi_buf_puts(out, "\nmanglecp explain-error CODE says more of each");
}

static void write_json(struct buf *out, const char *folder, struct findings *f)
{
    struct json_writer w;
    (void)folder;
    mgi_json_writer_init(&w, out, 2);
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < mgi_findings_count(f); i++) {
        const struct finding *one = mgi_findings_get(f, i);
        mgi_jw_begin_object(&w);
        mgi_jw_member_cstr(&w, "severity", one->severity == MANGLE_ERROR ? "error" : "warning");
        mgi_jw_member_cstr(&w, "code", one->code);
        mgi_error_json(&w, one->code);
        mgi_jw_member_cstr(&w, "file", one->file);
        mgi_jw_member_int(&w, "line", one->line);
        mgi_jw_member_int(&w, "column", one->column);
        mgi_jw_member_cstr(&w, "message", one->message);
        mgi_jw_member_cstr(&w, "hint", one->hint);
        mgi_jw_end_object(&w);
    }
    mgi_jw_end_array(&w);
}

static const struct form {
    const char *name;
    void (*write)(struct buf *out, const char *folder, struct findings *findings);
} forms[] = { { "text", write_text }, { "json", write_json }, { "sarif", mgi_sarif_write } };

static const struct form *form_named(const char *name)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].name, name) == 0)
            return &forms[i];
    return NULL;
}

/* False: memory. */
static bool print(const struct form *form, const char *folder, struct findings *findings)
{
    struct buf text = { 0 };
    form->write(&text, folder, findings);
    bool whole = !text.oom;
    if (whole)
        printf("%s\n", text.ptr ? text.ptr : "");
    else
        mgi_cli_error("out of memory");
    mgi_buf_fini(&text);
    return whole;
}

/* False: memory. */
static bool print_enforcement(void)
{
    struct buf text = { 0 };
    mgi_enforcement_tell(&text);
    bool whole = !text.oom;
    if (whole)
        fputs(text.ptr, stdout);
    mgi_buf_fini(&text);
    return whole;
}

/* Who may fail is asked whether it does: the domain works without, and who runs it wants to know.
 */
static void try_externals(const struct snapshot *s, struct arena *arena, struct findings *findings)
{
    for (size_t i = 0; i < s->external_count; i++) {
        const struct domain_external *e = &s->externals[i];
        const char *why;
        if (e->may_fail && !mgi_external_try(e, arena, &why))
            mgi_findings_add(findings, MANGLE_WARNING, "EXTERNAL", e->origin, e->line, e->column,
                             "The domain works without: rules get what otherwise says.",
                             "nobody answers %.*s here: %s", STR_ARG(e->name), why);
    }
}

static int check(struct host_options *host, const struct form *form, bool enforced)
{
    struct arena arena;
    struct findings *findings = mgi_findings_new();
    mgi_arena_init(&arena, 0);
    struct snapshot *s = findings ? mgi_host_check(host, &arena, findings) : NULL;
    if (s)
        mgi_domain_lint(s, findings);
    if (s)
        try_externals(s, &arena, findings);
    int status = mgi_host_status(findings, s && mgi_findings_errors(findings) == 0);
    if (findings && !print(form, host->domain, findings))
        status = EXIT_USAGE;
    if (enforced && !print_enforcement())
        status = EXIT_USAGE;
    mgi_snapshot_unref(s);
    mgi_findings_free(findings);
    mgi_arena_fini(&arena);
    return status;
}

int mgi_run_check(int argc, char **argv)
{
    struct host_options host = { 0 };
    const char *format = "text";
    bool helped, enforced = false;
    const struct cli_option options[] = {
        { "--format", OPTION_TEXT, &format, NULL, "FORM", "text, json or sarif" },
        { "--enforced", OPTION_FLAG, &enforced, NULL, NULL,
          "tell what this machine confines actions by, too (form text)" },
        HOST_OPTION_ROWS(host),
        { 0 },
    };
    struct cli_list words = { 0 };
    if (!mgi_cli_parse(&mgi_command_check, options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    const struct form *form = form_named(format);
    if (words.count != 1 || !form) {
        mgi_cli_error("check needs one DOMAIN, and --format text, json or sarif");
        return EXIT_USAGE;
    }
    if (enforced && form != form_named("text")) {
        mgi_cli_error("--enforced is for people: it goes with --format text");
        return EXIT_USAGE;
    }
    host.domain = words.items[0];
    return check(&host, form, enforced);
}
