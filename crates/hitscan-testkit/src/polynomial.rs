//! Polynomials with rational coefficients: their real roots, isolated by Sturm sequences, and signs at
//! these.
//!
//! Source: Sturm, "Mémoire sur la résolution des équations numériques", 1829. Written for any degree and
//! without approximations: slow, plain and exact.

use crate::{Exact, exact};
use core::cmp::Ordering;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Coefficients, the constant first; the last is not zero.
#[derive(Debug, Clone, PartialEq)]
pub struct Polynomial(Vec<Exact>);

impl Polynomial {
    /// The polynomial with these coefficients, the constant first.
    #[must_use]
    pub fn new(coefficients: impl Into<Vec<Exact>>) -> Self {
        let mut coefficients = coefficients.into();
        while coefficients.last().is_some_and(Zero::is_zero) {
            coefficients.pop();
        }
        Self(coefficients)
    }

    /// Whether it is 0 everywhere.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Its value.
    #[must_use]
    pub fn at(&self, t: &Exact) -> Exact {
        let zero = Exact::zero();
        self.0.iter().rev().fold(zero, |sum, c| sum * t + c)
    }

    /// Its derivative.
    #[must_use]
    pub fn derivative(&self) -> Self {
        let terms = self.0.iter().enumerate().skip(1);
        let power = |n: usize| exact(n as f64);
        Self::new(terms.map(|(n, c)| c * power(n)).collect::<Vec<_>>())
    }

    /// The sum of two.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let term = |p: &Self, n: usize| p.0.get(n).cloned().unwrap_or_else(Exact::zero);
        let count = self.0.len().max(other.0.len());
        Self::new(
            (0..count)
                .map(|n| term(self, n) + term(other, n))
                .collect::<Vec<_>>(),
        )
    }

    /// The product with a number.
    #[must_use]
    pub fn scaled(&self, by: &Exact) -> Self {
        Self::new(self.0.iter().map(|c| c * by).collect::<Vec<_>>())
    }

    /// The product of two.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let mut product = vec![Exact::zero(); self.0.len() + other.0.len()];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Self::new(product)
    }

    /// The quotient and the remainder of a division.
    fn divided(&self, by: &Self) -> (Self, Self) {
        let mut rest = self.0.clone();
        let lead = by.0.last().expect("divisors are not zero");
        let mut quotient = vec![Exact::zero(); self.0.len()];
        while rest.len() >= by.0.len() {
            let shift = rest.len() - by.0.len();
            let factor = rest.last().expect("it is not empty") / lead;
            for (n, c) in by.0.iter().enumerate() {
                rest[shift + n] -= c * &factor;
            }
            quotient[shift] = factor;
            rest.pop();
        }
        (Self::new(quotient), Self::new(rest))
    }

    fn gcd(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.clone(), other.clone());
        while !b.is_zero() {
            let (_, rest) = a.divided(&b);
            (a, b) = (b, rest);
        }
        a
    }

    /// The roots in a closed interval, in ascending order, each once. Of a polynomial that is 0
    /// everywhere there are none.
    #[must_use]
    pub fn roots(&self, low: &Exact, high: &Exact) -> Vec<Root> {
        let lead = match self.0.as_slice() {
            [_, .., lead] if low <= high => lead.abs(),
            _ => return Vec::new(),
        };
        let (simple, _) = self.divided(&self.gcd(&self.derivative()));
        let chain = sturm_chain(&simple);
        // All roots lie within Cauchy's bound.
        let most = self.0.iter().map(Signed::abs).fold(Exact::zero(), Ord::max);
        let bound = Exact::one() + most / lead;
        let low = low.clone().max(-bound.clone());
        let high = high.clone().min(bound);
        let mut roots = Vec::new();
        if low > high {
            return roots;
        }
        if simple.at(&low).is_zero() {
            roots.push(Root {
                simple: simple.clone(),
                low: low.clone(),
                high: low.clone(),
            });
        }
        isolate(&simple, &chain, (low, high), &mut roots);
        roots
    }
}

/// The Sturm chain of a polynomial without multiple roots.
fn sturm_chain(simple: &Polynomial) -> Vec<Polynomial> {
    let mut chain = vec![simple.clone(), simple.derivative()];
    while let [.., a, b] = chain.as_slice()
        && !b.is_zero()
    {
        let (_, rest) = a.divided(b);
        chain.push(rest.scaled(&-Exact::one()));
    }
    chain.pop();
    chain
}

