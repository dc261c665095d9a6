/* Conversations of a scripted server, each to show what a client makes of something (scene.c). */
#ifndef MGI_CONFORMANCE_SCENE_H
#define MGI_CONFORMANCE_SCENE_H

struct scene {
    const char *name;
    const char *ids, *what;
};

extern const struct scene mgi_scenes[]; /* ends with NULLs */

#endif
