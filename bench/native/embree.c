/* Embree 4 behind a dozen plain functions: meshes, grids, single rays, packets, chains, points.
 *
 * Whole passes run here, so that no call costs Embree anything that C programs do not pay. */

#include "embree_shape.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFINE(RETURN, NAME, PARAMETERS) RETURN(*NAME) PARAMETERS;
RTC_CALLS(DEFINE)

/* Looks up every call in an open library; the name of one that it lacks, or null. */
const char *embree_load(void *library, void *(*find)(void *library, const char *name)) {
#define LOAD(RETURN, NAME, PARAMETERS)                                                             \
    *(void **)&NAME = find(library, #NAME);                                                        \
    if (!NAME) return #NAME;
    RTC_CALLS(LOAD)
    return NULL;
}

/* Major, minor and patch; false where the library makes no device. */
bool embree_version(const char *config, int version[3]) {
    RTCDevice device = rtcNewDevice(config);
    if (!device) return false;
    for (int part = 0; part < 3; ++part) {
        int property = RTC_DEVICE_PROPERTY_VERSION_MAJOR + part;
        version[part] = (int)rtcGetDeviceProperty(device, property);
    }
    rtcReleaseDevice(device);
    return true;
}

static struct RTCIntersectArguments arguments(bool coherent) {
    struct RTCIntersectArguments arguments = {0};
    arguments.flags = coherent ? RTC_RAY_QUERY_FLAG_COHERENT : 0;
    arguments.feature_mask = RTC_FEATURE_FLAG_ALL;
    return arguments;
}

static bool count_bytes(void *shape, ssize_t bytes, bool post) {
    (void)post;
    atomic_fetch_add(&((EmbreeShape *)shape)->bytes, bytes);
    return true;
}

EmbreeShape *embree_start(const char *config, int robust, int dynamic, int compact,
                          int quality) {
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
    rtcSetSceneFlags(shape->scene, flags);
    rtcSetSceneBuildQuality(shape->scene, quality);
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
    EmbreeShape *shape = embree_start(config, robust, 0, compact, quality);
    if (!shape) return NULL;
    shape->geometry = rtcNewGeometry(shape->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    shape->vertices =
        rtcSetNewGeometryBuffer(shape->geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                3 * sizeof(float), position_count);
    memcpy(shape->vertices, positions, 3 * sizeof(float) * position_count);
    void *corners = rtcSetNewGeometryBuffer(shape->geometry, RTC_BUFFER_TYPE_INDEX, 0,
                                            RTC_FORMAT_UINT3, 3 * sizeof(uint32_t), triangle_count);
    memcpy(corners, triangles, 3 * sizeof(uint32_t) * triangle_count);
    shape->corners = corners;
    finish(shape);
    return shape;
}

/* One grid of size * size vertices; Embree cuts its cells along the diagonal that the others take. */
EmbreeShape *embree_grid(const char *config, const float *heights, size_t size, int robust,
                         int dynamic) {
    EmbreeShape *shape = embree_start(config, robust, dynamic, 0,
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
    if (shape->free_world) shape->free_world(shape->world);
    free(shape);
}

size_t embree_bytes(const EmbreeShape *shape) { return (size_t)shape->bytes; }

static struct RTCRay1 single(const Question *question) {
    struct RTCRay1 ray = {0};
    ray.org_x[0] = question->origin[0];
    ray.org_y[0] = question->origin[1];
    ray.org_z[0] = question->origin[2];
    ray.dir_x[0] = question->direction[0];
    ray.dir_y[0] = question->direction[1];
    ray.dir_z[0] = question->direction[2];
    ray.tfar[0] = question->t_max;
    ray.mask[0] = 0xFFFFFFFFu;
    return ray;
}

static RawMet met(unsigned geometry, float t, unsigned primitive) {
    RawMet answer = {geometry == RTC_INVALID_GEOMETRY_ID ? INFINITY : t, primitive};
    return answer;
}

void embree_nearest(const EmbreeShape *shape, const Question *questions, size_t count,
                    RawMet *answers) {
    unsigned floats = fast_floats();
    struct RTCIntersectArguments defaults = arguments(false);
    for (size_t i = 0; i < count; ++i) {
        struct RTCRayHit1 asked;
        asked.ray = single(questions + i);
        asked.hit.geomID[0] = RTC_INVALID_GEOMETRY_ID;
        asked.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(shape->scene, &asked, &defaults);
        answers[i] = met(asked.hit.geomID[0], asked.ray.tfar[0], asked.hit.primID[0]);
    }
    restore_floats(floats);
}

void embree_any(const EmbreeShape *shape, const Question *questions, size_t count, bool *answers) {
    unsigned floats = fast_floats();
    struct RTCIntersectArguments defaults = arguments(false);
    for (size_t i = 0; i < count; ++i) {
        struct RTCRay1 ray = single(questions + i);
        rtcOccluded1(shape->scene, &ray, &defaults);
        answers[i] = ray.tfar[0] < 0.0f;
    }
    restore_floats(floats);
}

/* Packets are laid out beforehand, as a program that uses them would; `blocks` holds
 * (count + width - 1) / width rays of 8 or 16. The last packet is filled up with its last ray. */
#define PACKETS(N)                                                                                 \
    struct RTCRay##N *embree_packets##N(const Question *questions, size_t count) {                 \
        size_t blocks = (count + N - 1) / N;                                                       \
        struct RTCRay##N *packets = aligned_alloc(64, blocks * sizeof(struct RTCRay##N));          \
        if (!packets) return NULL;                                                                 \
        memset(packets, 0, blocks * sizeof(struct RTCRay##N));                                     \
        for (size_t i = 0; i < blocks * N; ++i) {                                                  \
            struct RTCRay##N *packet = packets + i / N;                                            \
            struct RTCRay1 ray = single(questions + (i < count ? i : count - 1));                  \
            size_t lane = i % N;                                                                   \
            packet->org_x[lane] = ray.org_x[0];                                                    \
            packet->org_y[lane] = ray.org_y[0];                                                    \
            packet->org_z[lane] = ray.org_z[0];                                                    \
            packet->dir_x[lane] = ray.dir_x[0];                                                    \
            packet->dir_y[lane] = ray.dir_y[0];                                                    \
            packet->dir_z[lane] = ray.dir_z[0];                                                    \
            packet->tfar[lane] = ray.tfar[0];                                                      \
            packet->mask[lane] = ray.mask[0];                                                      \
        }                                                                                          \
        return packets;                                                                            \
    }                                                                                              \
    void embree_nearest##N(const EmbreeShape *shape, const struct RTCRay##N *packets,              \
                           size_t count, int coherent, RawMet *answers) {                          \
        unsigned floats = fast_floats();                                                           \
        struct RTCIntersectArguments settings = arguments(coherent);                               \
        int valid[N] __attribute__((aligned(64)));                                                 \
        memset(valid, 0xFF, sizeof valid);                                                         \
        for (size_t first = 0; first < count; first += N) {                                        \
            struct RTCRayHit##N asked;                                                             \
            asked.ray = packets[first / N];                                                        \
            memset(asked.hit.geomID, 0xFF, sizeof asked.hit.geomID);                               \
            memset(asked.hit.instID, 0xFF, sizeof asked.hit.instID);                               \
            rtcIntersect##N(valid, shape->scene, &asked, &settings);                               \
            size_t many = count - first < N ? count - first : N;                                   \
            for (size_t i = 0; i < many; ++i) {                                                    \
                answers[first + i] =                                                               \
                    met(asked.hit.geomID[i], asked.ray.tfar[i], asked.hit.primID[i]);              \
            }                                                                                      \
        }                                                                                          \
        restore_floats(floats);                                                                    \
    }                                                                                              \
    void embree_any##N(const EmbreeShape *shape, const struct RTCRay##N *packets, size_t count,    \
                       bool *answers) {                                                            \
        unsigned floats = fast_floats();                                                           \
        struct RTCIntersectArguments settings = arguments(false);                                  \
        int valid[N] __attribute__((aligned(64)));                                                 \
        memset(valid, 0xFF, sizeof valid);                                                         \
        for (size_t first = 0; first < count; first += N) {                                        \
            struct RTCRay##N asked = packets[first / N];                                           \
            rtcOccluded##N(valid, shape->scene, &asked, &settings);                                \
            size_t many = count - first < N ? count - first : N;                                   \
            for (size_t i = 0; i < many; ++i) answers[first + i] = asked.tfar[i] < 0.0f;           \
        }                                                                                          \
        restore_floats(floats);                                                                    \
    }

PACKETS(8)
PACKETS(16)

void embree_free_packets(void *packets) { free(packets); }

/* The place of the nearest hit on each chain of segments: its number and where on it. */
void embree_chains(const EmbreeShape *shape, const Question *segments, size_t chain, size_t count,
                   RawMet *answers) {
    unsigned floats = fast_floats();
    struct RTCIntersectArguments defaults = arguments(false);
    for (size_t i = 0; i < count; ++i) {
        answers[i] = met(RTC_INVALID_GEOMETRY_ID, 0.0f, 0);
        for (size_t link = 0; link < chain; ++link) {
            struct RTCRayHit1 asked;
            asked.ray = single(segments + i * chain + link);
            asked.hit.geomID[0] = RTC_INVALID_GEOMETRY_ID;
            asked.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
            rtcIntersect1(shape->scene, &asked, &defaults);
            if (asked.hit.geomID[0] != RTC_INVALID_GEOMETRY_ID) {
                answers[i] = met(0, (float)link + asked.ray.tfar[0], asked.hit.primID[0]);
                break;
            }
        }
    }
    restore_floats(floats);
}

/* The same, eight segments at once. */
void embree_chains8(const EmbreeShape *shape, const struct RTCRay8 *packets, size_t chain,
                    size_t count, RawMet *answers) {
    unsigned floats = fast_floats();
    struct RTCIntersectArguments settings = arguments(true);
    int valid[8] __attribute__((aligned(64)));
    memset(valid, 0xFF, sizeof valid);
    for (size_t i = 0; i < count; ++i) {
        answers[i] = met(RTC_INVALID_GEOMETRY_ID, 0.0f, 0);
        for (size_t first = 0; first < chain && isinf(answers[i].t); first += 8) {
            struct RTCRayHit8 asked;
            asked.ray = packets[(i * chain + first) / 8];
            memset(asked.hit.geomID, 0xFF, sizeof asked.hit.geomID);
            memset(asked.hit.instID, 0xFF, sizeof asked.hit.instID);
            rtcIntersect8(valid, shape->scene, &asked, &settings);
            for (size_t lane = 0; lane < 8; ++lane) {
                if (asked.hit.geomID[lane] != RTC_INVALID_GEOMETRY_ID) {
                    float place = (float)(first + lane) + asked.ray.tfar[lane];
                    answers[i] = met(0, place, asked.hit.primID[lane]);
                    break;
                }
            }
        }
    }
    restore_floats(floats);
}

typedef struct {
    float x, y, z;
} Vector;

static Vector minus(Vector a, Vector b) {
    Vector difference = {a.x - b.x, a.y - b.y, a.z - b.z};
    return difference;
}

static Vector along(Vector from, float s, Vector a, float t, Vector b) {
    Vector sum = {from.x + s * a.x + t * b.x, from.y + s * a.y + t * b.y,
                  from.z + s * a.z + t * b.z};
    return sum;
}

static float dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/* Ericson, "Real-Time Collision Detection", 2005, 5.1.5, as Embree's own tutorial has it. */
static Vector nearest_of_triangle(Vector p, Vector a, Vector b, Vector c) {
    Vector ab = minus(b, a), ac = minus(c, a), ap = minus(p, a);
    float d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0.0f && d2 <= 0.0f) return a;
    Vector bp = minus(p, b);
    float d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0.0f && d4 <= d3) return b;
    Vector cp = minus(p, c);
    float d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0.0f && d5 <= d6) return c;
    float vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f) return along(a, d1 / (d1 - d3), ab, 0.0f, ac);
    float vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f) return along(a, 0.0f, ab, d2 / (d2 - d6), ac);
    float va = d3 * d6 - d5 * d4;
    if (va <= 0.0f && d4 - d3 >= 0.0f && d5 - d6 >= 0.0f) {
        float part = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return along(b, part, minus(c, b), 0.0f, ac);
    }
    float inverse = 1.0f / (va + vb + vc);
    return along(a, vb * inverse, ab, vc * inverse, ac);
}

