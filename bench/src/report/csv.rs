//! The table as CSV: exactly the columns `workload,subject,ns,ratio,disagreements`.

use super::Rated;

/// The rows as CSV. Memory follows as workloads `B1-bytes-...`, with bytes in the column `ns`.
pub fn csv(rows: &[Rated]) -> String {
    let mut text = String::from("workload,subject,ns,ratio,disagreements\n");
    for rated in rows {
        let row = &rated.row;
        let ratio = rated
            .ratio
            .map_or(String::new(), |ratio| format!("{ratio:.4}"));
        let fields = [
            field(&row.workload),
            field(&rated.subject()),
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
    use crate::label::Call;
    use crate::report::row::tests::row;
    use crate::report::{Build, Row, rate};

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("Embree, robust"), "\"Embree, robust\"");
        assert_eq!(field("the \"best\""), "\"the \"\"best\"\"\"");
    }

    #[test]
    fn the_columns_are_those_promised() {
        let ours = Row {
            subject: "hitscan, batch".to_owned(),
            disagreements: 2,
            ..row("T1", true, Call::One, 12.0)
        };
        let peer = row("T1", false, Call::One, 18.0);
        let alone = rate(vec![ours.clone()], Build::Plain);
        let both = rate(vec![ours, peer], Build::Tuned);
        assert_eq!(
            csv(&[alone, both].concat()),
            "workload,subject,ns,ratio,disagreements\n\
             T1,\"hitscan, batch\",12.000,,2\n\
             T1,\"hitscan, batch (tuned)\",12.000,1.5000,2\n\
             T1,subject (tuned),18.000,1.0000,0\n"
        );
    }
}
