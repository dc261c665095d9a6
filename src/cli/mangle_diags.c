/* See mangle_diags.h. */
#include "cli/mangle_diags.h"

#include <string.h>

#include "cli/cli_options.h"

/* One line of a finding in the colours of `s`: what kind it is, the mark below the source, the
 * hint. */
static void print_coloured(FILE *to, const struct cli_style *s, const char *colour,
                           const char *label, const char *line, size_t len)
{
    static const char hint[] = "  hint:";
    size_t blanks = strspn(line, " ");
    const char *found = label ? strstr(line, label) : NULL;
    if (found && found < line + len)
        fprintf(to, "%s%.*s%s%s%s%s%.*s\n", s->bold, (int)(found - line), line, s->reset, colour,
                label, s->reset, (int)(len - (size_t)(found - line) - strlen(label)),
                found + strlen(label));
    else if (len >= strlen(hint) && strncmp(line, hint, strlen(hint)) == 0)
        fprintf(to, "%s%s%s%.*s\n", s->cyan, hint, s->reset, (int)(len - strlen(hint)),
                line + strlen(hint));
    else if (blanks < len && strspn(line + blanks, "^~") == len - blanks)
        fprintf(to, "%s%.*s%s\n", colour, (int)len, line, s->reset);
    else
        fprintf(to, "%.*s\n", (int)len, line);
}

/* The text of a finding with its code behind the message, which is the first line. */
static void put_marked(struct buf *out, const char *text, const char *code)
{
    size_t first = text ? strcspn(text, "\n") : 0;
    mgi_buf_append(out, text ? text : "", first);
    mgi_buf_printf(out, " [%s]%s", code, text ? text + first : "\n");
}

void mgi_print_diag(FILE *to, const struct mangle_diag *diag)
{
    const struct cli_style *s = mgi_cli_style(to);
    bool error = diag->severity == MANGLE_ERROR;
    const char *label = error ? "error:" : "warning:", *end;
    struct buf marked = { 0 };
    char *text = mangle_diag_print(diag);
    put_marked(&marked, text, diag->code);
    mangle_free(text);
    if (!s->reset[0])
        fputs(marked.ptr ? marked.ptr : "", to);
    for (const char *line = marked.ptr; s->reset[0] && line && *line;
         line = end + 1, label = NULL) {
        end = strchr(line, '\n');
        if (!end)
            break;
        print_coloured(to, s, error ? s->red : s->yellow, label, line, (size_t)(end - line));
    }
    mgi_buf_fini(&marked);
}

void mgi_print_diags(FILE *to, const mangle_diags *diags)
{
    for (size_t i = 0; i < mangle_diags_count(diags); i++)
        mgi_print_diag(to, mangle_diags_get(diags, i));
    size_t errors = mangle_diags_errors(diags), shown = 0;
    for (size_t i = 0; i < mangle_diags_count(diags); i++)
        shown += mangle_diags_get(diags, i)->severity == MANGLE_ERROR;
    if (errors > shown)
        fprintf(to, "and %zu more error%s\n", errors - shown, errors - shown == 1 ? "" : "s");
}
