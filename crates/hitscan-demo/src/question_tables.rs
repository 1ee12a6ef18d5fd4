//! The questions as tables for the program's commands: CSV, with a first column that holds the label.

use crate::shape_questions::{Ball, Person};
use crate::{DemoFile, Question, Questions};
use glam::Vec3;
use std::fmt::Write as _;

impl Questions {
    /// The questions as tables for `hitscan ray`, `height`, `sweep`, `overlap`, `closest`, `arc` and
    /// `sight`.
    #[must_use]
    pub fn files(&self) -> [DemoFile; 11] {
        let file = |name, csv: String| DemoFile {
            name,
            bytes: csv.into_bytes(),
        };
        [
            file("rays.csv", self.rays_csv()),
            file("arcs.csv", self.arcs_csv()),
            file("points.csv", self.points_csv()),
            file("footprints.csv", self.footprints_csv()),
            file("moves.csv", self.moves_csv()),
            file("balls.csv", self.balls_csv()),
            file("walks.csv", self.walks_csv()),
            file("shapes.csv", self.shapes_csv()),
            file("probes.csv", self.probes_csv()),
            file("eyes.csv", places_csv(&self.eyes)),
            file("targets.csv", places_csv(&self.targets)),
        ]
    }

    /// The field `t_max` of an endless ray is empty.
    fn rays_csv(&self) -> String {
        table("ox,oy,oz,dx,dy,dz,t_max", &self.rays, |ray| {
            let numbers = [ray.origin(), ray.direction()].map(numbers).join(",");
            let t_max = ray.t_max();
            if t_max.is_finite() {
                format!("{numbers},{t_max}")
            } else {
                format!("{numbers},")
            }
        })
    }

    fn arcs_csv(&self) -> String {
        table("ox,oy,oz,vx,vy,vz,gx,gy,gz", &self.arcs, |arc| {
            let vectors = [arc.origin(), arc.velocity(), arc.acceleration()];
            vectors.map(numbers).join(",")
        })
    }

    fn points_csv(&self) -> String {
        table("x,z", &self.points, |[x, z]| format!("{x},{z}"))
    }

    fn footprints_csv(&self) -> String {
        let radius = Self::FOOTPRINT_RADIUS;
        table("x,z,radius", &self.points, |[x, z]| {
            format!("{x},{z},{radius}")
        })
    }

    fn moves_csv(&self) -> String {
        let columns = "min_x,min_y,min_z,max_x,max_y,max_z,dx,dy,dz";
        table(columns, &self.moves, |cast| {
            let start = cast.shape().bounds();
            let vectors = [start.min(), start.max(), cast.motion()];
            vectors.map(numbers).join(",")
        })
    }

    fn balls_csv(&self) -> String {
        table("cx,cy,cz,radius,dx,dy,dz", &self.balls, |ball| {
            let Ball { center, motion } = *ball;
            let radius = Ball::RADIUS;
            format!("{},{radius},{}", numbers(center), numbers(motion))
        })
    }

    fn walks_csv(&self) -> String {
        let columns = "ax,ay,az,bx,by,bz,radius,dx,dy,dz";
        table(columns, &self.walks, |person| {
            let [a, b] = person.segment().map(numbers);
            let radius = Person::RADIUS;
            format!("{a},{b},{radius},{}", numbers(person.motion))
        })
    }

    fn shapes_csv(&self) -> String {
        let columns = "min_x,min_y,min_z,max_x,max_y,max_z,margin";
        table(columns, &self.shapes, |shape| {
            let [min, max] = [shape.min(), shape.max()].map(numbers);
            format!("{min},{max},{}", Self::MARGIN)
        })
    }

    fn probes_csv(&self) -> String {
        table("px,py,pz,max_distance", &self.probes, |probe| {
            format!("{},{}", numbers(*probe), Self::REACH)
        })
    }
}

fn places_csv(places: &[Question<Vec3>]) -> String {
    table("x,y,z", places, |place| numbers(*place))
}

fn table<T>(columns: &str, questions: &[Question<T>], row: impl Fn(&T) -> String) -> String {
    let mut csv = format!("about,{columns}\n");
    for Question { label, query } in questions {
        // Writing into a string cannot fail.
        let _ = writeln!(csv, "{label},{}", row(query));
    }
    csv
}

/// The components, each as the shortest text that reads back as the same number.
fn numbers(v: Vec3) -> String {
    v.to_array()
        .map(|component| component.to_string())
        .join(",")
}
