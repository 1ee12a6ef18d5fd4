//! A character that walks for ten minutes: a capsule over hills, stairs and a ramp, along walls.
//!
//! A step lifts the capsule, moves it level and puts it down, each as far as a cast lets it. What is
//! within twice the skin clips the motion by its plane, and a cast that hits stops a skin before. So it
//! neither sinks in nor is caught at the edges inside a floor of triangles.

use hitscan::glam::{DQuat, Vec3};
use hitscan::height_field::Grid;
use hitscan::{Aabb, Capsule, Contact, ContactsPer, Error, HeightField, InitialOverlap, Obb, Ray};
use hitscan::{ShapeCast, ShapeHit, Snapshot, Sphere, World};
use std::sync::Arc;

const STEP_SECS: f32 = 1.0 / 60.0;
const RADIUS: f32 = 0.3;
/// The gap that the character keeps.
const SKIN: f32 = 0.01;
/// What it steps over, and down.
const STAIR: f32 = 0.3;
/// The least y of the normal of ground that carries it (45 degrees).
const WALKABLE: f32 = 0.7;

#[derive(Clone, Copy)]
struct Character {
    /// The lowest point of the capsule, which is 1.8 m high.
    foot: Vec3,
    /// `None` on the ground.
    fall_speed: Option<f32>,
}

fn capsule_at(foot: Vec3) -> Result<Capsule, Error> {
    let up = |height: f32| foot + Vec3::Y * height;
    Capsule::new(up(RADIUS), up(1.8 - RADIUS), RADIUS)
}

impl Character {
    /// One step by a level motion; not lifted where that ends on what is too steep, or over a drop.
    fn walk(&mut self, world: &Snapshot, motion: Vec3) -> Result<(), Error> {
        let before = *self;
        if before.fall_speed.is_none() {
            let lift = self.advance(world, Vec3::Y * STAIR)?.0.y;
            self.slide(world, motion)?;
            self.put_down(world, lift)?;
            if self.fall_speed.is_none() {
                return Ok(());
            }
            *self = before;
        }
        self.slide(world, motion)?;
        self.put_down(world, 0.0)
    }

    /// Moves until something is a skin away. Returns how far, and what that is.
    fn advance(&mut self, world: &Snapshot, by: Vec3) -> Result<(Vec3, Option<ShapeHit>), Error> {
        let cast = ShapeCast::new(capsule_at(self.foot)?, by)?
            .with_initial_overlap(InitialOverlap::Escape);
        let hit = world.cast_shape(&cast, ());
        let part = hit.map_or(1.0, |hit| (hit.t + SKIN / hit.normal.dot(by)).max(0.0));
        self.foot += by * part;
        Ok((by * part, hit))
    }

    /// Moves along what is in the way.
    fn slide(&mut self, world: &Snapshot, motion: Vec3) -> Result<(), Error> {
        let mut rest = motion;
        for _ in 0..4 {
            let near = world.contacts(
                capsule_at(self.foot)?,
                2.0 * SKIN,
                ContactsPer::Triangle,
                (),
            );
            let by = clip(rest, &near);
            let (moved, Some(_)) = self.advance(world, by)? else {
                break;
            };
            rest = by - moved;
        }
        Ok(())
    }

    /// Puts it onto the ground below, or lets it fall.
    fn put_down(&mut self, world: &Snapshot, lift: f32) -> Result<(), Error> {
        let reach = self.fall_speed.map_or(STAIR, |speed| speed * STEP_SECS);
        let down = Vec3::NEG_Y * (lift + reach);
        let (moved, hit) = self.advance(world, down)?;
        match hit {
            Some(hit) if is_carrying(world, &hit)? => {
                self.fall_speed = None;
                return Ok(());
            }
            _ if self.fall_speed.is_none() => self.foot -= moved,
            Some(steep) => {
                self.advance(world, (down - moved).reject_from_normalized(steep.normal))?;
            }
            None => {}
        }
        self.fall_speed = Some(self.fall_speed.unwrap_or(0.0) + 9.81 * STEP_SECS);
        Ok(())
    }
}

/// Whether what it hit below carries it; the rim of level ground does.
fn is_carrying(world: &Snapshot, hit: &ShapeHit) -> Result<bool, Error> {
    let inward = Vec3::new(-hit.normal.x, 0.0, -hit.normal.z).normalize_or_zero();
    let above = hit.point + inward * 0.05 + Vec3::Y * 0.1;
    let ground = world.cast_ray(&Ray::new(above, [0.0, -0.2, 0.0])?, ());
    Ok(hit.normal.y >= WALKABLE || ground.is_some_and(|ground| ground.normal.y >= WALKABLE))
}

/// The part of a motion that stays a skin away: ground lifts it, what is too steep turns it aside.
fn clip(mut motion: Vec3, near: &[Contact]) -> Vec3 {
    for contact in near.iter().cycle().take(4 * near.len()) {
        let normal = contact.normal;
        let level = Vec3::new(normal.x, 0.0, normal.z);
        let is_steep = normal.y.abs() < WALKABLE;
        let along = if is_steep { level } else { Vec3::Y * normal.y };
        let into = SKIN - contact.separation - normal.dot(motion);
        motion += along * (into.max(0.0) / normal.dot(along));
    }
    motion
}

