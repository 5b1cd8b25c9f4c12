const LONE_SURROGATES = /\p{Surrogate}/gu;

/** The text with U+FFFD for what the database cannot hold: U+0000 and lone surrogates. */
export const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').replace(LONE_SURROGATES, '\uFFFD');
