/* Embree 3 behind a dozen plain functions: meshes, grids, single rays, packets, streams.
 *
 * Whole passes run here, so that no call costs Embree anything that C programs do not pay. */

#include "questions.h"
#include <embree3/rtcore.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <xmmintrin.h>

/* A ray of the stream interface is asked with so many others. */
#define STREAM 1024
/* Flush-to-zero and denormals-are-zero, which Embree's manual asks for. */
#define FAST_FLOATS 0x8040

typedef struct {
    RTCDevice device;
    RTCScene scene;
    RTCGeometry geometry;
    float *vertices;
    atomic_llong bytes;
} EmbreeShape;

static bool count_bytes(void *shape, ssize_t bytes, bool post) {
    (void)post;
    atomic_fetch_add(&((EmbreeShape *)shape)->bytes, bytes);
    return true;
}

static EmbreeShape *start(const char *config, int robust, int dynamic, int compact, int quality) {
    EmbreeShape *shape = calloc(1, sizeof *shape);
    if (!shape) return NULL;
    shape->device = rtcNewDevice(config);
    if (!shape->device) {
        free(shape);
        return NULL;
    }
    rtcSetDeviceMemoryMonitorFunction(shape->device, count_bytes, shape);
    shape->scene = rtcNewScene(shape->device);
    int flags = (robust ? RTC_SCENE_FLAG_ROBUST : 0) | (dynamic ? RTC_SCENE_FLAG_DYNAMIC : 0) |
                (compact ? RTC_SCENE_FLAG_COMPACT : 0);
    rtcSetSceneFlags(shape->scene, (enum RTCSceneFlags)flags);
    rtcSetSceneBuildQuality(shape->scene, (enum RTCBuildQuality)quality);
    return shape;
}

static void finish(EmbreeShape *shape) {
    rtcCommitGeometry(shape->geometry);
    rtcAttachGeometry(shape->scene, shape->geometry);
    rtcReleaseGeometry(shape->geometry);
    rtcCommitScene(shape->scene);
}

