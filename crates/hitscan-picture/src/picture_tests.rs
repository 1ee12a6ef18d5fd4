//! Pictures as a whole: the same bits from any tiles and threads, and what each option draws.

use crate::film::Film;
use crate::options::{Light, PictureOptions, Shows};
use crate::painter::Painter;
use crate::pixel_rect::PixelRect;
use crate::render::{RenderOptions, render};
use crate::tile::Pass;
use crate::view::{View, Viewpoint};
use crate::viewshed::ViewshedTint;
use crate::{Error, Image, Projection};
use glam::{DVec3, Vec3};
use hitscan::height_field::{Grid, HeightField, ViewshedQuery, Visibility};
use hitscan::{Aabb, QueryFilter, Sphere, World};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A ball and a box on a slope beside water.
fn world() -> World {
    let heights = (0..81_u8)
        .map(|index| f32::from((index % 9).saturating_sub(3)))
        .collect();
    let field = HeightField::new(Grid::new(9, 9, [1.0, 1.0]), heights).unwrap();
    let mut world = World::new();
    world.add(Arc::new(field));
    world.add(Sphere::new([2.0, 1.5, 4.0], 1.0).unwrap());
    world.add(Aabb::new([5.0, 2.0, 5.0], [6.0, 5.0, 6.0]).unwrap());
    world.update();
    world
}

fn options() -> PictureOptions<'static> {
    PictureOptions {
        viewpoint: Viewpoint::At(View {
            eye: DVec3::new(1.0, 4.0, 14.0),
            target: DVec3::new(4.0, 2.0, 4.0),
        }),
        fov_y: 0.8,
        ..PictureOptions::new([75, 43])
    }
}

/// A film with these passes, each cut into tiles of this size, which come from the last to the first.
fn film(painter: &Painter<'_>, passes: &[Pass], side: [u32; 2]) -> Film {
    let mut film = Film::new(painter, passes[0]);
    for pass in passes {
        let tiles = PixelRect::tiles(pass.size(painter.size()), side);
        for tile in tiles.into_iter().rev() {
            film.add(painter.paint(*pass, tile)).unwrap();
        }
    }
    film
}

fn drawn(picture: PictureOptions<'_>, samples: Option<u32>) -> Image {
    let cancel = AtomicBool::new(false);
    let options = RenderOptions {
        picture,
        samples,
        ..RenderOptions::new([1, 1], &cancel)
    };
    render(world().now(), &options).unwrap()
}

