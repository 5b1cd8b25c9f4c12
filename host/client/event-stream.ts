/** One message of a stream of server-sent events. */
export interface StreamMessage {
  readonly id: string | null;
  /** `null`: a comment, or a word about the stream itself. */
  readonly data: string | null;
}

/** The messages of a stream as they come; what is unfinished when it ends is none. Throws where it breaks off. */
export async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage> {
  // Not every browser can iterate over a stream.
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const messages = text.split('\n\n');
      text = messages.pop() ?? '';
      yield* messages.map(messageOf);
    }
  } finally {
    // Ends the connection of a reader that has seen enough; there is nothing to end where it broke off.
    await reader.cancel().catch(() => undefined);
  }
}

function messageOf(text: string): StreamMessage {
  const fields = text.split('\n').map((line) => line.split(/: ?(.*)/s));
  const field = (name: string) => fields.find(([own]) => own === name)?.[1] ?? null;
  return { id: field('id'), data: field('data') };
}
