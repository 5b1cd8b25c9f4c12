/** Of a family: what callers write in URLs. Nothing is ever normalised into one. */
export const SLUG_PATTERN = /^[a-z0-9][a-z0-9-]{0,62}$/;
/** Of a step: what expressions and edges write. */
export const STEP_REF_PATTERN = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;

export const SLUG_RULE = 'A slug is 1 to 63 of the characters a-z, 0-9 and -, and does not begin with -.';
export const STEP_REF_RULE = 'A ref is 1 to 63 letters (A-Z, a-z), digits, _ and -, and begins with a letter.';

export const isSlug = (text: string): boolean => SLUG_PATTERN.test(text);
export const isStepRef = (text: string): boolean => STEP_REF_PATTERN.test(text);
