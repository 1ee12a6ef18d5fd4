"""No path from f64 to f64 loses more than f32 keeps of the distance to the origin, at 5.8e6 m too.

What is expected is computed in f64 by numpy, or with exact fractions, beside the library.
"""

import pickle

import numpy as np
import oracle
import pytest
import rasterio

import hitscan

#: A place on a UTM map, in decimals that f32 has not.
UTM = np.array([500_123.37, 112.4, -5_812_345.61])

#: The roundings of an answer: of the question's point, of the shape's, and of t.
ROUNDINGS = 4


def heights():
    rows, columns = np.mgrid[0:41, 0:51]
    return 100.0 + 0.25 * columns - 0.5 * rows


def height_at(points):
    """The plane of `heights`, 10 m apart, with sample (0, 0) at `UTM`: exact in f64 to 1e-9."""
    points = np.asarray(points)
    east, south = points[..., 0] - UTM[0], points[..., -1] - UTM[2]
    return UTM[1] + 100.0 + 0.025 * east - 0.05 * south


def terrain_of_arrays():
    return hitscan.HeightField(heights(), 10.0, UTM, local_origin=UTM + [250, 100, 200])


def terrain_of_rasterio():
    stored = (heights() + UTM[1])[None]
    profile = dict(driver="GTiff", width=51, height=41, count=1, dtype="float64", crs="EPSG:32632")
    corner = rasterio.transform.from_origin(UTM[0] - 5.0, -UTM[2] + 5.0, 10.0, 10.0)
    with rasterio.MemoryFile() as file:
        with file.open(transform=corner, **profile) as out:
            out.write(stored)
        with file.open() as dataset:
            return hitscan.HeightField.from_rasterio(dataset)


def terrain_pickled():
    return pickle.loads(pickle.dumps(terrain_of_arrays()))


def terrain_edited():
    return terrain_of_arrays().edit(0, 0, heights()[:3])


TERRAINS = [terrain_of_arrays, terrain_of_rasterio, terrain_pickled, terrain_edited]


def bound(target):
    """What f32 keeps 1100 m around `UTM` of the distance to what `target` is measured from."""
    is_terrain = isinstance(target, hitscan.HeightField)
    origin = target.local_origin if is_terrain else target.origin
    return ROUNDINGS * 2.0**-24 * (np.abs(UTM - origin).max() + 1100.0) + 2e-9


def in_a_world(shape):
    world = hitscan.World()
    world.add(shape, name="shape")
    world.update()
    return world


def in_a_world_after_others(shape):
    world = hitscan.World()
    world.add(hitscan.Sphere(UTM + [100.1, -500, 0], 1.5), name="ball")
    world.add(hitscan.TriMesh(*oracle.box_mesh()), name="box", transform=moved(UTM - 5000))
    world.add(hitscan.HeightField(np.zeros((3, 3)), 0.5, UTM - [0, 900, 0]), name="flat")
    world.update()
    world.add(shape, name="shape")
    world.update()
    return world


def beside_another_origin(shape):
    world = hitscan.World()
    far = UTM + [3000.3, 0, -4000.7]
    world.add(hitscan.TriMesh(*oracle.box_mesh(far, far + 1), origin=far), name="other")
    world.add(shape, name="shape")
    world.update()
    return world


def saved(shape):
    return pickle.loads(pickle.dumps(in_a_world(shape)))


def shown_anew(shape):
    world = hitscan.World()
    ground = world.add(hitscan.HeightField(np.zeros((3, 3))), name="shape")
    world.set_shape(ground, shape)
    world.update()
    return world


WORLDS = [lambda shape: shape, in_a_world, in_a_world_after_others, beside_another_origin, saved]


def moved(by):
    place = np.eye(4)
    place[:3, 3] = by
    return place


