"""Cameras against projection by the textbook."""

from __future__ import annotations

import pickle

import hitscan
import numpy as np
import pytest


def turned(axis: tuple[float, float, float], angle: float) -> np.ndarray:
    """Rodrigues' formula."""
    x, y, z = np.asarray(axis) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def test_points_on_rays_project_to_their_pixels():
    matrix = np.array([[410.0, 1.5, 130.0], [0, 395.0, 77.0], [0, 0, 1]])
    place = np.eye(4)
    place[:3, :3] = turned((1, 2, 3), 0.7)
    place[:3, 3] = [500_000.25, 120, 5_800_000.5]
    camera = hitscan.Camera.from_intrinsics(matrix, place, (240, 160), origin=place[:3, 3])
    rays = camera.rays()
    assert rays.shape == (160, 240, 6) and rays.dtype == np.float64
    seen = (rays[..., 3:] * 7.5) @ place[:3, :3]
    pixels = seen @ matrix.T
    pixels = pixels[..., :2] / pixels[..., 2:]
    columns, rows = np.meshgrid(np.arange(240) + 0.5, np.arange(160) + 0.5)
    assert np.abs(pixels - np.stack([columns, rows], axis=-1)).max() < 1e-9
    assert np.abs(rays[..., :3] - place[:3, 3]).max() == 0


def test_up_turns_the_picture_and_nothing_else():
    upright = hitscan.Camera([3, 2, 5], [0, 1, 0], 0.8)
    same = hitscan.Camera([3, 2, 5], [0, 1, 0], 0.8, up=[0, 2, 1e-12])
    assert np.abs(upright.rays(31, 17) - same.rays(31, 17)).max() < 1e-6
    over = hitscan.Camera([3, 2, 5], [0, 1, 0], 0.8, up=[0, -1, 0]).rays(31, 17)
    assert np.abs(over[::-1, ::-1] - upright.rays(31, 17)).max() < 1e-6
    with pytest.raises(ValueError, match="up: expected"):
        hitscan.Camera([0, 0, 0], [0, 0, 1], up=[0, 0, -3])


def test_a_picture_of_a_camera_is_that_of_its_eye():
    world = hitscan.World()
    world.add(hitscan.Sphere([0, 1, 0], 1))
    camera = hitscan.Camera([0, 1, 5], [0, 1, 0], 0.9)
    named = world.render(eye=[0, 1, 5], look=[0, 1, 0], fov=0.9, size=(64, 36))
    assert world.render(camera=camera, size=(64, 36)).to_png() == named.to_png()
    focal = 18 / np.tan(0.45)
    place = np.eye(4)
    place[:3, :3] = np.diag([1, -1, -1])
    place[:3, 3] = [0, 1, 5]
    calibrated = hitscan.Camera.from_intrinsics(
        [[focal, 0, 32], [0, focal, 18], [0, 0, 1]], place
    )
    assert world.render(camera=calibrated).rgb.shape == (36, 64, 3)
    assert np.abs(world.render(camera=calibrated).rgb.astype(int) - named.rgb).max() <= 1
    for wrong in (
        hitscan.Camera([0, 1, 5], [0, 1, 0], up=[1, 1, 0]),
        hitscan.Camera.from_intrinsics([[focal, 0, 30], [0, focal, 18], [0, 0, 1]], place, (64, 36)),
    ):
        with pytest.raises(ValueError, match="cast its rays instead"):
            world.render(camera=wrong)
    with pytest.raises(ValueError, match="as well"):
        world.render(camera=camera, fov=1.0)


def test_cameras_are_pickled_whole():
    matrix = [[410.0, 0, 130.0], [0, 395.0, 77.0], [0, 0, 1]]
    for camera in (
        hitscan.Camera.from_intrinsics(matrix, np.eye(4)),
        hitscan.Camera([3, 2, 5], [0, 1, 0], 0.8, up=[1, 1, 0], origin=[1, 1, 1]),
    ):
        size = camera.size or (9, 5)
        again = pickle.loads(pickle.dumps(camera))
        assert np.array_equal(again.rays(*size), camera.rays(*size))


def test_meshes_and_terrain_draw_themselves():
    field = hitscan.HeightField(np.add.outer(np.arange(5.0), np.arange(5.0)))
    mesh = hitscan.TriMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    for shape in (field, mesh):
        world = hitscan.World()
        world.add(shape)
        assert shape.render(size=(32, 18)).to_png() == world.render(size=(32, 18)).to_png()
        assert "data:image/png" in shape._repr_html_()
