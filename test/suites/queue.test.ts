import { SyncMatch } from '@ductor/core';
import { queueSuite } from './queue.suite.js';

queueSuite('in the process', () => new SyncMatch());
