"""The intersector that takes the place of trimesh's own."""

import copy
import pickle

import numpy as np
import oracle
import pytest

import hitscan.trimesh
from hitscan.trimesh import RayMeshIntersector

trimesh = pytest.importorskip("trimesh")
ray_triangle = pytest.importorskip("trimesh.ray.ray_triangle")
pytest.importorskip("rtree")

#: Metres of what is one metre in the other tests.
SCALES = [1e-4, 1.0, 1e4, 1e8]


def soup(seed, scale=1.0, count=120):
    vertices, faces = oracle.soup(np.random.default_rng(seed), count)
    return trimesh.Trimesh(np.asarray(vertices, np.float64) * scale, faces, process=False)


def rays(seed, scale=1.0, count=300):
    origins, directions = oracle.rays(np.random.default_rng(seed), count)
    return np.asarray(origins, np.float64) * scale, np.asarray(directions, np.float64)


@pytest.mark.parametrize("scale", SCALES)
def test_random_meshes_are_answered_as_by_ray_triangle(scale):
    for seed in range(6):
        mesh = soup(seed, scale)
        theirs = ray_triangle.RayMeshIntersector(mesh)
        ours = RayMeshIntersector(mesh)
        origins, directions = rays(100 + seed, scale)
        index_tri, index_ray, locations = theirs.intersects_id(
            origins, directions, return_locations=True
        )
        found_tri, found_ray, found = ours.intersects_id(origins, directions, return_locations=True)
        assert (found_tri.dtype, found_ray.dtype, found.dtype) == (np.int64, np.int64, np.float64)
        assert found_tri.flags.writeable and found.shape == (len(found_tri), 3)
        expected = dict(zip(zip(index_ray, index_tri, strict=True), locations, strict=True))
        answered = dict(zip(zip(found_ray, found_tri, strict=True), found, strict=True))
        # Rounded to f32, a ray within 1e-6 of an edge may pass on its other side.
        assert len(expected.keys() ^ answered.keys()) <= 1
        assert len(answered) > 50
        for ray, triangle in expected.keys() & answered.keys():
            # What is rounded moves a hit along a ray that grazes its triangle by so much more.
            direction = directions[ray] / np.linalg.norm(directions[ray])
            steepness = abs(direction @ mesh.face_normals[triangle])
            off = np.abs(answered[ray, triangle] - expected[ray, triangle]).max()
            assert off <= 4e-6 * scale / steepness
        first = ours.intersects_first(origins, directions)
        assert first.dtype == np.int64
        assert (first != theirs.intersects_first(origins, directions)).sum() <= 1
        np.testing.assert_array_equal(ours.intersects_any(origins, directions), first >= 0)


def test_hits_come_ray_by_ray_in_order_and_may_be_few():
    mesh = soup(3)
    origins, directions = rays(7)
    mesh.ray = RayMeshIntersector(mesh)
    locations, index_ray, index_tri = mesh.ray.intersects_location(origins, directions)
    assert (np.diff(index_ray) >= 0).all()
    along = ((locations - origins[index_ray]) * directions[index_ray]).sum(axis=1)
    same = np.diff(index_ray) == 0
    assert same.sum() > 20 and (np.diff(along)[same] >= 0).all()
    one = mesh.ray.intersects_location(origins, directions, multiple_hits=False)
    first = np.unique(index_ray, return_index=True)[1]
    np.testing.assert_array_equal(one[1], index_ray[first])
    np.testing.assert_array_equal(one[2], index_tri[first])
    two = mesh.ray.intersects_id(origins, directions, max_hits=2)
    assert np.bincount(two[1]).max() == 2
    np.testing.assert_array_equal(two[0][np.unique(two[1], return_index=True)[1]], index_tri[first])


@pytest.mark.parametrize("scale", SCALES)
def test_trimesh_2504_and_2317_through_a_box(scale):
    box = trimesh.creation.box((scale,) * 3)
    box.ray = RayMeshIntersector(box)
    # Through the diagonals of two faces.
    locations, index_ray, index_tri = box.ray.intersects_location(
        [[0, 0, 3 * scale]], [[0, 0, -1]]
    )
    assert index_ray.tolist() == [0, 0] and index_tri[0] != index_tri[1]
    np.testing.assert_allclose(locations[:, 2], [scale / 2, -scale / 2])


def test_trimesh_1766_no_ray_is_lost_at_vertices_and_edges():
    mesh = trimesh.creation.icosphere(subdivisions=3)
    mesh.ray = RayMeshIntersector(mesh)
    targets = np.concatenate([mesh.vertices, mesh.vertices[mesh.edges_unique].mean(axis=1)])
    origins = np.zeros_like(targets)
    assert mesh.ray.intersects_any(origins, targets).all()
    assert (mesh.ray.intersects_first(origins, targets) >= 0).all()
    assert (np.bincount(mesh.ray.intersects_id(origins, targets)[1]) == 1).all()


def test_points_inside():
    rng = np.random.default_rng(11)
    mesh = trimesh.creation.icosphere(subdivisions=2)
    mesh.apply_translation([500_000, 5_000_000, 100])
    mesh.ray = RayMeshIntersector(mesh)
    offsets = rng.uniform(-1.2, 1.2, (500, 3))
    distance = np.linalg.norm(offsets, axis=1)
    clear = (distance < 0.95) | (distance > 1)
    inside = mesh.contains(offsets[clear] + mesh.bounds.mean(axis=0))
    assert inside.dtype == np.bool_
    np.testing.assert_array_equal(inside, distance[clear] < 0.97)


def test_a_mesh_that_changes_is_asked_as_it_is():
    box = trimesh.creation.box((2, 2, 2))
    box.ray = RayMeshIntersector(box)
    ask = ([[0.5, 0.25, 9]], [[0, 0, -1]])
    assert box.ray.intersects_location(*ask)[0][0, 2] == 1
    made = box.ray._triangles()
    assert box.ray._triangles() is made
    box.apply_translation([0, 0, 4])
    assert box.ray.intersects_location(*ask)[0][0, 2] == 5
    box.update_faces(box.face_normals[:, 2] < 0.5)
    assert box.ray.intersects_location(*ask)[0][0, 2] == 3


def test_it_is_pickled_and_copied_with_its_mesh():
    box = trimesh.creation.box((2, 2, 2))
    box.ray = RayMeshIntersector(box, scale_to_box=False)
    box.ray.intersects_any([[0, 0, 5]], [[0, 0, -1]])
    for other in (pickle.loads(pickle.dumps(box.ray)), copy.copy(box.ray), copy.deepcopy(box.ray)):
        assert isinstance(other, hitscan.trimesh.RayMeshIntersector)
        assert other.intersects_first([[0.5, 0.2, 5]], [[0, 0, -1]]) >= 0


def test_what_is_no_ray():
    box = trimesh.creation.box((2, 2, 2))
    box.ray = RayMeshIntersector(box)
    origins = [[0, 0, 5], [0, 0, 5], [np.nan, 0, 5]]
    directions = [[0, 0, -1], [0, 0, 0], [0, 0, -1]]
    assert box.ray.intersects_any(origins, directions).tolist() == [True, False, False]
    assert box.ray.intersects_id(origins, directions)[1].tolist() == [0, 0]
    assert box.ray.intersects_first(origins, directions)[1:].tolist() == [-1, -1]
    assert len(box.ray.intersects_location(np.empty((0, 3)), np.empty((0, 3)))[0]) == 0
    with pytest.raises(ValueError, match=r"same shape \(n, 3\)"):
        box.ray.intersects_any([[0, 0, 5]], [[0, 0]])
