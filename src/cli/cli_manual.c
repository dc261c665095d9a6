/* See cli_manual.h. Pages are man(7) text. */
#include "cli/cli_manual.h"

#include <string.h>

static const char *version_text = "";

static const char *command_word(const struct cli_command *c)
{
    const char *word = strchr(c->name, ' ');
    return word ? word + 1 : c->name;
}

/* ---- pages ------------------------------------------------------------------------------- */

/* Text that troff takes for nothing else; a line that begins with '.' or '\'' would be a request.
 */
static void put_text(const char *text)
{
    bool begin = true;
    for (; *text; text++) {
        if (begin && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        begin = *text == '\n';
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
    }
}

/* "manglecp serve" is the page manglecp-serve(1). */
static void put_page_name(const char *name)
{
    for (; *name; name++)
        putchar(*name == ' ' ? '-' : *name);
}

static void begin_page(const char *name, const char *purpose)
{
    printf(".TH \"");
    put_page_name(name);
    printf("\" 1 \"\" \"%s\" \"MangleCP\"\n.SH NAME\n", version_text);
    put_page_name(name);
    printf(" \\- ");
    put_text(purpose);
    printf("\n.SH SYNOPSIS\n.B ");
    put_text(name);
    putchar('\n');
}

/* Where the rest is: below the prefix that the program was installed to. */
static void end_page(const char *others)
{
    printf(
        ".SH FILES\n.TP\n.I share/doc/manglecp\nbelow the prefix of the installation: README.md, "
        "docs/, the standard rules in rules/, complete domains in domains/\n"
        ".SH SEE ALSO\n%s\n",
        others);
}

static void command_page(const struct cli_command *command, const struct cli_option *options)
{
    begin_page(command->name, command->help);
    put_text(command->usage);
    printf("\n.SH DESCRIPTION\n");
    put_text(command->help);
    if (command->more) {
        printf("\n.PP\n.nf\n");
        put_text(command->more);
        printf(".fi");
    }
    if (options->name)
        printf("\n.SH OPTIONS");
    for (; options->name; options++) {
        printf("\n.TP\n.B ");
        put_text(options->name);
        if (options->value_name) {
            printf(" \\fI");
            put_text(options->value_name);
            printf("\\fR");
        }
        putchar('\n');
        put_text(options->help);
    }
    putchar('\n');
    end_page(".BR mangle (1),\n.BR manglecp (1),\n.BR toolhost (1)");
}

static void program_page(const char *program, const char *purpose,
                         const struct cli_command *commands)
{
    begin_page(program, purpose);
    printf("COMMAND [ARGUMENTS]\n.SH COMMANDS\n");
    for (; commands->name; commands++) {
        printf(".TP\n.B ");
        put_text(command_word(commands));
        putchar('\n');
        put_text(commands->help);
        putchar('\n');
    }
    printf(".PP\nEach has a page of its own: \\fBman %s\\-%s\\fR; \\fB%s COMMAND \\-\\-help\\fR "
           "prints the same.\n",
           program, "COMMAND", program);
    end_page(strcmp(program, "mangle") == 0 ? ".BR manglecp (1)"
                                            : ".BR mangle (1),\n.BR toolhost (1)");
}

/* ---- completions ------------------------------------------------------------------------- */

static void completion_case(const struct cli_command *command, const struct cli_option *options)
{
    printf("    %s) options='--help", command_word(command));
    for (; options->name; options++)
        printf(" %s", options->name);
    printf("' ;;\n");
}

/* Runs a command with --help, which prints in the form that is set. */
static int help_of(const struct cli_command *command)
{
    static char help[] = "--help";
    char *argv[] = { help, help, NULL }; /* the first is the command's name, which nobody reads */
    return mgi_cli_run(command, 2, argv);
}

static int completion(const char *program, const struct cli_command *commands)
{
    int status = EXIT_ANSWERED;
    printf("# bash-completion of %s\n_%s() {\n    local word=${COMP_WORDS[COMP_CWORD]} options=\n"
           "    COMPREPLY=()\n    if [ \"$COMP_CWORD\" = 1 ]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -W '",
           program, program);
    for (const struct cli_command *c = commands; c->name; c++)
        printf("%s ", command_word(c));
    printf("help --help --version' -- \"$word\")\n        return\n    fi\n"
           "    case ${COMP_WORDS[1]} in\n");
    mgi_cli_help_form(completion_case);
    for (const struct cli_command *c = commands; c->name && status == EXIT_ANSWERED; c++)
        status = help_of(c);
    mgi_cli_help_form(NULL);
    printf("    esac\n    case $word in\n"
           "    -*) mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\") ;;\n"
           "    esac\n}\ncomplete -o default -F _%s %s\n",
           program, program);
    return status;
}

/* ---- the forms --------------------------------------------------------------------------- */

static int page_of(const struct cli_command *commands, const char *word)
{
    for (; commands->name; commands++)
        if (strcmp(command_word(commands), word) == 0)
            break;
    if (!commands->name) {
        mgi_cli_error("there is no command \"%s\"", word);
        return EXIT_USAGE;
    }
    mgi_cli_help_form(command_page);
    int status = help_of(commands);
    mgi_cli_help_form(NULL);
    return status;
}

int mgi_cli_manual(const char *program, const char *version, const char *purpose,
                   const struct cli_command *commands, int argc, char **argv)
{
    version_text = version;
    if (strcmp(argv[0], "--man") == 0 && argc > 1)
        return page_of(commands, argv[1]);
    if (strcmp(argv[0], "--man") == 0) {
        program_page(program, purpose, commands);
    } else if (strcmp(argv[0], "--bash") == 0) {
        return completion(program, commands);
    } else if (strcmp(argv[0], "--commands") == 0) {
        for (; commands->name; commands++)
            puts(command_word(commands));
    } else {
        mgi_cli_error("help has no form %s", argv[0]);
        mgi_cli_hint("The forms are --man [COMMAND], --bash and --commands.");
        return EXIT_USAGE;
    }
    return EXIT_ANSWERED;
}
