"""Viewsheds of a round earth: those of the program, and the horizon."""

import numpy as np
import program
import pytest
import rasterio

import hitscan

SCENE = """
[[terrain]]
name = "hills"
heights = "hills.npy"
spacing = 400.0
[[terrain]]
name = "mountain"
heights = "mountain.npy"
spacing = 300.0
origin = [9000.0, 0.0, 4000.0]
layers = 2
[[sphere]]
name = "ball"
center = [5000.0, 500.0, 5000.0]
radius = 200.0
layers = 4
"""


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    folder = tmp_path_factory.mktemp("round")
    rng = np.random.default_rng(13)
    np.save(folder / "hills.npy", (rng.random((60, 80)) * 5).astype(np.float32))
    np.save(folder / "mountain.npy", (rng.random((9, 9)) * 20).astype(np.float32))
    (folder / "scene.toml").write_text(SCENE)
    return folder / "scene.toml"


@pytest.mark.filterwarnings("ignore::rasterio.errors.NotGeoreferencedWarning")
@pytest.mark.parametrize(
    "options",
    [
        {"curvature": True},
        {"curvature": True, "refraction": 0.13},
        {"curvature": True, "refraction": 0.13, "earth_radius": 6_371_000.0, "ignore": ["ball", "mountain"]},
    ],
)
def test_they_are_those_of_the_program(scene, tmp_path, options):
    world = hitscan.World.from_scene(scene)
    options = {"ignore": ["ball"], **options}
    eye = [16_000.0, 8_000.0]
    found = world.viewshed("hills", eye, above=30, target_above=2, **options)
    out = tmp_path / "seen.png"
    arguments = ["--curvature", "--ignore", ";".join(options["ignore"])]
    for name in ("refraction", "earth_radius"):
        if name in options:
            arguments += ["--" + name.replace("_", "-"), options[name]]
    program.run(
        "viewshed", scene, "--terrain", "hills", "--eye", "16000,8000", "--above", 30, "--target-above", 2,
        *arguments, "-o", out,
    )  # fmt: skip
    with rasterio.open(out) as picture:
        pixels = picture.read(1)
    codes = np.array([0, 255, 128])
    np.testing.assert_array_equal(codes[found.samples], pixels)
    flat = world.viewshed("hills", eye, above=30, target_above=2, ignore=options["ignore"])
    assert (flat.samples != found.samples).any()
    counts = world.viewshed_counts("hills", [eye, [100.0, 100.0]], above=30, target_above=2, **options)
    other = world.viewshed("hills", [100.0, 100.0], above=30, target_above=2, **options)
    seen = (found.samples == 1).astype(int) + (other.samples == 1)
    np.testing.assert_array_equal(counts, seen)


def test_the_horizon():
    sea = hitscan.HeightField(np.zeros((2, 400)), spacing=100.0)
    for height, refraction in [(2.0, 0.0), (2.0, 0.13), (50.0, 0.0)]:
        seen = sea.viewshed([0, 0], above=height, curvature=True, refraction=refraction).samples[0]
        horizon = np.sqrt(2 * 6_378_137.0 * height / (1 - refraction))
        expected = 100.0 * np.arange(400) <= horizon
        # Between samples the ground is flat.
        assert abs(int(seen.sum()) - int(expected.sum())) <= 1
    assert sea.viewshed([0, 0], above=2).samples.all()
    assert (sea.viewshed_counts([[0, 0], [39_000, 0]], above=2, curvature=True)[0] <= 1).all()


def test_what_is_refused(scene):
    world = hitscan.World.from_scene(scene)
    with pytest.raises(ValueError, match="curvature lowers terrain alone.*`ignore` or `layers`"):
        world.viewshed("hills", [16_000, 8_000], curvature=True)
    world.viewshed("hills", [16_000, 8_000], curvature=True, layers=3)
    for name, value in [("refraction", 0.13), ("earth_radius", 6e6)]:
        with pytest.raises(ValueError, match=f"{name}: it belongs to curvature=True"):
            world.viewshed("hills", [16_000, 8_000], **{name: value})
    for wrong in ({"refraction": np.nan}, {"earth_radius": -1.0}):
        with pytest.raises(ValueError):
            world.viewshed("hills", [16_000, 8_000], curvature=True, ignore="ball", **wrong)
