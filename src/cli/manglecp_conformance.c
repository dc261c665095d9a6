/* manglecp conformance: the protocol's requirements, each shown by speaking to a server. */
#include <string.h>
#include <unistd.h>

#include "cli/cli_files.h"
#include "cli/manglecp_commands.h"
#include "conformance/conformance.h"

const struct cli_command mgi_command_conformance = {
    .name = "manglecp conformance",
    .usage = "[TARGET | -- COMMAND... | --client -- COMMAND...] [OPTIONS]",
    .help = "Show which requirements of the protocol a server keeps, or a client.",
    .run = mgi_run_conformance,
    .more =
        "TARGET: an http(s):// or ws(s):// address; or the command of a server on standard input\n"
        "and output. It has to serve the suite's own domain (--with-domain); docs/conformance.md\n"
        "tells how to start it.\n"
        "Exit status: 0 no MUST fails, 1 one does, 2 usage or no server, memory that ran out.\n",
};

static void tell_case(void *context, const char *ids, const char *what, const char *outcome,
                      const char *detail)
{
    const struct cli_style *s = context;
    const char *colour = strcmp(outcome, "pass") == 0   ? s->green
                         : strcmp(outcome, "fail") == 0 ? s->red
                                                        : s->yellow;
    fprintf(stderr, "%s%-7s%s %s %s(%s)%s\n", colour, outcome, s->reset, what, s->dim, ids,
            s->reset);
    if (strcmp(outcome, "fail") == 0)
        fprintf(stderr, "        %s\n", detail);
}

struct conformance_command {
    struct conformance_options suite;
    const char *report, *with_domain, *over;
    const char *scene, *notes; /* what a client under test starts */
    const char *const *client; /* NULL: a server is judged */
    int64_t level;
    bool quiet, is_client;
};

static int write_domain(const char *folder)
{
    struct buf why = { 0 };
    bool good = mgi_conformance_write_domain(folder, &why);
    if (!good)
        mgi_cli_error("%s", why.ptr ? why.ptr : "out of memory");
    mgi_buf_fini(&why);
    return good ? EXIT_ANSWERED : EXIT_USAGE;
}

static void print_suite(struct buf *out, const struct conformance_report *r, const char *form)
{
    if (form && strcmp(form, "json") == 0)
        mgi_conformance_print_json(out, r);
    else if (form && strcmp(form, "junit") == 0)
        mgi_conformance_print_junit(out, r);
    else
        mgi_conformance_print_markdown(out, r);
}

/* This program's own path: a client under test starts it. "" if it cannot be known. */
static void find_self(char *path, size_t cap)
{
    ssize_t len = readlink("/proc/self/exe", path, cap - 1);
    path[len > 0 ? len : 0] = '\0';
}

static int run_suite(struct conformance_command *c)
{
    char self[4096];
    struct arena arena;
    struct conformance_report report;
    struct buf why = { 0 }, text = { 0 };
    find_self(self, sizeof self);
    mgi_arena_init(&arena, 0);
    int status = EXIT_USAGE;
    bool ran = c->client ? mgi_conformance_run_client(&c->suite, c->client, "/proc/self/exe",
                                                      &arena, &report, &why)
                         : mgi_conformance_run(&c->suite, &arena, &report, &why);
    if (ran) {
        if (c->suite.only && report.count == 0)
            mgi_buf_printf(&why, "no case has \"%s\" in its ids or words", c->suite.only);
        print_suite(&text, &report, c->report);
        fputs(text.ptr && !text.oom ? text.ptr : "", stdout);
        status = text.oom || why.len > 0   ? EXIT_USAGE
                 : report.musts_failed > 0 ? EXIT_WRONG
                                           : EXIT_ANSWERED;
    }
    if (status == EXIT_USAGE) {
        mgi_cli_error("%s", why.ptr ? why.ptr : "out of memory");
        if (why.ptr && strstr(why.ptr, "certificate") && !c->suite.ca_file)
            mgi_cli_hint("--ca FILE says who vouches for the server.");
    }
    mgi_buf_fini(&why);
    mgi_buf_fini(&text);
    mgi_arena_fini(&arena);
    return status;
}

static bool is_form(const char *form)
{
    return !form || strcmp(form, "json") == 0 || strcmp(form, "junit") == 0 ||
           strcmp(form, "md") == 0;
}

static enum carrier find_carrier(const char *name) /* 0: there is none */
{
    for (enum carrier c = OVER_STDIO; c <= OVER_WS; c = (enum carrier)(c << 1))
        if (strcmp(mgi_carrier_name(c), name) == 0)
            return c;
    return (enum carrier)0;
}

