/** The code of a system's or PostgreSQL's error, such as `ENOENT` or `57P03`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export const errorText = (error: unknown): string => (error instanceof Error ? error.message.trim() : String(error));
