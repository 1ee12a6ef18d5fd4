//! The demo's files read back as a scene, and what each question about it hits.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use hitscan::glam::Vec3;
use hitscan::height_field::{Footprint, Visibility};
use hitscan::world::ObjectShape;
use hitscan::{
    ContactStatus, ContactsPer, ObjectId, Primitive, QueryFilter, Ray, RayHit, ShapeCast, Side,
    Sphere,
};
use hitscan_assets::{Scene, load_scene};
use hitscan_demo::{
    Ball, CrowdFrames, Demo, DemoFile, Person, Question, Questions, draw_map, watch_valley,
};
use std::path::Path;
use tempfile::TempDir;

fn write(folder: &Path, files: &[DemoFile]) {
    for file in files {
        std::fs::write(folder.join(file.name), &file.bytes).unwrap();
    }
}

/// The demo in a folder of its own.
fn folder_with(demo: &Demo) -> TempDir {
    let folder = TempDir::new().unwrap();
    write(folder.path(), &demo.files().unwrap());
    folder
}

/// The hit of a question's ray, and the names of the object and the part.
fn cast(scene: &Scene, questions: &Questions, label: &str) -> Option<(RayHit, String)> {
    let has_label = |question: &&Question<_>| question.label == label;
    let question = questions.rays.iter().find(has_label).unwrap();
    let hit = scene.world().now().cast_ray(&question.query, ())?;
    let object = hit.object.unwrap();
    let name = scene.object_name(object).unwrap();
    let part = hit.triangle.map_or(0, |triangle| triangle.part);
    let part = scene.part_name(object, part).unwrap_or_default();
    Some((hit, format!("{name} {part}")))
}

#[test]
fn each_question_hits_what_it_is_about() {
    let demo = Demo::new().unwrap();
    let folder = folder_with(&demo);
    let scene = load_scene(&folder.path().join("scene.toml")).unwrap();
    let comparison = demo.compare_march();
    let questions = Questions::new(&scene, demo.view().eye, &comparison).unwrap();

    let target = |label| cast(&scene, &questions, label).map(|(_, target)| target);
    assert_eq!(target("the eye looks at ada").as_deref(), Some("ada Core"));
    let tail = target("from the side at cleo's tail");
    assert_eq!(tail.as_deref(), Some("cleo Tail"));
    let face = target("the eye looks at bruno's face").unwrap();
    assert!(face.starts_with("bruno "), "{face}");
    let balloon = target("straight down on the balloon");
    assert_eq!(balloon.as_deref(), Some("balloon "));
    let crates = target("the eye looks at the crates");
    assert_eq!(crates.as_deref(), Some("crate-c "));
    let (buoy, _) = cast(&scene, &questions, "from inside the buoy").unwrap();
    assert_eq!((buoy.t, buoy.side), (0.0, Side::Inside));
    let (below, _) = cast(&scene, &questions, "from under the ground upwards").unwrap();
    assert_eq!(below.side, Side::Back);
    assert_eq!(target("towards ada but too short"), None);
    assert_eq!(target("into the sky"), None);

    let moved = questions.moves.iter().map(|question| {
        let hit = scene.world().now().cast_shape(&question.query, ())?;
        let name = scene.object_name(hit.object?)?;
        Some((name, hit.is_overlap()))
    });
    let expected = [
        Some(("crate-c", false)),
        Some(("bruno", false)),
        Some(("balloon", false)),
        Some(("valley", false)),
        Some(("crate-c", true)),
        None,
        None,
    ];
    assert_eq!(moved.collect::<Vec<_>>(), expected);

    check_moving_shapes(&scene, &questions);
    check_resting_shapes(&scene, &questions);
    check_closest_points(&scene, &questions);
    check_arcs(&scene, &questions);
    check_ground(&scene, &questions);
    let map = draw_map(&scene, &questions, &comparison).unwrap();
    assert_eq!((map.width(), map.height()), (1024, 1024));
}

/// The query of a label.
fn asked<'a, T>(questions: &'a [Question<T>], label: &str) -> &'a T {
    let has_label = |question: &&Question<T>| question.label == label;
    &questions.iter().find(has_label).unwrap().query
}

