import { type Clock, type Coordinator, isFinal, type Reply, type RunId, type RunStatus } from '@ductor/core';

/** What a waiting trigger is told: the reply of a checkpoint, or how the run stands without one. */
export interface CheckpointAnswer {
  readonly status: RunStatus;
  readonly reply: Reply | null;
}

interface Standing {
  readonly status: RunStatus;
  readonly replies: readonly Reply[];
}

export interface CheckpointPorts {
  readonly coordinator: Pick<Coordinator, 'feed' | 'stateOf'>;
  readonly clock: Clock;
  readonly standing: (runId: RunId) => Promise<Standing>;
}

export interface CheckpointWait {
  readonly runId: RunId;
  /** `null`: the first that has a reply. */
  readonly name: string | null;
  readonly withinMs: number;
  /** Ends the wait early, with the answer that a timeout has. */
  readonly signal: AbortSignal;
}

/** Another host may have the run at home: then only the database knows. */
const LOOK_MS = 500;

/** Waits for a checkpoint; no longer than the run, nor than `withinMs`, nor than `signal` allows. */
export async function awaitCheckpoint(
  { coordinator, clock, standing }: CheckpointPorts,
  { runId, name, withinMs, signal }: CheckpointWait,
): Promise<CheckpointAnswer> {
  const isIt = (reply: Reply) => (name === null ? reply.output !== undefined : reply.name === name);
  let isOver = signal.aborted;
  let news = new AbortController();
  const end = () => {
    isOver = true;
    news.abort();
  };
  const cancel = clock.after(withinMs, end);
  signal.addEventListener('abort', end);
  const unsubscribe = coordinator.feed.subscribe(runId, () => news.abort());
  try {
    for (;;) {
      // What happens while it looks ends the sleep at once.
      news = new AbortController();
      const now: Standing = coordinator.stateOf(runId) ?? (await standing(runId));
      const reply = now.replies.find(isIt) ?? null;
      if (reply !== null || isFinal(now.status) || isOver) return { status: now.status, reply };
      await clock.sleep(LOOK_MS, news.signal);
    }
  } finally {
    cancel();
    unsubscribe();
    signal.removeEventListener('abort', end);
  }
}
