import { type AttemptOutcome, type Clock, DuctorError, type Observer } from '@ductor/core';
import {
  type Attributes,
  type Context,
  isSpanContextValid,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { actionOf } from './action-of.ts';

const NAME = 'ductor';

/** Whether somebody has registered an SDK: without one, spans are made for nobody. */
export function hasTracer(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(NAME) !== undefined;
}

/** Makes a span of each request, trigger, tick and attempt; ticks and attempts are children of their run's trigger. */
export function tracing(clock: Clock): Observer {
  const tracer = trace.getTracer(NAME);
  const begun = new WeakMap<object, Span>();

  const begin = (
    about: object,
    span: { name: string; kind: SpanKind; parent: string | null; at?: Date; attributes: Attributes },
  ): string | undefined => {
    const { name, kind, parent, at, attributes } = span;
    const options = { kind, attributes, ...(at !== undefined && { startTime: at }) };
    const made = tracer.startSpan(name, options, contextOf(parent));
    begun.set(about, made);
    return traceparentOf(made);
  };
  const end = (about: object, finish: (span: Span) => Date | undefined): void => {
    const span = begun.get(about);
    if (span === undefined) return;
    begun.delete(about);
    span.end(finish(span));
  };

  return {
    requestBegan: (request) =>
      begin(request, {
        name: request.method,
        kind: SpanKind.SERVER,
        parent: request.traceparent,
        attributes: { 'http.request.method': request.method, 'url.path': request.path },
      }),
    requestEnded: (request, { route, status }) =>
      end(request, (span) => {
        if (route !== null) span.updateName(`${request.method} ${route}`).setAttribute('http.route', route);
        if (status !== null) span.setAttribute('http.response.status_code', status);
        if (status === null || status >= 500) fail(span, status === null ? 'aborted' : String(status));
        return undefined;
      }),
    triggerBegan: (trigger) =>
      begin(trigger, {
        name: 'ductor.trigger',
        kind: SpanKind.INTERNAL,
        parent: trigger.traceparent,
        attributes: { 'ductor.tenant_id': trigger.tenantId, 'ductor.definition': trigger.address },
      }),
    triggerEnded: (trigger, { runId, error }) =>
      end(trigger, (span) => {
        if (runId === undefined) fail(span, error instanceof DuctorError ? error.code : 'internal');
        else span.setAttribute('ductor.run_id', runId);
        return undefined;
      }),
    ticked: ({ runId, tenantId, transition, after }, { traceparent }) => {
      const attributes = {
        'ductor.tenant_id': tenantId,
        'ductor.run_id': runId,
        'ductor.version': transition.version,
        'ductor.status': after.status,
      };
      const span = { attributes, startTime: new Date(transition.at) };
      tracer.startSpan('ductor.tick', span, contextOf(traceparent)).end(new Date(clock.now()));
    },
    attemptBegan: (dispatch) => {
      const { connector, action } = actionOf(dispatch);
      return begin(dispatch, {
        name: `ductor.attempt ${connector}.${action}`,
        // What a connector calls is the next service.
        kind: dispatch.connector === null ? SpanKind.INTERNAL : SpanKind.CLIENT,
        parent: dispatch.traceparent,
        at: new Date(clock.now()),
        attributes: {
          'ductor.tenant_id': dispatch.tenantId,
          'ductor.run_id': dispatch.runId,
          'ductor.step_ref': dispatch.ref,
          'ductor.connector': connector,
          'ductor.action': action,
          'ductor.attempt': dispatch.attempt.number,
        },
      });
    },
    attemptEnded: (dispatch, { outcome, report: { startedAt, endedAt } }) =>
      end(dispatch, (span) => {
        if (startedAt !== null) span.addEvent('started', new Date(startedAt));
        span.setAttribute('ductor.outcome', outcome.status);
        if (outcome.status !== 'completed') fail(span, reasonOf(outcome));
        return new Date(endedAt);
      }),
  };
}

const fail = (span: Span, reason: string): void => {
  span.setAttribute('error.type', reason).setStatus({ code: SpanStatusCode.ERROR });
};

/** Codes only: messages may quote data. */
const reasonOf = (outcome: Exclude<AttemptOutcome, { status: 'completed' }>): string =>
  outcome.status === 'failed' ? outcome.error.code : outcome.status;

function contextOf(traceparent: string | null): Context {
  const [, traceId, spanId, flags] = traceparent?.split('-') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function traceparentOf(span: Span): string | undefined {
  const context = span.spanContext();
  if (!isSpanContextValid(context)) return undefined;
  const flags = context.traceFlags.toString(16).padStart(2, '0');
  return `00-${context.traceId}-${context.spanId}-${flags}`;
}