int mgi_run_conformance(int argc, char **argv)
{
    struct conformance_command c = { 0 };
    struct conformance_options *o = &c.suite;
    bool helped;
    const struct cli_option options[] = {
        { "--level", OPTION_NUMBER, &c.level, NULL, "N",
          "requirements of levels 1 to N (as the manifest states)" },
        { "--only", OPTION_TEXT, &o->only, NULL, "TEXT", "cases whose ids or words contain TEXT" },
        { "--report", OPTION_TEXT, &c.report, NULL, "md|json|junit", "form of the report (md)" },
        { "--with-domain", OPTION_TEXT, &c.with_domain, NULL, "DIR",
          "write the suite's domain folder to DIR" },
        { "--token", OPTION_TEXT, &o->token, NULL, "TOKEN", "a bearer token that may everything" },
        { "--other-token", OPTION_TEXT, &o->other_token, NULL, "TOKEN", "one of another identity" },
        { "--limited-token", OPTION_TEXT, &o->limited_token, NULL, "TOKEN",
          "one with the permission intent:fx.echo alone" },
        { "--expired-token", OPTION_TEXT, &o->expired_token, NULL, "TOKEN", "one that is over" },
        { "--automated-token", OPTION_TEXT, &o->automated_token, NULL, "TOKEN",
          "one of an automated program that need not ask for the effect filesystem" },
        { "--origin", OPTION_TEXT, &o->origin, NULL, "ORIGIN",
          "a web origin that the server was told to serve" },
        { "--confirm-key", OPTION_TEXT, &o->confirm_key, NULL, "KEY",
          "base64url: the confirmation key of TOKEN's identity" },
        { "--ca", OPTION_TEXT, &o->ca_file, NULL, "FILE", "PEM: who vouches for an https server" },
        { "--timeout-ms", OPTION_NUMBER, &o->timeout_ms, NULL, "N", "wait so long (20000)" },
        { "--deadline-ms", OPTION_NUMBER, &o->deadline_ms, NULL, "N",
          "end the whole run after so long (1800000); what was not asked by then fails" },
        { "--client", OPTION_FLAG, &c.is_client, NULL, NULL, "COMMAND is a client" },
        { "--over", OPTION_TEXT, &c.over, NULL, "stdio|http|websocket",
          "how the client is spoken with (stdio)" },
        { "--scene", OPTION_TEXT, &c.scene, NULL, "NAME",
          "play the server of a scene, for --client" },
        { "--notes", OPTION_TEXT, &c.notes, NULL, "FILE", "and leave what the client did there" },
        { "--quiet", OPTION_FLAG, &c.quiet, NULL, NULL, "no line for each case on stderr" },
        { 0 },
    };
    struct cli_list words = { 0 };
    size_t after_dashes;
    if (!mgi_cli_parse(&mgi_command_conformance, options, argc, argv, &words, &after_dashes,
                       &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (c.scene && c.notes)
        return mgi_conformance_scene(c.scene, c.notes) ? EXIT_ANSWERED : EXIT_USAGE;
    bool command = after_dashes == 0 && words.count > 0;
    if (c.level < 0 || c.level > 3 || !is_form(c.report)) {
        mgi_cli_error("--level is 1, 2 or 3; --report is md, json or junit");
        return EXIT_USAGE;
    }
    if (c.with_domain && words.count == 0)
        return write_domain(c.with_domain);
    if (!command && (words.count != 1 || after_dashes != SIZE_MAX)) {
        mgi_cli_error("conformance needs one TARGET, or -- and a command");
        return EXIT_USAGE;
    }
    if (c.with_domain && write_domain(c.with_domain) != EXIT_ANSWERED)
        return EXIT_USAGE;
    if (command && !mgi_cli_list_add(&words, NULL))
        return EXIT_USAGE;
    if (c.is_client && !command) {
        mgi_cli_error("--client needs -- and the command of a client");
        return EXIT_USAGE;
    }
    if (c.over && !(o->client_over = find_carrier(c.over))) {
        mgi_cli_error("--over is stdio, http or websocket");
        return EXIT_USAGE;
    }
    c.client = c.is_client ? words.items : NULL;
    o->command = command ? words.items : NULL;
    o->url = command ? NULL : words.items[0];
    o->level = (int)c.level;
    o->told = c.quiet ? NULL : tell_case;
    struct cli_style style = *mgi_cli_style(stderr);
    o->context = &style;
    return run_suite(&c);
}
