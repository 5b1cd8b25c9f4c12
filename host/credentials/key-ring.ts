import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Whose row it is: bound to what is sealed, so that a row copied to another tenant or id does not open. */
export interface Owner {
  readonly tenantId: string;
  readonly id: string;
}

/** A text as it is stored, and the id of the key that opens it. */
export interface Sealed {
  readonly keyId: string;
  /** Nonce, ciphertext, tag. */
  readonly sealed: Buffer;
}

/** No key of this host opens it. Its message names what is needed, and nothing of what is inside. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

/** The master keys of this host: the current one seals, the previous ones still open what they sealed. */
export class KeyRing {
  /** Of the current key. */
  readonly keyId: string;
  readonly #keys: ReadonlyMap<string, Buffer>;

  /** Each of 32 bytes. */
  constructor(current: Buffer, previous: readonly Buffer[] = []) {
    this.keyId = idOf(current);
    this.#keys = new Map([current, ...previous].map((master) => [idOf(master), derived(master, 'values', 32)]));
  }

  get keyIds(): readonly string[] {
    return [...this.#keys.keys()];
  }

  seal(owner: Owner, text: string): Sealed {
    const { keyId } = this;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#keyOf(keyId), nonce).setAAD(boundTo(owner, keyId));
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return { keyId, sealed };
  }

  /** Throws `Unreadable`. */
  open(owner: Owner, { keyId, sealed }: Sealed): string {
    const key = this.#keyOf(keyId);
    try {
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(owner, keyId)).setAuthTag(sealed.subarray(-TAG_BYTES));
      const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8');
      return text + decipher.final('utf8');
    } catch {
      throw new Unreadable(`Its row was changed, or belongs elsewhere: the key ${keyId} does not open it.`);
    }
  }

  #keyOf(keyId: string): Buffer {
    const key = this.#keys.get(keyId);
    if (key !== undefined) return key;
    throw new Unreadable(`It was sealed with the master key ${keyId}, which this host does not have.`);
  }
}

const boundTo = ({ tenantId, id }: Owner, keyId: string): Buffer =>
  Buffer.from(JSON.stringify(['ductor credential', tenantId, id, keyId]));

const derived = (master: Buffer, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', master, '', `ductor credential ${purpose}`, bytes));

/** Tells master keys apart and says nothing of them. */
const idOf = (master: Buffer): string => derived(master, 'key id', 8).toString('hex');
