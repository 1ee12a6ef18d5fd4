//! HTTP answers: the page's files, refusals, and the headers that every answer has.

use super::door::Refusal;
use crate::first_file::{FirstFile, first_file};
use crate::page::PAGE;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};

/// The headers of every answer. The page loads scripts, styles and pictures from here and
/// nothing from elsewhere, shows in no frame, makes no text into script, and is kept in no cache, but for
/// files with a name of their content.
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

/// Of a file whose name goes with its content: it never changes.
const FOR_GOOD: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// Adds what every answer has.
pub(super) fn guarded(mut answer: Response<Body>) -> Response<Body> {
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        answer.headers_mut().entry(name).or_insert(value);
    }
    answer
}

/// The file of the page at `path`, which is looked up in a fixed table: no path reaches the disk. It is
/// sent as gzip where the request's headers take that.
pub(super) fn file(path: &str, headers: &HeaderMap) -> Response<Body> {
    let FirstFile {
        folder,
        bytes,
        gzip,
    } = first_file();
    let kept = path.strip_prefix(folder.as_str());
    let name = kept.or_else(|| path.strip_prefix('/')).unwrap_or_default();
    let file = PAGE.iter().find(|file| file.name == name);
    match file.filter(|_| name != "index.html") {
        _ if path == "/" => page_file("text/html; charset=utf-8", bytes, Some(gzip), headers),
        Some(file) => {
            let kind = file.content_type();
            let mut answer = page_file(kind, file.bytes, file.gzip(), headers);
            if kept.is_some() {
                answer.headers_mut().insert(header::CACHE_CONTROL, FOR_GOOD);
            }
            answer
        }
        None => text(StatusCode::NOT_FOUND, "no such file of the page\n"),
    }
}

/// A file, as gzip where there is that and the request's headers take it.
fn page_file(
    kind: &'static str,
    bytes: &'static [u8],
    gzip: Option<&'static [u8]>,
    headers: &HeaderMap,
) -> Response<Body> {
    let gzip = gzip.filter(|_| takes_gzip(headers));
    let mut answer = with_type(StatusCode::OK, kind, gzip.unwrap_or(bytes));
    let headers = answer.headers_mut();
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if gzip.is_some() {
        let encoding = HeaderValue::from_static("gzip");
        headers.insert(header::CONTENT_ENCODING, encoding);
    }
    answer
}

/// Whether a request names gzip among what it takes, and not as what it refuses.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let all = headers.get_all(header::ACCEPT_ENCODING).into_iter();
    let mut each = all
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    each.any(|one| {
        let mut words = one.split(';').map(str::trim);
        let is_gzip = words.next() == Some("gzip");
        let weight = words.find_map(|word| word.strip_prefix("q="));
        is_gzip && weight.is_none_or(|weight| weight.parse::<f32>().is_ok_and(|q| q > 0.0))
    })
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

/// What a client reads for whom there is no place, whatever it requests.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        let takes = |value: &'static str| {
            let value = HeaderValue::from_static(value);
            takes_gzip(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, value)]))
        };
        assert!(takes("gzip") && takes("br, gzip;q=0.5") && !takes("br") && !takes("gzip;q=0"));
        assert!(!takes_gzip(&HeaderMap::new()));
        let headers = HeaderValue::from_static("gzip, deflate, br");
        let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, headers)]);
        let answer = file("/", &headers);
        assert_eq!(answer.headers()[header::CONTENT_ENCODING], "gzip");
        assert!(
            !file("/", &HeaderMap::new())
                .headers()
                .contains_key(header::CONTENT_ENCODING)
        );
    }
}
