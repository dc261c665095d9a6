/* See manglecp_clients.h. */
#include "cli/manglecp_clients.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
const struct client_file mgi_client_files[] = {
    { "claude-code", "Claude Code", CLIENT_USER, ".claude.json",
      "CLAUDE_CONFIG_DIR", ".claude.json", SPLICE_JSON, "mcpServers", CLIENT_VAR_PLAIN, false },
    { "claude-code", "Claude Code", CLIENT_PROJECT, ".mcp.json",
      NULL, NULL, SPLICE_JSON, "mcpServers", CLIENT_VAR_PLAIN, false },
    { "claude-desktop", "Claude Desktop", CLIENT_USER, ".config/Claude/claude_desktop_config.json",
      "XDG_CONFIG_HOME", "Claude/claude_desktop_config.json", SPLICE_JSON, "mcpServers",
      CLIENT_VAR_NOT, false },
    { "cursor", "Cursor", CLIENT_USER, ".cursor/mcp.json",
      NULL, NULL, SPLICE_JSON_COMMENTS, "mcpServers", CLIENT_VAR_ENV, false },
    { "cursor", "Cursor", CLIENT_PROJECT, ".cursor/mcp.json",
      NULL, NULL, SPLICE_JSON_COMMENTS, "mcpServers", CLIENT_VAR_ENV, false },
    { "vscode", "VS Code", CLIENT_USER, ".config/Code/User/mcp.json",
      "XDG_CONFIG_HOME", "Code/User/mcp.json", SPLICE_JSON_COMMENTS, "servers",
      CLIENT_VAR_ENV, true },
    { "vscode", "VS Code", CLIENT_PROJECT, ".vscode/mcp.json",
      NULL, NULL, SPLICE_JSON_COMMENTS, "servers", CLIENT_VAR_ENV, true },
    { "gemini", "Gemini CLI", CLIENT_USER, ".gemini/settings.json",
      NULL, NULL, SPLICE_JSON_COMMENTS, "mcpServers", CLIENT_VAR_PLAIN, false },
    { "gemini", "Gemini CLI", CLIENT_PROJECT, ".gemini/settings.json",
      NULL, NULL, SPLICE_JSON_COMMENTS, "mcpServers", CLIENT_VAR_PLAIN, false },
    { "codex", "Codex", CLIENT_USER, ".codex/config.toml",
      "CODEX_HOME", "config.toml", SPLICE_TOML, "mcp_servers", CLIENT_VAR_NAMES, false },
    { "codex", "Codex", CLIENT_PROJECT, ".codex/config.toml",
      NULL, NULL, SPLICE_TOML, "mcp_servers", CLIENT_VAR_NAMES, false },
    { 0 },
};
/* clang-format on */

const struct client_file *mgi_client_file(const char *client, enum client_scope scope)
{
    for (const struct client_file *f = mgi_client_files; f->client; f++)
        if (strcmp(f->client, client) == 0 && f->scope == scope)
            return f;
    return NULL;
}

const char *mgi_client_path(struct arena *arena, const struct client_file *file,
                            const char *project)
{
    const char *home = getenv("HOME");
    const char *folder = file->variable ? getenv(file->variable) : NULL;
    if (file->scope == CLIENT_PROJECT)
        return mgi_arena_printf(arena, "%s/%s", project, file->path);
    if (folder && folder[0] == '/')
        return mgi_arena_printf(arena, "%s/%s", folder, file->tail);
    return home && home[0] == '/' ? mgi_arena_printf(arena, "%s/%s", home, file->path) : NULL;
}

const char *mgi_client_names(struct arena *arena)
{
    char *names = mgi_arena_strdup(arena, "");
    for (const struct client_file *f = mgi_client_files; names && f->client; f++)
        if (f->scope == CLIENT_USER)
            names = mgi_arena_printf(arena, "%s%s%s", names, names[0] ? ", " : "", f->client);
    return names ? names : "";
}

bool mgi_client_entry_is_ours(const struct json *entry)
{
    const struct json *command = mgi_json_get(entry, "command");
    const struct json *args = mgi_json_get(entry, "args");
    struct str program = command && command->type == JSON_STRING ? command->string : STR_LIT("");
    return (mgi_str_ends(program, STR_LIT("/manglecp")) || str_is(program, "manglecp")) && args &&
           args->type == JSON_ARRAY && args->count > 0 && args->items[0].type == JSON_STRING &&
           str_is(args->items[0].string, "mcp");
}
