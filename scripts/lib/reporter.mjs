import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import { openHandles } from './open-handles.mjs';

const { EVENT_RUN_END } = Mocha.Runner.constants;

/** Time that the process has to end by itself once the last test and the global teardown are done. */
const exitWithinMs = 5_000;
/** Time that the global teardown has. */
const teardownWithinMs = 60_000;

/**
 * The `spec` reporter, with two additions: the counts go to the file `DUCTOR_TEST_SUMMARY` names, and
 * a process that something still holds open after the last test is ended as failed, with what holds it.
 */
export default class Reporter extends Mocha.reporters.Spec {
  #watch;

  constructor(runner, options) {
    super(runner, options);
    runner.once(EVENT_RUN_END, () => {
      this.#failUnlessOver('the global teardown did not end', teardownWithinMs);
    });
  }

  /** Called by mocha after the global teardown; a run that never gets here has no summary, and so failed. */
  done(failures, callback) {
    this.#writeSummary(failures);
    this.#failUnlessOver('the process did not end by itself after the last test', exitWithinMs);
    callback(failures);
  }

  /** `failed` counts the global fixtures as well, which the statistics do not. */
  #writeSummary(failed) {
    const { passes, pending } = this.stats;
    const file = process.env.DUCTOR_TEST_SUMMARY;
    if (file !== undefined) writeFileSync(file, JSON.stringify({ passed: passes, failed, skipped: pending }));
  }

  /** The timer holds nothing open itself, so it only fires in a process that something else does. */
  #failUnlessOver(problem, withinMs) {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      console.log(`✖ ${problem} within ${withinMs / 1_000} s; open handles: ${openHandles()}`);
      // Mocha sets the exit code in a listener of its own, which this one comes after.
      process.once('exit', () => {
        process.exitCode = 1;
      });
      process.exit();
    }, withinMs);
    this.#watch.unref();
  }
}
