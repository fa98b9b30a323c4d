/** What the page uses of d3-hierarchy. */

/** A node with its place, once a layout has been applied; before, x and y are not known. */
export interface Placed<T> {
  data: T;
  depth: number;
  x: number;
  y: number;
  parent: Placed<T> | null;
  children?: Placed<T>[];
  leaves(): Placed<T>[];
  each(act: (node: Placed<T>) => void): this;
}

export interface Layout<T> {
  (root: Placed<T>): Placed<T>;
  nodeSize(size: [number, number]): this;
  separation(apart: (a: Placed<T>, b: Placed<T>) => number): this;
}

export function hierarchy<T>(root: T, children?: (item: T) => T[] | undefined): Placed<T>;
export function tree<T>(): Layout<T>;
