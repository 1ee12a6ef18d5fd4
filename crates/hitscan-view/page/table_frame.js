/**
 * Rows in metres of the scene, and as tables have them: where a scene has map coordinates, the x, y and
 * z of its tables are measured from another place. Pure.
 */

import { add, sub } from "./vector.js";

/** The axis of a column that holds a position: x, oy, min_z, target_y, pivot_x, z1, height. @param {string} column */
function axisOf(column) {
  const axis = column === "height" ? "y" : /^(?:[opcab]|min_|max_|target_|pivot_)?([xyz])[01]?$/.exec(column)?.[1];
  return axis === undefined ? -1 : "xyz".indexOf(axis);
}

/** @param {Row} row @param {(value: number, axis: number) => number} map @returns {Row} */
function mapped(row, map) {
  const fields = Object.entries(row).map(([column, value]) => {
    const axis = axisOf(column);
    return [column, axis >= 0 && typeof value === "number" ? map(value, axis) : value];
  });
  return Object.fromEntries(fields);
}

/** A row of a table, its positions in metres of the scene. @param {Row} row @param {Point} [origin] of the tables @returns {Row} */
export function inScene(row, origin) {
  return origin ? mapped(row, (value, axis) => value - (origin[axis] ?? 0)) : row;
}

/** A row in metres of the scene as a table has it. @param {Row} row @param {Point} [origin] of the tables @returns {Row} */
export function inTables(row, origin) {
  return origin ? mapped(row, (value, axis) => value + (origin[axis] ?? 0)) : row;
}

/** A point of a table in metres of the scene. @param {Point} point @param {Point} [origin] of the tables */
export const pointInScene = (point, origin) => (origin ? sub(point, origin) : point);

/** A point in metres of the scene as tables have it. @param {Point} point @param {Point} [origin] of the tables */
export const pointInTables = (point, origin) => (origin ? add(point, origin) : point);
