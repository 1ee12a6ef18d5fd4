//! Paths in tokens that `syn` leaves unparsed: the input of macros, and of attributes.

use super::Reference;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::{Attribute, Meta};

/// All paths of two names and more, such as `crate::a::f` and the leaves of `$crate::{a, b::c}`.
pub(super) fn in_tokens(tokens: &TokenStream) -> Vec<Reference> {
    let mut found = Vec::new();
    scan(tokens.clone(), &[], &mut found);
    found
}

/// The paths in an attribute's list, also where a string holds one: `#[serde(with = "crate::a")]`.
pub(super) fn in_attribute(attribute: &Attribute) -> Vec<Reference> {
    let Meta::List(list) = &attribute.meta else {
        return Vec::new();
    };
    let mut found = in_tokens(&list.tokens);
    for token in list.tokens.clone() {
        let line = token.span().start().line;
        if let TokenTree::Literal(literal) = token
            && let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string())
            && let Ok(tokens) = text.value().parse()
        {
            let mut inner = in_tokens(&tokens);
            inner.iter_mut().for_each(|reference| reference.line = line);
            found.extend(inner);
        }
    }
    found
}

/// Adds the paths of `tokens`, which continue `prefix`: with one, as in the braces of a `use`, a
/// single name is a path too.
fn scan(tokens: TokenStream, prefix: &[String], found: &mut Vec<Reference>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_colons = |place: usize| is_colon(tokens.get(place)) && is_colon(tokens.get(place + 1));
    let mut place = 0;
    while let Some(token) = tokens.get(place) {
        match token {
            TokenTree::Group(group) => scan(group.stream(), &[], found),
            TokenTree::Ident(first) => {
                let line = first.span().start().line;
                let mut path = prefix.to_vec();
                path.push(first.unraw().to_string());
                let is_absolute = place >= 2 && is_colons(place - 2);
                let mut is_whole = true;
                while is_colons(place + 1) {
                    match tokens.get(place + 3) {
                        Some(TokenTree::Ident(next)) => {
                            path.push(next.unraw().to_string());
                            place += 3;
                        }
                        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                            scan(group.stream(), &path, found);
                            is_whole = false;
                            place += 3;
                        }
                        _ => break,
                    }
                }
                if path.last().is_some_and(|name| name == "self") && path.len() > 1 {
                    path.pop();
                }
                if is_whole && !is_absolute && path.len() > 1 {
                    found.push(Reference { line, path });
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
        place += 1;
    }
}

fn is_colon(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(found)) if found.as_char() == ':')
}
