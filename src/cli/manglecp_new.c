/* manglecp new: a domain folder to begin with. It passes check and test as it is, and says in
 * comments where what belongs. Nothing that exists is written over. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli_files.h"
#include "cli/manglecp_commands.h"
#include "cli/manglecp_repeat.h"
#include "cli/manglecp_templates.h"

#define MOST_NAME 64 /* bytes of a domain's name */

const struct cli_command mgi_command_new = {
    .name = "manglecp new",
    .usage = "FOLDER [OPTIONS]",
    .help = "Make a domain folder to begin with.",
    .run = mgi_run_new,
    .more = "Kinds of action:\n"
            "  commands  programs that are there already, started as YAML says\n"
            "  python    functions in Python, in a program that is kept running\n"
            "  http      requests to an HTTP API: written out, or as OpenAPI describes it\n"
            "  c         a plugin in C, and a Makefile that builds it\n"
            "  none      rules, a tool without actions, a skill, scenarios (the default)\n"
            "\n"
            "The name of the domain is that of the folder. What exists is not written over.\n"
            "\n"
            "Exit status: 0 it is there, 2 it cannot be made.\n",
};

/* What a domain does things with, and the template that shows it. The older name of a template is
 * understood, too. */
static const struct kind {
    const char *name, *template;
} kinds[] = { { "none", "minimal" },
              { "commands", "commands" },
              { "python", "python" },
              { "http", "http" },
              { "c", "plugin" } };

static const char *template_of(const char *kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, kind) == 0)
            return kinds[i].template;
    return NULL;
}

/* What a domain may be called: the last part of the path, in small letters, other characters than
 * [a-z0-9_] as '_', and a letter first. */
