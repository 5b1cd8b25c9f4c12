import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { expect } from 'chai';
import { startTestHost, type TestHost } from '../../support/host.js';
import { until } from '../../support/until.js';
import { type Service, startService } from './service.js';
import { publishCall, runCall } from './workflow.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

describe('Tracing, with an OpenTelemetry SDK', () => {
  const exporter = new InMemorySpanExporter();
  let service: Service;
  let host: TestHost;
  before(async function () {
    this.timeout(60_000);
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    service = await startService();
    host = await startTestHost();
    await publishCall(host, service.url);
  });
  after(async () => {
    await host.stop();
    service.close();
    trace.disable();
  });
  beforeEach(() => exporter.reset());

  const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId;
  /** The spans of a run's trace, once it has all of them. */
  const spansOf = (traceId: string) =>
    until(() => {
      const spans = exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
      const named = (name: string) => spans.filter((span) => span.name === name);
      const [request] = named('POST /api/v2/workflow-definitions/{definition_id}:trigger');
      const [trigger] = named('ductor.trigger');
      const [attempt] = named('ductor.attempt http.request');
      const ticks = named('ductor.tick');
      return request && trigger && attempt && ticks.length === 2 ? { request, trigger, attempt, ticks } : null;
    }, 'the spans of the run');

  it('makes one trace from the caller’s span to what the connector calls', async () => {
    const { runId } = await runCall(host, { path: '/ok' }, { traceparent: `00-${TRACE}-${CALLER}-01` });
    const { request, trigger, attempt, ticks } = await spansOf(TRACE);
    expect(request.parentSpanContext?.spanId).to.equal(CALLER);
    expect(trigger.parentSpanContext?.spanId).to.equal(idOf(request));
    for (const span of [attempt, ...ticks]) expect(span.parentSpanContext?.spanId, span.name).to.equal(idOf(trigger));
    expect(service.seen.at(-1)?.traceparent).to.equal(`00-${TRACE}-${idOf(attempt)}-01`);

    expect(request.kind).to.equal(SpanKind.SERVER);
    expect(request.attributes).to.include({
      'http.request.method': 'POST',
      'http.route': '/api/v2/workflow-definitions/{definition_id}:trigger',
      'http.response.status_code': 200,
    });
    expect(trigger.attributes).to.include({ 'ductor.definition': 'call', 'ductor.run_id': runId });
    expect(attempt.kind).to.equal(SpanKind.CLIENT);
    expect(attempt.attributes).to.include({
      'ductor.run_id': runId,
      'ductor.step_ref': 'call',
      'ductor.connector': 'http',
      'ductor.action': 'request',
      'ductor.attempt': 1,
      'ductor.outcome': 'completed',
    });
    expect(attempt.events.map(({ name }) => name)).to.eql(['started']);
    expect(ticks.map(({ attributes }) => attributes['ductor.status'])).to.eql(['running', 'completed']);
    for (const { duration } of [attempt, ...ticks]) expect(duration[0]).to.be.within(0, 60);
  });

  it('begins a trace where the caller has none, and tells it', async () => {
    const { traceId, traceparent } = await runCall(host, { path: '/ok' });
    const { request, trigger } = await spansOf(traceId);
    expect(request.parentSpanContext).to.equal(undefined);
    expect(trigger.parentSpanContext?.spanId).to.equal(idOf(request));
    expect(traceparent).to.equal(`00-${traceId}-${idOf(request)}-01`);
  });

  it('marks what failed by its code', async () => {
    const { traceId } = await runCall(host, { path: '/fail' });
    const { attempt } = await spansOf(traceId);
    expect(attempt.status).to.eql({ code: SpanStatusCode.ERROR });
    expect(attempt.attributes).to.include({ 'ductor.outcome': 'failed', 'error.type': 'http_400' });

    await host.call('POST', '/api/v2/workflow-definitions/nothing:trigger', {});
    const refused = await until(
      () => exporter.getFinishedSpans().find(({ attributes }) => attributes['ductor.definition'] === 'nothing') ?? null,
      'the refused trigger',
    );
    expect(refused.attributes['error.type']).to.equal('not_found');
  });
});
