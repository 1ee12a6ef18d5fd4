// Numbers that look like chance, the same in each run.

/**
 * A generator of numbers from 0 up to 1 (Marsaglia, "Xorshift RNGs", 2003).
 * @param {number} seed a whole number, not zero
 */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