static bool name_of(const char *folder, char name[MOST_NAME + 1])
{
    struct str path = mgi_str_trim(str_of(folder), "/");
    size_t begin = path.len, len = 0;
    while (begin > 0 && path.ptr[begin - 1] != '/')
        begin--;
    for (size_t i = begin; i < path.len && len < MOST_NAME; i++) {
        char c = path.ptr[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        bool word = (c >= 'a' && c <= 'z') || (len > 0 && c >= '0' && c <= '9');
        if (word || len > 0)
            name[len++] = word ? c : '_';
    }
    name[len] = '\0';
    return len > 0;
}

struct making {
    const char *folder, *template, *name;
    bool trying;  /* nothing is written: could it be? */
    bool fresh;   /* the folder was not there before */
    size_t count; /* files that were written */
};

static bool make_file(const struct making *m, const char *path, const struct template_file *file)
{
    struct buf target = { 0 }, text = { 0 };
    struct stat there;
    mgi_buf_printf(&target, "%s/%s", m->folder, path);
    mgi_template_fill(&text, file, m->name);
    const char *why = NULL;
    if (target.oom || text.oom)
        why = "out of memory";
    else if (lstat(target.ptr, &there) == 0)
        why = "it exists";
    else if (m->trying)
        why = NULL;
    else if (!mgi_cli_make_parents(target.ptr, 0777) ||
             !mgi_cli_write_file(target.ptr, mgi_buf_view(&text)))
        why = strerror(errno);
    if (why)
        mgi_cli_error("cannot write %s: %s", target.ptr ? target.ptr : m->folder, why);
    mgi_buf_fini(&target);
    mgi_buf_fini(&text);
    return !why;
}

/* The path of a file inside of its template, or NULL if it is of another one. */
static const char *in_template(const struct template_file *file, const char *template)
{
    size_t len = strlen(template);
    return strncmp(file->path, template, len) == 0 && file->path[len] == '/' ? file->path + len + 1
                                                                             : NULL;
}

static bool is_template(const char *name)
{
    if (strcmp(name, "import") == 0) /* of `manglecp import`: not whole */
        return false;
    for (size_t i = 0; i < mgi_templates_count; i++)
        if (name[0] && in_template(&mgi_templates[i], name))
            return true;
    return false;
}

static bool has_file(const char *template, const char *wanted)
{
    for (size_t i = 0; i < mgi_templates_count; i++) {
        const char *path = in_template(&mgi_templates[i], template);
        if (path && strcmp(path, wanted) == 0)
            return true;
    }
    return false;
}

/* The path of the template's file `i`, or NULL: it has no such file. A template says how it differs
 * from the minimal one: its files stand in for those of the same path. */
static const char *path_of(const struct making *m, size_t i)
{
    const char *path = in_template(&mgi_templates[i], m->template);
    const char *base = in_template(&mgi_templates[i], "minimal");
    return !path && base && !has_file(m->template, base) ? base : path;
}

/* All that is in the way is told; what cannot be written, once: the next could not be, either. */
static bool each_file(struct making *m)
{
    bool good = true;
    for (size_t i = 0; i < mgi_templates_count && (good || m->trying); i++) {
        const char *path = path_of(m, i);
        good = (!path || make_file(m, path, &mgi_templates[i])) && good;
        m->count += path && good && !m->trying;
    }
    return good;
}

/* Half a domain is none, and would be in the way of the next try: what was written goes again, and
 * so do empty folders, if there was none before. */
static void take_back(const struct making *m)
{
    struct buf target = { 0 };
    size_t taken = 0;
    for (size_t i = 0; i < mgi_templates_count; i++) {
        const char *path = path_of(m, i);
        if (!path)
            continue;
        mgi_buf_clear(&target);
        mgi_buf_printf(&target, "%s/%s", m->folder, path);
        if (target.oom)
            break;
        if (taken++ < m->count)
            (void)unlink(target.ptr);
        for (char *slash = strrchr(target.ptr, '/');
             m->fresh && slash && slash >= target.ptr + strlen(m->folder);
             slash = strrchr(target.ptr, '/')) {
            *slash = '\0';
            (void)rmdir(target.ptr);
        }
    }
    mgi_buf_fini(&target);
}

static int make(struct making *m)
{
    struct stat there;
    m->trying = true;
    m->fresh = lstat(m->folder, &there) != 0 && errno == ENOENT;
    if (!each_file(m))
        return EXIT_USAGE;
    m->trying = false;
    if (!each_file(m)) {
        take_back(m);
        return EXIT_USAGE;
    }
    struct buf word = { 0 };
    mgi_repeat_word(&word, m->folder);
    const char *folder = word.ptr ? word.ptr : "";
    printf("%s is a domain. README.md in it says what is where.\n", m->folder);
    if (strcmp(m->template, "plugin") == 0)
        printf("  make -C %s\n", folder);
    printf("  manglecp check %s\n  manglecp test %s\n", folder, folder);
    mgi_buf_fini(&word);
    return EXIT_ANSWERED;
}

int mgi_run_new(int argc, char **argv)
{
    const char *template = NULL, *kind = NULL;
    char name[MOST_NAME + 1];
    bool helped;
    const struct cli_option options[] = {
        { "--kind", OPTION_TEXT, &kind, NULL, "KIND",
          "of its actions: commands, python, http, c or none" },
        { "--template", OPTION_TEXT, &template, NULL, "NAME",
          "the same: minimal, commands, python, http or plugin" },
        { 0 },
    };
    struct cli_list words = { 0 };
    if (!mgi_cli_parse(&mgi_command_new, options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (words.count != 1) {
        mgi_cli_error("new needs one FOLDER");
        return EXIT_USAGE;
    }
    if (kind && (template || !template_of(kind))) {
        if (template)
            mgi_cli_error("--kind and --template say the same; choose one");
        else
            mgi_cli_error("there is no kind \"%s\"", kind);
        mgi_cli_hint("Kinds are commands, python, http, c and none.");
        return EXIT_USAGE;
    }
    if (!template)
        template = template_of(kind ? kind : "none");
    if (!is_template(template)) {
        mgi_cli_error("there is no template \"%s\"", template);
        mgi_cli_hint("Templates are minimal, commands, python, http and plugin.");
        return EXIT_USAGE;
    }
    if (!name_of(words.items[0], name)) {
        mgi_cli_error("\"%s\" gives a domain no name", words.items[0]);
        mgi_cli_hint("The name of the folder begins with a letter: manglecp new greeter");
        return EXIT_USAGE;
    }
    struct making m = { .folder = words.items[0], .template = template, .name = name };
    return make(&m);
}
