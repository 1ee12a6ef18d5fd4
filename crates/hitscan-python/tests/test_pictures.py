"""Pictures: the program's pixels, and what they show."""

import io
import math
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import program
import pytest

import hitscan

SIZE = (96, 54)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return hitscan.write_demo(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="module")
def world(files):
    return hitscan.World.from_scene(files["scene.toml"])


def drawn(folder: Path, *arguments: object) -> bytes:
    """What `hitscan render` writes."""
    out = folder / "out.png"
    program.run("render", *arguments, "-o", out, "--size", f"{SIZE[0]}x{SIZE[1]}")
    return out.read_bytes()


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, []),
        ({"eye": [30, 25.5, 40]}, ["--eye", "30,25.5,40"]),
        (
            {"eye": [30, 25, 40], "look": [0, 3, 0], "fov": math.radians(70)},
            ["--eye", "30,25,40", "--look", "0,3,0", "--fov", "70"],
        ),
        ({"top": True}, ["--top"]),
        ({"ortho": True, "light": "plain"}, ["--ortho", "--light", "plain"]),
        ({"light": "soft", "samples": 2}, ["--light", "soft", "--samples", "2"]),
        ({"ao": 2, "samples": 1}, ["--ao", "2", "--samples", "1"]),
        ({"outline": True, "samples": 2}, ["--outline", "--samples", "2"]),
        ({"cost": True}, ["--cost"]),
    ],
)
def test_pixels_are_those_of_the_program(world, files, tmp_path, options, arguments):
    picture = world.render(size=SIZE, **options)
    assert picture.to_png() == drawn(tmp_path, files["scene.toml"], *arguments)


def test_a_model_alone(files, tmp_path):
    robot = hitscan.Model.from_gltf(files["robot.glb"])
    picture = robot.posed(robot.pose("Walk", 0.4)).render(size=SIZE)
    arguments = ["--clip", "Walk", "--time", "0.4"]
    assert picture.to_png() == drawn(tmp_path, files["robot.glb"], *arguments)


def test_shots_are_those_of_the_program(world, files, tmp_path):
    random = np.random.default_rng(3)
    origins = random.uniform([-40, 5, -40], [40, 20, 40], (40, 3)).astype(np.float32)
    directions = random.normal(size=(40, 3)).astype(np.float32)
    table = tmp_path / "rays.csv"
    rows = np.column_stack([origins, directions])
    lines = [",".join(map(repr, row)) for row in rows.tolist()]
    table.write_text("\n".join(["ox,oy,oz,dx,dy,dz", *lines]) + "\n")
    expected = drawn(tmp_path, files["scene.toml"], "--shots", table)
    hits = world.cast_rays(origins, directions)
    assert expected != drawn(tmp_path, files["scene.toml"])
    for overlay in (hits, rows, (origins, directions), [hits[:9], hits[9:]], hits[:, ]):
        assert world.render(size=SIZE, overlay=overlay).to_png() == expected


def test_overlays_of_parts_of_answers(world):
    origins = np.array([[[0, 20, 0], [5, 20, 5]], [[9, 20, 9], [-9, 20, 0]]], dtype=float)
    hits = world.cast_rays(origins, [0, -1, 0], t_max=[[30, 4], [30, 4]])
    size = (64, 36)

    def shown(overlay):
        return world.render(size=size, overlay=overlay).rgb

    assert np.array_equal(shown(hits[0]), shown(world.cast_rays(origins[0], [0, -1, 0], t_max=[30, 4])))
    assert np.array_equal(shown(hits[hits.hit]), shown((origins[hits.hit], [[0, -1, 0]])))
    one = hits[..., 0]
    assert np.array_equal(shown(one), shown((origins[:, 0], [[0, -1, 0]])))
    with pytest.raises(ValueError, match="overlay"):
        shown(world.cast_rays_all(origins, [0, -1, 0]))
    with pytest.warns(UserWarning, match="1 rays"):
        shown(([[0, 20, 0], [np.nan, 0, 0]], [0, -1, 0]))


def test_what_pixels_show(world):
    picture = world.render(eye=[0, 6, 96], look=[0, 2, 80], size=SIZE)
    width, height = SIZE
    assert picture.rgb.shape == (height, width, 3) and picture.rgb.dtype == np.uint8
    assert picture.rays.shape == (height, width, 6)
    for values, miss in ((picture.depth, np.inf), (picture.object, -1), (picture.triangle, -1)):
        assert values.shape == (height, width)
        assert np.all((values == miss)[~picture.hits.hit])
    again = world.cast_rays(picture.rays)
    assert np.array_equal(again.distance, picture.depth)
    assert np.array_equal(again.object, picture.object)
    seen = {world.object_names[number] for number in np.unique(picture.object) if number >= 0}
    assert "valley" in seen and len(seen) > 2