/// A number for the pixels of a picture, FNV-1a of their codes.
fn digest(image: &Image) -> u64 {
    let codes = image.to_srgb();
    codes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, code| {
        (hash ^ u64::from(*code)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn tiles_and_threads_give_the_same_bits() {
    let world = world();
    for projection in [Projection::Perspective, Projection::Orthographic] {
        let picture = PictureOptions {
            projection,
            outline: true,
            ambient_occlusion: 2,
            ..options().softly_lit()
        };
        let painter = Painter::new(world.now(), &picture).unwrap();
        let passes = [1, 2, 3].map(Pass::Sample);
        let whole = film(&painter, &passes, [75, 43]).image();
        for side in [[1, 43], [16, 7], [64, 16]] {
            assert_eq!(film(&painter, &passes, side).image(), whole, "{side:?}");
        }
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let alone = one.unwrap().install(|| drawn(picture.clone(), Some(3)));
        assert_eq!(alone, whole);
        assert_eq!(drawn(picture, Some(3)), whole);
    }
}

#[test]
fn a_film_is_the_average_of_its_passes() {
    let world = world();
    let painter = Painter::new(world.now(), &options().softly_lit()).unwrap();
    let alone = |number: u32| {
        let pass = Pass::Sample(number);
        let tile = painter.paint(pass, painter.tiles(pass)[0]);
        let crate::tile::Content::Colors(colors) = tile.content else {
            panic!("a picture has colours");
        };
        colors
    };
    let passes = [1, 2, 3, 4].map(Pass::Sample);
    let film = film(&painter, &passes, [64, 16]);
    assert_eq!((film.samples(), film.awaited()), (4, Some(Pass::Sample(5))));
    let of_each = [1, 2, 3, 4].map(alone);
    for place in 0..of_each[0].len() {
        let sum = of_each.iter().map(|colors| colors[place]);
        let mean = sum.fold(Vec3::ZERO, |sum, color| sum + color) / 4.0;
        let [x, y] = [place % 64, place / 64].map(|at| u32::try_from(at).unwrap());
        assert_eq!(film.image().pixel(x, y), Some(mean));
    }
}

#[test]
fn rows_are_those_of_the_image() {
    let world = world();
    let painter = Painter::new(world.now(), &options()).unwrap();
    let film = film(&painter, &[1, 2, 3].map(Pass::Sample), [64, 16]);
    let codes = film.image().to_srgb();
    let row = 3 * film.size()[0] as usize;
    assert_eq!(film.srgb_rows(5..9), codes[5 * row..9 * row]);
    assert_eq!(film.srgb_rows(0..u32::MAX), codes);
    assert!(film.srgb_rows(u32::MAX..u32::MAX).is_empty());
    let empty = Film::new(&painter, Pass::Sample(1));
    assert_eq!(empty.srgb_rows(0..2), vec![0; 2 * row]);
}

#[test]
fn passes_come_in_turn_and_end() {
    let world = world();
    let painter = Painter::new(world.now(), &options()).unwrap();
    let look = Pass::Look { step: 3 };
    let mut film = film(&painter, &[look], [64, 16]);
    assert_eq!((film.image().width(), film.image().height()), (25, 15));
    let late = film.add(painter.paint(look, painter.tiles(look)[0]));
    assert!(matches!(
        late,
        Err(Error::OutOfTurn {
            found: 0,
            expected: None
        })
    ));
    let mut film = Film::new(&painter, Pass::Sample(1));
    let early = film.add(painter.paint(Pass::Sample(2), painter.tiles(Pass::Sample(2))[0]));
    let expected = Some(1);
    assert!(
        matches!(early, Err(Error::OutOfTurn { found: 2, expected: found }) if found == expected)
    );
}

#[test]
fn a_pixel_tells_its_very_ray() {
    let world = world();
    let painter = Painter::new(world.now(), &options()).unwrap();
    let size = painter.size();
    for step in 1..=4 {
        let look = Pass::Look { step };
        let [width, height] = look.size(size);
        assert!(painter.ray(look, [width, 0]).is_none());
        for pixel in [[0, 0], [width / 2, height / 2], [width - 1, height - 1]] {
            let ray = painter.ray(look, pixel).unwrap();
            let filter = QueryFilter::new();
            let seen = world.now().cast_ray(&ray, (hitscan::Sides::Both, filter));
            assert_eq!(painter.hit(&ray), seen);
        }
        // The last block is cut off: its ray passes the middle of what is left.
        let last = painter.ray(look, [width - 1, 0]).unwrap();
        let left = (width - 1) * step;
        #[expect(clippy::cast_precision_loss, reason = "below 75")]
        let middle = (left + size[0]) as f32 / 2.0;
        let first = painter.ray(Pass::Look { step: 1 }, [0, 0]).unwrap();
        let camera = hitscan::Camera::new([1.0, 4.0, 14.0], [4.0, 2.0, 4.0], 0.8, size).unwrap();
        #[expect(clippy::cast_precision_loss, reason = "at most 4")]
        let down = step as f32 / 2.0;
        assert_eq!(last, camera.ray(middle, down));
        assert_eq!(first, camera.ray(0.5, 0.5));
    }
}

#[test]
fn hidden_objects_and_layers_are_not_seen() {
    let world = world();
    let objects: Vec<_> = world.now().objects().collect();
    let seen = |picture: &PictureOptions<'_>| {
        let painter = Painter::new(world.now(), picture).unwrap();
        let ray = hitscan::Ray::new([2.0, 9.0, 4.0], [0.0, -1.0, 0.0]).unwrap();
        painter.hit(&ray).and_then(|hit| hit.object)
    };
    assert_eq!(seen(&options()), Some(objects[1]));
    let hidden = vec![objects[2], objects[1]];
    let without = PictureOptions {
        hidden,
        ..options()
    };
    assert_eq!(seen(&without), Some(objects[0]));
    let no_layer = PictureOptions {
        layers: 2,
        ..options()
    };
    assert_eq!(seen(&no_layer), None);
}

#[test]
fn each_light_and_outline_has_its_picture() {
    let lit = |light| PictureOptions { light, ..options() };
    let outlined = PictureOptions {
        outline: true,
        ..options()
    };
    let contact = PictureOptions {
        ambient_occlusion: 2,
        ..options()
    };
    let pictures = [
        ("plain", drawn(lit(Light::Plain), Some(2))),
        ("sun", drawn(lit(Light::Sun), None)),
        ("contact", drawn(contact, Some(4))),
        ("soft", drawn(options().softly_lit(), Some(4))),
        ("outline", drawn(outlined, Some(2))),
    ];
    let digests = pictures.map(|(name, image)| (name, digest(&image)));
    assert_eq!(
        digests,
        [
            ("plain", 0x7f66_2262_e32f_26e9),
            ("sun", 0xeb95_cf4f_0fe7_3ffa),
            ("contact", 0x8601_00d8_4485_0d5e),
            ("soft", 0x8a25_3f51_f7d1_d30d),
            ("outline", 0x4785_97b5_3d3c_0a76),
        ]
    );
}

#[test]
fn costs_are_counted_for_each_pixel() {
    let world = world();
    let picture = PictureOptions {
        shows: Shows::Cost,
        ..options()
    };
    let painter = Painter::new(world.now(), &picture).unwrap();
    let look = Pass::Look { step: 1 };
    let film = film(&painter, &[look], [9, 5]);
    assert_eq!(film.rays(), 75 * 43);
    assert!(film.legend_end() >= 10);
    let image = film.image();
    assert_eq!(drawn(picture, None), image, "too small for a legend");
    let codes = image.to_srgb();
    let mut colors: Vec<&[u8]> = codes.chunks(3).collect();
    colors.sort_unstable();
    colors.dedup();
    assert!(colors.len() > 5, "{} colours", colors.len());
}

/// Ground that is seen, and ground that is hidden, has its tint in a look and in a sample; nothing else has.
#[test]
fn a_viewshed_tints_the_ground_and_nothing_else() {
    let world = world();
    let now = world.now();
    let (terrain, field) = now.height_fields(()).next().unwrap();
    let others: Vec<_> = now.objects().filter(|object| *object != terrain).collect();
    // The ground rises in one direction alone, and within the ball nothing is seen.
    let standing = ViewshedQuery::standing([1.2, 7.1]).with_above(0.5).unwrap();
    let within = ViewshedQuery::at([2.0, 1.5, 4.0]);
    let all = now.viewshed(terrain, &standing, QueryFilter::new().exclude(&others));
    let none = now.viewshed(terrain, &within, ());
    for (viewshed, kind, share, color) in [
        (all, Visibility::Visible, 0.5, Vec3::new(1.0, 0.645, 0.014)),
        (none, Visibility::Hidden, 0.4, Vec3::new(0.01, 0.014, 0.037)),
    ] {
        let viewshed = viewshed.unwrap();
        assert_eq!(viewshed.count(kind), 81);
        let tint = ViewshedTint::new(terrain, *field.grid(), viewshed);
        let plain = Painter::new(now, &options().softly_lit()).unwrap();
        let tinted = PictureOptions {
            viewshed: Some(Arc::new(tint)),
            ..options().softly_lit()
        };
        let tinted = Painter::new(now, &tinted).unwrap();
        for pass in [Pass::Look { step: 1 }, Pass::Sample(1)] {
            let images = [&plain, &tinted].map(|painter| film(painter, &[pass], [64, 16]).image());
            let mut ground = 0;
            for pixel in PixelRect::tiles([75, 43], [75, 43])[0].pixels() {
                let [before, after] = [0, 1].map(|image: usize| {
                    let color = images[image].pixel(pixel[0], pixel[1]);
                    color.unwrap()
                });
                let hit = plain.ray(pass, pixel).and_then(|ray| plain.hit(&ray));
                if hit.is_some_and(|hit| hit.object == Some(terrain)) {
                    ground += 1;
                    let expected = before.lerp(color, share);
                    assert!(
                        after.distance(expected) < 2e-3,
                        "{pixel:?}: {after}, not {expected}"
                    );
                } else {
                    assert_eq!(after, before, "{pixel:?}");
                }
            }
            assert!(ground > 100, "{ground}");
        }
    }
}
