/* Box3D's meshes and height fields behind a few plain functions: rays and moving shapes. */

#include "box3d_shape.h"
#include <stdlib.h>

/* One of the two. */
typedef struct {
    b3Mesh mesh;
    b3HeightFieldData *terrain;
} Box3dShape;

b3MeshData *box3d_mesh_data(const float *positions, size_t position_count,
                            const uint32_t *triangles, size_t triangle_count) {
    uint8_t *materials = calloc(triangle_count, 1);
    b3MeshDef def = {0};
    def.vertices = (b3Vec3 *)(uintptr_t)positions;
    def.indices = (int32_t *)(uintptr_t)triangles;
    def.materialIndices = materials;
    def.vertexCount = (int)position_count;
    def.triangleCount = (int)triangle_count;
    b3MeshData *mesh = b3CreateMesh(&def, NULL, 0);
    free(materials);
    return mesh;
}

b3HeightFieldData *box3d_terrain_data(const float *heights, size_t size) {
    uint8_t *materials = calloc((size - 1) * (size - 1), 1);
    b3HeightFieldDef def = {0};
    def.heights = (float *)(uintptr_t)heights;
    def.materialIndices = materials;
    def.scale = (b3Vec3){1.0f, 1.0f, 1.0f};
    def.countX = (int)size;
    def.countZ = (int)size;
    float low = heights[0], high = heights[0];
    for (size_t i = 1; i < size * size; ++i) {
        low = fminf(low, heights[i]);
        high = fmaxf(high, heights[i]);
    }
    def.globalMinimumHeight = low;
    def.globalMaximumHeight = high;
    b3HeightFieldData *terrain = b3CreateHeightField(&def);
    free(materials);
    return terrain;
}

/* The points of a shape; their number is returned. */
static int points_of(Solid solid, b3Vec3 points[8]) {
    float half = solid.half;
    int count = solid.kind == 0 ? 1 : solid.kind == 1 ? 8 : 2;
    for (int i = 0; i < count; ++i) {
        points[i].x = count == 8 ? (i & 1 ? half : -half) : 0.0f;
        points[i].y = count == 1 ? 0.0f : ((count == 2 ? i : i >> 1) & 1 ? half : -half);
        points[i].z = count == 8 ? (i & 4 ? half : -half) : 0.0f;
    }
    return count;
}

b3ShapeProxy box3d_proxy(Solid solid, b3Vec3 points[8]) {
    b3ShapeProxy proxy = {points, points_of(solid, points), solid.kind == 1 ? 0.0f : solid.half};
    return proxy;
}

Box3dShape *box3d_terrain(const float *heights, size_t size) {
    Box3dShape *shape = calloc(1, sizeof *shape);
    shape->terrain = box3d_terrain_data(heights, size);
    return shape;
}

Box3dShape *box3d_mesh(const float *positions, size_t position_count, const uint32_t *triangles,
                       size_t triangle_count) {
    Box3dShape *shape = calloc(1, sizeof *shape);
    shape->mesh.data = box3d_mesh_data(positions, position_count, triangles, triangle_count);
    shape->mesh.scale = (b3Vec3){1.0f, 1.0f, 1.0f};
    return shape;
}

void box3d_free(Box3dShape *shape) {
    if (shape->terrain) b3DestroyHeightField(shape->terrain);
    else b3DestroyMesh((b3MeshData *)(uintptr_t)shape->mesh.data);
    free(shape);
}

size_t box3d_bytes(const Box3dShape *shape) {
    return (size_t)(shape->terrain ? shape->terrain->byteCount : shape->mesh.data->byteCount);
}

static b3CastOutput cast_ray(const Box3dShape *shape, const Question *question) {
    b3RayCastInput input = {vector_of(question->origin), way_of(question), 1.0f};
    return shape->terrain ? b3RayCastHeightField(shape->terrain, &input)
                          : b3RayCastMesh(&shape->mesh, &input);
}

void box3d_nearest(const Box3dShape *shape, const Question *questions, size_t count,
                   RawMet *answers) {
    for (size_t i = 0; i < count; ++i) {
        b3CastOutput hit = cast_ray(shape, questions + i);
        answers[i].t = hit.hit ? hit.fraction * end_of(questions + i) : INFINITY;
        answers[i].primitive = UINT32_MAX;
    }
}

void box3d_first_contacts(const Box3dShape *shape, Solid solid, const Move *moves, size_t count,
                          RawTouch *answers) {
    b3Vec3 points[8], placed[8];
    b3ShapeCastInput input = {box3d_proxy(solid, points), {0.0f, 0.0f, 0.0f}, 1.0f, false};
    input.proxy.points = placed;
    for (size_t i = 0; i < count; ++i) {
        b3Vec3 middle = vector_of(moves[i].middle);
        for (int k = 0; k < input.proxy.count; ++k) placed[k] = b3Add(points[k], middle);
        input.translation = vector_of(moves[i].motion);
        b3CastOutput hit = shape->terrain ? b3ShapeCastHeightField(shape->terrain, &input)
                                          : b3ShapeCastMesh(&shape->mesh, &input);
        answers[i].distance = hit.hit ? hit.fraction * moves[i].length : INFINITY;
        answers[i].normal[0] = hit.normal.x;
        answers[i].normal[1] = hit.normal.y;
        answers[i].normal[2] = hit.normal.z;
    }
}
