/* Shared by the files that make settings of the plugin "command" out of YAML. The settings are
 *
 *   {"folder": "/srv/domain", "confine": "on", "actions": [{
 *      "aid", "name", "description", "program": "/usr/bin/git", "input_schema": {…},
 *      "run": [WORD…],            the program's arguments, its name (argv[0]) first
 *      "defaults": {"n": 10},     of arguments that are not given
 *      "stdin": {"text": PARTS} | {"json": ["a", …]} | {"json": true},
 *      "folder": PARTS, "env": {…}, "output": {"kind": "lines", "regex": …, "all": true},
 *      "output_schema": {…}, "exit": [{"from": 1, "to": 1, "ok": true, …}],
 *      "side_effects": […], "tags": […], "timeout_ms", "max_output", "flags": ["idempotent", …],
 *      "may": […], "read": […], "write": […], "progress": true}]}
 *
 *   WORD   PARTS, {"if": "x", "then": [WORD…]} or {"each": "x", "parts": PARTS}
 *   PARTS  [PART…]: "text", {"arg": "x"} or {"arg": "x", "option": true}
 *
 * plugins/command/table.h reads them. */
#ifndef MGI_ACTIONS_COMMAND_INT_H
#define MGI_ACTIONS_COMMAND_INT_H

#include "actions/kinds.h"

#define COMMAND_MAX_OUTPUT (16 << 20)

/* Everything about one command, as an element of "actions"; *place is where it stands. What is
 * wrong is told. False: memory. */
bool mgi_command_write(struct provider_reader *r, const struct yaml_node *command,
                       struct json_writer *w, struct action_place *place);

/* Its `output`, `output_schema` and `exit`. */
void mgi_command_write_results(struct provider_reader *r, const struct yaml_node *command,
                               struct json_writer *w);

/* program_needs.c: warn (UNREADABLE_PROGRAM, at `at`, its name) if the program of the command does
 * not find what it needs where it may read. */
void mgi_program_needs(struct provider_reader *r, const struct yaml_node *command,
                       const struct yaml_node *at, const char *program);

/* The parts of a word, as a JSON array. */
void mgi_command_write_parts(struct provider_reader *r, struct str word, struct json_writer *w);

#endif
