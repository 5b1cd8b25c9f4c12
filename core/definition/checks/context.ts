import type { Problem } from '../../errors.ts';
import type { ConnectorPin } from '../../ports/action-pool.ts';
import type { Vocabulary } from '../draft-vocabulary.ts';
import type { ActionTraits } from '../graph.ts';

/** What is not known of a text before it is evaluated: all of it, or all but that it is a text. */
export type Openness = 'value' | 'text' | null;

/** JSON Schema 2020-12, with `format: duration` as `parseDuration` reads it. */
export interface SchemaValidator {
  /**
   * Every fault of a value, by its path below `path`; the schema has passed `check` or is our own. `openness`: of texts
   * that stand for a value yet to come; nothing is said of what depends on one.
   */
  validate(request: {
    readonly schema: object;
    readonly value: unknown;
    readonly path: string;
    readonly openness?: (text: string) => Openness;
  }): readonly Problem[];
  /** Every fault of a schema that a third party wrote. It may refer to nothing but itself. */
  check(schema: unknown, path: string): readonly Problem[];
}

/** What publish has to know of an action, as its connector's manifest says it. */
export interface CatalogueAction {
  /** JSON Schemas. */
  readonly input: object;
  readonly output: object;
  readonly traits: ActionTraits;
  /** Which kinds of its connector's credentials it takes, by their ids. */
  readonly credential: { readonly kinds: readonly string[]; readonly required: boolean };
}

/** What publish has to know of a credential: nothing that is secret. */
export interface CatalogueCredential {
  /** Of the connector that it is for. */
  readonly connector: string;
  /** The id of its kind. */
  readonly auth: string;
}

/** The one version of a connector that a new definition would run on. */
export interface CatalogueConnector {
  readonly pin: ConnectorPin;
  /** By name, without the connector's id. */
  readonly actions: ReadonlyMap<string, CatalogueAction>;
}

/** The connectors that are installed here and enabled for one tenant. */
export interface ActionCatalogue {
  /** The newest version in the range; null: any. */
  find(connectorId: string, range: string | null): CatalogueConnector | null;
  ids(): readonly string[];
}

/** Everything that publish checks compare a draft with: of one tenant, as it is now. */
export interface CheckContext {
  readonly vocabulary: Vocabulary;
  readonly schemas: SchemaValidator;
  readonly actions: ActionCatalogue;
  /** By name. */
  readonly credentials: ReadonlyMap<string, CatalogueCredential>;
}