fn object(scene: &Scene, name: &str) -> ObjectId {
    let has_name = |object: &ObjectId| scene.object_name(*object) == Some(name);
    scene.world().now().objects().find(has_name).unwrap()
}

fn sphere(scene: &Scene, name: &str) -> Sphere {
    match scene.world().now().shape(object(scene, name)) {
        Some(ObjectShape::Primitive(Primitive::Sphere(sphere))) => sphere,
        other => panic!("{name} is {other:?}"),
    }
}

fn check_moving_shapes(scene: &Scene, questions: &Questions) {
    let first = |cast: ShapeCast| {
        let hit = scene.world().now().cast_shape(&cast, ())?;
        Some((scene.object_name(hit.object?)?.to_owned(), hit))
    };
    let balloon = sphere(scene, "balloon");
    let ball = asked(&questions.balls, "a ball falls on the balloon");
    let (name, hit) = first(ball.cast().unwrap()).unwrap();
    assert_eq!(name, "balloon");
    // |way + t motion| = the sum of the radii.
    let way = ball.center.as_dvec3() - balloon.center().as_dvec3();
    let motion = ball.motion.as_dvec3();
    let radii = balloon.radius() + f64::from(Ball::RADIUS);
    let [a, b, c] = [
        motion.length_squared(),
        way.dot(motion),
        way.length_squared() - radii * radii,
    ];
    assert_close(hit.t, (-b - (b * b - a * c).sqrt()) / a);
    let target = |ball: &Ball| first(ball.cast().unwrap()).map(|(name, _)| name);
    let thrown = asked(&questions.balls, "a ball is thrown at bruno");
    assert_eq!(target(thrown).as_deref(), Some("bruno"));
    let passing = asked(&questions.balls, "a ball passes the balloon");
    assert_eq!(target(passing), None);

    let person = |label| first(asked(&questions.walks, label).cast().unwrap());
    let (name, hit) = person("a person falls on crate-c").unwrap();
    let falling = asked(&questions.walks, "a person falls on crate-c");
    let top = scene.world().now().object_bounds(object(scene, "crate-c"));
    let soles = f64::from(falling.segment()[0].y) - f64::from(Person::RADIUS);
    let above = soles - f64::from(top.unwrap().max().y);
    assert_close(hit.t, above / -f64::from(falling.motion.y));
    assert_eq!((name.as_str(), hit.normal), ("crate-c", Vec3::Y));
    assert_eq!(person("a person walks into ada").unwrap().0, "ada");
    assert_eq!(person("a person walks into the hill").unwrap().0, "valley");
    let (name, hit) = person("a person starts half in crate-a").unwrap();
    assert_eq!((name.as_str(), hit.is_overlap()), ("crate-a", true));
    assert!(person("a person stands on crate-c and walks").is_none());
}

fn check_resting_shapes(scene: &Scene, questions: &Questions) {
    let crate_c = object(scene, "crate-c");
    let against_crate_c = |label| {
        let shape = *asked(&questions.shapes, label);
        let found = scene
            .world()
            .now()
            .contacts(shape, Questions::MARGIN, ContactsPer::Object, ());
        let contact = found.into_iter().find(|one| one.object == Some(crate_c))?;
        Some((shape, contact))
    };
    let max = scene.world().now().object_bounds(crate_c).unwrap().max();
    for label in ["a crate beside crate-c", "a crate a quarter in crate-c"] {
        let (shape, contact) = against_crate_c(label).unwrap();
        assert_close(
            contact.separation,
            f64::from(shape.min().x) - f64::from(max.x),
        );
        assert_eq!(contact.normal, Vec3::X, "{label}");
    }
    let (_, contact) = against_crate_c("a crate on crate-c").unwrap();
    let touching = (ContactStatus::Touching, 0.0, Vec3::Y);
    assert_eq!(
        (contact.status, contact.separation, contact.normal),
        touching
    );
    assert!(against_crate_c("a crate in the air").is_none());
}

