import type { JsonObject } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import type { Logger } from 'pino';
import { answer, jsonObject } from './answer.schemas.ts';

export type Health = 'ok' | 'degraded' | 'failed';

/** One thing that a host needs, looked at anew for each question. One that throws has failed. */
export interface HealthCheck {
  /** `database`, `queue`, `pools`, `plugins`. */
  readonly name: string;
  check(signal: AbortSignal): Promise<{ readonly status: Health; readonly details?: JsonObject }>;
}

const ANSWER_WITHIN_MS = 2_000;

const tags = ['Health'];
const health = Joi.string().valid('ok', 'degraded', 'failed');
const healthAnswer = answer({ status: Joi.string().valid('ok') }).id('Health');
const readinessAnswer = answer({
  status: health,
  checks: Joi.object()
    .pattern(Joi.string(), answer({ status: health }, { details: jsonObject }))
    .description('By name'),
}).id('Readiness');

const READY = {
  status: 'ok',
  checks: {
    database: { status: 'ok' },
    queue: { status: 'ok', details: { kind: 'in-process', hosts: 1 } },
    pools: { status: 'ok', details: { pools: 1 } },
    plugins: { status: 'ok', details: { 'correlation-labels': '0.1.0' } },
  },
};

/** Open without a key: `/healthz` says that the process answers, `/readyz` that it can do its work. */
export const healthRoutes = ({
  checks,
  log,
}: {
  readonly checks: readonly HealthCheck[];
  readonly log: Logger;
}): readonly ServerRoute[] => [
  {
    method: 'GET',
    path: '/healthz',
    options: {
      id: 'getHealth',
      description: 'Whether the process answers',
      tags,
      auth: false,
      response: { schema: healthAnswer },
      plugins: { ductor: { examples: [{ summary: 'It answers', answer: { status: 'ok' } }] } },
    },
    handler: () => ({ status: 'ok' }),
  },
  {
    method: 'GET',
    path: '/readyz',
    options: {
      id: 'getReadiness',
      description: 'Whether the host can do its work, and how each part of it is',
      notes: 'Degraded is ready: it can do most of its work.',
      tags,
      auth: false,
      response: { schema: readinessAnswer, status: { 503: readinessAnswer } },
      plugins: { ductor: { examples: [{ summary: 'All is well', answer: READY }] } },
    },
    async handler(_request, h) {
      const results = await Promise.all(checks.map(async (check) => [check.name, await resultOf(check, log)] as const));
      const all = results.map(([, { status }]) => status);
      const status = all.includes('failed') ? 'failed' : all.includes('degraded') ? 'degraded' : 'ok';
      const response = h.response({ status, checks: Object.fromEntries(results) });
      return status === 'failed' ? response.code(503).header('retry-after', '1') : response;
    },
  },
];

async function resultOf(
  check: HealthCheck,
  log: Logger,
): Promise<{ readonly status: Health; readonly details?: JsonObject }> {
  const late = Symbol('late');
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const timeout = new Promise<typeof late>((resolve) =>
    signal.addEventListener('abort', () => resolve(late), { once: true }),
  );
  try {
    const result = await Promise.race([check.check(signal), timeout]);
    return result === late ? { status: 'failed', details: { message: 'It did not answer in time.' } } : result;
  } catch (error) {
    log.warn({ err: error, check: check.name }, 'a health check failed');
    return { status: 'failed', details: { message: 'It cannot be used; the host’s log says why.' } };
  }
}
