export type Node = any;
export function h(type: any, props: any, ...children: any[]): Node;
export function html(strings: TemplateStringsArray, ...values: any[]): Node;
export function render(node: Node, parent: Element): void;
export function createContext<T>(value: T): any;
export function useState<T>(initial: T | (() => T)): [T, (next: T | ((old: T) => T)) => void];
export function useReducer(reducer: any, initial: any): [any, any];
export function useEffect(effect: () => void | (() => void), inputs?: any[]): void;
export function useLayoutEffect(effect: () => void | (() => void), inputs?: any[]): void;
export function useRef<T>(initial: T): { current: T };
export function useMemo<T>(make: () => T, inputs: any[]): T;
export function useCallback<T>(callback: T, inputs: any[]): T;
export function useContext(context: any): any;
export function useErrorBoundary(callback?: (error: any) => void): [any, () => void];
export class Component { constructor(props?: any); setState(next: any): void; }
