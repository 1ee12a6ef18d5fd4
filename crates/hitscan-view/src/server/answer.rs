//! HTTP answers: the page's files, refusals, and the headers that every answer has.

use super::door::Refusal;
use crate::page::PAGE;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};

/// What a browser is told with every answer. The page loads scripts, styles and pictures from here and
/// nothing from elsewhere, shows in no frame, makes no text into script, and is kept in no cache.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-embedder-policy"),
        "require-corp",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
];

/// Adds what every answer has.
pub(super) fn guarded(mut answer: Response<Body>) -> Response<Body> {
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        answer.headers_mut().insert(name, value);
    }
    answer
}

/// The file of the page at `path`, which is looked up in a fixed table: no path reaches the disk.
pub(super) fn file(path: &str) -> Response<Body> {
    let name = match path {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    // `//x` and the second name of the first page are no paths of ours.
    let is_own = path == "/" || (path == format!("/{name}") && name != "index.html");
    match PAGE.iter().find(|file| is_own && file.name == name) {
        Some(file) => with_type(StatusCode::OK, file.content_type(), file.bytes),
        None => text(StatusCode::NOT_FOUND, "no such file of the page\n"),
    }
}

/// A refusal, in words.
pub(super) fn refused(refusal: Refusal) -> Response<Body> {
    let mut answer = text(refusal.status(), refusal.reason());
    if refusal == Refusal::Method {
        let allowed = HeaderValue::from_static("GET, HEAD");
        answer.headers_mut().insert(header::ALLOW, allowed);
    }
    answer
}

/// What a client reads for whom there is no place, whatever it asks.
pub(super) fn no_place() -> String {
    const LINE: &str = "limit: SOCKETS\n";
    let headers = HEADERS
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .concat();
    format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain\r\ncontent-length: {}\r\n\
         connection: close\r\n{headers}\r\n{LINE}",
        LINE.len()
    )
}

/// A line of text.
pub(super) fn text(status: StatusCode, line: &'static str) -> Response<Body> {
    with_type(status, "text/plain; charset=utf-8", line.as_bytes())
}

fn with_type(status: StatusCode, kind: &'static str, bytes: &'static [u8]) -> Response<Body> {
    let mut answer = Response::new(Body::from(bytes));
    *answer.status_mut() = status;
    let kind = HeaderValue::from_static(kind);
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}
