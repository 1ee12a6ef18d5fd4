// The overlay's colours as eyes without one kind of cone see them: Machado, Oliveira, Fernandes, "A
// Physiologically-based Model for Simulation of Color Vision Deficiency", 2009, severity 1, on linear sRGB.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { COLORS } from "../../page/roles.js";

/** @typedef {number[]} Triple */

/** @type {Record<string, Triple[]>} */
const EYES = {
  trichromat: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
/** Linear sRGB to XYZ, D65 (IEC 61966-2-1). */
const XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];
const WHITE = [0.9505, 1, 1.089];

/** @param {Triple[]} matrix @param {Triple} vector */
const times = (matrix, vector) => matrix.map((row) => row.reduce((sum, value, at) => sum + value * vector[at], 0));

/** @param {string} hex @returns {Triple} */
function linear(hex) {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

/** @param {Triple} rgb linear */
function lab(rgb) {
  const [x, y, z] = times(XYZ, rgb.map((one) => Math.max(0, Math.min(1, one)))).map((value, at) => {
    const share = value / WHITE[at];
    return share > 216 / 24389 ? Math.cbrt(share) : (share * (24389 / 27) + 16) / 116;
  });
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

for (const [eye, matrix] of Object.entries(EYES)) {
  test(`every two of the overlay's colours are 15 apart to a ${eye}`, () => {
    const seen = Object.entries(COLORS).map(([name, hex]) => ({ name, at: lab(times(matrix, linear(hex))) }));
    for (const [one, first] of seen.entries()) {
      for (const second of seen.slice(one + 1)) {
        const distance = Math.hypot(...first.at.map((value, axis) => value - second.at[axis]));
        assert.ok(distance >= 15, `${first.name} and ${second.name}: ${distance.toFixed(1)}`);
      }
    }
  });
}

test("text and controls stand out from every surface, light and dark", () => {
  const css = readFileSync(new URL("../../page/tokens.css", import.meta.url), "utf8");
  /** @param {string} name @param {number} look 0 light, 1 dark */
  const token = (name, look) => {
    const found = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css);
    assert.ok(found, name);
    return times(XYZ, linear(found[look + 1]))[1];
  };
  for (const look of [0, 1]) {
    for (const surface of ["ground", "panel", "raised", "sunken", "hover"]) {
      for (const [ink, least] of /** @type {[string, number][]} */ ([["text", 7], ["muted", 4.5], ["accent", 4.5], ["bad", 4.5], ["edge", 3]])) {
        const [a, b] = [token(ink, look), token(surface, look)].sort((x, y) => y - x);
        const contrast = (a + 0.05) / (b + 0.05);
        assert.ok(contrast >= least, `${ink} on ${surface}, ${look ? "dark" : "light"}: ${contrast.toFixed(2)}`);
      }
    }
    const [on, accent] = [token("on-accent", look), token("accent", look)].sort((x, y) => y - x);
    assert.ok((on + 0.05) / (accent + 0.05) >= 4.5);
  }
});