@pytest.mark.parametrize("world_of", [*WORLDS, shown_anew])
@pytest.mark.parametrize("terrain_of", TERRAINS)
def test_terrain_answers_as_its_plane_does(terrain_of, world_of):
    rng = np.random.default_rng(58)
    target = world_of(terrain_of())
    points = UTM[[0, 2]] + rng.uniform(1, [499, 399], (500, 2))
    expected = height_at(points)
    for answer in (
        target.height(points).height,
        target.height(points, fields=("height",)).height,
    ):
        assert answer.dtype == np.float64
        np.testing.assert_allclose(answer, expected, rtol=0, atol=bound(target))
    ground = np.stack([points[:, 0], expected, points[:, 1]], axis=1)
    above = ground + [0, 77.7, 0]
    down = target.cast_rays(above, [0, -1, 0])
    np.testing.assert_allclose(down.point, ground, rtol=0, atol=bound(target))
    every = target.cast_rays_all(above, [0, -1, 0])
    np.testing.assert_allclose(every.point[every.splits[:-1]], ground, rtol=0, atol=bound(target))
    arcs = target.cast_arcs(above, [0, -10, 0], acceleration=[0, -9.8, 0])
    np.testing.assert_allclose(arcs.point, ground, rtol=0, atol=bound(target))
    nearest = target.closest_points(above)
    normal = np.array([-0.025, 1, 0.05])
    foot = above - 77.7 * normal / (normal @ normal)
    inside = np.all((foot[:, [0, 2]] > UTM[[0, 2]]) & (foot[:, [0, 2]] < UTM[[0, 2]] + [500, 400]), 1)
    # Of the same distance in f32 the lowest triangle answers, so that points beside an edge may differ.
    far = np.linalg.norm(above - foot, axis=1)
    np.testing.assert_allclose(nearest.distance[inside], far[inside], rtol=0, atol=bound(target))
    on_plane = nearest.point[:, 1] - height_at(nearest.point)
    np.testing.assert_allclose(on_plane, 0, rtol=0, atol=bound(target))
    moves = target.cast_shapes(hitscan.Spheres(above, 1.0), [0.0, -100.0, 0.0])
    drop = 77.7 - np.linalg.norm(normal)
    np.testing.assert_allclose(moves.t, drop / 100, rtol=0, atol=bound(target) / 100)
    middles = UTM[[0, 2]] + rng.uniform(20, [470, 370], (50, 2))
    plane = target.footprints(middles, half_sizes=(3.0, 4.0)).plane
    np.testing.assert_allclose(plane, height_at(middles), rtol=0, atol=bound(target))
    contacts = target.contacts(hitscan.Spheres(ground + [0, 1, 0], 1.0), margin=0.5)
    assert (contacts.splits[1:] > contacts.splits[:-1]).all()
    on_plane = contacts.point[:, 1] - height_at(contacts.point)
    np.testing.assert_allclose(on_plane, 0, rtol=0, atol=1.5)
    is_world = isinstance(target, hitscan.World)
    bounds = target.object_bounds(target.handle("shape")) if is_world else target.bounds
    np.testing.assert_allclose(bounds[0], UTM + [0, 80, 0], rtol=0, atol=bound(target))
    if is_world:
        assert target.is_visible(above, ground + [0, 0.02, 0]).all()
        assert not target.is_visible(above, ground - [0, 0.02, 0]).any()
        low, high = UTM + [100, 0, 100], UTM + [101, 500, 101]
        assert "shape" in target.objects_in(low, high).object_names


@pytest.mark.parametrize("world_of", WORLDS)
def test_meshes_answer_as_near_zero(world_of):
    rng = np.random.default_rng(59)
    vertices, triangles = oracle.soup(rng, 60)
    vertices = np.float64(vertices)
    origins, directions = (np.float64(part) for part in oracle.rays(rng, 600))
    t, which = oracle.nearest_triangle(vertices, triangles, origins, directions)
    mesh = hitscan.TriMesh(vertices + UTM, triangles, origin=UTM + 0.1)
    target = world_of(mesh)
    hits = target.cast_rays(origins + UTM, directions)
    same = hits.triangle == which
    # In f64 sums of decimals the ray itself is off by 1e-9, which may matter at an edge.
    assert same.mean() > 0.99
    exact = origins + t[:, None] * directions + UTM
    kept = np.flatnonzero(same & hits.hit)
    # A ray that is off by so much hits a slanting triangle so much further on.
    way = directions[kept] / np.linalg.norm(directions[kept], axis=1, keepdims=True)
    slant = np.abs(np.sum(hits.normal[kept] * way, axis=1))
    error = np.abs(hits.point - exact)[kept].max(axis=1)
    assert len(kept) > 300 and (error * slant).max() <= bound(target)


def test_solids_that_were_there_are_measured_from_the_origin_too():
    for first in (True, False):
        world = hitscan.World()
        where = UTM + [10.07, 20.03, 30.09]
        solids = [
            hitscan.Sphere(where, 1.0),
            hitscan.Box(where + [5, -1, -1], where + [7, 1, 1]),
            hitscan.OrientedBox(where + [12, 0, 0], [1, 1, 1]),
            hitscan.Capsule(where + [18, -1, 0], where + [18, 1, 0], 1.0),
        ]
        if first:
            for solid in solids:
                world.add(solid)
            world.update()
        world.add(terrain_of_arrays(), name="ground")
        if not first:
            for solid in solids:
                world.add(solid)
        world.update()
        eyes = where + [[0, 0, 9], [6, 0, 9], [12, 0, 9], [18, 0, 9]]
        hits = world.cast_rays(eyes, [0, 0, -1])
        np.testing.assert_allclose(hits.point, eyes - [0, 0, 8], rtol=0, atol=bound(world))
        np.testing.assert_array_equal(world.origin, terrain_of_arrays().local_origin)


