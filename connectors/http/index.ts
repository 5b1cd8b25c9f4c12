import { defineConnector } from '@ductor/connector-sdk';
import type { HttpAuth } from './auth.ts';
import { type RequestInput, type RequestOutput, request } from './request.action.ts';

interface HttpConnector {
  readonly auth: HttpAuth;
  readonly config: unknown;
  readonly actions: { readonly request: { readonly input: RequestInput; readonly output: RequestOutput } };
}

export default defineConnector<HttpConnector>({ actions: { request } });
