import type { Moments, Observer, Tell } from '@ductor/core';

/** Those who have asked to hear what this host does. One that throws is reported, and the others hear it still. */
export class Observers {
  private readonly all: Observer[] = [];
  private readonly failed: (what: string, error: unknown) => void;

  constructor(failed: (what: string, error: unknown) => void) {
    this.failed = failed;
  }

  add(observer: Observer): void {
    this.all.push(observer);
  }

  /** The first answer is the one that counts: what follows has one parent. */
  readonly tell: Tell = (moment, ...told) => {
    let answer: string | undefined;
    for (const observer of this.all) {
      const said = this.hear(observer, moment, told);
      answer ??= said;
    }
    return answer;
  };

  private hear<M extends keyof Moments>(observer: Observer, moment: M, told: Moments[M]): string | undefined {
    try {
      const said = observer[moment]?.(...told);
      return typeof said === 'string' ? said : undefined;
    } catch (error) {
      this.failed(`observing ${moment}`, error);
      return undefined;
    }
  }
}
