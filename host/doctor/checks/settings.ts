import { notActedOnText } from '../../config/announce.ts';
import type { Config } from '../../config/config.ts';
import { type Check, ok, warning } from '../check.ts';

/** What the configuration says to no effect, such as a Redis that no part of this version uses. */
export const settings: Check<Config> = {
  name: 'settings',
  look: (config) =>
    config.notActedOn.length === 0
      ? ok('all have an effect')
      : warning(notActedOnText(config), 'expect nothing of them, or remove them'),
};
