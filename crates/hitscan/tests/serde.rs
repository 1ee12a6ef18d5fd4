//! The feature `serde`: what is read back equals what was written, and nothing passes unchecked.

#![expect(
    clippy::unwrap_used,
    reason = "a value that is refused is a failed test"
)]

use core::fmt::Debug;
use hitscan::glam::{DMat4, DQuat, DVec3, Vec3};
use hitscan::height_field::{Diagonal, Grid};
use hitscan::model::{
    ChannelData, ClipData, Interpolation, ModelData, NodeData, NodeTransform, PartData, PartSkin,
    Property, SkinData,
};
use hitscan::{
    Aabb, BuildPreset, Camera, Capsule, Compound, CompoundPart, Cylinder, HeightField, Model, Obb,
    Plane, Primitive, Ray, RayCastSettings, RayStart, Sides, Sphere, TriMesh, Triangle,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// `value` written and read back.
fn round_trip<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let text = serde_json::to_string(value).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn assert_same<T: Serialize + DeserializeOwned + Debug + PartialEq>(value: T) {
    assert_eq!(round_trip(&value), value);
}

#[test]
fn values_are_read_back_as_they_were() {
    let ray = Ray::new([0.1, -2.0, 3e18], [0.0, 0.3, -1e-20]).unwrap();
    assert_same(ray);
    assert_same(ray.with_range(0.25, 7.5).unwrap());
    assert_same(ray.with_range(-3.0, f32::INFINITY).unwrap());
    assert_same(Aabb::new([-1.0, 0.0, 0.1], [1.0, 0.0, 0.3]).unwrap());
    assert_same(Sphere::new([0.1, 0.2, 0.3], 1.0 / 3.0).unwrap());
    assert_same(Capsule::new([0.1, 0.2, 0.3], [4.0, 5.0, 6.0], 0.7).unwrap());
    let cylinder = Cylinder::new([0.1, 0.2, 0.3], [4.0, 5.0, 6.0], 0.7).unwrap();
    assert_same(cylinder);
    assert_same(Primitive::Cylinder(cylinder));
    assert_same(Triangle::new([0.1, 0.2, 0.3], [4.0, 5.0, 6.0], [7.0, 8.0, 9.5]).unwrap());
    assert_same(Plane::new([0.3, 0.1, -0.2], 1.0 / 7.0).unwrap());
    assert_same(Camera::new([1.0, 2.0, 3.0], [0.1, 0.2, 0.3], 0.9, [640, 480]).unwrap());
    assert_same(Sides::Front);
    assert_same(RayCastSettings {
        sides: Sides::Back,
        start: RayStart::Hollow,
    });
    assert_same(BuildPreset::Tight);
    let turn = DQuat::from_xyzw(0.5, -0.5, 0.5, 0.5);
    let obb = Obb::new([1.0, 2.0, 3.0], [0.1, 0.2, 0.3], turn).unwrap();
    assert_same(obb);
    assert_same(Primitive::Obb(obb));
    assert_same(Primitive::Sphere(Sphere::new([0.0; 3], 1.0).unwrap()));
    let parts = [
        CompoundPart::new("head", Sphere::new([0.1, 2.0, 0.3], 0.2).unwrap()).with_user_data(7),
        CompoundPart::new("shield", obb),
    ];
    assert_same(Compound::new(parts).unwrap());
    let twice = r#"{"parts":[{"name":"a","solid":{"Sphere":{"center":[0,0,0],"radius":1}}},
        {"name":"a","solid":{"Sphere":{"center":[0,0,0],"radius":1}}}]}"#;
    let refused = serde_json::from_str::<Compound>(twice)
        .unwrap_err()
        .to_string();
    assert!(refused.contains("the name `a`"), "{refused}");
}

/// Pseudo-random numbers whose bits are all in use.
struct Numbers(u64);

impl Numbers {
    /// From -1 to 1.
    fn signed(&mut self) -> f64 {
        // Knuth's MMIX generator; its high bits are the good ones.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        DVec3::new(self.signed(), self.signed(), self.signed()).as_vec3()
    }
}

/// What a constructor normalizes, it must not normalize again.
#[test]
fn values_of_any_bits_are_read_back_as_they_were() {
    let mut numbers = Numbers(5);
    for _ in 0..2000 {
        let parts = [(); 4].map(|()| numbers.signed());
        let (center, half) = (numbers.vector(), numbers.vector().abs());
        let obb = Obb::new(center, half, DQuat::from_array(parts)).unwrap();
        let again = round_trip(&obb);
        assert_eq!(again, obb);
        assert_eq!(again.corners(), obb.corners());
        assert_same(Primitive::Obb(obb));
        let radius = numbers.signed().abs();
        assert_same(Sphere::new(center, radius).unwrap());
        assert_same(Capsule::new(center, half, radius).unwrap());
        assert_same(Plane::new(center, radius).unwrap());
        assert_same(Ray::new(center, half).unwrap());
        assert_same(Aabb::new(center, center + half).unwrap());
        assert_same(Triangle::new(center, half, numbers.vector()).unwrap());
        assert_same(Camera::new(center, half, 0.1 + radius, [64, 48]).unwrap());
    }
}

