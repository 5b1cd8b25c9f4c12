/** The error that a promise is expected to fail with; fails itself if it does not. */
export async function rejection(promise: PromiseLike<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error(`rejected with something that is no Error: ${String(error)}`);
  }
  throw new Error('expected a rejection, but it was fulfilled');
}
