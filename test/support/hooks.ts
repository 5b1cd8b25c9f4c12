import { stopTestServer } from './database.ts';

/** Loaded by mocha's `require`: what tests share ends with the last of them. */
export const mochaGlobalTeardown = stopTestServer;
