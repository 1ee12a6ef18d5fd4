"""Meshes, terrain and solids, of arrays, of files and of other libraries' objects."""

import pickle
from types import SimpleNamespace

import numpy as np
import oracle
import pytest
import rasterio
import trimesh

import hitscan

SHEET = ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])


def test_a_mesh_gives_back_what_it_was_made_of():
    vertices, triangles = oracle.icosphere(2)
    mesh = hitscan.TriMesh(vertices, triangles.astype("u2"))
    np.testing.assert_array_equal(mesh.vertices, vertices.astype(np.float32))
    np.testing.assert_array_equal(mesh.triangles, triangles)
    assert mesh.triangle_count == len(triangles) == 128 and mesh.memory_bytes > 1000
    assert repr(mesh) == "TriMesh(66 vertices, 128 triangles)"
    assert hitscan.TriMesh([], []).bounds is None


@pytest.mark.parametrize(
    ("vertices", "triangles", "error", "text"),
    [
        ([[0, 0]], [[0, 0, 0]], ValueError, r"vertices: expected .*\(n, 3\), found \(1, 2\)"),
        (SHEET[0], [[0, 1]], ValueError, r"triangles: expected .*\(n, 3\), found \(1, 2\)"),
        (SHEET[0], [[0, 1, 3]], ValueError, r"triangles\[0\]: expected indices of the 3 vertices, found \[0, 1, 3\]"),
        (SHEET[0], [[0, 1, 2], [0, -1, 2]], ValueError, r"triangles\[1\]: expected indices"),
        (SHEET[0], [[0.0, 1.0, 2.0]], TypeError, "whole numbers"),
        ([[0, 0, np.nan]] * 3, SHEET[1], ValueError, "finite"),
        ([[0, 0, 1e19]] * 3, SHEET[1], ValueError, "within"),
    ],
)
def test_what_is_no_mesh(vertices, triangles, error, text):
    with pytest.raises(error, match=text):
        hitscan.TriMesh(vertices, triangles)


def test_mesh_files(tmp_path):
    path = tmp_path / "sheet.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    assert hitscan.TriMesh.read(path).cast_rays([0.2, 0.3, 5], [0, 0, -1]).t == 5
    assert hitscan.TriMesh.read(path, up="z").cast_rays([0.2, 5, -0.3], [0, -1, 0]).t == 5
    box = trimesh.creation.box((2, 4, 6))
    for ending in ("ply", "stl", "glb"):
        box.export(tmp_path / f"box.{ending}")
        read = hitscan.TriMesh.read(tmp_path / f"box.{ending}")
        assert read.triangle_count == 12
        assert read.cast_rays([0.2, 0.3, 9], [0, 0, -1]).t == 6
    path.write_text("v 0 0 0\nf 1 2 3\n")
    with pytest.raises(hitscan.FileError) as caught:
        hitscan.TriMesh.read(path)
    assert "line 2" in caught.value.place
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.file, again.place, str(again)) == (str(path), caught.value.place, str(caught.value))


def test_meshes_of_other_libraries():
    box = trimesh.creation.box((2, 4, 6))
    vertices, faces = np.asarray(box.vertices), np.asarray(box.faces)
    tensor = lambda array: SimpleNamespace(cpu=lambda: SimpleNamespace(numpy=lambda: array))
    quads = SimpleNamespace(
        is_all_triangles=False,
        faces=[4, 0, 1, 2, 3],
        triangulate=lambda: SimpleNamespace(
            points=vertices, faces=np.insert(faces, 0, 3, axis=1).ravel()
        ),
    )
    for mesh in (
        hitscan.TriMesh.from_trimesh(box),
        hitscan.TriMesh.from_open3d(SimpleNamespace(vertices=vertices, triangles=faces)),
        hitscan.TriMesh.from_open3d(
            SimpleNamespace(
                vertex=SimpleNamespace(positions=tensor(vertices)),
                triangle=SimpleNamespace(indices=tensor(faces)),
            )
        ),
        hitscan.TriMesh.from_pyvista(quads),
        hitscan.TriMesh.from_pyvista(SimpleNamespace(extract_surface=lambda: quads)),
    ):
        assert mesh.bounds.tolist() == [[-1, -2, -3], [1, 2, 3]]
        np.testing.assert_array_equal(mesh.triangles, faces)
    assert hitscan.TriMesh.from_trimesh(trimesh.Trimesh()).triangle_count == 0


