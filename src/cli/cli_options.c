/* Parsing command lines from tables. */
#include "cli/cli_options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/time.h"
#include "base/near.h"

static const struct cli_style plain = { "", "", "", "", "", "", "", "" };
static const struct cli_style colours = { "\033[1m",  "\033[2m",  "\033[31m", "\033[32m",
                                          "\033[33m", "\033[34m", "\033[36m", "\033[0m" };

const struct cli_style *mgi_cli_style(FILE *stream)
{
    const char *refused = getenv("NO_COLOR");
    bool terminal = isatty(fileno(stream)) == 1;
    return terminal && !(refused && refused[0]) ? &colours : &plain;
}

static void complain(const char *label, const char *colour, const char *format, va_list args)
{
    const struct cli_style *s = mgi_cli_style(stderr);
    fflush(stdout); /* where both go to one place, in the order in which they were said */
    fprintf(stderr, "%s%s%s ", colour, label, s->reset);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void mgi_cli_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    complain("error:", mgi_cli_style(stderr)->red, format, args);
    va_end(args);
}

void mgi_cli_hint(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    complain("  hint:", mgi_cli_style(stderr)->cyan, format, args);
    va_end(args);
}

/* Words of the command line are needed until the program ends, so that is how long their lists
 * live; one place to keep them makes every early return of a command right. */
static struct arena process;

bool mgi_cli_list_add(struct cli_list *list, const char *item)
{
    if (!mgi_arena_grow(&process, &list->items, &list->cap, list->count + 1, sizeof *list->items))
        return false;
    list->items[list->count++] = item;
    return true;
}

void *mgi_cli_keep(size_t size)
{
    return mgi_arena_calloc(&process, 1, size);
}

static void (*help_form)(const struct cli_command *command, const struct cli_option *options);

void mgi_cli_help_form(void (*form)(const struct cli_command *command,
                                    const struct cli_option *options))
{
    help_form = form;
}

static void print_help(const struct cli_command *command, const struct cli_option *options)
{
    if (help_form) {
        help_form(command, options);
        return;
    }
    const struct cli_style *s = mgi_cli_style(stdout);
    printf("%sUsage:%s %s %s\n\n%s\n", s->bold, s->reset, command->name, command->usage,
           command->help);
    if (options->name)
        printf("\n%sOptions:%s\n", s->bold, s->reset);
    for (; options->name; options++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", options->name, options->value_name ? " " : "",
                 options->value_name ? options->value_name : "");
        printf("  %-26s %s\n", left, options->help);
    }
    if (command->more)
        printf("\n%s", command->more);
}

/* "--certificate" for "--cert": the first that goes on where `arg` ends, or NULL. */
static const char *longer_option(const struct cli_option *options, const char *arg, size_t len)
{
    for (; len > 4 && options->name; options++)
        if (strncmp(options->name, arg, len) == 0)
            return options->name;
    return NULL;
}

/* "--query" for "--quer". */
static void hint_option(const struct cli_command *command, const struct cli_option *options,
                        const char *arg, size_t len)
{
    struct near near = mgi_near((struct str){ arg, len });
    const char *longer = longer_option(options, arg, len);
    for (; options->name; options++)
        mgi_near_try(&near, str_of(options->name));
    if (longer)
        near.best = str_of(longer);
    if (near.best.len)
        mgi_cli_hint("Did you mean %.*s? %s --help lists what it takes.", STR_ARG(near.best),
                     command->name);
    else
        mgi_cli_hint("%s --help lists what it takes.", command->name);
}

static const struct cli_option *find_option(const struct cli_option *options, const char *arg,
                                            size_t len)
{
    for (; options->name; options++)
        if (strlen(options->name) == len && memcmp(options->name, arg, len) == 0)
            return options;
    return NULL;
}

static bool take_number(const struct cli_option *option, const char *value)
{
    char *end;
    errno = 0;
    long long n = strtoll(value, &end, 10);
    if (errno || end == value || *end) {
        mgi_cli_error("%s needs a whole number, not \"%s\"", option->name, value);
        return false;
    }
    *(int64_t *)option->target = n;
    return true;
}