typedef struct {
    const EmbreeShape *shape;
    RawMet nearest;
} PointAsked;

/* Draws the query's sphere in where the triangle is nearer. */
static bool draw_in(struct RTCPointQueryFunctionArguments *args) {
    PointAsked *asked = args->userPtr;
    const uint32_t *corners = asked->shape->corners + 3 * (size_t)args->primID;
    Vector at[3];
    for (int corner = 0; corner < 3; ++corner) {
        const float *v = asked->shape->vertices + 3 * (size_t)corners[corner];
        at[corner].x = v[0];
        at[corner].y = v[1];
        at[corner].z = v[2];
    }
    Vector point = {args->query->x, args->query->y, args->query->z};
    Vector away = minus(point, nearest_of_triangle(point, at[0], at[1], at[2]));
    float distance = sqrtf(dot(away, away));
    if (!(distance < args->query->radius)) return false;
    args->query->radius = distance;
    asked->nearest.t = distance;
    asked->nearest.primitive = args->primID;
    return true;
}

/* The distance of each point from a mesh, and the nearest triangle. */
void embree_distances(const EmbreeShape *shape, const float *points, size_t count,
                      RawMet *answers) {
    unsigned floats = fast_floats();
    struct RTCPointQueryContext context = {0};
    context.instID = RTC_INVALID_GEOMETRY_ID;
    for (size_t i = 0; i < count; ++i) {
        const float *p = points + 3 * i;
        struct RTCPointQuery query = {p[0], p[1], p[2], 0.0f, INFINITY};
        PointAsked asked = {shape, {INFINITY, 0}};
        rtcPointQuery(shape->scene, &query, &context, draw_in, &asked);
        answers[i] = asked.nearest;
    }
    restore_floats(floats);
}
