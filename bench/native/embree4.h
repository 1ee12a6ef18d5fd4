/* The part of Embree 4's C interface that the bench calls, declared after its manual: the library is
 * opened at run time, so no header of it is needed to build.
 *
 * A hit's last field is left out of libraries that are built without arrays of instances; it is
 * written last, so the room for it does no harm there. */
#ifndef HITSCAN_BENCH_EMBREE4_H
#define HITSCAN_BENCH_EMBREE4_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef void *RTCDevice;
typedef void *RTCScene;
typedef void *RTCGeometry;

#define RTC_INVALID_GEOMETRY_ID 0xFFFFFFFFu

/* The minor and the patch version have the next two numbers. */
enum { RTC_DEVICE_PROPERTY_VERSION_MAJOR = 1 };
enum {
    RTC_GEOMETRY_TYPE_TRIANGLE = 0,
    RTC_GEOMETRY_TYPE_GRID = 2,
    RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE = 16,
    RTC_GEOMETRY_TYPE_SPHERE_POINT = 50,
    RTC_GEOMETRY_TYPE_INSTANCE = 121
};
enum { RTC_BUFFER_TYPE_INDEX = 0, RTC_BUFFER_TYPE_VERTEX = 1, RTC_BUFFER_TYPE_GRID = 8 };
enum {
    RTC_FORMAT_UINT = 0x5001,
    RTC_FORMAT_UINT3 = 0x5003,
    RTC_FORMAT_FLOAT3 = 0x9003,
    RTC_FORMAT_FLOAT4 = 0x9004,
    RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR = 0x9234,
    RTC_FORMAT_GRID = 0xA001
};
enum { RTC_BUILD_QUALITY_LOW = 0, RTC_BUILD_QUALITY_MEDIUM = 1, RTC_BUILD_QUALITY_REFIT = 3 };
enum { RTC_SCENE_FLAG_DYNAMIC = 1, RTC_SCENE_FLAG_COMPACT = 2, RTC_SCENE_FLAG_ROBUST = 4 };
enum { RTC_RAY_QUERY_FLAG_COHERENT = 1 << 16 };
enum { RTC_FEATURE_FLAG_ALL = -1 };

struct RTCGrid {
    unsigned startVertexID;
    unsigned stride;
    unsigned short width, height;
};

/* The optional argument of every query; what is null is not used. */
struct RTCIntersectArguments {
    int flags;
    int feature_mask;
    void *context;
    void *filter;
    void *intersect;
    float minWidthDistanceFactor;
};

/* A ray, a hit and both, of N lanes; of one lane they are the single ones. */
#define RTC_LANES(SUFFIX, N, ALIGNMENT)                                                            \
    struct __attribute__((aligned(ALIGNMENT))) RTCRay##SUFFIX {                                    \
        float org_x[N], org_y[N], org_z[N], tnear[N];                                              \
        float dir_x[N], dir_y[N], dir_z[N], time[N];                                               \
        float tfar[N];                                                                             \
        unsigned mask[N], id[N], flags[N];                                                         \
    };                                                                                             \
    struct __attribute__((aligned(ALIGNMENT))) RTCHit##SUFFIX {                                    \
        float Ng_x[N], Ng_y[N], Ng_z[N], u[N], v[N];                                               \
        unsigned primID[N], geomID[N], instID[N], instPrimID[N];                                   \
    };                                                                                             \
    struct RTCRayHit##SUFFIX {                                                                     \
        struct RTCRay##SUFFIX ray;                                                                 \
        struct RTCHit##SUFFIX hit;                                                                 \
    };

RTC_LANES(1, 1, 16)
RTC_LANES(8, 8, 32)
RTC_LANES(16, 16, 64)

struct __attribute__((aligned(16))) RTCPointQuery {
    float x, y, z, time, radius;
};

/* The instances above a geometry, of which there are none; libraries that are built with arrays of
 * instances keep the depth one word later, so there is room for it. */
struct __attribute__((aligned(16))) RTCPointQueryContext {
    float world2inst[16], inst2world[16];
    unsigned instID, depth[2];
};

struct __attribute__((aligned(16))) RTCPointQueryFunctionArguments {
    struct RTCPointQuery *query;
    void *userPtr;
    unsigned primID, geomID;
    struct RTCPointQueryContext *context;
    float similarityScale;
};

typedef bool (*RTCPointQueryFunction)(struct RTCPointQueryFunctionArguments *);
typedef bool (*RTCMemoryMonitorFunction)(void *user, ssize_t bytes, bool post);

/* Every call: what it returns, its name, what it takes. */
#define RTC_CALLS(CALL)                                                                            \
    CALL(RTCDevice, rtcNewDevice, (const char *config))                                            \
    CALL(void, rtcReleaseDevice, (RTCDevice))                                                      \
    CALL(ssize_t, rtcGetDeviceProperty, (RTCDevice, int property))                                 \
    CALL(void, rtcSetDeviceMemoryMonitorFunction, (RTCDevice, RTCMemoryMonitorFunction, void *))   \
    CALL(RTCScene, rtcNewScene, (RTCDevice))                                                       \
    CALL(void, rtcReleaseScene, (RTCScene))                                                        \
    CALL(void, rtcSetSceneFlags, (RTCScene, int flags))                                            \
    CALL(void, rtcSetSceneBuildQuality, (RTCScene, int quality))                                   \
    CALL(void, rtcCommitScene, (RTCScene))                                                         \
    CALL(RTCGeometry, rtcNewGeometry, (RTCDevice, int type))                                       \
    CALL(void, rtcSetGeometryBuildQuality, (RTCGeometry, int quality))                             \
    CALL(void *, rtcSetNewGeometryBuffer,                                                          \
         (RTCGeometry, int type, unsigned slot, int format, size_t stride, size_t count))          \
    CALL(void, rtcUpdateGeometryBuffer, (RTCGeometry, int type, unsigned slot))                    \
    CALL(void, rtcSetGeometryInstancedScene, (RTCGeometry, RTCScene))                              \
    CALL(void, rtcSetGeometryTransform,                                                            \
         (RTCGeometry, unsigned step, int format, const void *transform))                          \
    CALL(void, rtcCommitGeometry, (RTCGeometry))                                                   \
    CALL(unsigned, rtcAttachGeometry, (RTCScene, RTCGeometry))                                     \
    CALL(void, rtcReleaseGeometry, (RTCGeometry))                                                  \
    CALL(void, rtcIntersect1, (RTCScene, struct RTCRayHit1 *, struct RTCIntersectArguments *))     \
    CALL(void, rtcIntersect8,                                                                      \
         (const int *valid, RTCScene, struct RTCRayHit8 *, struct RTCIntersectArguments *))        \
    CALL(void, rtcIntersect16,                                                                     \
         (const int *valid, RTCScene, struct RTCRayHit16 *, struct RTCIntersectArguments *))       \
    CALL(void, rtcOccluded1, (RTCScene, struct RTCRay1 *, struct RTCIntersectArguments *))         \
    CALL(void, rtcOccluded8,                                                                       \
         (const int *valid, RTCScene, struct RTCRay8 *, struct RTCIntersectArguments *))           \
    CALL(void, rtcOccluded16,                                                                      \
         (const int *valid, RTCScene, struct RTCRay16 *, struct RTCIntersectArguments *))          \
    CALL(bool, rtcPointQuery,                                                                      \
         (RTCScene, struct RTCPointQuery *, struct RTCPointQueryContext *, RTCPointQueryFunction,  \
          void *user))

#endif
