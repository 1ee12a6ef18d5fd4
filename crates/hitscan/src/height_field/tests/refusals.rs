//! Errors of terrain's constructors and edits, and terrain's bounds.

use super::*;

#[test]
fn an_edit_that_cannot_be_made_changes_nothing() {
    let mut field = HeightField::new(Grid::new(3, 3, [1.0, 1.0]), vec![1.0; 9]).unwrap();
    let before = state(&field);
    let region = |column, columns| Region {
        column,
        row: 0,
        columns,
        rows: 1,
    };
    assert!(matches!(
        field.set_heights(region(2, 2), &[0.0; 2]),
        Err(Error::IndexOutOfBounds { .. })
    ));
    assert!(matches!(
        field.set_heights(region(usize::MAX, 2), &[0.0; 2]),
        Err(Error::IndexOutOfBounds { .. })
    ));
    assert!(matches!(
        field.set_heights(region(0, 2), &[0.0; 3]),
        Err(Error::WrongLength { .. })
    ));
    assert!(matches!(
        field.set_heights(region(0, 2), &[0.0, f32::INFINITY]),
        Err(Error::OutOfRange { index: 1, .. })
    ));
    assert!(field.set_heights(region(3, 0), &[]).is_ok());
    assert_eq!(state(&field), before);
}

#[test]
fn bounds_ignore_samples_without_triangles() {
    let nan = f32::NAN;
    // Sample (3, 0) has a height but no triangle.
    //  1  2  .  9
    //  3  4  .  .
    let heights = vec![1.0, 2.0, nan, 9.0, 3.0, 4.0, nan, nan];
    let field = HeightField::new(Grid::new(4, 2, [2.0, 5.0]), heights).unwrap();
    let bounds = Aabb::new([0.0, 1.0, 0.0], [2.0, 4.0, 5.0]).unwrap();
    assert_eq!(field.bounds(), Some(bounds));
    assert_eq!(field.hole_count(), 3);
    let holes = HeightField::new(Grid::new(4, 2, [2.0, 5.0]), vec![nan; 8]).unwrap();
    assert_eq!(holes.bounds(), None);
    let ray = Ray::new([1.0, 5.0, 1.0], [0.0, -1.0, 0.0]).unwrap();
    assert_eq!(holes.cast_ray(&ray, ()), None);
    let mut rng = Rng(4);
    for _ in 0..200 {
        let field = random_field(&mut rng);
        let corners = all_triangles(&field)
            .into_iter()
            .flat_map(|(_, corners)| corners);
        assert_eq!(field.bounds(), Aabb::around_f64(corners));
    }
}

#[test]
fn heights_that_cannot_be_used_are_refused_with_their_index() {
    let made = |heights| HeightField::new(Grid::new(2, 2, [1.0, 1.0]), heights);
    assert!(matches!(
        made(vec![0.0, 0.0, f32::NEG_INFINITY, 0.0]),
        Err(Error::OutOfRange { index: 2, .. })
    ));
    assert!(matches!(
        made(vec![0.0, 2e18, 0.0, 0.0]),
        Err(Error::OutOfRange { index: 1, .. })
    ));
    assert!(matches!(made(vec![0.0; 3]), Err(Error::WrongLength { .. })));
}
