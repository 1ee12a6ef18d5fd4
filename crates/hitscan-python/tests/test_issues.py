"""What people complain of elsewhere, each by its number."""

import numpy as np
import oracle
import trimesh

import hitscan


def toward_edges_and_vertices(vertices, triangles, eye):
    """Directions to all vertices and to points on all edges, as exactly as f32 has them."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    a, b = vertices[edges[:, 0]], vertices[edges[:, 1]]
    shares = np.linspace(0, 1, 9)[:, None, None]
    targets = np.concatenate([vertices, (a + shares * (b - a)).reshape(-1, 3)])
    return (targets - eye).astype(np.float32)


def test_trimesh_1766_and_1496_rays_from_inside_at_edges_and_vertices_are_not_lost():
    vertices, triangles = oracle.icosphere(3)
    vertices = vertices.astype(np.float32)
    mesh = hitscan.TriMesh(vertices, triangles)
    for eye in np.float32([[0, 0, 0], [0.1, -0.2, 0.05], [0.5, 0.5, 0.0]]):
        directions = toward_edges_and_vertices(vertices, triangles, eye)
        hits = mesh.cast_rays(eye, directions)
        assert hits.hit.all()
        assert mesh.cast_rays_any(eye, directions).all()


def test_trimesh_1180_every_column_through_a_box_is_closed():
    # Rays down a grid whose lines are the box's edges and its faces' diagonals.
    mesh = hitscan.TriMesh(*oracle.box_mesh((0, 0, 0), (8, 8, 8)))
    x, y = np.meshgrid(np.arange(0, 8.5, 0.5), np.arange(0, 8.5, 0.5))
    origins = np.stack([x, y, np.full_like(x, 20)], axis=-1)
    inner = (x > 0) & (x < 8) & (y > 0) & (y < 8)
    hits = mesh.cast_rays(origins, [0, 0, -1])
    assert hits.hit[inner].all() and (hits.t[inner] == 12).all()
    every = mesh.cast_rays_all(origins.reshape(-1, 3), [0, 0, -1])
    assert (every.count.reshape(x.shape)[inner] == 2).all()


def test_mitsuba3_1149_no_light_leaks_between_neighbours():
    # A sheet of thin triangles whose shared edges are hit exactly, from both sides.
    n = 40
    x = np.linspace(0, 1, n, dtype=np.float32)
    vertices = np.stack([np.repeat(x, 2), np.tile([0, 1], n), np.zeros(2 * n)], axis=-1)
    corner = 2 * np.arange(n - 1)[:, None]
    triangles = np.concatenate([corner + [0, 2, 1], corner + [1, 2, 3]])
    mesh = hitscan.TriMesh(vertices, triangles)
    y = np.linspace(0.01, 0.99, 25)
    origins = np.stack(np.broadcast_arrays(x[1:-1, None], y, 3.0), axis=-1)
    assert mesh.cast_rays(origins, [0, 0, -1]).hit.all()
    assert mesh.cast_rays(origins * [1, 1, -1], [0, 0, 1]).hit.all()


def test_pyvista_918_and_4842_rays_at_shared_vertices_hit():
    vertices, triangles = oracle.box_mesh((-1, -1, -1), (1, 1, 1))
    mesh = hitscan.TriMesh(vertices, triangles)
    hits = mesh.cast_rays(3 * vertices, -vertices)
    assert hits.hit.all() and (hits.t == 2).all()
    np.testing.assert_array_equal(hits.point, vertices)


def test_trimesh_2245_any_and_first_agree():
    rng = np.random.default_rng(15)
    vertices, triangles = oracle.icosphere(2)
    mesh = hitscan.TriMesh(vertices, triangles)
    # Rays that graze the mesh, within a few ulp of its edges.
    edges = triangles[:, :2]
    middles = vertices[edges].mean(axis=1).astype(np.float32)
    origins = np.repeat(3 * middles, 50, axis=0)
    targets = np.repeat(vertices[edges[:, 0]].astype(np.float32), 50, axis=0)
    targets *= 1 + rng.integers(-3, 4, targets.shape) * np.float32(2**-23)
    directions = targets - origins
    first = mesh.cast_rays(origins, directions)
    np.testing.assert_array_equal(first.hit, mesh.cast_rays_any(origins, directions))
    np.testing.assert_array_equal(first.hit, mesh.cast_rays_all(origins, directions).count > 0)


def test_trimesh_2504_no_triangle_is_hit_again_and_again_at_large_scales():
    for scale in (1e-4, 1.0, 1e4, 1e8):
        box = trimesh.creation.box((scale, scale, scale))
        mesh = hitscan.TriMesh.from_trimesh(box)
        rng = np.random.default_rng(16)
        origins = scale * rng.uniform([-0.45, -0.45, 2], [0.45, 0.45, 3], (500, 3))
        hits = mesh.cast_rays_all(origins, [0, 0, -1])
        assert (hits.count == 2).all()
        assert all(a != b for a, b in hits.triangle.reshape(-1, 2))


def test_trimesh_2317_an_edge_counts_once():
    box = trimesh.creation.box((2, 2, 2))
    hits = hitscan.TriMesh.from_trimesh(box).cast_rays_all([0, 0, 5], [0, 0, -1])
    # Through the diagonals of two faces: one hit of each face, not two.
    assert hits.t.tolist() == [4, 6]


def test_open3d_5777_answers_far_away_are_good_to_f32():
    mesh = hitscan.TriMesh(*oracle.box_mesh((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)))
    for distance in (1e2, 1e4, 1e6):
        t = mesh.cast_rays(np.float32([0.1, 0.2, distance]), [0, 0, -1]).t
        assert t == np.float32(distance - 0.5)
        origin = np.float32([distance + 0.1, distance, distance + 0.2])
        slanted = mesh.cast_rays(origin, [-1, -1, -1])
        # The entry is where the last of the three slabs is entered.
        exact = max(np.float64(at) - 0.5 for at in origin)
        assert slanted.hit and slanted.t == np.float32(exact)


def test_isaaclab_3298_and_trimesh_2026_what_moves_is_hit_where_it_is():
    world = hitscan.World()
    handles = [world.add(hitscan.TriMesh(*oracle.box_mesh())) for _ in range(50)]
    places = np.tile(np.eye(4), (50, 1, 1))
    for step in range(20):
        places[:, 0, 3] = 2 * np.arange(50) + 0.25 * step
        world.set_transforms(handles, places)
        world.update()
        origins = places[:, :3, 3] + [0.5, 0.4, 9]
        hits = world.cast_rays(origins, [0, 0, -1])
        assert hits.object.tolist() == handles and (hits.t == 8).all()