static bool take_time(const struct cli_option *option, const char *value)
{
    enum time_parse parsed =
        mgi_time_parse(str_of(value), TIME_LOWER_CASE | TIME_LEAP_SECOND, option->target);
    if (parsed == TIME_OK)
        return true;
    mgi_cli_error("%s \"%s\": %s", option->name, value, mgi_time_parse_text(parsed));
    mgi_cli_hint("Write it like 2026-02-19T14:30:00Z.");
    return false;
}

static bool take_value(const struct cli_option *option, const char *value)
{
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)option->target = true;
        return true;
    case OPTION_TEXT:
        *(const char **)option->target = value;
        return true;
    case OPTION_LIST:
        return mgi_cli_list_add(option->target, value);
    case OPTION_NUMBER:
        return take_number(option, value);
    case OPTION_TIME:
        return take_time(option, value);
    }
    return false;
}

/* One option at argv[*i]; moves *i over its value. */
static bool parse_option(const struct cli_command *command, const struct cli_option *options,
                         int argc, char **argv, int *i)
{
    const char *arg = argv[*i];
    const char *equals = strchr(arg, '=');
    size_t len = equals ? (size_t)(equals - arg) : strlen(arg);
    const struct cli_option *o = find_option(options, arg, len);
    if (!o) {
        mgi_cli_error("%s has no option %s", command->name, arg);
        hint_option(command, options, arg, len);
        return false;
    }
    const char *value = equals ? equals + 1 : NULL;
    if (o->kind == OPTION_FLAG && value) {
        mgi_cli_error("%s takes no value", o->name);
        return false;
    }
    if (o->kind != OPTION_FLAG && !value) {
        if (*i + 1 >= argc) {
            mgi_cli_error("%s needs a value: %s", o->name, o->value_name ? o->value_name : "");
            return false;
        }
        value = argv[++*i];
    }
    if (o->given)
        *o->given = true;
    return take_value(o, value);
}

bool mgi_cli_parse(const struct cli_command *command, const struct cli_option *options, int argc,
                   char **argv, struct cli_list *positional, size_t *after_dashes, bool *helped)
{
    bool only_positional = false;
    *helped = false;
    if (after_dashes)
        *after_dashes = SIZE_MAX;
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (only_positional || arg[0] != '-' || arg[1] == '\0') {
            if (!mgi_cli_list_add(positional, arg))
                return false;
        } else if (strcmp(arg, "--") == 0) {
            only_positional = true;
            if (after_dashes)
                *after_dashes = positional->count;
        } else if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) {
            print_help(command, options);
            *helped = true;
            return true;
        } else if (!parse_option(command, options, argc, argv, &i)) {
            return false;
        }
    }
    return true;
}

int mgi_cli_run(const struct cli_command *command, int argc, char **argv)
{
    mgi_arena_init(&process, 0);
    int status = command->run(argc, argv);
    mgi_arena_fini(&process);
    return status;
}

static bool was_closed[3];

void mgi_cli_open_standard(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        int mode = fd == STDOUT_FILENO ? O_RDONLY : O_RDWR; /* what is printed there is lost */
        was_closed[fd] = fcntl(fd, F_GETFD) == -1 && errno == EBADF;
        if (was_closed[fd] && open("/dev/null", mode) != fd) /* the lowest free one is this one */
            _exit(EXIT_USAGE);
    }
}

bool mgi_cli_was_closed(int fd)
{
    return fd >= 0 && fd <= 2 && was_closed[fd];
}

bool mgi_cli_read_file(const char *path, size_t max_bytes, struct buf *out, const char **why)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *f = standard ? stdin : fopen(path, "rb");
    char chunk[65536];
    size_t n, max = max_bytes ? max_bytes : (size_t)256 * 1024 * 1024;
    *why = NULL;
    if (!f) {
        *why = strerror(errno);
        return false;
    }
    while (!*why && (n = fread(chunk, 1, sizeof chunk, f)) > 0) {
        if (out->len + n > max)
            *why = "the file is too large";
        else
            mgi_buf_append(out, chunk, n);
    }
    if (!*why && ferror(f))
        *why = strerror(errno);
    if (!*why && out->oom)
        *why = "out of memory";
    if (!standard)
        (void)fclose(f);
    return !*why;
}