def test_holes_of_terrain_are_nan_or_masked():
    heights = np.arange(16, dtype=np.int16).reshape(4, 4)
    masked = hitscan.HeightField(np.ma.masked_equal(heights, 5))
    nan = hitscan.HeightField(np.where(heights == 5, np.nan, heights))
    for field in (masked, nan):
        assert field.hole_count == 1 and np.isnan(field.heights[1, 1])
        assert field.cast_rays_any([[0.9, 99, 0.9], [2.5, 99, 2.5]], [0, -1, 0]).tolist() == [False, True]
    assert hitscan.HeightField(np.zeros((3, 5))).shape == (3, 5)


def test_the_places_of_samples_and_diagonals():
    heights = [[0, 0], [0, 8]]
    anti = hitscan.HeightField(heights, (2, 4), [10, 100, 20])
    assert anti.bounds.tolist() == [[10, 100, 20], [12, 108, 24]]
    assert anti.spacing == (2, 4) and anti.origin.tolist() == [10, 100, 20]
    main = hitscan.HeightField(heights, (2, 4), [10, 100, 20], "main")
    assert anti.cast_rays([10.5, 200, 21], [0, -1, 0]).point[1] == 100
    assert main.cast_rays([10.5, 200, 21], [0, -1, 0]).point[1] == 102


def test_edits_make_another_terrain():
    flat = hitscan.HeightField(np.zeros((8, 8)))
    hill = flat.edit(3, 2, [[5.0, np.nan]])
    assert hill.cast_rays([2, 9, 3], [0, -1, 0]).t == 4 and hill.hole_count == 1
    assert flat.cast_rays([2, 9, 3], [0, -1, 0]).t == 9
    for row, column in [(7, 7), (8, 0), (0, -1)]:
        with pytest.raises((ValueError, OverflowError)):
            flat.edit(row, column, [[1.0, 2.0]])
    world = hitscan.World()
    ground = world.add(flat)
    world.update()
    world.set_shape(ground, hill)
    world.update()
    assert world.cast_rays([2, 9, 3], [0, -1, 0]).t == 4


@pytest.mark.parametrize(
    ("heights", "options", "error"),
    [
        ([0, 1, 2], {}, ValueError),
        ([[0, 1, 2]], {}, ValueError),
        ([[0, 1], [2, np.inf]], {}, ValueError),
        ([[0, 1], [2, 3]], {"spacing": 0}, ValueError),
        ([[0, 1], [2, 3]], {"spacing": (1, -1)}, ValueError),
        ([[0, 1], [2, 3]], {"diagonal": "both"}, ValueError),
        ([[0, 1], [2, 3]], {"origin": (0, np.nan, 0)}, ValueError),
        ([["a", "b"], ["c", "d"]], {}, TypeError),
    ],
)
def test_what_is_no_terrain(heights, options, error):
    with pytest.raises(error):
        hitscan.HeightField(heights, **options)


def raster(path, transform, crs, heights, nodata=None):
    rows, columns = heights.shape
    profile = dict(driver="GTiff", width=columns, height=rows, count=1, dtype=heights.dtype)
    with rasterio.open(path, "w", crs=crs, transform=transform, nodata=nodata, **profile) as out:
        out.write(heights, 1)
    return rasterio.open(path)


