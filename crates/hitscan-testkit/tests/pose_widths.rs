//! Models in a pose give the same bits in every vector width, whether their parts are deformed ray by ray or
//! as a whole.

use hitscan::model::PosedModel;
use hitscan::simd::Width;
use hitscan::{Model, Ray};
use hitscan_testkit::traced_ray::bits;
use hitscan_testkit::{Rng, aimed_ray, random_model};
use std::sync::Arc;

#[test]
fn posed_models_answer_alike_in_every_width() {
    let mut rng = Rng::new(46);
    let mut hits = 0;
    for round in 0..60 {
        let model = Arc::new(Model::new(random_model(&mut rng)).expect("valid"));
        let time = rng.uniform(-1.0, 2.0);
        let in_width = |width| {
            let posed = PosedModel::at_clip(&model, 0, time).expect("in range");
            posed.with_width(width)
        };
        let plainest = in_width(Width::available()[0]);
        let aim = in_width(Width::default());
        let rays: Vec<Ray> = (0..30)
            .filter_map(|_| {
                let part = aim.part(rng.below(aim.part_count()))?;
                let mesh = part.mesh();
                let has_triangles = !mesh.triangles().is_empty();
                has_triangles.then(|| aimed_ray(&mut rng, mesh)).flatten()
            })
            .collect();
        let answers = |posed: &PosedModel| {
            let nearest = rays.iter().map(|ray| posed.cast_ray(ray, ()).map(bits));
            let all = rays.iter().map(|ray| {
                let hits = posed.cast_ray_all(ray, ());
                hits.into_iter().map(bits).collect::<Vec<_>>()
            });
            (nearest.collect::<Vec<_>>(), all.collect::<Vec<_>>())
        };
        let expected = answers(&plainest);
        hits += expected.0.iter().flatten().count();
        for width in Width::available() {
            let posed = in_width(width);
            let what = format!("round {round}, {}", width.name());
            assert_eq!(answers(&posed), expected, "{what}");
            // And deformed as a whole.
            posed.parts().for_each(|part| drop(Arc::clone(part.mesh())));
            assert_eq!(answers(&posed), expected, "{what}, whole");
        }
    }
    assert!(hits > 500, "{hits}");
}
