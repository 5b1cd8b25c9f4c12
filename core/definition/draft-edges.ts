import type { Edge } from './graph.ts';

/** What an edge is known by. */
export type EdgeKey = Pick<Edge, 'from' | 'to' | 'type' | 'case'>;

/** The same text for the same identity, and for no other. */
export const edgeKey = (edge: EdgeKey): string => JSON.stringify([edge.from, edge.to, edge.type, edge.case ?? null]);

/** `a → b (CASE 'high')` */
export const edgeTitle = (edge: EdgeKey): string =>
  `${edge.from} → ${edge.to} (${edge.type}${edge.case === undefined ? '' : ` '${edge.case}'`})`;
