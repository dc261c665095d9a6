/* Parts of answers: persons, commits, paths, times. */
#include "plugins/git/git_plugin.h"

#include <stdio.h>
#include <strings.h>

#include "base/time.h"
#include "base/utf8.h"

#define SUBJECT_MOST 400
#define BODY_MOST    20000
#define NAME_MOST    400 /* bytes of a person's name or address */

void mgi_git_put_id(struct action *a, const char *name, const git_oid *id)
{
    char text[GIT_ID_TEXT_BYTES];
    git_oid_tostr(text, sizeof text, id);
    mgi_jw_key_str(&a->out, str_of(name));
    mgi_jw_string(&a->out, (struct str){ text, GIT_OID_HEXSZ });
}

/* What nanoseconds cannot hold is shown as the first or the last that they can. */
void mgi_git_put_time(struct action *a, const char *name, int64_t seconds)
{
    int64_t most = INT64_MAX / NS_PER_SEC;
    if (seconds > most)
        seconds = most;
    if (seconds < -most)
        seconds = -most;
    mgi_put_time(a, name, seconds * NS_PER_SEC);
}

void mgi_git_put_mode(struct action *a, const char *name, unsigned mode)
{
    char text[16];
    snprintf(text, sizeof text, "%06o", mode & 0777777);
    mgi_jw_key_str(&a->out, str_of(name));
    mgi_jw_cstring(&a->out, text);
}

void mgi_git_put_path(struct action *a, const char *name, const char *path)
{
    struct str bytes = str_of(path);
    mgi_jw_key_str(&a->out, str_of(name));
    mgi_jw_string(&a->out, bytes);
    if (!mgi_utf8_valid(bytes, NULL))
        mgi_put_base64(a, "path_base64", bytes);
}

void mgi_git_put_cut(struct action *a, const char *name, struct str text, size_t most)
{
    mgi_jw_key_str(&a->out, str_of(name));
    mgi_jw_string(&a->out, mgi_utf8_prefix(text, most));
}

void mgi_git_put_person(struct action *a, const char *name, const git_signature *who)
{
    mgi_jw_key_str(&a->out, str_of(name));
    mgi_jw_begin_object(&a->out);
    mgi_git_put_cut(a, "name", str_of(who->name ? who->name : ""), NAME_MOST);
    mgi_git_put_cut(a, "email", str_of(who->email ? who->email : ""), NAME_MOST);
    mgi_git_put_time(a, "time", who->when.time);
    int offset = who->when.offset;
    mgi_jw_member_int(&a->out, "offset_minutes",
                      offset > 1440    ? 1440
                      : offset < -1440 ? -1440
                                       : offset);
    mgi_jw_end_object(&a->out);
}

/* ---- messages ------------------------------------------------------------------------------- */

/* Every byte is the code point of the same number. */
static struct str from_latin1(struct arena *arena, struct str text)
{
    char *out = mgi_arena_alloc(arena, 2 * text.len + 1);
    size_t len = 0;
    if (!out)
        return (struct str){ NULL, 0 };
    for (size_t i = 0; i < text.len; i++)
        len += mgi_utf8_put((unsigned char)text.ptr[i], out + len);
    out[len] = '\0';
    return (struct str){ out, len };
}

static struct str in_utf8(struct git *g, const git_commit *commit)
{
    struct str text = str_of(git_commit_message(commit));
    const char *encoding = git_commit_message_encoding(commit);
    if (encoding &&
        (strcasecmp(encoding, "ISO-8859-1") == 0 || strcasecmp(encoding, "latin1") == 0))
        return from_latin1(&g->a->arena, text);
    return text;
}

/* The first paragraph in one line, and what is behind it. */
static bool split_message(struct git *g, struct str text, struct git_message *m)
{
    text = mgi_str_trim(text, "\r\n \t");
    size_t end = mgi_str_find(text, STR_LIT("\n\n"));
    struct str first = { text.ptr, end == SIZE_MAX ? text.len : end };
    if (first.len > SUBJECT_MOST)
        first = mgi_utf8_prefix(first, SUBJECT_MOST);
    first = mgi_arena_str(&g->a->arena, first);
    if (!first.ptr)
        return mgi_action_nomem(g->a);
    for (size_t i = 0; i < first.len; i++)
        if (first.ptr[i] == '\n')
            ((char *)(uintptr_t)first.ptr)[i] = ' ';
    m->subject = first;
    m->body = (struct str){ NULL, 0 };
    if (end != SIZE_MAX)
        m->body = mgi_str_trim((struct str){ text.ptr + end, text.len - end }, "\r\n");
    return true;
}

bool mgi_git_message(struct git *g, const git_commit *commit, struct git_message *m)
{
    struct str text = in_utf8(g, commit);
    return text.ptr ? split_message(g, text, m) : mgi_action_nomem(g->a);
}

/* ---- commits -------------------------------------------------------------------------------- */

static void put_parents(struct action *a, const git_commit *commit)
{
    char text[GIT_ID_TEXT_BYTES];
    mgi_jw_key(&a->out, "parents");
    mgi_jw_begin_array(&a->out);
    for (unsigned i = 0; i < git_commit_parentcount(commit) && i < 64; i++) {
        git_oid_tostr(text, sizeof text, git_commit_parent_id(commit, i));
        mgi_jw_cstring(&a->out, text);
    }
    mgi_jw_end_array(&a->out);
}

/* The members that a commit has everywhere; the others where they are `full`. */
static bool put_members(struct git *g, const git_commit *commit, bool full, bool body)
{
    struct git_message m;
    struct action *a = g->a;
    struct arena_mark mark = mgi_arena_mark(&a->arena);
    if (!mgi_git_message(g, commit, &m))
        return false;
    mgi_git_put_id(a, "id", git_commit_id(commit));
    if (full)
        put_parents(a, commit);
    mgi_git_put_person(a, "author", git_commit_author(commit));
    if (full)
        mgi_git_put_person(a, "committer", git_commit_committer(commit));
    mgi_git_put_time(a, "time", git_commit_time(commit));
    mgi_jw_member_str(&a->out, "subject", m.subject);
    if (body)
        mgi_git_put_cut(a, "body", m.body, BODY_MOST);
    mgi_arena_rewind(&a->arena, mark);
    return true;
}

bool mgi_git_put_commit(struct git *g, const git_commit *commit, bool body)
{
    return put_members(g, commit, true, body);
}

bool mgi_git_put_brief(struct git *g, const git_commit *commit)
{
    return put_members(g, commit, false, false);
}
