// Who was submitted and what was executed, in memory: each execution is counted by its key.

import { now } from './times.mjs';

export class Ledger {
  #executed = new Map();
  #called = new Map();
  #executions = 0;
  #submitted = 0;
  #starts = null;
  #waiting = null;

  get submitted() {
    return this.#submitted;
  }

  /** From here on, starts are measured from the moment told by `calling`; null: not any more. */
  watch(spans) {
    this.#starts = spans;
    this.#called.clear();
  }

  /** A job is about to be submitted, or was due at that moment. */
  calling(key, moment) {
    if (this.#starts !== null) {
      this.#called.set(key, moment);
    }
  }

  accepted(jobs) {
    this.#submitted += jobs;
  }

  /** The first line of every handler. */
  executing(key, moment = now()) {
    if (typeof key !== 'string') {
      throw new Error('a job without a key was executed');
    }
    this.#executions++;
    const before = this.#executed.get(key) ?? 0;
    this.#executed.set(key, before + 1);
    const from = this.#called.get(key);
    if (from !== undefined && before === 0) {
      this.#starts.add(moment - from);
    }
    if (this.#waiting !== null && this.#executed.size >= this.#submitted) {
      this.#waiting();
    }
  }

  /** Ends when as many different jobs were executed as submitted. */
  async allExecuted(millisMax) {
    if (this.#executed.size >= this.#submitted) {
      return;
    }
    let timer;
    try {
      await new Promise((resolve, reject) => {
        this.#waiting = resolve;
        timer = setTimeout(
          () => reject(new Error(
            `${this.#executed.size} of ${this.#submitted} jobs were executed in ${millisMax} ms`)),
          millisMax);
      });
    } finally {
      this.#waiting = null;
      clearTimeout(timer);
    }
  }

  /** The counts since the last time; they begin anew. */
  settle() {
    const counts = {
      submitted: this.#submitted,
      executions: this.#executions,
      jobs_executed: this.#executed.size,
    };
    this.#executed.clear();
    this.#called.clear();
    this.#executions = 0;
    this.#submitted = 0;
    return counts;
  }
}
