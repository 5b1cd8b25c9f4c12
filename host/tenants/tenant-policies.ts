import type { TenantId } from '@ductor/core';
import type { Entitlements } from './entitlements.ts';

/** What holds for a tenant's definitions and triggers. */
export interface TenantPolicy {
  /** `required`: a trigger names the live release. */
  readonly release_policy: 'none' | 'required';
  readonly entitlements: Entitlements;
}

const TRUSTED_FOR_MS = 5_000;
const MOST_REMEMBERED = 1_000;

/** Each tenant's policy, remembered for five seconds: a trigger costs no query for it. */
export class TenantPolicies {
  readonly #read: (tenantId: TenantId) => Promise<TenantPolicy>;
  readonly #monotonicMs: () => number;
  readonly #known = new Map<TenantId, { readonly policy: Promise<TenantPolicy>; readonly until: number }>();

  /** `monotonicMs` is only measured against itself. */
  constructor(
    read: (tenantId: TenantId) => Promise<TenantPolicy>,
    monotonicMs: () => number = () => performance.now(),
  ) {
    this.#read = read;
    this.#monotonicMs = monotonicMs;
  }

  of(tenantId: TenantId): Promise<TenantPolicy> {
    const known = this.#known.get(tenantId);
    if (known !== undefined && this.#monotonicMs() < known.until) return known.policy;
    const policy = this.#read(tenantId);
    policy.catch(() => this.forget(tenantId));
    this.forget(tenantId);
    if (this.#known.size >= MOST_REMEMBERED) this.#known.delete(this.#known.keys().next().value ?? '');
    this.#known.set(tenantId, { policy, until: this.#monotonicMs() + TRUSTED_FOR_MS });
    return policy;
  }

  /** It has changed: this host sees that at once. */
  forget(tenantId: TenantId): void {
    this.#known.delete(tenantId);
  }
}
