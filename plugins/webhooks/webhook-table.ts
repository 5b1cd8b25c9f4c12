import type { Audit, Database, Instant, JsonObject, RouteCaller, TenantId } from '@ductor/core';
import type { DeliveryFailure, Settings, Webhook } from './webhook.ts';

/** Where a list goes on: behind this one. */
export interface Place {
  readonly at: Instant;
  readonly id: string;
}

const FIND = 'select * from eec_webhook where id = $1';

const FIND_OWN = 'select * from eec_webhook where tenant_id = $1 and id = $2';

/** Plan: eec_webhook_list. The instant as text: to the microsecond. */
const list = (order: 'asc' | 'desc') => `
select *, created_at::text as place from eec_webhook
where tenant_id = $1 and ($2::timestamptz is null or (created_at, id) ${order === 'asc' ? '>' : '<'} ($2, $3::uuid))
order by created_at ${order}, id ${order} limit $4`;

const INSERT = `
insert into eec_webhook (id, tenant_id, name, enabled, verify, delivery_header, action, response)
values (:id, :tenantId, :name, :enabled, :verify, :delivery_header, :action, :response)
on conflict (tenant_id, name) do nothing returning *`;

const UPDATE = `
update eec_webhook set name = :name, enabled = :enabled, verify = :verify, delivery_header = :delivery_header,
  action = :action, response = :response, updated_at = clock_timestamp()
where tenant_id = :tenantId and id = :id
  and not exists (select from eec_webhook o where o.tenant_id = :tenantId and o.name = :name and o.id <> :id)
returning *`;

const DELETE = 'delete from eec_webhook where tenant_id = :tenantId and id = :id returning *';

const FAILED = `
update eec_webhook set failures = jsonb_path_query_array(jsonb_build_array($2::jsonb) || failures, '$[0 to 19]')
where id = $1`;

const LONGEST_MESSAGE = 500;
const LONGEST_DETAILS = 8_192;

/** The rows, each change of them with its entry in the audit log. */
export class WebhookTable {
  private readonly db: Database;
  private readonly audit: Audit;

  constructor({ db, audit }: { readonly db: Database; readonly audit: Audit }) {
    this.db = db;
    this.audit = audit;
  }

  /** Of whatever tenant: for a sender, who knows nothing but the id. */
  async find(id: string): Promise<Webhook | null> {
    return (await this.db.query<Webhook>(FIND, [id]))[0] ?? null;
  }

  async findOwn(tenantId: TenantId, id: string): Promise<Webhook | null> {
    return (await this.db.query<Webhook>(FIND_OWN, [tenantId, id]))[0] ?? null;
  }

  list(
    tenantId: TenantId,
    { order, after, limit }: { readonly order: 'asc' | 'desc'; readonly after: Place | null; readonly limit: number },
  ): Promise<readonly (Webhook & { readonly place: Instant })[]> {
    return this.db.query(list(order), [tenantId, after?.at ?? null, after?.id ?? null, limit]);
  }

  /** `null`: the name is taken. */
  create(author: RouteCaller, id: string, settings: Settings): Promise<Webhook | null> {
    return this.change(author, { verb: 'create', text: INSERT, id, settings });
  }

  /** `null`: the name is taken, or it is gone. */
  update(author: RouteCaller, id: string, settings: Settings): Promise<Webhook | null> {
    return this.change(author, { verb: 'update', text: UPDATE, id, settings });
  }

  /** Answers with what was deleted. */
  async delete({ tenantId, actor }: RouteCaller, webhook: Webhook): Promise<Webhook> {
    const { id, name } = webhook;
    const entry = { tenantId, actor, action: 'webhook.delete', target: id, details: { name } };
    await this.audit.change({ text: DELETE, values: { tenantId, id } }, entry);
    return webhook;
  }

  async failed(id: string, { details, message, ...failure }: DeliveryFailure): Promise<void> {
    const fits = details !== undefined && JSON.stringify(details).length <= LONGEST_DETAILS;
    const kept = JSON.stringify({ ...failure, message: message.slice(0, LONGEST_MESSAGE), ...(fits && { details }) });
    // Messages may quote a part of a delivery, and jsonb takes no lone surrogate.
    await this.db.query(FAILED, [id, kept.replace(/\\ud[89a-f][\da-f]{2}/g, '\\ufffd')]);
  }

  private async change(
    { tenantId, actor }: RouteCaller,
    { verb, text, id, settings }: { verb: string; text: string; id: string; settings: Settings },
  ): Promise<Webhook | null> {
    const { name, enabled, verify, delivery_header, action, response } = settings;
    const values = {
      ...{ id, tenantId, name, enabled, delivery_header },
      verify: JSON.stringify(verify),
      action: JSON.stringify(action),
      response: JSON.stringify(response),
    };
    const details: JsonObject = { name, enabled, verify: { ...verify }, action: Object.keys(action)[0] ?? '' };
    const entry = { tenantId, actor, action: `webhook.${verb}`, target: id, details };
    const [row] = await this.audit.change<Webhook>({ text, values }, entry);
    return row ?? null;
  }
}
