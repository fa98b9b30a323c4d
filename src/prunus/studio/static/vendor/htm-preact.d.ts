/** What the page uses of htm with Preact. */

/** Something drawn. */
export type Drawn = { type: unknown; props: Record<string, unknown>; key: unknown };

export function html(parts: TemplateStringsArray, ...values: unknown[]): Drawn;
/** Draw into an element; null takes away what was drawn there. */
export function render(what: Drawn | null, into: Element | DocumentFragment): void;

export function useState<T>(first: T | (() => T)): [T, (next: T | ((old: T) => T)) => void];
export function useEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useLayoutEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useMemo<T>(make: () => T, inputs: readonly unknown[]): T;
export function useCallback<T extends (...given: never[]) => unknown>(call: T, inputs: readonly unknown[]): T;
export function useRef<T>(first: T): { current: T };
export function createContext<T>(first: T): unknown;
export function useContext<T>(context: unknown): T;
