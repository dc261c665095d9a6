/* manglecp build: what loading a domain works out, in a file, so that a server starts sooner. */
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli_files.h"
#include "cli/manglecp_commands.h"
#include "cli/manglecp_host.h"
#include "domain/prepared.h"
#include "service/snapshot_place.h"

const struct cli_command mgi_command_build = {
    .name = "manglecp build",
    .usage = "DOMAIN [-o FILE] [OPTIONS]",
    .help = "Make a snapshot of a domain folder, from which serve starts sooner.",
    .run = mgi_run_build,
    .more =
        "It checks the folder, then writes what was worked out: parsed YAML, what plugins say of\n"
        "their actions, and that the checks passed. The file goes to the user's cache\n"
        "($XDG_CACHE_HOME/manglecp), where serve finds it; with -o FILE, say serve --snapshot "
        "FILE.\n"
        "A snapshot is never stale: what has changed since is read from the folder again.\n"
        "\n"
        "Exit status: 0 made, 1 something is wrong with the domain, 2 usage, a file that could\n"
        "not be written, memory that ran out.\n",
};

/* False: told. */
static bool find_place(const char *domain, const char *given, struct buf *out)
{
    if (given)
        mgi_buf_puts(out, given);
    else if (!mgi_snapshot_place((const char *const *)environ, domain, out)) {
        mgi_cli_error("neither XDG_CACHE_HOME nor HOME names a folder: say where with -o FILE");
        return false;
    }
    if (out->oom)
        mgi_cli_error("out of memory");
    return !out->oom;
}

/* As its owner's alone: with another mode it would not be believed. */
static bool write_file(struct buf *place, const struct buf *file, bool makes_folder)
{
    mode_t before = umask(077);
    bool ok = (!makes_folder || mgi_cli_make_parents(place->ptr, 0700)) &&
              mgi_cli_write_file(place->ptr, mgi_buf_view(file));
    int why = errno;
    umask(before);
    if (!ok)
        mgi_cli_error("%s could not be written: %s", place->ptr, strerror(why));
    return ok;
}

/* Load, check, and note: the snapshot of the domain, or NULL and *status. */
static struct snapshot *check(struct host_options *host, struct arena *arena, int *status)
{
    struct findings *findings = mgi_findings_new();
    struct snapshot *s = findings ? mgi_host_check(host, arena, findings) : NULL;
    if (s)
        mgi_domain_lint(s, findings);
    bool good = s && mgi_findings_errors(findings) == 0;
    *status = mgi_host_status(findings, good);
    if (findings)
        mgi_host_print_findings(findings);
    if (*status == EXIT_WRONG)
        mgi_cli_error("%s does not load, so nothing was made of it", host->domain);
    mgi_findings_free(findings);
    if (good)
        return s;
    mgi_snapshot_unref(s);
    return NULL;
}

static int build(struct host_options *host, const char *given, struct buf *place, struct buf *file)
{
    struct arena arena;
    int status = EXIT_USAGE;
    mgi_arena_init(&arena, 0);
    struct snapshot *s = check(host, &arena, &status);
    if (s) {
        struct prepared whole = { .notes = host->notes };
        mgi_prepared_note_linted(&whole, s);
        status = EXIT_USAGE;
        if (!mgi_prepared_write(host->notes, file))
            mgi_cli_error("out of memory");
        else if (find_place(host->domain, given, place) && write_file(place, file, !given))
            status = EXIT_ANSWERED;
    }
    if (status == EXIT_ANSWERED)
        printf("%s: %zu bytes\n", place->ptr, file->len);
    mgi_snapshot_unref(s);
    mgi_arena_fini(&arena);
    return status;
}

int mgi_run_build(int argc, char **argv)
{
    struct host_options host = { 0 };
    const char *given = NULL;
    bool helped;
    const struct cli_option options[] = {
        { "-o", OPTION_TEXT, &given, NULL, "FILE", "write this file, not the one in the cache" },
        HOST_OPTION_ROWS(host),
        { 0 },
    };
    struct cli_list words = { 0 };
    if (!mgi_cli_parse(&mgi_command_build, options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (words.count != 1 || (given && !given[0])) {
        mgi_cli_error("build needs one DOMAIN");
        return EXIT_USAGE;
    }
    host.domain = words.items[0];
    host.notes = mgi_prepared_notes_new();
    if (!host.notes) {
        mgi_cli_error("out of memory");
        return EXIT_USAGE;
    }
    struct buf place = { 0 }, file = { 0 };
    int status = build(&host, given, &place, &file);
    mgi_buf_fini(&place);
    mgi_buf_fini(&file);
    mgi_prepared_notes_free(host.notes);
    return status;
}