def test_a_picture_stays_as_it_was_drawn():
    world = hitscan.World()
    ball = world.add(hitscan.Sphere([0, 0, 0], 1))
    world.update()
    picture = world.render(eye=[0, 0, 5], look=[0, 0, 0], size=SIZE)
    world.remove(ball)
    world.update()
    assert picture.object[27, 48] == ball and picture.object[0, 0] == -1
    empty = world.render(size=SIZE)
    assert not empty.hits.hit.any()


def test_worlds_with_an_origin():
    far = np.array([500_000.0, 0.0, 4_000_000.0])
    near_world, far_world = hitscan.World(), hitscan.World(origin=far)
    near_world.add(hitscan.Sphere([0, 1, 0], 1))
    far_world.add(hitscan.Sphere(far + [0, 1, 0], 1))
    near_world.update()
    far_world.update()
    eye, look = np.array([1.5, 2, 4]), np.array([0, 1, 0.5])
    one = near_world.render(eye=eye, look=look, size=SIZE)
    other = far_world.render(eye=far + eye, look=far + look, size=SIZE)
    assert np.array_equal(one.rgb, other.rgb) and np.array_equal(one.depth, other.depth)
    assert np.allclose(other.rays[..., :3], far + eye)
    shot = ([[-3.0, 1, 0]], [[1.0, 0, 0]])
    assert np.array_equal(
        near_world.render(size=SIZE, overlay=shot).rgb,
        far_world.render(size=SIZE, overlay=(far + shot[0], shot[1])).rgb,
    )


def test_options_that_are_refused(world):
    for options in (
        {"size": (0, 5)},
        {"size": (1 << 20, 1 << 20)},
        {"fov": 4.0},
        {"fov": float("nan")},
        {"eye": [1, 2, 3], "look": [1, 2, 3]},
        {"look": [1, 2, 3]},
        {"eye": [1, 2, 3], "top": True},
        {"eye": [1, 2]},
        {"eye": [np.nan, 2, 3]},
        {"light": "moon"},
        {"light": "plain", "ao": 3},
        {"ao": 65},
        {"samples": 0},
        {"samples": 17},
    ):
        with pytest.raises(ValueError):
            world.render(**{"size": SIZE, **options})


def test_files(world, tmp_path):
    picture = world.render(size=SIZE)
    picture.save(tmp_path / "view.png")
    assert (tmp_path / "view.png").read_bytes() == picture._repr_png_() == picture.to_png()
    with pytest.raises(OSError):
        picture.save(tmp_path / "absent" / "view.png")
    image = pytest.importorskip("PIL.Image").open(io.BytesIO(picture.to_png()))
    assert np.array_equal(np.asarray(image), picture.rgb)


def test_what_notebooks_show(world, files):
    robot = hitscan.Model.from_gltf(files["robot.glb"])
    for shown, words in (
        (world, ["valley", "10 objects"]),
        (hitscan.World.from_scene(files["crowd.toml"]), ["robot", "and 989 more"]),
        (world.now(), ["valley"]),
        (robot, ["Walk", "Torso", "triangles"]),
        (robot.posed(robot.pose("Walk", 0.2)), ["Torso"]),
        (hitscan.World(), ["0 objects"]),
    ):
        html = shown._repr_html_()
        assert "data:image/png;base64," in html and all(word in html for word in words)
    named = hitscan.World()
    named.add(hitscan.Sphere([0, 0, 0], 1), name="<script>")
    named.update()
    assert "<script>" not in named._repr_html_()


def test_ctrl_c_ends_a_drawing(files):
    code = (
        "import hitscan, sys, _thread, threading\n"
        f"world = hitscan.World.from_scene({str(files['scene.toml'])!r})\n"
        "print('ready', flush=True)\n"
        "try:\n"
        "    world.render(size=(4000, 3000), light='soft')\n"
        "except KeyboardInterrupt:\n"
        "    sys.exit(5)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline() == b"ready\n"
    time.sleep(0.5)
    process.send_signal(2)
    assert process.wait(30) == 5
    process.stdout.close()
