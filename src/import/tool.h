/* A tool of somebody else's server, on its way into a domain. */
#ifndef MGI_IMPORT_TOOL_H
#define MGI_IMPORT_TOOL_H

#include "base/json.h"
#include "import/words.h"

#define IMPORT_ARGUMENTS  256 /* of a tool; one with more is left out */
#define IMPORT_ID_BYTES   64  /* of a macro-tool's name */
#define IMPORT_TEXT_BYTES 600 /* of a description, in what is searched */

enum import_harm { HARM_NONE, HARM_WRITE, HARM_DESTRUCTIVE };
const char *mgi_import_harm_name(enum import_harm harm); /* "none", "write", "destructive" */

/* Annotations of MCP: 1 true, 0 false, -1 not said. */
struct import_hints {
    int read_only, destructive, idempotent, open_world;
};

struct import_argument {
    struct str name; /* as the server calls it */
    struct str id;   /* as the macro-tool does: [A-Za-z_][A-Za-z0-9_]*, unique in the tool */
    const char *type;
    bool required;
    struct str resource; /* what kind of thing it names: "path", "branch"; "" unknown */
};

struct import_tool {
    /* given */
    struct str server; /* as the domain calls it */
    struct str name;   /* as the server calls it */
    struct str description;
    struct str aid;
    const struct json *schema; /* of its arguments, an object; NULL: none */
    struct import_hints hints;
    bool deletes; /* by its protocol (DELETE), whatever it is called */
    bool safe;    /* it changes nothing, by its protocol (GET), whatever it is called */

    /* worked out by mgi_import_study(), mgi_import_hear_hints() and mgi_import_name_tools() */
    struct import_words words;
    struct import_argument *arguments;
    size_t argument_count;
    enum import_effect effect;
    enum import_harm harm;
    bool confirmed; /* the author has said it: `said` */
    enum import_harm said;
    bool harm_by_hint; /* it is HARM_DESTRUCTIVE because its server says so, and for nothing else */
    const char *harm_why; /* a clause; NULL: `harm` is HARM_NONE or HARM_WRITE */
    const char *id;       /* the macro-tool's name, unique in the domain */
    bool clashed;         /* another server has a tool of that name: `id` has the server's, too */
    const char *left_out; /* why it is not imported; NULL: it is */
};

/* Work out words, arguments, effect and harm of one tool: what it can do as far as verb, object,
 * schema and text tell. What a server says of itself (`hints`) makes it worse at most. False:
 * memory. */
bool mgi_import_study(struct arena *arena, struct import_tool *tool);

/* Then, with all tools of one server: what it calls destructive is, if it tells tools apart; one
 * that says it of tools that look or add is believed only where a tool has no verb. False: memory.
 */
bool mgi_import_hear_hints(struct arena *arena, struct import_tool *tools, size_t count);

/* What facts/confirmed.mg says, a fact a line: harm("ID", "CLASS"). Other lines mean nothing here.
 */
void mgi_import_take_confirmed(struct import_tool *tools, size_t count, struct str text);

/* Give each of `tools` that is not left out its `id`: the name in snake_case; with the server's in
 * front where two servers have it; with a digest behind it where that is still not enough, or too
 * long. The same tools in any order get the same names. False: memory. */
bool mgi_import_name_tools(struct arena *arena, struct import_tool *tools, size_t count);

/* "GetFile-info" -> "get_file_info"; begins with a letter; at most IMPORT_ID_BYTES. */
char *mgi_import_snake(struct arena *arena, struct str name);

#endif
