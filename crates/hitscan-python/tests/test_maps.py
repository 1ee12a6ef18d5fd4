"""Rasters: one place and the same heights however they are read, and points of the map."""

import math

import numpy as np
import pytest
import rasterio
from rasterio.enums import Resampling
from rasterio.vrt import WarpedVRT
from rasterio.windows import Window

import hitscan

NORTH_UP = rasterio.Affine(10, 0, 500_000, 0, -20, 6_200_000)


def write(path, heights, transform=NORTH_UP, crs="EPSG:25832", scaling=None, mask=None, **profile):
    rows, columns = heights.shape
    with rasterio.open(
        path,
        "w",
        driver="GTiff",
        width=columns,
        height=rows,
        count=1,
        dtype=heights.dtype,
        crs=crs,
        transform=transform,
        **profile,
    ) as out:
        out.write(heights, 1)
        if scaling is not None:
            out.scales, out.offsets = ((one,) for one in scaling)
        if mask is not None:
            out.write_mask(mask)
    return path


def hills(rows=70, columns=50, dtype=np.float32):
    rng = np.random.default_rng(1)
    return (100 * rng.random((rows, columns))).astype(dtype)


@pytest.mark.parametrize("dtype", ["i2", "u1", "u2", "i4", "f4", "f8"])
@pytest.mark.parametrize("options", [{}, {"tiled": True, "blockxsize": 16, "blockysize": 16}])
def test_read_and_from_rasterio_give_the_same(tmp_path, dtype, options):
    heights = hills(dtype=dtype)
    heights[3, 4] = 77
    path = write(tmp_path / "dem.tif", heights, nodata=77, scaling=(0.1, 5.0), **options)
    read = hitscan.HeightField.read(path)
    taken = hitscan.HeightField.from_rasterio(path)
    with rasterio.open(path) as dataset:
        opened = hitscan.HeightField.from_rasterio(dataset)
        stored = dataset.read(1, masked=True).astype(np.float64)
    expected = np.ma.filled(stored * 0.1 + 5.0, np.nan).astype(np.float32)
    for field in (read, taken, opened):
        np.testing.assert_array_equal(field.heights, expected)
        assert field.origin.tolist() == [500_005, 0, -6_199_990]
        assert field.spacing == (10, 20) and field.hole_count == np.isnan(expected).sum()
        np.testing.assert_array_equal(field.local_origin, read.local_origin)
    raw = hitscan.HeightField.from_rasterio(path, scaled=False)
    np.testing.assert_array_equal(raw.heights, np.ma.filled(stored, np.nan).astype(np.float32))


def test_decimetres_become_metres(tmp_path):
    """int16 decimetres were 7704 to 12295 m in place of 770 to 1229."""
    heights = np.linspace(7704, 12295, 400).reshape(20, 20).astype(np.int16)
    path = write(tmp_path / "dm.tif", heights, scaling=(0.1, 0.0))
    for field in (hitscan.HeightField.read(path), hitscan.HeightField.from_rasterio(path)):
        low, high = field.bounds
        assert math.isclose(low[1], 770.4, abs_tol=1e-3)
        assert math.isclose(high[1], 1229.5, abs_tol=1e-3)


def test_masks_are_holes_too(tmp_path):
    heights = hills()
    mask = np.full(heights.shape, 255, np.uint8)
    mask[5:8, 2:4] = 0
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True):
        path = write(tmp_path / "mask.tif", heights, mask=mask)
    field = hitscan.HeightField.from_rasterio(path)
    np.testing.assert_array_equal(np.isnan(field.heights), mask == 0)


@pytest.mark.parametrize(
    "window",
    [
        ((7, 31), (4, 40)),
        (slice(7, 31), slice(4, 40)),
        Window(4, 7, 36, 24),
        Window(4.0, 7.0, 36.0, 24.0),
    ],
    ids=["pairs", "slices", "Window", "Window of float"],
)
@pytest.mark.parametrize("is_south_up", [False, True])
def test_a_window_is_a_part_of_the_whole(tmp_path, window, is_south_up):
    heights = hills()
    transform = NORTH_UP
    if is_south_up:
        transform = rasterio.Affine(10, 0, 500_000, 0, 20, 6_200_000)
    options = {"tiled": True, "blockxsize": 16, "blockysize": 16}
    path = write(tmp_path / "dem.tif", heights, transform, **options)
    whole = hitscan.HeightField.from_rasterio(path)
    part = hitscan.HeightField.from_rasterio(path, window=window)
    kept = heights[7:31, 4:40]
    np.testing.assert_array_equal(part.heights, kept[::-1] if is_south_up else kept)
    with rasterio.open(path) as dataset:
        places = [dataset.xy(row, column) for row, column in [(8, 5), (20, 30), (29, 38)]]
    east, north = np.transpose(places)
    np.testing.assert_allclose(
        part.elevations_at(east, north), whole.elevations_at(east, north), rtol=0, atol=1e-4
    )
    np.testing.assert_allclose(
        whole.elevations_at(east, north), heights[[8, 20, 29], [5, 30, 38]], rtol=0, atol=1e-4
    )


@pytest.mark.parametrize(
    "window", [((0, 71), (0, 4)), ((-1, 5), (0, 4)), ((5, 5), (0, 4)), Window(0.5, 0, 4, 4)]
)
def test_windows_that_are_none(tmp_path, window):
    path = write(tmp_path / "dem.tif", hills())
    with pytest.raises(ValueError, match="window: expected whole rows within 0 to 70"):
        hitscan.HeightField.from_rasterio(path, window=window)


