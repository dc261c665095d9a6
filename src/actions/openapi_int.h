/* Shared by the files that make requests out of an OpenAPI document (docs/actions-over-http.md).
 *
 *     text --document--> JSON values and where each stands
 *          --names-----> which operations are wanted, and what they are called
 *          --security, parameters, body, answer--> a request, as if it had been written out in
 * YAML, beside the JSON Schemas of its arguments and of its answer
 *
 * So there is one way from a request to the plugin, whoever wrote it (http_int.h). What an
 * operation needs and requests do not have leaves it out, and is told.
 *
 * Everything made here lives in the arena of doc->r->yaml, which ends with the document. */
#ifndef MGI_ACTIONS_OPENAPI_INT_H
#define MGI_ACTIONS_OPENAPI_INT_H

#include "actions/http_int.h"
#include "base/strmap.h"

/* ---- the document (openapi_document.c) ------------------------------------------------------- */

struct openapi_place { /* what stands at `offset` of the JSON text, and up to the next one */
    size_t offset;
    uint32_t line, column;
};

/* Schemas that are sent leave out what is only answered (readOnly), and the other way round. */
enum openapi_direction { OPENAPI_SENT, OPENAPI_ANSWERED };

struct openapi_target;

/* A schema, translated; its "$ref"s lead to `refs`. */
struct openapi_schema {
    bool done;
    struct str text;
    struct openapi_target **refs;
    size_t ref_count;
    const char *why;           /* NULL, or what keeps it from being used, */
    const struct json *why_at; /* there */
};

/* What a reference leads to. */
struct openapi_target {
    const struct json *value;
    struct str name;                 /* among the "$defs" of whoever refers to it */
    struct openapi_schema schema[2]; /* by openapi_direction */
    unsigned wanted_by[2]; /* the numbers of the writers that have it in their lists: of an
                            * operation, and of a target within */
};

struct openapi {
    struct provider_reader *r;
    const char *file;
    struct str text; /* JSON, of which values are views */
    struct json root;
    struct openapi_place *places; /* of a document in YAML; else NULL, and */
    uint32_t *lines;              /* where lines begin */
    size_t place_count;
    bool is_31;
    const struct yaml_node *entry; /* of domain.yaml, a map; or NULL */
    struct strmap refs, names;     /* of targets, by reference; of "$defs" */
    struct openapi_target **targets;
    size_t target_count, target_cap;
    unsigned writers;
    size_t warnings;
};

/* False: memory. Ends with mgi_openapi_close() in either case. */
bool mgi_openapi_open(struct openapi *doc, const struct openapi_text *text);
void mgi_openapi_close(struct openapi *doc);

/* Where a value stands; NULL: the document. */
struct openapi_place mgi_openapi_place(const struct openapi *doc, const struct json *at);

