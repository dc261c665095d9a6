/* What the files of `manglecp import` share: one import, from its source to its report. */
#ifndef MGI_CLI_MANGLECP_IMPORT_H
#define MGI_CLI_MANGLECP_IMPORT_H

#include "cli/manglecp_host.h"
#include "cli/manglecp_servers.h"
#include "import/config.h"
#include "import/files.h"
#include "import/write.h"

/* An intent that the domain was asked, in the words of one of its tools. */
struct import_ask {
    const struct import_tool *tool;
    struct str request;
    size_t tokens, offered;
    bool reached; /* the tool was in the answer */
};

struct import_bill {
    size_t verbatim, lines;  /* tokens of all tools: as servers list them, as lines */
    struct import_ask *asks; /* what is told, and becomes scenarios */
    size_t ask_count;
    const struct import_tool **unreached; /* by their own words */
    size_t unreached_count, tried; /* so many tools were tried: not all where there are very many */
    size_t plain_tokens, plain_tools; /* the intent with nothing said */
};

struct importing {
    struct arena arena;
    struct host_options host; /* .domain: the folder that is written, beside its place */
    const char *into;         /* the domain's folder, as it was said */
    const char *place;        /* where that is */
    const char *name;         /* of the domain */
    const char *source;       /* as it was said, without anything secret */
    bool fresh;               /* there is no such folder yet */
    bool dry;                 /* tell what would change */
    bool openapi;
    int64_t timeout_ms;  /* of each server's start and list; 0: the default */
    const char *address; /* of an API, in place of the document's; or NULL */
    const char *actions; /* `actions:` of domain.yaml */
    const char *embed;   /* the Python of a model of embeddings; or NULL */

    struct import_config config;
    struct asked_servers asked;
    struct import_server *servers;
    size_t server_count;
    struct import_tool *tools;
    size_t tool_count, imported;

    struct import_files files;
    struct import_change *changes;
    size_t change_count;
    struct import_bill bill;
    size_t errors, warnings; /* of check */
    size_t scenarios, scenarios_passed;
    size_t embedded;           /* so many texts have their vectors */
    const char *embed_why;     /* they have not; or NULL */
    struct findings *findings; /* of check; or of what kept it from being done */
};

/* manglecp_import_mcp.c: from a client's configuration (a path), an address, or a command (not
 * empty; `word` NULL then). Fills in config, asked, servers and tools. An exit status. */
struct import_source {
    const char *word;
    struct cli_list command;
    const char *server_name; /* of an address or a command; NULL: found out */
    const char *const *only; /* ends with NULL; or NULL */
};
int mgi_import_read_mcp(struct importing *im, const struct import_source *source);
/* manglecp_import_hide.c: what servers have answered, without the secrets that they were told.
 * False: told. */
bool mgi_import_hide(struct importing *im);
/* manglecp_import_openapi.c: the same from a document. */
int mgi_import_read_openapi(struct importing *im, const char *path);

/* manglecp_import_folder.c: the tools' names, and what the author has confirmed of them. */
bool mgi_import_name(struct importing *im);
/* manglecp_import_folder.c: where --into leads: a link to a folder is not replaced by one, and "."
 * is no name. NULL: memory. */
char *mgi_import_place(struct importing *im);
/* manglecp_import_folder.c: the folder beside the domain's place, and what becomes of it. */
bool mgi_import_stage(struct importing *im);   /* make it; false: told */
void mgi_import_unstage(struct importing *im); /* remove what is left of it */
bool mgi_import_put(struct importing *im, const char *path,
                    struct str text);                /* into it; false: told */
bool mgi_import_put_templates(struct importing *im); /* what is the same for every import */
/* Compare it with the folder that is there (`changes`), and give it all that is the author's: then
 * it is what would be there. False: told. */
bool mgi_import_complete(struct importing *im);
bool mgi_import_publish(struct importing *im); /* in one step; false: told, and nothing is done */
/* The text of a file of the domain's folder; empty: there is none. */
struct str mgi_import_old_file(struct importing *im, const char *path);

/* manglecp_import_embed.c: with `embed`, what domain.yaml says of it, and vectors.json of the
 * folder that is written. A model that does not answer is no fault: `embed_why`. False: told. */
bool mgi_import_embed_begin(struct importing *im); /* false: memory */
bool mgi_import_embed(struct importing *im);
/* struct action_source: ask; what an import tells of a domain holds with and without a model. */
bool mgi_import_ask_nobody(const char *program, const struct action_question *question,
                           struct arena *arena, struct json *outputs, const char **why);

/* manglecp_import_ask.c: start the folder in this process, ask it, and fill in the bill. False:
 * told. Then its scenarios, as the text of tests/import.yaml. */
bool mgi_import_ask(struct importing *im);
void mgi_import_scenarios(struct importing *im, struct buf *out);

/* manglecp_import_report.c */
bool mgi_import_print(struct importing *im, bool json);
/* manglecp_import_confirm.c: `manglecp import confirm FOLDER [TOOL=CLASS...]`. */
int mgi_import_confirm(const struct host_options *host, const struct cli_list *words);

#endif