def test_a_question_sees_the_origin_with_the_shape():
    world = hitscan.World()
    world.add(hitscan.Sphere([3, 0, 0], 1), name="ball")
    world.update()
    near = hitscan.TriMesh(*oracle.box_mesh(), origin=[0.5, 0.5, 0.5])
    before = world.now()
    world.add(near)
    ray = [[3, 0, 9], [0, 0, -1]]
    assert world.cast_rays(*ray).point.tolist() == [3, 0, 1]
    world.update()
    assert world.cast_rays(*ray).point.tolist() == [3, 0, 1]
    assert before.cast_rays(*ray).point.tolist() == [3, 0, 1]
    assert world.origin.tolist() == [0.5, 0.5, 0.5]


def test_what_f32_cannot_keep_beside_the_origin_is_refused_by_name():
    box = hitscan.TriMesh(*oracle.box_mesh(), origin=[0.5, 0.5, 0.5])
    world = hitscan.World()
    world.add(box, name="crate")
    with pytest.raises(ValueError, match=r"\"ground\" lies 5812346 m.*0\.5 m apart.*World\(origin="):
        world.add(terrain_of_arrays(), name="ground")
    world.update()
    assert world.object_names == ["crate"]
    # The other way round it is the crate, and of what was there before the name.
    world = hitscan.World()
    world.add(hitscan.Sphere([0, 5, 0], 1), name="ball")
    with pytest.raises(ValueError, match=r"\"ball\" lies"):
        world.add(terrain_of_arrays(), name="ground")
    assert world.origin is None
    world.update()
    assert world.cast_rays([0, 9, 0], [0, -1, 0]).t == 3
    world = hitscan.World()
    world.add(terrain_of_arrays(), name="ground")
    for shape in (box, hitscan.Sphere([0, 5, 0], 1)):
        with pytest.raises(ValueError, match=r"\"near zero\" lies"):
            world.add(shape, name="near zero")
    # Stated, it stays.
    world = hitscan.World(origin=UTM)
    world.add(terrain_of_arrays(), name="ground")
    world.add(box, name="near zero")
    assert world.origin.tolist() == UTM.tolist()


def test_places_that_were_rounded_are_not_moved():
    world = hitscan.World()
    ball = world.add(hitscan.Sphere([0, 0, 0], 1), name="ball")
    world.set_transforms([ball], [moved(UTM + 0.3)])
    world.update()
    with pytest.raises(ValueError, match=r"\"ball\" was moved.*0\.5 m"):
        world.add(terrain_of_arrays())
    world.keep_history(4)
    world.record(1)
    world.remove(ball)
    world.update()
    with pytest.raises(ValueError, match="ticks were recorded"):
        world.add(terrain_of_arrays())


def test_a_refused_shape_gives_no_origin():
    world = hitscan.World()
    mesh = hitscan.TriMesh(*oracle.box_mesh(UTM, UTM + 1), origin=UTM)
    with pytest.raises(ValueError):
        world.add(mesh, transform=np.diag([0.0, 1.0, 1.0, 1.0]))
    assert world.origin is None


def test_tables_are_measured_from_it_too():
    pyarrow = pytest.importorskip("pyarrow")
    world = in_a_world(terrain_of_arrays())
    points = UTM[[0, 2]] + [[123.4, 211.9], [7.3, 9.1]]
    table = pyarrow.table({"x": points[:, 0], "z": points[:, 1]})
    answered = pyarrow.table(world.heights_table(table))
    expected = world.height(points).height
    assert answered["status"].to_pylist() == ["ok", "ok"]
    np.testing.assert_allclose(
        np.array(answered["height"].to_pylist()), expected, rtol=0, atol=2.0**-24 * 400 + 1e-9
    )


def test_a_world_of_a_scene_is_measured_from_zero(tmp_path):
    scene = tmp_path / "scene.toml"
    scene.write_text("[[sphere]]\nname = 'ball'\ncenter = [0, 5, 0]\nradius = 2\n")
    world = hitscan.World.from_scene(scene)
    with pytest.raises(ValueError, match="its file states no origin"):
        world.add(terrain_of_arrays(), name="ground")


def test_pictures_and_files_keep_it():
    world = in_a_world(terrain_of_arrays())
    again = hitscan.World.from_bytes(world.to_bytes())
    np.testing.assert_array_equal(again.origin, world.origin)
    eye, look = UTM + [250, 300, 500], UTM + [250, 100, 200]
    picture = world.render(size=(16, 9), eye=eye, look=look)
    shown = picture.object == 0
    # The plane, by the picture's own rays.
    rays = picture.rays[shown]
    above = rays[:, 1] - height_at(rays[:, :3])
    sinks = rays[:, 3] * 0.025 - rays[:, 4] - rays[:, 5] * 0.05
    depth = above / sinks * np.linalg.norm(rays[:, 3:], axis=1)
    assert shown.sum() > 20
    np.testing.assert_allclose(picture.depth[shown], depth, rtol=1e-5, atol=bound(world))