fn sign_changes(chain: &[Polynomial], t: &Exact) -> usize {
    let values: Vec<Exact> = chain.iter().map(|p| p.at(t)).collect();
    let signs: Vec<bool> = values
        .iter()
        .filter(|value| !value.is_zero())
        .map(Signed::is_positive)
        .collect();
    signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// Isolates the roots in (low, high].
fn isolate(
    simple: &Polynomial,
    chain: &[Polynomial],
    (low, high): (Exact, Exact),
    roots: &mut Vec<Root>,
) {
    match sign_changes(chain, &low) - sign_changes(chain, &high) {
        0 => {}
        1 => roots.push(Root {
            simple: simple.clone(),
            low,
            high,
        }),
        _ => {
            let middle = (&low + &high) / exact(2.0);
            isolate(simple, chain, (low, middle.clone()), roots);
            isolate(simple, chain, (middle, high), roots);
        }
    }
}

/// A root, alone in (low, high], or `low` where both are equal.
#[derive(Debug, Clone)]
pub struct Root {
    /// The polynomial without its multiple roots.
    simple: Polynomial,
    low: Exact,
    high: Exact,
}

impl Root {
    /// A rational number as a root.
    #[must_use]
    pub fn rational(t: &Exact) -> Self {
        Self {
            simple: Polynomial::new([-t.clone(), Exact::one()]),
            low: t.clone(),
            high: t.clone(),
        }
    }

    /// Halves the interval.
    fn refine(&mut self) {
        if self.low == self.high {
            return;
        }
        if self.simple.at(&self.high).is_zero() {
            self.low = self.high.clone();
            return;
        }
        let middle = (&self.low + &self.high) / exact(2.0);
        let at_middle = self.simple.at(&middle);
        if at_middle.is_zero() {
            self.low = middle.clone();
            self.high = middle;
        } else if at_middle.is_positive() == self.simple.at(&self.high).is_positive() {
            self.high = middle;
        } else {
            self.low = middle;
        }
    }

    /// How the root compares with a number.
    #[must_use]
    pub fn compare(&self, t: &Exact) -> Ordering {
        let mut root = self.clone();
        let is_in = |root: &Self| root.low < *t && *t <= root.high || root.low == *t;
        if is_in(&root) && self.simple.at(t).is_zero() && (root.low < *t || root.low == root.high) {
            return Ordering::Equal;
        }
        while is_in(&root) {
            if root.low == root.high {
                return Ordering::Equal;
            }
            // The lower end itself is not in the interval.
            if root.low == *t {
                return Ordering::Greater;
            }
            root.refine();
        }
        if root.high < *t {
            Ordering::Less
        } else {
            Ordering::Greater
        }
    }

    /// How two roots compare.
    #[must_use]
    pub fn compare_root(&self, other: &Self) -> Ordering {
        if self.sign_of(&other.simple).is_eq() {
            // It is one of the other's roots: is it this one?
            let is_there = |root: &Self| {
                self.compare(&root.low).is_gt() && self.compare(&root.high).is_le()
                    || root.low == root.high && self.compare(&root.low).is_eq()
            };
            if is_there(other) {
                return Ordering::Equal;
            }
            return self.compare(&other.low).then(Ordering::Less);
        }
        let (mut one, mut two) = (self.clone(), other.clone());
        loop {
            if one.high < two.low || one.high == two.low && two.low < two.high {
                return Ordering::Less;
            }
            if two.high < one.low || two.high == one.low && one.low < one.high {
                return Ordering::Greater;
            }
            one.refine();
            two.refine();
        }
    }

    /// A number between this root and a greater one.
    ///
    /// # Panics
    /// When the other is not greater.
    #[must_use]
    pub fn before(&self, other: &Self) -> Exact {
        assert!(
            self.compare_root(other).is_lt(),
            "the other root is greater"
        );
        let (mut one, mut two) = (self.clone(), other.clone());
        while one.high >= two.low {
            one.refine();
            two.refine();
        }
        (&one.high + &two.low) / exact(2.0)
    }

    /// The sign of another polynomial at the root.
    #[must_use]
    pub fn sign_of(&self, other: &Polynomial) -> Ordering {
        let zero = Exact::zero();
        if other.is_zero() {
            return Ordering::Equal;
        }
        let common = self.simple.gcd(other);
        let mut root = self.clone();
        if !common
            .roots(&root.low, &root.high)
            .iter()
            .all(|shared| shared.is_apart(&root))
        {
            return Ordering::Equal;
        }
        loop {
            if root.low == root.high {
                return other.at(&root.low).cmp(&zero);
            }
            if other.roots(&root.low, &root.high).is_empty() {
                return other.at(&root.high).cmp(&zero);
            }
            root.refine();
        }
    }

    /// Whether a root of a divisor of the other's polynomial is another one: the other's interval has
    /// one root in it, and its open end may be one more.
    fn is_apart(&self, other: &Self) -> bool {
        other.low < other.high && self.compare(&other.low) == Ordering::Equal
    }

    /// The f32 nearest to the root, ties to even.
    ///
    /// # Panics
    /// Where it is beyond the range of f32.
    #[must_use]
    pub fn nearest_f32(&self) -> f32 {
        let mut root = self.clone();
        // To about an ulp, and then by comparing with what lies half way between two f32.
        for _ in 0..2_000 {
            let [low, high] = [&root.low, &root.high].map(|end| end.to_f32().expect("in range"));
            if low.to_bits().abs_diff(high.to_bits()) <= 1 {
                break;
            }
            root.refine();
        }
        let near = root.high.to_f32().expect("in range");
        let between = |a: f32, b: f32| (exact(f64::from(a)) + exact(f64::from(b))) / exact(2.0);
        let candidates = [
            near.next_down().next_down(),
            near.next_down(),
            near,
            near.next_up(),
        ];
        for [a, b] in [[0, 1], [1, 2], [2, 3]].map(|pair| pair.map(|n| candidates[n])) {
            match self.compare(&between(a, b)) {
                Ordering::Less => return a + 0.0,
                Ordering::Equal if a.to_bits().is_multiple_of(2) => return a + 0.0,
                _ => {}
            }
        }
        near.next_up() + 0.0
    }
}
