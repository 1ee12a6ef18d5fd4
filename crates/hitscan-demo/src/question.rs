//! A query with a label.

/// A query and what it is about.
#[derive(Debug, Clone)]
pub struct Question<T> {
    /// A few words, without commas.
    pub label: &'static str,
    /// The query itself.
    pub query: T,
}

pub(crate) fn labelled<T>(questions: Vec<(&'static str, T)>) -> Vec<Question<T>> {
    questions
        .into_iter()
        .map(|(label, query)| Question { label, query })
        .collect()
}
