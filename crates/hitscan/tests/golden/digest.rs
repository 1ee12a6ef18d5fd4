//! A digest of the bits of answers: FNV-1a over 64 bits.

use hitscan::glam::Vec3;
use hitscan::{
    ClosestPoint, Contact, ContactStatus, ObjectId, RayHit, ShapeHit, Side, StartState, TriangleId,
};

pub(crate) struct Digest {
    state: u64,
    answers: usize,
}

impl Digest {
    pub(crate) fn new() -> Self {
        Self {
            state: 0xcbf2_9ce4_8422_2325,
            answers: 0,
        }
    }

    pub(crate) fn add(&mut self, number: u32) {
        for byte in number.to_le_bytes() {
            self.state = (self.state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self.answers += 1;
    }

    pub(crate) fn add_float(&mut self, number: f32) {
        self.add(number.to_bits());
    }

    pub(crate) fn add_vector(&mut self, vector: Vec3) {
        for component in vector.to_array() {
            self.add_float(component);
        }
    }

    pub(crate) fn add_flags(&mut self, flags: &[bool]) {
        for &flag in flags {
            self.add(u32::from(flag));
        }
    }

    pub(crate) fn add_hits(&mut self, hits: &[Option<RayHit>]) {
        for hit in hits {
            self.add(u32::from(hit.is_some()));
            if let Some(hit) = hit {
                self.add_hit(hit);
            }
        }
    }

    pub(crate) fn add_hit(&mut self, hit: &RayHit) {
        if let Some(object) = hit.object {
            self.add(number(object.index()));
        }
        self.add_float(hit.t);
        self.add_float(hit.distance);
        self.add_vector(hit.point);
        self.add_vector(hit.normal);
        self.add(side_number(hit.side));
        if let Some(triangle) = hit.triangle {
            self.add_triangle(triangle);
            self.add_float(hit.u());
            self.add_float(hit.v());
        }
    }

    fn add_triangle(&mut self, triangle: TriangleId) {
        self.add(triangle.part);
        self.add(triangle.triangle);
    }

    fn add_met(&mut self, object: Option<ObjectId>, triangle: Option<TriangleId>) {
        self.add(object.map_or(u32::MAX, |object| number(object.index())));
        if let Some(triangle) = triangle {
            self.add_triangle(triangle);
        }
    }

    pub(crate) fn add_shape_hit(&mut self, hit: &ShapeHit) {
        self.add_met(hit.object, hit.triangle);
        self.add_float(hit.t);
        self.add_vector(hit.normal);
        self.add_vector(hit.point);
        self.add(hit.side.map_or(3, side_number));
        match hit.start {
            StartState::Separate => self.add(0),
            StartState::Touching => self.add(1),
            StartState::Overlap {
                separation,
                way_out,
            } => {
                self.add_float(separation);
                self.add_vector(way_out);
            }
        }
    }

    pub(crate) fn add_contact(&mut self, contact: &Contact) {
        self.add_met(contact.object, contact.triangle);
        self.add(match contact.status {
            ContactStatus::Overlap => 0,
            ContactStatus::Touching => 1,
            ContactStatus::Near => 2,
        });
        self.add_float(contact.separation);
        self.add_vector(contact.normal);
        self.add_vector(contact.point);
    }

    pub(crate) fn add_closest(&mut self, closest: &ClosestPoint) {
        self.add_met(closest.object, closest.triangle);
        self.add_float(closest.distance);
        self.add(u32::from(closest.is_inside));
        self.add_vector(closest.point);
        self.add_vector(closest.normal);
        self.add_float(closest.u());
        self.add_float(closest.v());
    }

    /// Adds each answer of a plural.
    pub(crate) fn add_each<T>(&mut self, answers: &[Option<T>], add: impl Fn(&mut Self, &T)) {
        for answer in answers {
            self.add(u32::from(answer.is_some()));
            if let Some(answer) = answer {
                add(self, answer);
            }
        }
    }

    /// Checks the digest, and prints it.
    pub(crate) fn assert_is(&self, name: &str, golden: u64) {
        println!("{name}: {:#018x} of {} numbers", self.state, self.answers);
        assert!(
            self.state == golden,
            "{name}: the digest is {:#018x}, not {golden:#018x}: some bit of some answer differs",
            self.state
        );
    }
}

fn side_number(side: Side) -> u32 {
    match side {
        Side::Front => 0,
        Side::Back => 1,
        Side::Inside => 2,
    }
}

/// An object's number as the digest takes it.
pub(crate) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap()
}