fn check_closest_points(scene: &Scene, questions: &Questions) {
    let nearest = |label| {
        let probe = *asked(&questions.probes, label);
        let found = scene
            .world()
            .now()
            .closest_point_signed(probe, Questions::REACH, ())?;
        Some((probe.as_dvec3(), found))
    };
    for (label, name) in [
        ("above the balloon", "balloon"),
        ("inside the buoy", "buoy"),
    ] {
        let (probe, found) = nearest(label).unwrap();
        let ball = sphere(scene, name);
        let distance = probe.distance(ball.center().as_dvec3()) - ball.radius();
        assert_close(found.distance, distance);
        assert_eq!(found.is_inside, distance < 0.0, "{label}");
    }
    let (probe, found) = nearest("off a corner of crate-c").unwrap();
    let bounds = scene.world().now().object_bounds(object(scene, "crate-c"));
    let corner = bounds.unwrap().max();
    assert_close(found.distance, probe.distance(corner.as_dvec3()));
    assert_eq!(found.point, corner);
    let (_, chest) = nearest("inside ada's chest").unwrap();
    assert!(chest.is_inside && chest.object == Some(object(scene, "ada")));
    assert!(nearest("high above the valley").is_none());
}

fn check_arcs(scene: &Scene, questions: &Questions) {
    let first = |label| {
        let arc = *asked(&questions.arcs, label);
        let hit = scene.world().now().cast_arc(&arc, ())?;
        Some((arc, hit))
    };
    // h = g t² / 2
    let (arc, hit) = first("a stone falls on crate-c").unwrap();
    let bounds = scene.world().now().object_bounds(object(scene, "crate-c"));
    let depth = f64::from(arc.origin().y) - f64::from(bounds.unwrap().max().y);
    assert_close(
        hit.t,
        (2.0 * depth / -f64::from(arc.acceleration().y)).sqrt(),
    );
    // Shells that are aimed at ground land there after the time that they were given.
    for (label, secs) in [
        ("a shell in the wind", 5.0_f32),
        ("the same target from high up", 9.0),
        ("a shell at the east wall", 6.0),
    ] {
        let (_, hit) = first(label).unwrap();
        assert!((hit.t - secs).abs() < 1e-3, "{label}: {}", hit.t);
        assert_eq!(hit.object, Some(object(scene, "valley")));
    }
    let (_, hit) = first("a stone is thrown at bruno").unwrap();
    assert_eq!(hit.object, Some(object(scene, "bruno")));
    assert!(first("a shell that leaves the map").is_none());
}

fn check_ground(scene: &Scene, questions: &Questions) {
    let now = scene.world().now();
    let under = |label| {
        let point = *asked(&questions.points, label);
        let disc = Footprint::disc(point, Questions::FOOTPRINT_RADIUS).unwrap();
        now.footprint(&disc, ()).ok()
    };
    // A quarter of a disc at the corner is over the map.
    assert_eq!(under("on the map's corner").unwrap().coverage, 0.25);
    let meadow = under("under ada").unwrap();
    assert!(meadow.min < meadow.height && meadow.height < meadow.max);
    assert!(under("off the map").is_none());

    // Nothing that is seen is behind anything that a ray hits.
    for eye in &questions.eyes {
        for target in &questions.targets {
            let filter = QueryFilter::new();
            let ray = Ray::between(eye.query, target.query).unwrap();
            let is_hit = now.cast_ray_any(&ray, filter);
            let is_seen = now.is_visible(eye.query, target.query, filter);
            assert_eq!(is_seen, !is_hit, "{}, {}", eye.label, target.label);
        }
    }
    let (viewshed, picture) = watch_valley(scene, questions).unwrap();
    assert_eq!((picture.width(), picture.height()), (640, 640));
    let seen = viewshed.count(Visibility::Visible);
    assert!(seen * 10 > viewshed.samples().len(), "{seen} are seen");
}

/// Whether an answer is the value of a formula, which f64 computes, but for the last bit.
#[track_caller]
fn assert_close(found: f32, exact: f64) {
    let off = (f64::from(found) - exact).abs();
    assert!(
        off <= exact.abs() * f64::from(f32::EPSILON),
        "{found} for {exact}"
    );
}

#[test]
fn the_crowd_walks_and_is_hit() {
    let demo = Demo::new().unwrap();
    let folder = folder_with(&demo);
    let crowd = load_scene(&folder.path().join("crowd.toml")).unwrap();
    let mut frames = CrowdFrames::new(crowd.world()).unwrap();
    assert_eq!((frames.robot_count(), frames.ray_count()), (1000, 1000));
    frames.pose(7).unwrap();
    assert!(frames.cast_rays() > 100);
}
