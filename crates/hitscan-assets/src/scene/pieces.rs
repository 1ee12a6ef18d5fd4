//! Cuts the text of a scene file before each header, so that one table is parsed at a time: a tree
//! of all tables takes some two thousand bytes an object.
//!
//! Each piece must be sound TOML by itself, so whatever the cutting takes for a header, no faulty
//! text becomes a sound one.

/// The pieces of a text, each with the number of its first line, counted from 1.
pub(super) struct Pieces<'a> {
    rest: &'a str,
    line: usize,
}

/// A part of a text.
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    pub(super) first_line: usize,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            rest: text,
            line: 1,
        }
    }

    /// About how many pieces are left: lines that begin with a bracket.
    pub(super) fn estimate(&self) -> usize {
        let bytes = self.rest.as_bytes();
        let behind = bytes.iter().skip(1);
        let pairs = bytes.iter().zip(behind);
        pairs.filter(|pair| *pair == (&b'\n', &b'[')).count()
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let bytes = self.rest.as_bytes();
        let mut end = statement_end(bytes, 0);
        while end < bytes.len() && !is_header(&bytes[end..]) {
            end = statement_end(bytes, end);
        }
        let (text, rest) = self.rest.split_at(end);
        let first_line = self.line;
        self.rest = rest;
        self.line += text.bytes().filter(|&byte| byte == b'\n').count();
        Some(Piece { text, first_line })
    }
}

impl Piece<'_> {
    /// Whether it starts with the header of a table.
    pub(super) fn has_header(&self) -> bool {
        is_header(self.text.as_bytes())
    }
}

/// Whether the first thing in `line` is a bracket.
fn is_header(line: &[u8]) -> bool {
    line.iter().find(|byte| !matches!(byte, b' ' | b'\t')) == Some(&b'[')
}

/// Where the next line starts that begins a statement, after the one that starts at `at`.
fn statement_end(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'\n' if depth == 0 => return at,
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'#' => at = line_end(bytes, at),
            b'"' | b'\'' => at = string_end(bytes, at - 1),
            _ => {}
        }
    }
    at
}

/// Where the line break after `at` is.
fn line_end(bytes: &[u8], at: usize) -> usize {
    let length = bytes[at..].iter().position(|&byte| byte == b'\n');
    length.map_or(bytes.len(), |length| at + length)
}

/// Where the string that starts at `at` ends; at its line's end where it is not closed there.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    let has_escapes = quote == b'"';
    let triple = [quote; 3];
    let is_long = bytes[at..].starts_with(&triple);
    let mut at = at + if is_long { 3 } else { 1 };
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if has_escapes => at += 2,
            b'\n' if !is_long => return at,
            _ if byte == quote && !is_long => return at + 1,
            _ if is_long && bytes[at..].starts_with(&triple) => {
                // One or two quotes may precede the closing ones.
                let quotes = bytes[at..].iter().take_while(|&&byte| byte == quote);
                return at + quotes.take(5).count();
            }
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::Pieces;

    #[test]
    fn a_text_is_cut_before_its_headers() {
        let pieces = [
            "# [no]\nname = \"[a]\\\"\n[b]\"\nlist = [\n[1],\n[2]]\n",
            "[[box]] # [x]\nmin = 1\ntext = \"\"\"\n[[box]]\n\\\"\"\"\"\"\"\nb = '[\\'\n\n",
            " \t[[box]]\r\nlong = '''\n[a]\\'''\nin = { a = [\n1 ] }\n",
            "[a.b]\nx = 1",
        ];
        // The first has a line break in a plain string, which no TOML has, but must not confuse.
        let text: String = pieces.concat();
        let cut: Vec<&str> = Pieces::new(&text).map(|piece| piece.text).collect();
        assert_eq!(cut.concat(), text);
        let text = pieces[1..].concat();
        let cut: Vec<_> = Pieces::new(&text)
            .map(|piece| (piece.text, piece.first_line))
            .collect();
        assert_eq!(cut, [(pieces[1], 1), (pieces[2], 8), (pieces[3], 13)]);
        assert!(Pieces::new("").next().is_none());
    }
}
