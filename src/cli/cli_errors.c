/* See cli_errors.h. */
#include "cli/cli_errors.h"

#include <string.h>
#include <strings.h>

#include "base/near.h"

struct str mgi_error_code(const struct error_page *page)
{
    return (struct str){ page->path, strlen(page->path) - strlen(".md") };
}

const struct error_page *mgi_error_page(const char *code)
{
    for (size_t i = 0; i < mgi_error_pages_count; i++) {
        struct str name = mgi_error_code(&mgi_error_pages[i]);
        if (strlen(code) == name.len && strncasecmp(code, name.ptr, name.len) == 0)
            return &mgi_error_pages[i];
    }
    return NULL;
}

struct str mgi_error_meaning(const struct error_page *page)
{
    const char *begin = strstr(page->text, "\n\n");
    if (!begin)
        return (struct str){ page->text, 0 };
    begin += 2;
    const char *end = strstr(begin, "\n\n");
    if (!end)
        end = page->text + page->len;
    while (end > begin && end[-1] == '\n')
        end--;
    return (struct str){ begin, (size_t)(end - begin) };
}

void mgi_error_json(struct json_writer *w, const char *code)
{
    const struct error_page *page = mgi_error_page(code);
    if (page)
        mgi_jw_member_str(w, "meaning", mgi_error_meaning(page));
}

static void list_codes(void)
{
    for (size_t i = 0; i < mgi_error_pages_count; i++) {
        struct str code = mgi_error_code(&mgi_error_pages[i]);
        struct str meaning = mgi_error_meaning(&mgi_error_pages[i]);
        printf("%-26.*s ", STR_ARG(code));
        for (size_t j = 0; j < meaning.len; j++) /* a paragraph may have several lines */
            putchar(meaning.ptr[j] == '\n' ? ' ' : meaning.ptr[j]);
        putchar('\n');
    }
}

static int no_such_code(const struct cli_command *command, const char *code)
{
    struct near near = mgi_near(str_of(code));
    for (size_t i = 0; i < mgi_error_pages_count; i++)
        mgi_near_try(&near, mgi_error_code(&mgi_error_pages[i]));
    mgi_cli_error("there is no code \"%s\"", code);
    if (near.best.len)
        mgi_cli_hint("Did you mean %.*s? %s lists all.", STR_ARG(near.best), command->name);
    else
        mgi_cli_hint("%s lists all.", command->name);
    return EXIT_USAGE;
}

int mgi_explain_error(const struct cli_command *command, int argc, char **argv)
{
    const struct cli_option options[] = { { 0 } };
    struct cli_list codes = { 0 };
    bool helped;
    if (!mgi_cli_parse(command, options, argc, argv, &codes, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (codes.count == 0)
        list_codes();
    for (size_t i = 0; i < codes.count; i++) {
        const struct error_page *page = mgi_error_page(codes.items[i]);
        if (!page)
            return no_such_code(command, codes.items[i]);
        fputs(page->text, stdout);
    }
    return EXIT_ANSWERED;
}
