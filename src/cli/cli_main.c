/* Finding the subcommand, and what a program says without one. */
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/near.h"
#include "cli/cli_manual.h"
#include "cli/cli_options.h"

static void overview(FILE *to, const char *program, const char *purpose,
                     const struct cli_command *commands)
{
    const struct cli_style *s = mgi_cli_style(to);
    fprintf(to, "%s%s%s - %s\n\n%sUsage:%s %s COMMAND [ARGUMENTS]\n\n", s->bold, program, s->reset,
            purpose, s->bold, s->reset, program);
    for (; commands->name; commands++) {
        const char *word = strchr(commands->name, ' ');
        fprintf(to, "  %-13s %s\n", word ? word + 1 : commands->name, commands->help);
    }
    fprintf(to,
            "\n%s COMMAND --help says more. What is called docs/ is in share/doc/manglecp of the "
            "installation.\n",
            program);
}

static const char *word_of(const struct cli_command *c)
{
    const char *word = strchr(c->name, ' ');
    return word ? word + 1 : c->name;
}

static const struct cli_command *find_command(const struct cli_command *commands, const char *word)
{
    for (; commands->name; commands++)
        if (strcmp(word, word_of(commands)) == 0)
            return commands;
    return NULL;
}

/* The other end of a pipe is closed: whoever reads has enough, as `head` does. */
static bool reader_is_gone(void)
{
    struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

/* What was said last may not have arrived: a full disk is no success. Nor is a reader that went
 * away, but there is nobody to be told. */
static int finish(int status)
{
    if ((fflush(stdout) == 0 && !ferror(stdout)) || status != EXIT_ANSWERED)
        return status;
    if (!reader_is_gone())
        mgi_cli_error("cannot write the output");
    return EXIT_USAGE;
}

static int run_command(const struct cli_command *command, int argc, char **argv)
{
    return finish(mgi_cli_run(command, argc, argv));
}

static int no_command(const char *program, const struct cli_command *commands, const char *word)
{
    struct near near = mgi_near(str_of(word));
    for (; commands->name; commands++)
        mgi_near_try(&near, str_of(word_of(commands)));
    mgi_cli_error("%s has no command \"%s\"", program, word);
    if (near.best.len)
        mgi_cli_hint("Did you mean %.*s? %s --help lists the commands.", STR_ARG(near.best),
                     program);
    else
        mgi_cli_hint("%s --help lists the commands.", program);
    return EXIT_USAGE;
}

int mgi_cli_main(const char *program, const char *version, const char *purpose,
                 const struct cli_command *commands, int argc, char **argv)
{
    static char help_option[] = "--help";
    if (argc < 2) {
        overview(stderr, program, purpose, commands);
        return EXIT_USAGE;
    }
    bool help = strcmp(argv[1], "help") == 0;
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || (help && argc < 3)) {
        overview(stdout, program, purpose, commands);
        return finish(EXIT_ANSWERED);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("%s %s\n", program, version);
        return finish(EXIT_ANSWERED);
    }
    if (help && strncmp(argv[2], "--", 2) == 0)
        return finish(mgi_cli_manual(program, version, purpose, commands, argc - 2, argv + 2));
    const char *word = argv[help ? 2 : 1];
    const struct cli_command *command = find_command(commands, word);
    if (!command)
        return no_command(program, commands, word);
    if (help) {
        char *asked[] = { argv[2], help_option, NULL };
        return run_command(command, 2, asked);
    }
    return run_command(command, argc - 1, argv + 1);
}
