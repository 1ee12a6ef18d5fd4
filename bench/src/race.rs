//! Timing: the subjects in turns, round after round, and the median of each.

use crate::agreement::{self, Tally, Way};
use crate::answer::{self, Answer};
use crate::label::Family;
use crate::report::Row;
use crate::subject::Subjects;
use std::time::Instant;

/// How many of our own disagreements are shown with their questions.
const SHOWN: usize = 5;

/// One workload and those who run it.
pub struct Race<'a, A> {
    pub workload: &'a str,
    pub subjects: Subjects<'a, A>,
    /// How many queries a pass makes, by which its time is divided.
    pub queries: usize,
    /// How far two numbers that agree may be apart.
    pub tolerance: f32,
    /// A question in words, for the disagreements that are ours.
    pub describe: &'a dyn Fn(usize) -> String,
    /// The answers that are right, where they are known beforehand.
    pub truth: Option<Vec<Option<f32>>>,
}

impl<A: Answer> Race<'_, A> {
    /// Runs every subject once a round, in turns, and holds the first round's answers together.
    pub fn run(mut self, rounds: usize) -> Vec<Row> {
        let mut times = vec![Vec::with_capacity(rounds); self.subjects.len()];
        let mut answers = Vec::with_capacity(self.subjects.len());
        for round in 0..rounds {
            for (subject, times) in self.subjects.iter_mut().zip(&mut times) {
                subject.prepare();
                let start = Instant::now();
                subject.pass();
                times.push(start.elapsed().as_nanos() as f64 / self.queries as f64);
                if round == 0 {
                    answers.push((subject.label().family, subject.answers()));
                }
            }
        }
        let tallies = self.compare(&answers);
        let digests = answers.iter().map(|(_, own)| answer::digest(own));
        let rows = self.subjects.iter().zip(times).zip(tallies).zip(digests);
        rows.map(|(((subject, times), tally), digest)| {
            let label = subject.label().clone();
            Row {
                workload: self.workload.to_owned(),
                subject: label.name,
                library: label.library,
                call: label.call,
                is_ours: label.family == Family::Hitscan,
                ns: median(times),
                disagreements: tally.disagreements(),
                ways: tally.to_string(),
                bytes: subject.bytes(),
                digest,
            }
        })
        .collect()
    }

    fn compare(&self, answers: &[(Family, Vec<A>)]) -> Vec<Tally> {
        let reference = match &self.truth {
            Some(truth) => truth.clone(),
            None => agreement::reference(answers),
        };
        let triangles = answers
            .iter()
            .find(|(family, _)| *family == Family::Hitscan)
            .map(|(_, answers)| answers.as_slice());
        if let Some(ours) = triangles {
            self.show_ours(&reference, ours, answers);
        }
        let tally = |(family, own): &(Family, Vec<A>)| match family {
            Family::Usual => Tally::default(),
            _ => agreement::tally(&reference, own, triangles, self.tolerance),
        };
        answers.iter().map(tally).collect()
    }

    /// Prints the questions where we differ, with everybody's answer.
    fn show_ours(&self, reference: &[Option<f32>], ours: &[A], answers: &[(Family, Vec<A>)]) {
        let differs = |question: &usize| {
            let number = ours[*question].number();
            agreement::way(reference[*question], number, self.tolerance) != Way::Same
        };
        for question in (0..ours.len()).filter(differs).take(SHOWN) {
            let described = (self.describe)(question);
            eprintln!("{}: hitscan differs at {described}", self.workload);
            for (subject, (_, answers)) in self.subjects.iter().zip(answers) {
                let answer = answers[question];
                let (number, triangle) = (answer.number(), answer.primitive());
                eprintln!("    {:40} {number:?} {triangle:?}", subject.label().name);
            }
        }
    }
}

/// The middle of the times, or the mean of the two in the middle.
pub fn median(mut times: Vec<f64>) -> f64 {
    assert!(!times.is_empty(), "a race has at least one round");
    times.sort_unstable_by(f64::total_cmp);
    let middle = times.len() / 2;
    if times.len() % 2 == 1 {
        times[middle]
    } else {
        0.5 * (times[middle - 1] + times[middle])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Label;
    use crate::subject::{Subject, each};
    use std::cell::RefCell;

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(vec![9.0, 1.0, 5.0]), 5.0);
        assert_eq!(median(vec![4.0, 1.0, 9.0, 2.0]), 3.0);
        assert_eq!(median(vec![7.0]), 7.0);
    }

    struct Turn<'a>(Label, &'a RefCell<Vec<char>>, char);

    impl Subject<bool> for Turn<'_> {
        fn label(&self) -> &Label {
            &self.0
        }
        fn pass(&mut self) {
            self.1.borrow_mut().push(self.2);
        }
        fn answers(&mut self) -> Vec<bool> {
            vec![true]
        }
    }

    #[test]
    fn subjects_take_turns() {
        let turns = RefCell::new(Vec::new());
        let turn = |family, name| Box::new(Turn(Label::new(family, ""), &turns, name));
        let race = Race {
            workload: "test",
            subjects: vec![turn(Family::Hitscan, 'a'), turn(Family::Parry, 'b')],
            queries: 1,
            tolerance: 0.0,
            describe: &|_| String::new(),
            truth: None,
        };
        assert_eq!(race.run(3).len(), 2);
        assert_eq!(*turns.borrow(), ['a', 'b', 'a', 'b', 'a', 'b']);
    }

    #[test]
    fn a_wrong_answer_is_charged_to_who_gave_it() {
        let odd = |input: &u32| input % 2 == 1;
        let subject = |family, name: &str| each(Label::new(family, name), vec![1, 2, 3], None, odd);
        let lazy = each(
            Label::new(Family::Parry, "lazy"),
            vec![1, 2, 3],
            None,
            |_| false,
        );
        let race = Race {
            workload: "test",
            subjects: vec![
                subject(Family::Hitscan, "hitscan"),
                lazy,
                subject(Family::Bvh, "bvh"),
            ],
            queries: 3,
            tolerance: 0.0,
            describe: &|_| String::new(),
            truth: None,
        };
        let rows = race.run(1);
        let counts: Vec<usize> = rows.iter().map(|row| row.disagreements).collect();
        assert_eq!(counts, [0, 2, 0]);
        assert_eq!(rows[1].ways, "2 missed");
    }
}
