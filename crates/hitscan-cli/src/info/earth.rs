//! Geographic facts: of a height map by its file, of a scene by its frame.

use super::facts::Facts;
use hitscan::height_field::Grid;
use hitscan_assets::georeference::{
    Georeference, MapFrame, NoGeoreference, PixelKind, metres_per_degree,
};

/// What a height map's file says of its place.
pub(super) fn of_map(georeference: Result<&Georeference, &NoGeoreference>, facts: &mut Facts) {
    let place = match georeference {
        Ok(place) => place,
        Err(reason) => {
            facts.fact("georeference", format!("none: {reason}"));
            return;
        }
    };
    let [east, north] = place.axis_names();
    let ([west, top], [right, bottom]) = (place.north_west(), place.south_east());
    let [columns, rows] = place.size.map(|count| count - 1);
    facts
        .fact("crs", &place.crs)
        .fact("map unit", place.crs.unit)
        .fact(
            "pixels",
            match place.pixel {
                PixelKind::Area => "areas: a sample is at the middle of its pixel",
                PixelKind::Point => "points: a sample is at the pixel's coordinates",
            },
        )
        .fact(
            "transform",
            format!(
                "{east} = {} + {} * column, {north} = {} - {} * row",
                place.first[0], place.cell[0], place.first[1], place.cell[1]
            ),
        )
        .fact(
            "north-west",
            format!("{east} {west}, {north} {top}: column 0, row 0"),
        )
        .fact(
            "south-east",
            format!("{east} {right}, {north} {bottom}: column {columns}, row {rows}"),
        );
    if place.crs.is_geographic() {
        let middle = place.middle()[1];
        let [lon, lat] = metres_per_degree(middle);
        facts.fact(
            "degree",
            format!("{lon} m of lon, {lat} m of lat (WGS 84, at the middle, lat {middle})"),
        );
    } else if let Some(metres) = place.crs.unit.metres().filter(|metres| *metres != 1.0) {
        facts.fact("one unit", format!("{metres} m"));
    }
    let vertical = &place.vertical;
    if let Some(metres) = vertical.unit_metres {
        facts.fact("height unit", format!("{metres} m"));
    }
    if let Some(datum) = &vertical.datum {
        facts.fact("height datum", datum);
    }
    facts.fact(
        "placed by",
        "`georeferenced = true` in a scene; otherwise by the scene's `origin`",
    );
}

/// How a scene's x, y, z lie in the coordinates of a map.
pub(super) fn of_frame(frame: &MapFrame, facts: &mut Facts) {
    let names = frame.axis_names();
    match frame.crs() {
        Some(crs) => facts.fact("crs", format!("{crs}, in {}", crs.unit)),
        None => facts.fact("crs", "none stated, in metres"),
    };
    let origin = names.iter().zip(frame.origin());
    let origin: Vec<String> = origin.map(|(name, at)| format!("{name} {at}")).collect();
    facts
        .fact("origin", format!("{} at x = y = z = 0", origin.join(", ")))
        .fact("mapping", frame.formulas().join(", "))
        .fact(
            "tables",
            format!(
                "may have the columns {}, {} and {} in place of x, z and y",
                names[0], names[2], names[1]
            ),
        );
}

/// The corners of a terrain in the coordinates of the scene's map, to a millimetre or a centimetre.
pub(super) fn of_terrain(grid: &Grid, frame: &MapFrame, facts: &mut Facts) {
    let [east, _, north] = frame.axis_names();
    let digits = if frame.is_geographic() { 7 } else { 3 };
    let mut corner = |name, column, row| {
        let [easting, _, northing] = frame.map_from_world([grid.x(column), 0.0, grid.z(row)]);
        let scale = 10_f64.powi(digits);
        let shown = [easting, northing].map(|value| (value * scale).round() / scale);
        facts.fact(name, format!("{east} {}, {north} {}", shown[0], shown[1]));
    };
    corner("north-west", 0, 0);
    corner("south-east", grid.columns - 1, grid.rows - 1);
}
