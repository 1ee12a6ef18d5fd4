//! Counts of what a ray tests at a posed model.

use crate::{refined, whole};
use hitscan::glam::DAffine3;
use hitscan::{Model, Ray, Sides, World};
use hitscan_testkit::{Rng, aimed_ray, random_model};
use std::sync::Arc;

/// What a ray tests is the same, however many rays came before it.
#[test]
fn counts_do_not_depend_on_the_rays_before() {
    let mut rng = Rng::new(47);
    let mut counted = 0;
    for round in 0..60 {
        let data = random_model(&mut rng);
        let data = refined(&mut rng, data);
        let model = Arc::new(Model::new(data).expect("the generator makes valid models"));
        let clip = rng.below(model.clips().len());
        let pose = model.pose_at(clip, 0.4).expect("there is such a clip");
        let world = || {
            let mut world = World::new();
            let added = world.add_model(&model, &pose, DAffine3::IDENTITY);
            added.expect("in range");
            world.update();
            world
        };
        let posed = model.skinned(&pose).expect("in range");
        let rays = posed
            .parts()
            .iter()
            .enumerate()
            .filter_map(|(index, posed)| aimed_ray(&mut rng, &whole(&model, index, posed)));
        let rays: Vec<Ray> = rays.collect();
        let counts = |world: &World| -> Vec<_> {
            let rays = rays.iter();
            rays.map(|ray| world.now().cast_ray_counted(ray, Sides::Both))
                .collect()
        };
        let many: Vec<Ray> = rays.iter().copied().cycle().take(5000).collect();
        // A world whose parts no ray has reached, and one whose parts are deformed as a whole.
        let (cold, warm) = (world(), world());
        let answers = warm.now().cast_rays(&many, Sides::Both);
        assert_eq!(answers.len(), many.len());
        let [cold, warm] = [&cold, &warm].map(counts);
        assert_eq!(cold, warm, "round {round}");
        counted += cold.iter().filter(|(hit, _)| hit.is_some()).count();
    }
    assert!(counted >= 25, "{counted}");
}