EmbreeShape *embree_mesh(const char *config, const float *positions, size_t position_count,
                         const uint32_t *triangles, size_t triangle_count, int robust, int compact,
                         int quality) {
    EmbreeShape *shape = start(config, robust, 0, compact, quality);
    if (!shape) return NULL;
    shape->geometry = rtcNewGeometry(shape->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    shape->vertices =
        rtcSetNewGeometryBuffer(shape->geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                3 * sizeof(float), position_count);
    memcpy(shape->vertices, positions, 3 * sizeof(float) * position_count);
    void *corners = rtcSetNewGeometryBuffer(shape->geometry, RTC_BUFFER_TYPE_INDEX, 0,
                                            RTC_FORMAT_UINT3, 3 * sizeof(uint32_t), triangle_count);
    memcpy(corners, triangles, 3 * sizeof(uint32_t) * triangle_count);
    finish(shape);
    return shape;
}

/* One grid of size * size vertices; Embree cuts its cells along the diagonal that the others take. */
EmbreeShape *embree_grid(const char *config, const float *heights, size_t size, int robust,
                         int dynamic) {
    EmbreeShape *shape = start(config, robust, dynamic, 0,
                               dynamic ? RTC_BUILD_QUALITY_LOW : RTC_BUILD_QUALITY_MEDIUM);
    if (!shape) return NULL;
    shape->geometry = rtcNewGeometry(shape->device, RTC_GEOMETRY_TYPE_GRID);
    if (dynamic) rtcSetGeometryBuildQuality(shape->geometry, RTC_BUILD_QUALITY_REFIT);
    shape->vertices =
        rtcSetNewGeometryBuffer(shape->geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                3 * sizeof(float), size * size);
    for (size_t row = 0; row < size; ++row) {
        for (size_t column = 0; column < size; ++column) {
            float *vertex = shape->vertices + 3 * (row * size + column);
            vertex[0] = (float)column;
            vertex[1] = heights[row * size + column];
            vertex[2] = (float)row;
        }
    }
    struct RTCGrid *grid = rtcSetNewGeometryBuffer(shape->geometry, RTC_BUFFER_TYPE_GRID, 0,
                                                   RTC_FORMAT_GRID, sizeof(struct RTCGrid), 1);
    grid->startVertexID = 0;
    grid->stride = (unsigned)size;
    grid->width = (unsigned short)size;
    grid->height = (unsigned short)size;
    finish(shape);
    return shape;
}

/* Writes a rectangle of heights and fits the scene to it. */
void embree_edit(EmbreeShape *shape, size_t size, size_t column, size_t row, size_t side,
                 const float *heights) {
    for (size_t j = 0; j < side; ++j) {
        for (size_t i = 0; i < side; ++i) {
            float *vertex = shape->vertices + 3 * ((row + j) * size + column + i);
            vertex[1] = heights[j * side + i];
        }
    }
    rtcUpdateGeometryBuffer(shape->geometry, RTC_BUFFER_TYPE_VERTEX, 0);
    rtcCommitGeometry(shape->geometry);
    rtcCommitScene(shape->scene);
}

void embree_free(EmbreeShape *shape) {
    rtcReleaseScene(shape->scene);
    rtcReleaseDevice(shape->device);
    free(shape);
}

size_t embree_bytes(const EmbreeShape *shape) { return (size_t)shape->bytes; }

static struct RTCRay single(const Question *question) {
    struct RTCRay ray = {0};
    ray.org_x = question->origin[0];
    ray.org_y = question->origin[1];
    ray.org_z = question->origin[2];
    ray.dir_x = question->direction[0];
    ray.dir_y = question->direction[1];
    ray.dir_z = question->direction[2];
    ray.tfar = question->t_max;
    ray.mask = 0xFFFFFFFFu;
    return ray;
}

static RawMet met(unsigned geometry, float t, unsigned primitive) {
    RawMet answer = {geometry == RTC_INVALID_GEOMETRY_ID ? INFINITY : t, primitive};
    return answer;
}

void embree_nearest(const EmbreeShape *shape, const Question *questions, size_t count,
                    RawMet *answers) {
    unsigned int floats = _mm_getcsr();
    _mm_setcsr(floats | FAST_FLOATS);
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (size_t i = 0; i < count; ++i) {
        struct RTCRayHit asked;
        asked.ray = single(questions + i);
        asked.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        asked.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(shape->scene, &context, &asked);
        answers[i] = met(asked.hit.geomID, asked.ray.tfar, asked.hit.primID);
    }
    _mm_setcsr(floats);
}

void embree_any(const EmbreeShape *shape, const Question *questions, size_t count, bool *answers) {
    unsigned int floats = _mm_getcsr();
    _mm_setcsr(floats | FAST_FLOATS);
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (size_t i = 0; i < count; ++i) {
        struct RTCRay ray = single(questions + i);
        rtcOccluded1(shape->scene, &context, &ray);
        answers[i] = ray.tfar < 0.0f;
    }
    _mm_setcsr(floats);
}

/* Many rays in one call, which Embree may reorder. */
void embree_stream(const EmbreeShape *shape, const Question *questions, size_t count,
                   RawMet *answers) {
    unsigned int floats = _mm_getcsr();
    _mm_setcsr(floats | FAST_FLOATS);
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRayHit asked[STREAM];
    for (size_t first = 0; first < count; first += STREAM) {
        unsigned many = (unsigned)(count - first < STREAM ? count - first : STREAM);
        for (unsigned i = 0; i < many; ++i) {
            asked[i].ray = single(questions + first + i);
            asked[i].hit.geomID = RTC_INVALID_GEOMETRY_ID;
            asked[i].hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
        }
        rtcIntersect1M(shape->scene, &context, asked, many, sizeof asked[0]);
        for (unsigned i = 0; i < many; ++i) {
            answers[first + i] = met(asked[i].hit.geomID, asked[i].ray.tfar, asked[i].hit.primID);
        }
    }
    _mm_setcsr(floats);
}

/* Packets are laid out beforehand, as a program that uses them would; `blocks` holds
 * (count + width - 1) / width rays of 8 or 16. A packet's missing rays point nowhere. */
#define PACKETS(N)                                                                                 \
    struct RTCRay##N *embree_packets##N(const Question *questions, size_t count) {                 \
        size_t blocks = (count + N - 1) / N;                                                       \
        struct RTCRay##N *packets = aligned_alloc(64, blocks * sizeof(struct RTCRay##N));          \
        if (!packets) return NULL;                                                                 \
        memset(packets, 0, blocks * sizeof(struct RTCRay##N));                                     \
        for (size_t i = 0; i < blocks * N; ++i) {                                                  \
            struct RTCRay##N *packet = packets + i / N;                                            \
            struct RTCRay ray = single(questions + (i < count ? i : count - 1));                   \
            size_t lane = i % N;                                                                   \
            packet->org_x[lane] = ray.org_x;                                                       \
            packet->org_y[lane] = ray.org_y;                                                       \
            packet->org_z[lane] = ray.org_z;                                                       \
            packet->dir_x[lane] = ray.dir_x;                                                       \
            packet->dir_y[lane] = ray.dir_y;                                                       \
            packet->dir_z[lane] = ray.dir_z;                                                       \
            packet->tfar[lane] = ray.tfar;                                                         \
            packet->mask[lane] = ray.mask;                                                         \
        }                                                                                          \
        return packets;                                                                            \
    }                                                                                              \
    void embree_nearest##N(const EmbreeShape *shape, const struct RTCRay##N *packets,              \
                           size_t count, int coherent, RawMet *answers) {                          \
        unsigned int floats = _mm_getcsr();                                                        \
        _mm_setcsr(floats | FAST_FLOATS);                                                          \
        struct RTCIntersectContext context;                                                        \
        rtcInitIntersectContext(&context);                                                         \
        if (coherent) context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;                         \
        int valid[N] __attribute__((aligned(64)));                                                 \
        memset(valid, 0xFF, sizeof valid);                                                         \
        for (size_t first = 0; first < count; first += N) {                                        \
            struct RTCRayHit##N asked;                                                             \
            asked.ray = packets[first / N];                                                        \
            memset(asked.hit.geomID, 0xFF, sizeof asked.hit.geomID);                               \
            memset(asked.hit.instID, 0xFF, sizeof asked.hit.instID);                               \
            rtcIntersect##N(valid, shape->scene, &context, &asked);                                \
            size_t many = count - first < N ? count - first : N;                                   \
            for (size_t i = 0; i < many; ++i) {                                                    \
                answers[first + i] =                                                               \
                    met(asked.hit.geomID[i], asked.ray.tfar[i], asked.hit.primID[i]);              \
            }                                                                                      \
        }                                                                                          \
        _mm_setcsr(floats);                                                                        \
    }

PACKETS(8)
PACKETS(16)

void embree_free_packets(void *packets) { free(packets); }
