//! A `hitscan` scene in a web page: every pixel is a ray of the library, every click an answer.
