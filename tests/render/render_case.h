/* A conversation as a file: steps, each with a message and the text that a model is shown of it.
 *
 *     # what it shows
 *     >>> tools about=observe max=200 again     (or result, manifest, why, facts, error, skill)
 *     {"payload": …}                            or file=NAME in the line above
 *     <<< 42 tokens                             or <<< status 8
 *     for observe:
 *     …
 */
#ifndef TEST_RENDER_CASE_H
#define TEST_RENDER_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "manglecp.h"

#define RENDER_FOLDER "tests/render/"

static inline char *render_read(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, 1U << 20);
    *len = f && text ? fread(text, 1, (1U << 20) - 1, f) : 0;
    if (!f)
        fprintf(stderr, "%s cannot be read\n", path);
    if (f)
        fclose(f);
    return text;
}

struct render_step {
    char what[16], about[64], file[64];
    struct manglecp_show how;
    char more[64], skill[64];
};

static inline void render_word(struct render_step *s, const char *word)
{
    long number;
    if (sscanf(word, "max=%ld", &number) == 1)
        s->how.max_tokens = (size_t)number;
    else if (sscanf(word, "now=%ld", &number) == 1)
        s->how.now_ns = (int64_t)number * 1000000000;
    else if (strcmp(word, "again") == 0)
        s->how.again = true;
    else if (sscanf(word, "about=%63s", s->about) == 1)
        s->how.about = s->about;
    else if (sscanf(word, "more=%63s", s->more) == 1)
        s->how.to_see_more = s->more;
    else if (sscanf(word, "skill=%63s", s->skill) == 1)
        s->how.to_read_skill = s->skill;
    else
        (void)sscanf(word, "file=%63s", s->file);
}

/* Show one message. */
static inline enum manglecp_status render_show(manglecp_shown *shown, const struct render_step *s,
                                               struct str json, char **out, size_t *len)
{
    const char *about = s->how.about;
    if (strcmp(s->what, "manifest") == 0)
        return manglecp_show_manifest(shown, json.ptr, json.len, &s->how, out, len);
    if (strcmp(s->what, "tools") == 0)
        return manglecp_show_tools(shown, json.ptr, json.len, &s->how, out, len);
    if (strcmp(s->what, "result") == 0)
        return manglecp_show_result(shown, json.ptr, json.len, &s->how, out, len);
    if (strcmp(s->what, "why") == 0)
        return manglecp_show_why(json.ptr, json.len, about, &s->how, out, len);
    if (strcmp(s->what, "facts") == 0)
        return manglecp_show_facts(json.ptr, json.len, about, &s->how, out, len);
    if (strcmp(s->what, "error") == 0)
        return manglecp_show_error(json.ptr, json.len, &s->how, out, len);
    if (strcmp(s->what, "skills") == 0) { /* nothing is shown */
        *len = 0;
        *out = NULL;
        enum manglecp_status status = manglecp_shown_skills(shown, json.ptr, json.len);
        *out = status ? NULL : calloc(1, 1);
        return status;
    }
    return manglecp_show_skill(shown, about ? about : "", &s->how, out, len);
}

/* Play the steps of `text`, and write them again with what comes out into `got`. */
static inline void render_play(const char *text, struct buf *got)
{
    manglecp_shown *shown = manglecp_shown_new();
    const char *at = strstr(text, ">>> ");
    mgi_buf_append(got, text, at ? (size_t)(at - text) : strlen(text));
    while (at && shown) {
        const char *line_end = strchr(at, '\n'), *answer = strstr(at, "\n<<<");
        const char *next = strstr(at, "\n>>> ");
        if (!line_end || (next && answer > next))
            answer = NULL;
        const char *input_end = answer ? answer + 1 : next ? next + 1 : at + strlen(at);
        struct render_step s = { 0 };
        char line[512], *rest = NULL;
        snprintf(line, sizeof line, "%.*s", (int)(line_end - at - 4), at + 4);
        char *word = strtok_r(line, " ", &rest);
        snprintf(s.what, sizeof s.what, "%s", word ? word : "");
        while ((word = strtok_r(NULL, " ", &rest)))
            render_word(&s, word);
        struct str json = { line_end + 1, (size_t)(input_end - line_end - 1) };
        char path[128], *file = NULL, *out;
        if (s.file[0]) {
            snprintf(path, sizeof path, RENDER_FOLDER "wire/%s", s.file);
            file = render_read(path, &json.len);
            json.ptr = file;
        }
        size_t len;
        enum manglecp_status status = render_show(shown, &s, json, &out, &len);
        mgi_buf_append(got, at, (size_t)(input_end - at));
        if (status)
            mgi_buf_printf(got, "<<< status %d\n", (int)status);
        else
            mgi_buf_printf(got, "<<< %zu tokens\n%s", manglecp_tokens(out, len), out);
        manglecp_free(out);
        free(file);
        at = next ? next + 1 : NULL;
    }
    manglecp_shown_free(shown);
}

#endif
