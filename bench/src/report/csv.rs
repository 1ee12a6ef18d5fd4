//! The table as CSV: exactly the columns `workload,subject,ns,ratio,disagreements`.

use super::Rated;

/// The rows as CSV. Memory follows as workloads `B1-bytes-...`, with bytes in the column `ns`.
pub fn csv(rows: &[Rated]) -> String {
    let mut text = String::from("workload,subject,ns,ratio,disagreements\n");
    for Rated { row, ratio } in rows {
        let ratio = ratio.map_or(String::new(), |ratio| format!("{ratio:.4}"));
        let fields = [
            field(&row.workload),
            field(&row.subject),
            format!("{:.3}", row.ns),
            ratio,
            row.disagreements.to_string(),
        ];
        text.push_str(&fields.join(","));
        text.push('\n');
    }
    text
}

/// A field, quoted where it must be (RFC 4180).
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Row;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("embree, robust"), "\"embree, robust\"");
        assert_eq!(field("the \"best\""), "\"the \"\"best\"\"\"");
    }

    #[test]
    fn the_columns_are_those_promised() {
        let row = Row {
            workload: "T1".to_owned(),
            subject: "hitscan, batch".to_owned(),
            is_ours: true,
            ns: 12.0,
            disagreements: 2,
            ways: "2 missed".to_owned(),
            bytes: None,
        };
        let with_ratio = |ratio| Rated {
            row: row.clone(),
            ratio,
        };
        let text = csv(&[with_ratio(Some(1.5)), with_ratio(None)]);
        assert_eq!(
            text,
            "workload,subject,ns,ratio,disagreements\n\
             T1,\"hitscan, batch\",12.000,1.5000,2\n\
             T1,\"hitscan, batch\",12.000,,2\n"
        );
    }
}