def test_points_of_the_map(tmp_path):
    heights = hills()
    path = write(tmp_path / "dem.tif", heights)
    terrain = hitscan.HeightField.from_rasterio(path)
    world = hitscan.World()
    world.add(terrain, name="dem")
    world.update()
    with rasterio.open(path) as dataset:
        rows, columns = np.mgrid[1:69:7, 1:49:5]
        east, north = np.array(dataset.xy(rows.ravel(), columns.ravel()))
        sampled = np.array(list(dataset.sample(zip(east, north, strict=True))))[:, 0]
    expected = heights[rows.ravel(), columns.ravel()]
    np.testing.assert_array_equal(sampled, expected)
    points = np.stack([east, north], axis=1)
    for target in (terrain, world, hitscan.World.from_bytes(world.to_bytes())):
        for found in (
            target.elevations_at(east, north),
            target.height(points, coordinates="map").height,
            target.height(np.insert(points, 2, 9e9, axis=1), coordinates="map").height,
            target.height(points * [1, -1]).height,
        ):
            assert found.dtype == np.float64
            np.testing.assert_allclose(found, expected, rtol=0, atol=2e-5)
    assert terrain.elevations_at(0, 0).shape == () and np.isnan(terrain.elevations_at(0, 0))
    assert terrain.elevations_at(east[:, None], north[:3]).shape == (70 // 7 * 10, 3)
    with pytest.raises(ValueError, match="coordinates: expected"):
        terrain.height(points, coordinates="utm")
    with pytest.raises(ValueError, match="points: expected"):
        terrain.height([1.0], coordinates="map")


def test_tables_of_a_world_have_eastings_and_northings(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    heights = hills()
    world = hitscan.World()
    world.add(hitscan.HeightField.read(write(tmp_path / "dem.tif", heights)), name="dem")
    world.update()
    table = pyarrow.table({"easting": [500_105.0], "northing": [6_200_000 - 50.0]})
    answered = pyarrow.table(world.heights_table(table)).to_pylist()[0]
    assert answered["status"] == "ok"
    assert math.isclose(answered["height"], heights[2, 10], abs_tol=2e-5)


def test_a_scene_with_a_map_and_one_without(tmp_path):
    heights = hills()
    write(tmp_path / "dem.tif", heights)
    scene = tmp_path / "scene.toml"
    scene.write_text("[[terrain]]\nname = 'dem'\nheights = 'dem.tif'\ngeoreferenced = true\n")
    placed = hitscan.World.from_scene(scene)
    scene.write_text("[[terrain]]\nname = 'dem'\nheights = 'dem.tif'\n")
    plain = hitscan.World.from_scene(scene)
    assert math.isclose(placed.elevations_at(500_105, 6_199_950), heights[2, 10], abs_tol=2e-5)
    with pytest.raises(ValueError, match="lies on no map"):
        plain.elevations_at(500_105, 6_199_950)


def test_a_grid_of_ones_own_lies_where_it_is_put(tmp_path):
    path = write(tmp_path / "dem.tif", hills())
    for field in (
        hitscan.HeightField.read(path, spacing=2),
        hitscan.HeightField.read(path, origin=[0, 0, 0]),
    ):
        assert field.origin.tolist() == [0, 0, 0] and field.local_origin is None
    at = hitscan.HeightField.read(path, local_origin=[500_000, 0, -6_200_000])
    assert at.local_origin.tolist() == [500_000, 0, -6_200_000]
    assert hitscan.HeightField.read(path, local_origin=None).local_origin is None


def degree_grid(path):
    transform = rasterio.Affine(1 / 1200, 0, 9, 0, -1 / 1200, 48)
    return write(path, hills(60, 60), transform, "EPSG:4326")


def test_degrees_are_refused_with_the_projected_call(tmp_path):
    path = degree_grid(tmp_path / "degrees.tif")
    grid = tmp_path / "degrees.asc"
    grid.write_text(
        "ncols 3\nnrows 2\nxllcorner 9\nyllcorner -48\ncellsize 0.00083\n1 2 3\n4 5 6\n"
    )
    with pytest.raises(ValueError, match="are degrees") as refused:
        hitscan.HeightField.from_rasterio(path)
    with rasterio.open(path) as dataset:
        call = str(refused.value).split("`")[1]
        names = {"rasterio": rasterio, "dataset": dataset, "HeightField": hitscan.HeightField}
        field = eval(call, names)
        with WarpedVRT(dataset, crs="EPSG:32632", resampling=Resampling.bilinear) as projected:
            east, north = projected.xy(20, 30)
            expected = projected.read(1)[20, 30]
        assert math.isclose(field.elevations_at(east, north), expected, rel_tol=1e-5)
    with pytest.raises(ValueError, match="EPSG:32732"):
        hitscan.HeightField.from_rasterio(grid)
    for name, system in ((path, "EPSG:32632"), (grid, "EPSG:32732")):
        with pytest.raises(hitscan.FileError, match=f"{system}.*spacing.*degrees"):
            hitscan.HeightField.read(name)
        assert hitscan.HeightField.read(name, spacing=30).spacing == (30, 30)


def test_feet_and_turned_maps_are_refused_alike(tmp_path):
    feet = write(tmp_path / "feet.tif", hills(), rasterio.Affine(10, 0, 9, 0, -10, 48), "EPSG:2263")
    turned = write(tmp_path / "turned.tif", hills(), rasterio.Affine(10, 1, 0, 1, -10, 0))
    for path, error in ((feet, "foot|feet"), (turned, "rotated|rows run")):
        for read in (hitscan.HeightField.read, hitscan.HeightField.from_rasterio):
            with pytest.raises((ValueError, hitscan.FileError), match=error):
                read(path)


def test_what_is_no_data_set():
    with pytest.raises(TypeError, match="expected a path or a data set"):
        hitscan.HeightField.from_rasterio(object())