#[test]
fn rotations_of_any_length_are_brought_to_unit_length() {
    let read = |w: &str| -> Obb {
        let text = format!(r#"{{"center":[0,0,0],"half_size":[1,1,1],"rotation":[0,0,0,{w}]}}"#);
        serde_json::from_str(&text).unwrap()
    };
    assert_eq!(
        read("-2.5").rotation(),
        DQuat::from_xyzw(0.0, 0.0, 0.0, -1.0)
    );
    assert_eq!(read("1e-300").rotation(), DQuat::IDENTITY);
}

#[test]
fn values_that_no_constructor_makes_are_refused() {
    let refuse = |what: &str, error: &serde_json::Error| {
        assert!(error.is_data(), "{what}: {error}");
    };
    let zero = r#"{"origin":[0,0,0],"direction":[0,0,0]}"#;
    refuse(zero, &serde_json::from_str::<Ray>(zero).unwrap_err());
    let reversed = r#"{"min":[1,0,0],"max":[0,0,0]}"#;
    refuse(
        reversed,
        &serde_json::from_str::<Aabb>(reversed).unwrap_err(),
    );
    let negative = r#"{"center":[0,0,0],"radius":-1}"#;
    refuse(
        negative,
        &serde_json::from_str::<Sphere>(negative).unwrap_err(),
    );
    let loose = r#"{"positions":[[0,0,0]],"triangles":[[0,0,1]]}"#;
    refuse(loose, &serde_json::from_str::<TriMesh>(loose).unwrap_err());
    let short = r#"{"grid":{"columns":2,"rows":2,"spacing":[1,1],"origin":[0,0,0],"diagonal":"Anti"},"heights":[0,1,2]}"#;
    let error = serde_json::from_str::<HeightField>(short).unwrap_err();
    refuse(short, &error);
    assert!(error.to_string().contains("heights"), "{error}");
}

#[test]
fn terrain_keeps_its_holes_and_its_answers() {
    let grid = Grid {
        origin: [10.0, -0.1, 0.3],
        diagonal: Diagonal::Main,
        ..Grid::new(3, 2, [0.1, 2.0])
    };
    let field = HeightField::new(grid, vec![0.1, f32::NAN, 1e18, -0.0, 0.3, 7.0]).unwrap();
    let again = round_trip(&field);
    assert_eq!(again.grid(), field.grid());
    let bits = |field: &HeightField| -> Vec<u32> {
        field
            .samples()
            .iter()
            .map(|height| height.to_bits())
            .collect()
    };
    assert_eq!(bits(&again), bits(&field));
    assert_eq!(again.bounds(), field.bounds());
    assert_eq!(again.height([10.15, 1.0]), field.height([10.15, 1.0]));
}

#[test]
fn meshes_are_built_anew() {
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::splat(0.1)];
    let mesh = TriMesh::new(positions, vec![[0, 1, 2], [0, 1, 3], [3, 1, 2]]).unwrap();
    let again = round_trip(&mesh);
    assert_eq!(again.positions(), mesh.positions());
    assert_eq!(again.triangles(), mesh.triangles());
    let ray = Ray::new([0.2, 0.2, 3.0], [0.0, 0.0, -1.0]).unwrap();
    let hit = mesh.cast_ray(&ray, ());
    assert!(hit.is_some());
    assert_eq!(again.cast_ray(&ray, ()), hit);
}

#[test]
fn model_data_makes_the_same_model() {
    let skin = PartSkin {
        skin: 0,
        influences: 4,
        joints: [0, 0, 0, 0].repeat(3),
        weights: [1.0, 0.0, 0.0, 0.0].repeat(3),
    };
    let part = PartData {
        name: "flag".into(),
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        triangles: vec![[0, 1, 2]],
        morph_targets: vec![vec![Vec3::splat(0.1); 3]],
        skin: Some(skin),
        ..PartData::default()
    };
    let node = NodeData {
        name: Some("root".into()),
        local: NodeTransform::Trs {
            translation: DVec3::new(0.1, 0.2, 0.3),
            rotation: DQuat::IDENTITY,
            scale: DVec3::ONE,
        },
        morph_weights: vec![0.5],
        ..NodeData::default()
    };
    let fixed = NodeData {
        parent: Some(0),
        local: NodeTransform::Matrix(DMat4::from_translation(DVec3::X)),
        ..NodeData::default()
    };
    let rise = ChannelData {
        node: 0,
        property: Property::Translation,
        interpolation: Interpolation::Linear,
        times: vec![0.0, 2.0],
        values: vec![0.0, 0.0, 0.0, 0.0, 8.0, 0.0],
    };
    let data = ModelData {
        nodes: vec![node, fixed],
        skins: vec![SkinData {
            joints: vec![0],
            inverse_bind: vec![DMat4::IDENTITY],
        }],
        clips: vec![ClipData {
            name: None,
            channels: vec![rise],
        }],
        parts: vec![part],
    };
    let again = round_trip(&data);
    assert_eq!(format!("{again:?}"), format!("{data:?}"));
    let [model, again] = [data, again].map(|data| Model::new(data).unwrap());
    let posed = |model: &Model| model.skinned(&model.pose_at(0, 0.7).unwrap()).unwrap();
    assert_eq!(posed(&again), posed(&model));
}