def test_a_raster_lies_with_x_east_and_z_south(tmp_path):
    heights = np.arange(12, dtype=np.int16).reshape(3, 4)
    north_up = rasterio.Affine(10, 0, 500_000, 0, -20, 6_200_000)
    with raster(tmp_path / "a.tif", north_up, "EPSG:25832", heights, nodata=11) as dataset:
        field = hitscan.HeightField.from_rasterio(dataset)
        plain = hitscan.HeightField.from_rasterio(dataset, local_origin=None)
    # The middle of the upper left pixel.
    assert field.origin.tolist() == [500_005, 0, -6_199_990]
    assert field.spacing == (10, 20) and field.hole_count == 1
    assert field.local_origin.tolist() == [500_020, 5, -6_199_970] and plain.local_origin is None
    hits = field.cast_rays([500_015, 99, -6_199_970], [0, -1, 0])
    assert hits.t == 94 and hits.point.tolist() == [500_015, 5, -6_199_970]
    south_up = rasterio.Affine(10, 0, 500_000, 0, 20, 6_200_000 - 60)
    with raster(tmp_path / "b.tif", south_up, "EPSG:25832", heights[::-1].copy(), nodata=11) as dataset:
        turned = hitscan.HeightField.from_rasterio(dataset)
    np.testing.assert_array_equal(turned.heights, field.heights)
    assert turned.origin.tolist() == field.origin.tolist()


def test_rasters_that_terrain_cannot_be_say_why(tmp_path):
    heights = np.zeros((3, 4), np.float32)
    for name, transform, crs, reason in [
        ("r.tif", rasterio.Affine(10, 1, 0, 1, -10, 0), "EPSG:25832", "rotated"),
        ("d.tif", rasterio.Affine(0.1, 0, 9, 0, -0.1, 48), "EPSG:4326", "degrees"),
        ("f.tif", rasterio.Affine(10, 0, 9, 0, -10, 48), "EPSG:2263", "foot"),
    ]:
        with raster(tmp_path / name, transform, crs, heights) as dataset:
            with pytest.raises(ValueError, match=reason):
                hitscan.HeightField.from_rasterio(dataset)


def test_height_files(tmp_path):
    np.save(tmp_path / "map.npy", np.float32([[1, 2], [3, 4]]))
    field = hitscan.HeightField.read(tmp_path / "map.npy", spacing=2, origin=[5, 0, 0])
    assert field.heights.tolist() == [[1, 2], [3, 4]] and field.spacing == (2, 2)
    with pytest.raises(hitscan.FileError, match="spacing"):
        hitscan.HeightField.read(tmp_path / "map.npy")
    codes = np.uint16([[0, 65535], [0, 0]])
    np.save(tmp_path / "codes.npy", codes)
    scaled = hitscan.HeightField.read(tmp_path / "codes.npy", spacing=1, height_range=(10, 20))
    assert scaled.heights.tolist() == [[10, 20], [10, 10]]


def test_solids():
    shapes = [
        hitscan.Sphere([1, 2, 3], 4),
        hitscan.Box([0, 0, 0], [1, 2, 3]),
        hitscan.OrientedBox([0, 0, 0], [1, 2, 3], [0, 0, 1, 1]),
        hitscan.Capsule([0, 0, 0], [0, 2, 0], 0.5),
    ]
    for shape in shapes:
        again = pickle.loads(pickle.dumps(shape))
        assert again == shape and repr(again) == repr(shape)
    assert shapes[0] != shapes[1] and shapes[0] != hitscan.Sphere([1, 2, 3], 5)
    for make in (
        lambda: hitscan.Sphere([0, 0, 0], -1),
        lambda: hitscan.Sphere([0, 0], 1),
        lambda: hitscan.Sphere([0, 0, np.nan], 1),
        lambda: hitscan.Box([1, 0, 0], [0, 1, 1]),
        lambda: hitscan.OrientedBox([0, 0, 0], [1, 1, 1], [0, 0, 0, 0]),
        lambda: hitscan.Capsule([0, 0, 0], [0, 1, 0], np.inf),
    ):
        with pytest.raises(ValueError):
            make()


def test_pickled_shapes_answer_the_same_bits():
    rng = np.random.default_rng(9)
    at = np.array([500_000.25, 3.0, -6e6])
    vertices, triangles = oracle.soup(rng, 30)
    origins, directions = oracle.rays(rng, 300)
    mesh = hitscan.TriMesh(vertices + at, triangles, origin=at)
    field = hitscan.HeightField(rng.random((5, 6)), 0.3, at, "main", local_origin=at - 0.1)
    for shape in (mesh, field):
        again = pickle.loads(pickle.dumps(shape))
        one, other = shape.cast_rays(origins + at, directions), again.cast_rays(origins + at, directions)
        assert one.hit.any()
        for name in one.fields:
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
