/* `manglecp doctor`: what configurations say, without starting anything. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli_files.h"
#include "cli/manglecp_doctor.h"

/* ---- entries --------------------------------------------------------------------------------- */

/* The same server by the same name is one. */
static struct doctor_server *known_server(struct examination *e, const struct doctor_server *s)
{
    for (size_t i = 0; i < e->server_count; i++) {
        struct doctor_server *other = e->servers[i];
        if (s->document.len > 0 && s->state == other->state && str_eq(other->document, s->document))
            return other;
    }
    return NULL;
}

static void name_file(struct examination *e, struct doctor_server *s, struct doctor_file *file)
{
    if (mgi_arena_grow(&e->arena, &s->files, &s->file_cap, s->file_count + 1, sizeof *s->files))
        s->files[s->file_count++] = file;
}

static bool names_variable(const struct yaml_node *n)
{
    bool found = n && n->kind == YAML_SCALAR && mgi_str_find(n->text, STR_LIT("${")) != SIZE_MAX;
    for (size_t i = 0; n && n->kind != YAML_SCALAR && i < n->count; i++) {
        const struct yaml_node *v = n->entries[i].value;
        found |= v->kind == YAML_SCALAR && mgi_str_find(v->text, STR_LIT("${")) != SIZE_MAX;
    }
    return found;
}

/* Codex and Claude Desktop replace no variables. */
static void check_expansion(struct examination *e, const struct doctor_file *file,
                            struct doctor_server *s)
{
    static const char *const keys[] = { "command", "args",         "env", "url",
                                        "headers", "http_headers", NULL };
    const struct client_file *row = file->row;
    if (!row || row->variables == CLIENT_VAR_PLAIN || row->variables == CLIENT_VAR_ENV)
        return;
    for (size_t i = 0; keys[i]; i++)
        if (names_variable(mgi_yaml_get(s->entry, keys[i])))
            mgi_doctor_add(e, &s->findings, CHECK_NOT_EXPANDED,
                           "%s does not replace the variable in \"%s\"", row->title, keys[i]);
}

static void take_entry(struct examination *e, struct doctor_file *file, struct str name,
                       const struct yaml_node *entry)
{
    struct doctor_server *s = mgi_arena_calloc(&e->arena, 1, sizeof *s);
    if (!s)
        return;
    file->server_count++;
    *s = (struct doctor_server){ .name = name, .entry = entry, .state = SERVER_LEFT };
    if (entry->kind != YAML_MAP) {
        mgi_doctor_add(e, &file->findings, CHECK_NO_SERVER, "\"%.*s\" is no map", STR_ARG(name));
        return;
    }
    if (mgi_client_config_is_off(entry))
        s->state = SERVER_OFF;
    else
        mgi_doctor_entry(e, s);
    if (s->state != SERVER_OFF)
        check_expansion(e, file, s);
    struct doctor_server *known = known_server(e, s);
    if (known) {
        name_file(e, known, file);
        return;
    }
    if (e->server_count == DOCTOR_SERVERS) {
        e->full = true;
        return;
    }
    name_file(e, s, file);
    e->servers[e->server_count++] = s;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void check_mode(struct examination *e, struct doctor_file *file)
{
    struct stat s;
    if (stat(file->path, &s) != 0)
        return;
    if (s.st_mode & 0002)
        mgi_doctor_add(e, &file->findings, CHECK_FILE_WRITABLE, "everybody can write it (%04o)",
                       (unsigned)s.st_mode & 07777);
    if (s.st_mode & 0004 && !(file->row && file->row->scope == CLIENT_PROJECT))
        mgi_doctor_add(e, &file->findings, CHECK_FILE_READABLE, "everybody can read it (%04o)",
                       (unsigned)s.st_mode & 07777);
}

static void take_servers(struct examination *e, struct doctor_file *file, struct str text)
{
    size_t from = mgi_findings_count(e->yaml.findings);
    const struct yaml_node *servers = mgi_client_config_read(&e->yaml, file->path, text);
    if (!servers) {
        mgi_doctor_move(e, &file->findings, from);
        return;
    }
    for (size_t i = 0; servers->kind == YAML_MAP && i < servers->count; i++)
        take_entry(e, file, servers->entries[i].key, servers->entries[i].value);
}

static struct doctor_file *new_file(struct examination *e, const char *path, const char *scope,
                                    const struct client_file *row)
{
    struct doctor_file *file = mgi_arena_calloc(&e->arena, 1, sizeof *file);
    if (!file || e->file_count == DOCTOR_FILES) {
        e->full |= file != NULL;
        return NULL;
    }
    *file = (struct doctor_file){ .row = row, .path = path, .scope = scope };
    e->files[e->file_count++] = file;
    return file;
}

/* Claude Code keeps servers of a folder in the user's file, too: {"projects": {"/folder": {…}}}. */
static void take_local(struct examination *e, const struct doctor_file *file,
                       const struct json *root)
{
    const struct json *project = mgi_json_get(mgi_json_get(root, "projects"), e->folder);
    const struct json *servers = mgi_json_get(project, "mcpServers");
    struct buf text = { 0 };
    struct json_writer w;
    if (!servers || servers->type != JSON_OBJECT || servers->count == 0)
        return;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "mcpServers");
    mgi_jw_value(&w, servers);
    mgi_jw_end_object(&w);
    struct str kept = mgi_arena_str(&e->arena, mgi_buf_view(&text));
    struct doctor_file *local = new_file(e, file->path, "local", file->row);
    mgi_buf_wipe(&text);
    if (local && kept.ptr) {
        local->trusted = true;
        take_servers(e, local, kept);
    }
}

/* Of which form a file is that was given. */
static enum splice_form form_of(const char *path)
{
    return mgi_str_ends(str_of(path), STR_LIT(".toml")) ? SPLICE_TOML : SPLICE_JSON_COMMENTS;
}

void mgi_doctor_read(struct examination *e, const char *path, const struct client_file *row)
{
    struct buf text = { 0 };
    struct json root;
    struct splice_fault fault;
    const char *why = NULL;
    bool project = row && row->scope == CLIENT_PROJECT;
    bool yaml = !row && !mgi_str_ends(str_of(path), STR_LIT(".json")) &&
                !mgi_str_ends(str_of(path), STR_LIT(".jsonc")) && form_of(path) != SPLICE_TOML;
    if (row && access(path, F_OK) != 0 && errno == ENOENT)
        return;
    struct doctor_file *file = new_file(e, path,
                                        !row      ? "given"
                                        : project ? "project"
                                                  : "user",
                                        row);
    if (!file)
        return;
    file->trusted = !project;
    check_mode(e, file);
    if (!mgi_cli_read_file(path, CLIENT_CONFIG_BYTES, &text, &why)) {
        mgi_doctor_add(e, &file->findings, CHECK_FILE_BROKEN, "%s", why);
        return;
    }
    struct str kept = mgi_arena_str(&e->arena, mgi_buf_view(&text));
    mgi_buf_wipe(&text);
    enum splice_status st =
        yaml ? SPLICE_DONE
             : mgi_splice_read(row ? row->form : form_of(path), kept, &e->arena, &root, &fault);
    if (st == SPLICE_REFUSED)
        mgi_doctor_add(e, &file->findings, CHECK_FILE_BROKEN, "line %u, column %u: %s", fault.line,
                       fault.column, fault.message);
    if (st || !kept.ptr)
        return;
    if (yaml || mgi_json_get(&root, row ? row->section : "mcpServers") || !row)
        take_servers(e, file, kept);
    if (!yaml && row && strcmp(row->client, "claude-code") == 0 && !project)
        take_local(e, file, &root);
}