/// A hall of 64 m by 64 m: hills beyond x = 32, before it stairs, a ramp, a slope of 60 degrees, walls.
fn course() -> Result<World, Error> {
    let mut world = World::new();
    let wave = |t: u16| 1.0 - (f32::from(t % 16) / 8.0 - 1.0).powi(2);
    let hill = |row: u16, column: u16| 2.0 * wave(row) * wave(column.max(32));
    let heights = (0..65).flat_map(|row| (0..65).map(move |column| hill(row, column)));
    let hills = HeightField::new(Grid::new(65, 65, [1.0, 1.0]), heights.collect())?;
    world.add(Arc::new(hills));
    for step in 0..10_u8 {
        let (x, top) = (6.0 + 0.4 * f32::from(step), 0.25 * f32::from(step + 1));
        world.add(Aabb::new([x, 0.0, 10.0], [12.0, top, 14.0])?);
    }
    let (around_y, around_z) = (DQuat::from_rotation_y, DQuat::from_rotation_z);
    for (center, half_size, turn) in [
        ([14.388, 1.026, 12.0], [2.8, 0.25, 2.0], around_z(-0.464)),
        ([22.0, 1.5, 32.0], [3.0, 0.3, 2.0], around_z(1.047)),
        ([10.0, 1.0, 40.0], [5.0, 3.0, 0.3], around_y(0.4)),
        ([22.0, 1.0, 20.0], [5.0, 3.0, 0.3], around_y(-0.9)),
    ] {
        world.add(Obb::new(center, half_size, turn)?);
    }
    world.add(Sphere::new([22.0, 0.3, 52.0], 1.5)?);
    Ok(world)
}

/// The player's input: ten seconds towards each place, a little elsewhere each time.
fn motion(step: u16, foot: Vec3) -> Vec3 {
    const X: [f32; 10] = [3.0, 24.0, 14.0, 30.0, 8.0, 36.0, 58.0, 44.0, 61.0, 28.0];
    const Z: [f32; 10] = [12.0, 12.0, 31.0, 32.0, 46.0, 58.0, 52.0, 22.0, 9.0, 6.0];
    let (place, aside) = (usize::from(step / 600) % 10, 0.2 * f32::from(step / 6000));
    let to = Vec3::new(X[place] + aside, foot.y, Z[place] + aside);
    (to - foot).normalize_or_zero() * (3.0 * STEP_SECS)
}

/// Walks for ten minutes. Returns where the foot is after each step.
fn walk(mut world: World) -> Result<(World, Vec<Vec3>), Error> {
    world.update();
    let mut character = Character {
        foot: Vec3::new(2.0, SKIN, 2.0),
        fall_speed: None,
    };
    let mut feet = vec![character.foot];
    for step in 0..10 * 60 * 60 {
        character.walk(world.now(), motion(step, character.foot))?;
        feet.push(character.foot);
    }
    Ok((world, feet))
}

fn main() -> Result<(), Error> {
    let (course, feet) = walk(course()?)?;
    let (mut least, mut walked, mut climbs) = (SKIN, 0.0, 0);
    for pair in feet.windows(2) {
        let ([x, y, _], capsule) = (pair[1].to_array(), capsule_at(pair[1])?);
        for near in course
            .now()
            .contacts(capsule, SKIN, ContactsPer::Object, ())
        {
            least = near.separation.min(least);
        }
        walked += pair[0].distance(pair[1]);
        climbs += u32::from(pair[0].y < 2.4 && y >= 2.4);
        assert!(
            y > 0.0 && (y < 1.0 || !(20.5..23.0).contains(&x)),
            "{}",
            pair[1]
        );
    }
    println!("walked {walked:.0} m, {climbs} times up; nearest to anything: {least:.6} m");
    assert!(least >= -SKIN && walked > 1500.0 && climbs > 5);
    let (mut floor, mut box_floor) = (World::new(), World::new());
    let flat = HeightField::new(Grid::new(65, 65, [1.0, 1.0]), vec![0.0; 65 * 65])?;
    floor.add(Arc::new(flat));
    box_floor.add(Aabb::new([0.0, -1.0, 0.0], [64.0, 0.0, 64.0])?);
    let (feet, box_feet) = (walk(floor)?.1, walk(box_floor)?.1);
    let (mut short, mut apart) = (0.0_f32, 0.0_f32);
    for (step, (pair, box_foot)) in (0..).zip(feet.windows(2).zip(&box_feet[1..])) {
        short = short.max((pair[1] - pair[0]).distance(motion(step, pair[0])));
        apart = apart.max(pair[1].distance(*box_foot));
    }
    println!("level steps: whole within {short:.7} m, on triangles within {apart:.7} m of a box");
    // Rounding places to f32 takes a few micrometres.
    assert!(apart < 1e-4 && short < 1e-5);
    Ok(())
}