/* Warn, or be wrong, at a value of the document (openapi_tell.c). */
void mgi_openapi_warn(struct openapi *doc, const struct json *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void mgi_openapi_error(struct openapi *doc, const struct json *at, const char *hint,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
void mgi_openapi_tell(struct openapi *doc, enum mangle_severity severity, const struct json *at,
                      const char *hint, const char *format, va_list args);
/* How many warnings were more than are told. */
void mgi_openapi_tell_rest(struct openapi *doc);

/* Nodes of YAML at the place of a value. NULL: memory. */
struct yaml_node *mgi_openapi_node(struct openapi *doc, const struct json *at, enum yaml_kind kind,
                                   struct str text);
/* map[key] = text, or a list's next one. False: memory. */
bool mgi_openapi_put(struct openapi *doc, struct yaml_node *map, struct str key,
                     const struct json *at, struct str text);
bool mgi_openapi_append(struct openapi *doc, struct yaml_node *list, struct yaml_node *item);

/* What `v` is, when references are followed. NULL: they lead nowhere, and *why (static, or in the
 * arena) says so; also where `v` is NULL. */
const struct json *mgi_openapi_follow(struct openapi *doc, const struct json *v, const char **why);
/* The target of a reference; NULL: *why. */
struct openapi_target *mgi_openapi_target(struct openapi *doc, struct str ref, const char **why);

struct str mgi_openapi_text(const struct json *object, const char *name); /* "": no text there */
bool mgi_openapi_true(const struct json *object, const char *name);
/* At most `most` bytes of a text, with "..." where it was cut. */
struct str mgi_openapi_cut(struct openapi *doc, struct str text, size_t most);

/* ---- schemas (openapi_schema.c) -------------------------------------------------------------- */

struct openapi_writer {
    struct openapi *doc;
    enum openapi_direction direction;
    bool inner; /* of a target */
    unsigned number;
    struct buf text;
    struct json_writer w;
    struct openapi_target **wanted; /* what was referred to, in order */
    size_t wanted_count, wanted_cap;
    const char *why; /* NULL, or the first thing that keeps it from being used */
    const struct json *why_at;
};

/* Ends with mgi_buf_fini(&w->text). */
void mgi_openapi_writer_init(struct openapi_writer *w, struct openapi *doc,
                             enum openapi_direction direction);
/* One schema as JSON Schema 2020-12; a `description` stands in for its own. NULL: any value. */
void mgi_openapi_write_schema(struct openapi_writer *w, const struct json *schema,
                              struct str description);
/* The same, unless the text then had more than `most` bytes: any value in its place. */
void mgi_openapi_write_bounded(struct openapi_writer *w, const struct json *schema,
                               struct str description, size_t most);
/* The member "$defs": everything that was referred to; what does not fit into `most` is any value.
 */
void mgi_openapi_write_defs(struct openapi_writer *w, size_t most);

/* What values of a schema may be (openapi_shape.c). 0: nobody says. */
enum { OPENAPI_SINGLE = 1, OPENAPI_LIST = 2, OPENAPI_OBJECT = 4 };
unsigned mgi_openapi_shape(struct openapi *doc, const struct json *schema);
/* Is it only sent, or only answered? */
bool mgi_openapi_is_only(struct openapi *doc, const struct json *schema, const char *keyword);

/* ---- one operation --------------------------------------------------------------------------- */

enum openapi_in { OPENAPI_PATH, OPENAPI_QUERY, OPENAPI_HEADER, OPENAPI_BODY };

struct openapi_argument {
    struct str name, wire; /* what the caller calls it, and what the server does */
    enum openapi_in in;
    const struct json **schemas; /* all of them hold; none: any value */
    size_t schema_count, schema_cap;
    struct str description;
    bool required;
    const struct json *at;
};

struct openapi_operation {
    struct openapi *doc;
    const struct json *item, *value; /* the path's, and its own */
    struct str path, id;             /* id "": it has none */
    const char *method;              /* in capitals */
    const char *title;               /* "GET /orders/{id}" */
    bool named;                      /* `only` names it: what is wrong is an error */
    bool left_out;                   /* and told, or known to be */
    bool renamed;                    /* its name has a number, for another one has it, too */
    const struct yaml_node *said;    /* of `operations`; or NULL */
    struct yaml_node *request, *url_query, *headers;
    struct openapi_argument *arguments;
    size_t argument_count, argument_cap;
    struct http_schemas schemas;
};

/* ---- findings (openapi_tell.c) --------------------------------------------------------------- */

/* It cannot be used; tells why, and leaves it out. */
void mgi_openapi_leave_out(struct openapi_operation *op, const struct json *at, const char *format,
                           ...) __attribute__((format(printf, 3, 4)));
/* It can be used, but not all of it. */
void mgi_openapi_remark(struct openapi_operation *op, const struct json *at, const char *format,
                        ...) __attribute__((format(printf, 3, 4)));

/* openapi_arguments.c. A new one, with a name that no other has; NULL: memory, or too many (left
 * out). */
struct openapi_argument *mgi_openapi_argument(struct openapi_operation *op, enum openapi_in in,
                                              struct str wire, const struct json *at);
bool mgi_openapi_argument_schema(struct openapi_operation *op, struct openapi_argument *a,
                                 const struct json *schema);
/* op->schemas.input and .defaults. False: memory. */
bool mgi_openapi_write_input(struct openapi_operation *op);

/* The node of a value of a query or form: "{name}", or another one by `style` and `explode` of
 * `encoding`. NULL: *why it cannot be sent (static); or memory (*why NULL). */
struct yaml_node *mgi_openapi_value(struct openapi_operation *op, const struct json *at,
                                    const struct json *encoding, const struct json *schema,
                                    struct str name, const char **why);

/* Each adds its part to op->request. False: memory. */
bool mgi_openapi_parameters(struct openapi_operation *op);
bool mgi_openapi_body(struct openapi_operation *op);
bool mgi_openapi_answer(struct openapi_operation *op, bool with_schema);

/* The kind of a media type, best first; "application/json; charset=utf-8" is its first. */
enum openapi_media { MEDIA_JSON, MEDIA_LIKE_JSON, MEDIA_ANY, MEDIA_FORM, MEDIA_TEXT, MEDIA_OTHER };
/* The best of `content`; NULL: it is empty. */
const struct json_member *mgi_openapi_media(const struct json *content, enum openapi_media *kind);

/* ---- where it goes (openapi_server.c) -------------------------------------------------------- */

struct openapi_servers {
    bool bad;        /* those of the document, and that is told */
    bool clear_text; /* a credential would go over the open wire: told */
};
/* "server" of op->request. False: memory. */
bool mgi_openapi_choose_server(struct openapi_operation *op, struct openapi_servers *all);
/* Leaves it out if its credential would be sent in clear text. */
void mgi_openapi_check_wire(struct openapi_operation *op, struct openapi_servers *all);

/* ---- credentials (openapi_security.c) -------------------------------------------------------- */

/* What `auth` of the entry says, and what was found out about it. */
struct openapi_auth {
    const struct yaml_node *all; /* for every operation, whatever it says; or NULL */
    bool none;                   /* nothing is to be sent */
    bool bad;                    /* all is wrong (told) */
    struct openapi_scheme {
        struct str name;
        const struct yaml_node *value;
        bool bad; /* told */
    } * schemes;
    size_t scheme_count;
    struct str *missing; /* told */
    size_t missing_count, missing_cap;
};

bool mgi_openapi_read_auth(struct openapi *doc, struct openapi_auth *out);
/* "auth" of op->request. False: memory. */
bool mgi_openapi_secure(struct openapi_operation *op, struct openapi_auth *auth);
/* Is that what a credential is sent as? */
bool mgi_openapi_is_credential(const struct openapi_operation *op, const char *where,
                               struct str name);

/* ---- names and choice (openapi_names.c) ------------------------------------------------------ */

struct openapi_choice {
    const struct yaml_node *list; /* of texts, or one; or NULL */
    bool *used;                   /* for each of them */
};
struct openapi_choices {
    struct openapi_choice only, except;
    const struct yaml_node *operations; /* a map, or NULL */
    bool *said_used;
    const char *prefix;
    struct strmap names; /* that were given */
};

bool mgi_openapi_read_choices(struct openapi *doc, struct openapi_choices *out);
void mgi_openapi_choices_end(struct openapi_choices *c);
/* Is it wanted? Sets op->named and op->said. */
bool mgi_openapi_is_wanted(struct openapi_operation *op, struct openapi_choices *c);
/* Tell what chose nothing. */
void mgi_openapi_tell_unused(struct openapi *doc, struct openapi_choices *c);
/* Its name, which no other one has. ptr NULL: memory. */
struct str mgi_openapi_name(struct openapi_operation *op, struct openapi_choices *c);

/* ---- what the entry says (openapi_entry.c) --------------------------------------------------- */

/* What is wrong with it is told, and *good is false then. False: memory. */
bool mgi_openapi_check_entry(struct openapi *doc, const struct openapi_choices *choices,
                             bool *good);
/* Does the author say this header himself? */
bool mgi_openapi_says_header(const struct openapi_operation *op, struct str name);

#endif
