/**
 * Trees as nested lists: their values, and their children in another order.
 *
 * @typedef {number | Array<any>} Nested a leaf's value, or the children
 */

/** The minimax value. @param {any} tree @param {boolean} [maximizing] @returns {number} */
export function valueOf(tree, maximizing = true) {
  if (!Array.isArray(tree)) return tree;
  const values = tree.map((child) => valueOf(child, !maximizing));
  return maximizing ? Math.max(...values) : Math.min(...values);
}

/** @param {any} tree @param {string} order "as", "best", "worst" or "back"
 * @param {boolean} [maximizing] @returns {any} */
export function reordered(tree, order, maximizing = true) {
  if (!Array.isArray(tree) || order === "as") return tree;
  const children = tree.map((child) => reordered(child, order, !maximizing));
  if (order === "back") return children.reverse();
  const sign = (order === "best") === maximizing ? -1 : 1;
  const valued = children.map((child) => ({ child, value: valueOf(child, !maximizing) }));
  return valued.sort((a, b) => sign * (a.value - b.value)).map((each) => each.child);
}

/** The tree as `laidOut` takes it, each node by its Dewey coordinates. @param {any} tree
 * @param {string} [place] @returns {any} */
export function drawn(tree, place = "") {
  const children = Array.isArray(tree)
    ? tree.map((child, at) => drawn(child, place ? `${place}.${at + 1}` : String(at + 1))) : [];
  return { id: place, name: place.split(".").at(-1), children };
}

/** The tree that a text of JSON describes: nested lists, or objects with `children` and `value`.
 * Raises SyntaxError for what is none. @param {string} text @returns {any} */
export function readTree(text) {
  /** @param {any} item @returns {any} */
  const read = (item) => {
    if (Array.isArray(item)) return item.map(read);
    if (item && typeof item === "object") {
      if (Array.isArray(item.children) && item.children.length) return item.children.map(read);
      if ("tree" in item || "value" in item) return read(item.tree ?? item.value);
    }
    if (Number.isInteger(item)) return item;
    throw new SyntaxError(String(JSON.stringify(item)).slice(0, 40));
  };
  const tree = read(JSON.parse(text));
  if (!Array.isArray(tree)) throw new SyntaxError(String(tree));
  return tree;
}

/** A tree as a text. @param {any} tree */
export const written = (tree) => JSON.stringify(tree).replaceAll(",", ", ");

/** The leaves by their Dewey coordinates, from left to right. @param {any} tree
 * @param {string} [place] @returns {[string, number][]} */
export function leavesOf(tree, place = "") {
  if (!Array.isArray(tree)) return [[place, tree]];
  return tree.flatMap((child, at) => leavesOf(child, place ? `${place}.${at + 1}` : String(at + 1)));
}
