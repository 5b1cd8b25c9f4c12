import { definePlugin, refs } from '@ductor/core';
import { Metrics } from './metrics.ts';
import { optionsSchema } from './options.ts';
import { processMetrics } from './process-metrics.ts';
import { hasTracer, tracing } from './tracing.ts';

/** As much of hapi's toolkit as an answer in plain text needs. */
interface Toolkit {
  response(text: string): { type(mediaType: string): unknown };
}

export default definePlugin({
  deps: { telemetry: refs.telemetry, clock: refs.clock },
  options: optionsSchema,
  contribute({ telemetry, clock }, { open, process_metrics }) {
    const metrics = new Metrics(() => telemetry.gauges());
    const mediaType = metrics.contentType;
    return {
      routes: [
        {
          method: 'GET',
          path: '/metrics',
          options: {
            id: 'getMetrics',
            description: 'What this host has done and is doing, for Prometheus',
            tags: ['Health'],
            ...(open
              ? { auth: false, plugins: { ductor: { mediaType } } }
              : { auth: { scope: ['operator'] }, plugins: { ductor: { mediaType, isAboveTenants: true } } }),
          },
          async handler(_request: never, h: Toolkit) {
            const texts = [await metrics.text(), ...(process_metrics ? [await processMetrics().metrics()] : [])];
            return h.response(texts.join('\n')).type(mediaType);
          },
        },
      ],
      services: [
        {
          name: 'observers',
          where: 'every host',
          async run() {
            if (process_metrics) processMetrics();
            telemetry.observe(metrics.observer);
            if (hasTracer()) telemetry.observe(tracing(clock));
          },
        },
      ],
    };
  },
});
