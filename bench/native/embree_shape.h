/* What the files that call Embree share: the calls, a scene, and how floats are treated. */
#ifndef HITSCAN_BENCH_EMBREE_SHAPE_H
#define HITSCAN_BENCH_EMBREE_SHAPE_H

#include "embree4.h"
#include "questions.h"
#include <stdatomic.h>

/* The calls of the open library; hidden, so that the library itself never finds them. */
#define DECLARE(RETURN, NAME, PARAMETERS)                                                          \
    extern __attribute__((visibility("hidden"))) RETURN(*NAME) PARAMETERS;
RTC_CALLS(DECLARE)

/* Flush-to-zero and denormals-are-zero, which Embree's manual asks for. */
#if defined(__SSE__)
#include <xmmintrin.h>
static inline unsigned fast_floats(void) {
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);
    return before;
}
static inline void restore_floats(unsigned before) { _mm_setcsr(before); }
#else
static inline unsigned fast_floats(void) { return 0; }
static inline void restore_floats(unsigned before) { (void)before; }
#endif

typedef struct {
    RTCDevice device;
    RTCScene scene;
    RTCGeometry geometry;
    float *vertices;
    /* Of a mesh. */
    const uint32_t *corners;
    atomic_llong bytes;
    /* Of a world: embree_world.c. */
    void *world;
    void (*free_world)(void *world);
} EmbreeShape;

/* A device with an empty scene, whose memory is counted. */
EmbreeShape *embree_start(const char *config, int robust, int dynamic, int compact, int quality);

#endif
